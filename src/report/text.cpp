// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "pipeline/experiment.h"

namespace helio::report {
namespace {

std::string line(std::string_view name, std::string_view value) { return fmt::format("  {:<12} {}\n", name, value); }

std::string proof(const pipeline::Result& result) {
  if (result.verified) return fmt::format("yes, by {}", result.verify_method);
  return result.verify_method == "none" ? "not asked for (--verify)" : fmt::format("no: {}", result.verify_method);
}

}  // namespace

std::string to_text(const pipeline::Result& result) {
  const std::string groups = result.groups > 1 ? fmt::format("{} groups of {} ranks", result.groups, result.ranks)
                                               : fmt::format("{} ranks", result.ranks);
  std::string text = fmt::format("{} of {} on {} ({}) by {}\n", schedule::name_of(result.kind), format(result.bytes),
                                 result.fabric, groups, result.algorithm);
  text += line("time", fmt::format("{}   {:.3f} x the lower bound", format(result.time), result.bound_ratio));
  text += line("bound", fmt::format("{}   {}", format(Time::seconds(result.bound_s)), result.bound));
  text += line("bottleneck", result.bottleneck);
  text += line("steps", fmt::format("{} ({})", result.steps, pipeline::name_of(result.sync)));
  text += line("traffic", fmt::format("{} over all links, {} sent by the busiest rank", format(result.traffic),
                                      format(result.injected)));
  if (result.wavelengths_used > 0) text += line("wavelengths", fmt::format("{}", result.wavelengths_used));
  text += line("verified", proof(result));
  for (const pipeline::Attempt& attempt : result.attempts)
    text += line("remedy", fmt::format("{}: {} ({})", attempt.remedy, attempt.outcome, attempt.reason));
  text += line("label", result.label);
  return text;
}

std::string to_text(const std::vector<pipeline::Result>& results) {
  std::string text;
  for (const pipeline::Result& result : results)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", result.name, to_text(result));
  return text;
}

std::string to_text(const std::vector<Row>& rows) {
  std::size_t quantity = 8, study = 5;
  for (const Row& row : rows) {
    quantity = std::max(quantity, row.quantity.size());
    study = std::max(study, row.study.size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>14}  {:>14}  {:>9}  {:<10}  source\n", "study", study, "quantity",
                                 quantity, "published", "ours", "within", "label");
  for (const Row& row : rows)
    text += fmt::format("{:<{}}  {:<{}}  {:>14.8g}  {:>14.8g}  {:>9.2g}  {:<10}  {}\n", row.study, study, row.quantity,
                        quantity, row.published, row.ours, row.within(), row.label + (row.predicted ? "" : "*"),
                        row.source);
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.predicted; }))
    text += "* not predicted: a parameter was chosen to meet this number\n";
  return text;
}

}  // namespace helio::report
