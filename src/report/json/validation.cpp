// SPDX-License-Identifier: Apache-2.0
#include "report/json/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"

namespace helio::report {
namespace {

constexpr std::size_t kWorst = 5;

nlohmann::ordered_json object(const pipeline::ComparedRow& row) {
  return {{"line", row.line},
          {"what", row.what},
          {"measured_s", row.measured_s},
          {"predicted_s", row.predicted_s},
          {"error_percent", row.error_percent()},
          {"reason", row.reason}};
}

nlohmann::ordered_json object(const pipeline::Errors& errors) {
  return {{"name", errors.name},         {"rows", errors.rows},
          {"mape_percent", errors.mean}, {"median_percent", errors.median},
          {"p90_percent", errors.p90},   {"bias_percent", errors.bias}};
}

}  // namespace

std::string to_text(const pipeline::Validation& validation) {
  const pipeline::Errors all = validation.errors();
  std::string text =
      fmt::format("{} of {}\n  rows        {}", validation.kind, visible(validation.file), validation.rows.size());
  if (!validation.refused.empty()) text += fmt::format(", {} refused", validation.refused.size());
  if (validation.left_out > 0) text += fmt::format(", {} not asked for", validation.left_out);
  text +=
      fmt::format("\n  mean error  {:.2f} %\n  median      {:.2f} %\n  p90         {:.2f} %\n  bias        {:+.2f} %\n",
                  all.mean, all.median, all.p90, all.bias);
  if (const auto groups = validation.groups(); !groups.empty()) {
    text +=
        fmt::format("  {:<36} {:>6} {:>8} {:>8} {:>8} {:>8}\n", "by group", "rows", "mean", "median", "p90", "bias");
    for (const pipeline::Errors& group : groups)
      text += fmt::format("    {:<34} {:>6} {:>6.1f} % {:>6.1f} % {:>6.1f} % {:>+6.1f} %\n", visible(group.name),
                          group.rows, group.mean, group.median, group.p90, group.bias);
  }
  text += "  worst rows\n";
  for (const pipeline::ComparedRow& row : validation.worst(kWorst))
    text += fmt::format("    line {:<4} {:>10} measured, {:>10} predicted  {:+6.1f} %  {}\n      {}\n", row.line,
                        format(Time::seconds(row.measured_s)), format(Time::seconds(row.predicted_s)),
                        row.error_percent(), visible(row.what), visible(row.reason));

  // Refused rows by their reasons, the most frequent first
  std::map<std::string, std::vector<std::size_t>> reasons;
  for (const auto& row : validation.refused) reasons[row.reason].push_back(row.line);
  std::vector<std::pair<std::string, std::vector<std::size_t>>> sorted(reasons.begin(), reasons.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  for (const auto& [reason, lines] : sorted)
    text += lines.size() == 1 ? fmt::format("  line {} is not among them: {}\n", lines[0], visible(reason))
                              : fmt::format("  {} rows are not among them, from line {} on: {}\n", lines.size(),
                                            lines[0], visible(reason));
  return text;
}

std::string to_json(const pipeline::Validation& validation) {
  nlohmann::ordered_json worst = nlohmann::ordered_json::array(), all = worst, refused = worst, groups = worst;
  for (const pipeline::ComparedRow& row : validation.worst(kWorst)) worst.push_back(object(row));
  for (const pipeline::ComparedRow& row : validation.rows) all.push_back(object(row));
  for (const auto& row : validation.refused) refused.push_back({{"line", row.line}, {"reason", row.reason}});
  for (const pipeline::Errors& group : validation.groups()) groups.push_back(object(group));
  const pipeline::Errors errors = validation.errors();
  const nlohmann::ordered_json json = {{"file", validation.file},
                                       {"kind", validation.kind},
                                       {"rows", validation.rows.size()},
                                       {"rows_refused", validation.refused.size()},
                                       {"rows_left_out", validation.left_out},
                                       {"mape_percent", errors.mean},
                                       {"median_percent", errors.median},
                                       {"p90_percent", errors.p90},
                                       {"bias_percent", errors.bias},
                                       {"groups", groups},
                                       {"refused", refused},
                                       {"worst", worst},
                                       {"predictions", all}};
  return json_dump(json, 2) + "\n";
}

std::string to_text(const pipeline::Fit& fit) {
  const auto line = [](std::string_view name, const pipeline::Errors& errors) {
    return fmt::format("  {:<28} {:>6} {:>6.1f} % {:>6.1f} % {:>6.1f} % {:>+6.1f} %\n", visible(name), errors.rows,
                       errors.mean, errors.median, errors.p90, errors.bias);
  };
  std::string text = fmt::format("fit of {} constants to {} of {}, the file predicted {} times\n", fit.constants.size(),
                                 fit.kind, visible(fit.file), fit.evaluations);
  text += fmt::format("  {:<28} {:>6} {:>8} {:>8} {:>8} {:>8}\n", "error", "rows", "mean", "median", "p90", "bias");
  text += line("before", fit.before) + line("after, on the same rows", fit.after);
  for (const pipeline::Errors& errors : fit.unseen)
    text += line(fmt::format("without {} {}", fit.left_out, errors.name), errors);
  if (!fit.unseen.empty()) text += line("on rows left out, together", fit.unseen_together);
  if (fit.refused > 0) text += fmt::format("  {} rows cannot be predicted and were not fitted\n", fit.refused);
  for (const pipeline::FittedConstant& constant : fit.constants)
    text += fmt::format("  --set \"{}={}\"{:>{}} was {}\n", constant.path, constant.after, "",
                        40 - std::min<std::size_t>(39, constant.path.size() + constant.after.size()), constant.before);
  return text;
}

std::string to_json(const pipeline::Fit& fit) {
  nlohmann::ordered_json constants = nlohmann::ordered_json::array(), unseen = constants;
  for (const pipeline::FittedConstant& one : fit.constants)
    constants.push_back({{"path", one.path}, {"before", one.before}, {"after", one.after}});
  for (const pipeline::Errors& errors : fit.unseen) unseen.push_back(object(errors));
  const nlohmann::ordered_json json = {{"file", fit.file},
                                       {"kind", fit.kind},
                                       {"rows_refused", fit.refused},
                                       {"evaluations", fit.evaluations},
                                       {"constants", constants},
                                       {"before", object(fit.before)},
                                       {"after", object(fit.after)},
                                       {"left_out", fit.left_out},
                                       {"unseen", unseen},
                                       {"unseen_together", object(fit.unseen_together)}};
  return json_dump(json, 2) + "\n";
}

std::string column_help() {
  std::string text =
      "The columns of FILE's first line that is no comment say what was measured. Other columns may be there, too, and "
      "lines "
      "that start with '#'.\n";
  for (const pipeline::RowKind& kind : pipeline::row_kinds()) {
    text += fmt::format("\n{}\n", kind.name);
    for (const auto& column : kind.needed) text += fmt::format("  {:<22} {}\n", column.name, column.meaning);
    for (const auto& column : kind.optional)
      text += fmt::format("  {:<22} {} (may be empty)\n", column.name, column.meaning);
  }
  return text;
}

}  // namespace helio::report
