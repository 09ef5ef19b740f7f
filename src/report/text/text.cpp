// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "pipeline/experiment.h"

namespace helio::report {
namespace {

constexpr std::size_t kNames = 12;      // the least width of the column of names
constexpr std::size_t kPathCells = 40;  // of the bars of a whole critical path
constexpr std::size_t kTimeCells = 16;  // of the bars that compare times

// Rows with bars are as wide as they are; nothing in them is broken.
Look unbroken(Look look) {
  look.columns = 0;
  return look;
}

std::string proof(const pipeline::Result& result, const Look& look) {
  if (result.verified) return paint(look, Ink::kGood, fmt::format("yes, by {}", result.verify_method));
  if (result.verify_method == "none") return "not asked for (--verify)";
  return paint(look, Ink::kDoubtful, fmt::format("no: {}", result.verify_method));
}

// The parts of the critical path, none of which is nothing; only a terminal is shown them, for `bottleneck` says the same in words.
std::string path(const pipeline::Result& result, const Look& look, std::size_t names) {
  const simulate::Split& split = result.critical;
  const std::array<std::pair<const char*, Time>, 7> parts = {{{"transmission", split.transmission},
                                                              {"latency", split.latency},
                                                              {"overhead", split.overhead},
                                                              {"setup", split.setup},
                                                              {"compute", split.compute},
                                                              {"waiting", split.waiting},
                                                              {"control", split.control}}};
  const std::size_t before = names + 3 + 34;  // columns: what stands left of a bar
  const std::size_t room = look.columns > before ? look.columns - before : kTimeCells;
  const std::size_t cells = look.columns == 0 ? kPathCells : std::clamp(room, kTimeCells, kPathCells);
  std::string text, name = "path";
  for (const auto& [part, time] : parts) {
    if (!look.terminal || time <= Time() || result.time <= Time()) continue;
    const double share = time.to_seconds() / result.time.to_seconds();
    text += line_of(unbroken(look), name,
                    fmt::format("{:<12}  {:>9}  {:>5.1f} %  {}", part, format(time), 100 * share,
                                paint(look, Ink::kBar, bar(look, share, cells))),
                    names);
    name.clear();
  }
  return text;
}

// What else was tried, in columns; the winner is the line above them all.
std::string alternatives(const pipeline::Result& result, const Look& look, std::size_t names) {
  std::size_t width = result.algorithm.size();
  for (const pipeline::Alternative& other : result.alternatives) width = std::max(width, other.algorithm.size());
  Time slowest = result.time;
  for (const pipeline::Alternative& other : result.alternatives)
    slowest = std::max(slowest, other.time.value_or(Time()));
  const auto row = [&](std::string_view name, const std::string& algorithm, std::optional<Time> time,
                       std::uint64_t steps, std::string_view why) {
    const double share = time && slowest > Time() ? time->to_seconds() / slowest.to_seconds() : 0;
    const std::string drawn = look.terminal ? bar(look, share, kTimeCells) : "";
    const std::string padded = look.terminal ? drawn + std::string(kTimeCells + 2 - width_of(drawn), ' ') : "";
    return line_of(unbroken(look), name,
                   fmt::format("{:<{}}  {:>9}  {:>9}  {}{}", algorithm, width, time ? format(*time) : "-",
                               time ? pipeline::counted(steps, "step") : "-", paint(look, Ink::kBar, padded),
                               wrapped(look, why, names + 3 + width + 24 + width_of(padded))),
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

std::string line_of(const Look& look, std::string_view name, std::string_view value, std::size_t names) {
  const std::string padded = fmt::format("{:<{}}", name, names);
  return fmt::format("  {} {}\n", name.empty() ? padded : paint(look, Ink::kName, padded),
                     wrapped(look, value, names + 3));
}

std::string to_text(const pipeline::Result& result, const Look& look) {
  const std::string ranks = pipeline::counted(result.ranks, "rank");
  const std::string groups = result.groups > 1 ? fmt::format("{} groups of {}", result.groups, ranks) : ranks;
  std::string text = paint(look, Ink::kTitle,
                           fmt::format("{} of {} on {} ({}) by {}", schedule::name_of(result.kind),
                                       format(result.bytes), result.fabric, groups, result.algorithm)) +
                     "\n";

  // Facts have names of any length; all values stand in one column
  std::size_t names = kNames;
  for (const Fact& fact : result.facts) names = std::max(names, fact.name.size());
  const auto add = [&](std::string_view name, std::string_view value) { text += line_of(look, name, value, names); };

  add("time", fmt::format("{}   {:.3f} x the lower bound", format(result.time), result.bound_ratio));
  add("bound", fmt::format("{}   {}", format(Time::seconds(result.bound_s)), result.bound));
  text += path(result, look, names);
  add("bottleneck", result.bottleneck);
  add("steps", fmt::format("{} ({})", result.steps, pipeline::name_of(result.sync)));
  add("traffic",
      fmt::format("{} over all links, {} sent by the busiest rank", format(result.traffic), format(result.injected)));
  if (result.wavelengths_used > 0) add("wavelengths", fmt::format("{}", result.wavelengths_used));
  for (const Fact& fact : result.facts) add(fact.name, in_words(fact));
  add("verified", proof(result, look));
  for (const pipeline::Attempt& attempt : result.attempts)
    add("remedy", fmt::format("{}: {} ({})", attempt.remedy, attempt.outcome, attempt.reason));
  for (const std::string& assumption : result.assumptions)
    if (assumption.starts_with("beyond what was published")) add("beware", assumption);
  add("label", result.label);
  if (!result.asked_algorithm.empty()) text += alternatives(result, look, names);
  return text;
}

std::string to_text(const std::vector<pipeline::Result>& results, const Look& look) {
  std::string text;
  Time time;
  double bound = 0;
  std::size_t width = 0;
  for (const pipeline::Result& result : results) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", shown(result.name), to_text(result, look));
    time += result.time;
    bound += result.bound_s;
    width = std::max(width, width_of(shown(result.name)));
  }
  const std::string title =
      fmt::format("total: {}, one after the other", pipeline::counted(results.size(), "collective"));
  text += fmt::format("\n{}\n", paint(look, Ink::kTitle, title));
  if (look.terminal && results.size() > 1)
    for (const pipeline::Result& result : results) {
      const double share = time > Time() ? result.time.to_seconds() / time.to_seconds() : 0;
      const std::string name = shown(result.name);
      text += fmt::format("  {}{}  {:>9}  {:>8.3f} x bound  {:>5.1f} %  {}\n", name,
                          std::string(width - width_of(name), ' '), format(result.time), result.bound_ratio,
                          100 * share, paint(look, Ink::kBar, bar(look, share, kTimeCells)));
    }
  const double ratio = bound > 0 ? time.to_seconds() / bound : 1;
  text += line_of(look, "time", fmt::format("{}   {:.3f} x the lower bounds", format(time), ratio));
  return text;
}

}  // namespace helio::report
