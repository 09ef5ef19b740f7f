// SPDX-License-Identifier: Apache-2.0
#include "report/json/onn_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/visible.h"
#include "photonics/onn_cost.h"
#include "pipeline/counted.h"

namespace helio::report {

using namespace photonics;

Json task_in_json(const AveragingTask& task) {
  Json json = {{"servers", task.servers},
               {"bits", task.bits},
               {"symbol_bits", task.symbol_bits},
               {"rounding", name_of(task.rounding)}};
  if (task.in_fraction) json["in_fraction"] = task.in_fraction;
  if (task.out_fraction) json["out_fraction"] = task.out_fraction;
  if (task.merge != 1) json["merge"] = task.merge;
  return json;
}

void add_cost(Json& json, const CompiledOnn& compiled, const MziParameters& mzi) {
  const OnnCost made = cost(compiled, {.mzi = mzi});
  const std::vector<int> widths = compiled.onn.widths();
  json["layers"] = widths;
  json["compilation"] = name_of(compiled.how);
  json["mzis"] = made.mzis;
  json["mzis_by_svd"] = mzis(widths, {}, true);
  json["mzis_by_svd_without_bias"] = mzis(widths, {}, false);
  json["depth"] = made.depth;
  json["loss_db"] = made.worst_layer_loss_db;
  json["loss_without_regeneration_db"] = made.loss_db;
  json["area_mm2"] = made.area_mm2;
  json["latency_s"] = made.latency_s;
  json["activations"] = made.activations;
}

std::string in_words(const Onn& onn, const Json& json, const std::string& more) {
  return fmt::format(
      "{}: the average of {} of {}\n  layers       {}\n  MZIs         {} ({}), {} by full decompositions\n"
      "  depth        {} in a row, {:.2g} ns\n  loss         {:.1f} dB in the deepest layer, {:.1f} dB if light "
      "were not made anew\n"
      "  area         {:.3g} mm2\n{}",
      shown(onn.provenance.method), pipeline::counted(onn.task.servers, "code"),
      pipeline::counted(onn.task.bits, "bit"), fmt::join(onn.widths(), "-"), json["mzis"].get<long>(),
      json["compilation"].get<std::string>(), json["mzis_by_svd"].get<long>(),
      pipeline::counted(json["depth"].get<int>(), "MZI"), json["latency_s"].get<double>() * 1e9,
      json["loss_db"].get<double>(), json["loss_without_regeneration_db"].get<double>(), json["area_mm2"].get<double>(),
      more);
}

}  // namespace helio::report
