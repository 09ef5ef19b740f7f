// SPDX-License-Identifier: Apache-2.0
#include "report/json/validation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
          {"error_percent", row.error_percent()}};
}

}  // namespace

std::string to_text(const pipeline::Validation& validation) {
  std::string text = fmt::format(
      "{} of {}\n  rows        {}\n  mean error  {:.2f} %\n  bias        {:+.2f} %\n  worst rows\n", validation.kind,
      visible(validation.file), validation.rows.size(), validation.mape_percent(), validation.bias_percent());
  for (const pipeline::ComparedRow& row : validation.worst(kWorst))
    text += fmt::format("    line {:<4} {:>10} measured, {:>10} predicted  {:+6.1f} %  {}\n", row.line,
                        format(Time::seconds(row.measured_s)), format(Time::seconds(row.predicted_s)),
                        row.error_percent(), visible(row.what));
  for (const auto& row : validation.refused)
    text += fmt::format("  line {} is not among them: {}\n", row.line, visible(row.reason));
  return text;
}

std::string to_json(const pipeline::Validation& validation) {
  nlohmann::ordered_json worst = nlohmann::ordered_json::array(), all = worst;
  for (const pipeline::ComparedRow& row : validation.worst(kWorst)) worst.push_back(object(row));
  for (const pipeline::ComparedRow& row : validation.rows) all.push_back(object(row));
  nlohmann::ordered_json refused = nlohmann::ordered_json::array();
  for (const auto& row : validation.refused) refused.push_back({{"line", row.line}, {"reason", row.reason}});
  const nlohmann::ordered_json json = {{"file", validation.file},
                                       {"kind", validation.kind},
                                       {"rows", validation.rows.size()},
                                       {"mape_percent", validation.mape_percent()},
                                       {"bias_percent", validation.bias_percent()},
                                       {"refused", refused},
                                       {"worst", worst},
                                       {"predictions", all}};
  return json_dump(json, 2) + "\n";
}

}  // namespace helio::report
