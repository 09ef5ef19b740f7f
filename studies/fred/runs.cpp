// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/runs.h"

#include <fmt/format.h>

#include "pipeline/draft.h"
#include "plan/auto.h"

namespace helio::studies::fred_study {
namespace {

const std::string kPlace = "studies/fred";

void set(Settings& settings, const char* name, std::string value) { settings[name] = {std::move(value), kPlace}; }

pipeline::Draft draft_of(const Question& question) {
  pipeline::Draft draft;
  draft.source = kPlace;

  draft.fabric = machine_settings(question.wafer);
  if (!question.radix.empty()) set(draft.fabric, "radix", question.radix);
  if (!question.compression.empty()) {
    set(draft.fabric, "compression", question.compression);
    set(draft.fabric, "codec_delay", "0 s");
  }

  // What is asked of it
  pipeline::Draft::Block block{.place = kPlace};
  set(block.keys, "kind", question.kind);
  set(block.keys, "bytes", fmt::format("{} B", kBytes));
  set(block.keys, "algorithm", question.algorithm);
  if (!question.strategy.empty()) {
    set(block.keys, "strategy", question.strategy);
    set(block.keys, "phase", question.phase);
  }
  if (question.pieces > 1) set(block.parameters, "pieces", fmt::format("{}", question.pieces));
  if (question.buckets > 0) {
    set(block.parameters, "fused", "false");
    set(block.parameters, "buckets", fmt::format("{}", question.buckets));
  }
  if (!question.split.empty()) set(block.parameters, "split", question.split);
  draft.collectives.push_back(std::move(block));
  return draft;
}

}  // namespace

Settings machine_settings(Wafer wafer) {
  Settings settings;
  set(settings, "latency", "0 s");
  if (wafer == Wafer::kMesh) {
    set(settings, "name", "mesh");
    set(settings, "dimensions", fmt::format("{}x{}", kColumns, kRows));
    set(settings, "rate", fmt::format("{} B/s", kMeshLink));
    set(settings, "multicast", "true");
    set(settings, "io_rate", fmt::format("{} B/s", kIoChannel));
  } else {
    set(settings, "name", "fred");
    set(settings, "variant", variant_of(wafer));
  }
  return settings;
}

Question as_published(const fabric::StrategyPhase& phase, Wafer wafer) {
  constexpr const char* kPhases[] = {"mp", "dp", "pp"};
  const bool stages = phase.phase == fabric::TrainingPhase::kPp, mesh = wafer == Wafer::kMesh;
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

const Answer& Runs::operator()(const Question& question) {
  if (const auto known = answers_.find(question); known != answers_.end()) return known->second;

  const pipeline::Experiment experiment = pipeline::interpret(draft_of(question));
  pipeline::RunOptions options = options_;
  options.compare = false;  // only the answer is wanted
  const pipeline::Result result = plan::answer(experiment, experiment.collectives.front(), options);
  Answer answer{.seconds = result.time_s, .injected = result.injected.value, .io_share = {}};
  for (const Fact& fact : result.facts)
    if (fact.name == "io_broadcast_share") answer.io_share = std::get<double>(fact.value);
  return answers_.emplace(question, answer).first->second;
}

}  // namespace helio::studies::fred_study
