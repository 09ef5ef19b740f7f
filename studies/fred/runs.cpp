// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/runs.h"

#include <fmt/format.h>

namespace helio::studies::fred_study {

Words machine_settings(Wafer wafer) {
  if (wafer != Wafer::kMesh) return {{"name", "fred"}, {"latency", "0 s"}, {"variant", variant_of(wafer)}};
  return {{"name", "mesh"},
          {"latency", "0 s"},
          {"dimensions", fmt::format("{}x{}", kColumns, kRows)},
          {"rate", fmt::format("{} B/s", kMeshLink)},
          {"multicast", "true"},
          {"io_rate", fmt::format("{} B/s", kIoChannel)}};
}

Question::operator studies::Question() const {
  Words settings = machine_settings(wafer), keys, parameters;
  if (!radix.empty()) settings["radix"] = radix;
  if (!compression.empty()) settings.merge(Words{{"compression", compression}, {"codec_delay", "0 s"}});
  if (compression == "top-k") settings["keep"] = "0.01";
  if (!strategy.empty()) keys = {{"strategy", strategy}, {"phase", phase}};
  if (pieces > 1) parameters["pieces"] = fmt::format("{}", pieces);
  if (buckets > 0) parameters.merge(Words{{"fused", "false"}, {"buckets", fmt::format("{}", buckets)}});
  if (!split.empty()) parameters["split"] = split;
  return {.fabric = settings.at("name"),
          .settings = settings,
          .algorithm = algorithm,
          .bytes = kBytes,
          .kind = kind,
          .keys = keys,
          .parameters = parameters};
}

Question as_published(const placement::StrategyPhase& phase, Wafer wafer) {
  constexpr const char* kPhases[] = {"mp", "dp", "pp"};
  const bool stages = phase.phase == placement::TrainingPhase::kPp, mesh = wafer == Wafer::kMesh;
  const bool whole = phase.mp == kNpus || phase.dp == kNpus;
  Question question{.wafer = wafer,
                    .algorithm = stages || reduces(wafer) ? "in-fabric" : "ring",
                    .strategy = fmt::format("{}-{}-{}", phase.mp, phase.dp, phase.pp),
                    .phase = kPhases[static_cast<int>(phase.phase)]};
  if (whole) question.strategy = question.phase = "";
  if (whole && question.algorithm == "ring") {
    question.algorithm = mesh ? "dimension-ordered" : "hierarchical-ring";
    question.pieces = kPieces;
    if (mesh) question.split = "11:13";
  }
  return question;
}

}  // namespace helio::studies::fred_study
