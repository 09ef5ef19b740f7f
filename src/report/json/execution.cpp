// SPDX-License-Identifier: Apache-2.0
#include "report/json/execution.h"

#include <fmt/format.h>

#include "base/json_dump.h"
#include "base/units.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"

namespace helio::report {
namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

std::string to_json(const Execution& e) {
  const Json json = {
      {"version", pipeline::kVersion},
      {"kind", e.kind},
      {"algorithm", e.algorithm},
      {"fabric", e.fabric.empty() ? Json(nullptr) : Json(e.fabric)},
      {"ranks", e.ranks},
      {"groups", e.groups},
      {"bytes", number(e.bytes)},
      {"dtype", e.element},
      {"op", e.op},
      {"repeat", e.repeat},
      {"steps", e.rounds},
      {"verified", e.verified},
      {"verify_method", e.verify_method},
      {"time_s", e.time_s},
      {"step_s", e.rounds ? e.time_s / static_cast<double>(e.rounds) : 0.0},
      {"bandwidth_bps", e.time_s > 0 ? 8 * e.bytes / e.time_s : 0.0},
      {"mpi_time_s", e.mpi_time_s},
      {"ratio_to_mpi", e.ratio_to_mpi()},
      {"predicted_s", or_null(e.predicted_s)},
      {"predicted_ratio", e.predicted_s && e.time_s > 0 ? Json(*e.predicted_s / e.time_s) : Json(nullptr)},
      {"value_error", or_null(e.value_error)}};
  return json_dump(json, 2) + "\n";
}

std::string to_text(const Execution& e) {
  std::string text =
      fmt::format("{} of {} by {} on {} ranks{}, {}\n", e.kind, format(Bytes{e.bytes}), e.algorithm, e.ranks,
                  e.groups > 1 ? fmt::format(" in each of {} groups", e.groups) : "", e.element);
  const auto seconds = [](double s) { return format(Time::seconds(s)); };
  text += fmt::format("  time         {}, the median of {}; {} steps of {}\n", seconds(e.time_s), e.repeat, e.rounds,
                      seconds(e.rounds ? e.time_s / static_cast<double>(e.rounds) : 0));
  text += fmt::format("  MPI          {}: ours has {:.3g} x its bandwidth\n", seconds(e.mpi_time_s), e.ratio_to_mpi());
  if (e.predicted_s)
    text += fmt::format("  predicted    {} on {}, {:+.3g} %\n", seconds(*e.predicted_s), e.fabric,
                        e.time_s > 0 ? 100 * (*e.predicted_s / e.time_s - 1) : 0.0);
  if (e.value_error) text += fmt::format("  value error  {:.3g} of the sum, root mean square\n", *e.value_error);
  text += fmt::format("  verified     {}\n", e.verified ? "yes, by " + e.verify_method +
                                                              (e.value_error ? "; within two codes of MPI's numbers"
                                                                             : "; its numbers are MPI's")
                                                        : "no: " + e.fault);
  return text;
}

}  // namespace helio::report
