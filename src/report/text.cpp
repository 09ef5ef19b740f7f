// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/units.h"
#include "pipeline/experiment.h"

namespace helio::report {
namespace {

constexpr std::size_t kNames = 12;  // the least width of the column of names

std::string line(std::string_view name, std::string_view value, std::size_t names = kNames) {
  return fmt::format("  {:<{}} {}\n", name, names, value);
}

std::string proof(const pipeline::Result& result) {
  if (result.verified) return fmt::format("yes, by {}", result.verify_method);
  return result.verify_method == "none" ? "not asked for (--verify)" : fmt::format("no: {}", result.verify_method);
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// Rows that are held against the same sort of number, under one head.
std::string table_of(std::span<const Row> rows, std::size_t study, std::size_t quantity) {
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>14}  {:>14}  {:>9}  {:<10}  source\n", "study", study, "quantity",
                                 quantity, rows.front().versus, "ours", "within", "label");
  for (const Row& row : rows)
    text += fmt::format("{:<{}}  {:<{}}  {:>14.8g}  {:>14.8g}  {:>9.2g}  {:<10}  {}\n", row.study, study, row.quantity,
                        quantity, row.published, row.ours, row.within(), row.label + (row.predicted ? "" : "*"),
                        row.source);
  return text;
}

// What else was tried, in columns; the winner is the line above them all.
std::string alternatives(const pipeline::Result& result, std::size_t names) {
  std::size_t width = result.algorithm.size();
  for (const pipeline::Alternative& other : result.alternatives) width = std::max(width, other.algorithm.size());
  const auto row = [&](std::string_view name, const std::string& algorithm, std::optional<Time> time,
                       std::uint64_t steps, std::string_view why) {
    return line(name,
                fmt::format("{:<{}}  {:>9}  {:>9}  {}", algorithm, width, time ? format(*time) : "-",
                            time ? fmt::format("{} steps", steps) : "-", why),
                names);
  };
  std::string text = row(result.asked_algorithm, result.algorithm, result.time, result.steps, "the fastest");
  for (const pipeline::Alternative& other : result.alternatives)
    text += row("", other.algorithm, other.time, other.steps, fmt::format("{}: {}", other.verdict, other.reason));
  return text;
}

}  // namespace

std::string in_words(const Fact& fact) {
  if (const bool* truth = std::get_if<bool>(&fact.value)) return *truth ? "yes" : "no";
  if (const double* value = std::get_if<double>(&fact.value)) return fmt::format("{:.6g}", *value);
  return std::get<std::string>(fact.value);
}

std::string to_text(const pipeline::Result& result) {
  const std::string ranks = counted(result.ranks, "rank");
  const std::string groups = result.groups > 1 ? fmt::format("{} groups of {}", result.groups, ranks) : ranks;
  std::string text = fmt::format("{} of {} on {} ({}) by {}\n", schedule::name_of(result.kind), format(result.bytes),
                                 result.fabric, groups, result.algorithm);

  // Facts have names of any length; all values stand in one column
  std::size_t names = kNames;
  for (const Fact& fact : result.facts) names = std::max(names, fact.name.size());
  const auto add = [&](std::string_view name, std::string_view value) { text += line(name, value, names); };

  add("time", fmt::format("{}   {:.3f} x the lower bound", format(result.time), result.bound_ratio));
  add("bound", fmt::format("{}   {}", format(Time::seconds(result.bound_s)), result.bound));
  add("bottleneck", result.bottleneck);
  add("steps", fmt::format("{} ({})", result.steps, pipeline::name_of(result.sync)));
  add("traffic",
      fmt::format("{} over all links, {} sent by the busiest rank", format(result.traffic), format(result.injected)));
  if (result.wavelengths_used > 0) add("wavelengths", fmt::format("{}", result.wavelengths_used));
  for (const Fact& fact : result.facts) add(fact.name, in_words(fact));
  add("verified", proof(result));
  for (const pipeline::Attempt& attempt : result.attempts)
    add("remedy", fmt::format("{}: {} ({})", attempt.remedy, attempt.outcome, attempt.reason));
  add("label", result.label);
  if (!result.asked_algorithm.empty()) text += alternatives(result, names);
  return text;
}

std::string to_text(const std::vector<pipeline::Result>& results) {
  std::string text;
  Time time;
  double bound = 0;
  for (const pipeline::Result& result : results) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", result.name, to_text(result));
    time += result.time;
    bound += result.bound_s;
  }
  text += fmt::format("\ntotal: {}, one after the other\n", counted(results.size(), "collective"));
  const double ratio = bound > 0 ? time.to_seconds() / bound : 1;
  text += line("time", fmt::format("{}   {:.3f} x the lower bounds", format(time), ratio));
  return text;
}

std::string to_text(const std::vector<Row>& rows) {
  std::size_t quantity = 8, study = 5;
  for (const Row& row : rows) {
    quantity = std::max(quantity, row.quantity.size());
    study = std::max(study, row.study.size());
  }
  std::string text;
  for (const std::span<const Row> alike : runs_of_one_sort(rows)) {
    if (!text.empty()) text += '\n';
    text += table_of(alike, study, quantity);
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.predicted; }))
    text += "* not predicted: a parameter was chosen to meet this number\n";
  return text;
}

}  // namespace helio::report
