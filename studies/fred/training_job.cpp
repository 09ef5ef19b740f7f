// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/training_job.h"

#include <fmt/format.h>

#include "pipeline/draft.h"
#include "pipeline/iteration.h"
#include "studies/fred/runs.h"

namespace helio::studies::fred_study {
namespace {

using fabric::TrainingPhase;

const std::string kPlace = "studies/fred";

void set(Settings& settings, const std::string& name, std::string value) {
  settings[name] = {std::move(value), kPlace};
}

// What carries one class of the job's traffic, as the paper does.
void set_algorithm(Settings& settings, const std::string& of, const Question& question) {
  set(settings, of, question.algorithm);
  if (question.pieces > 1) set(settings, of + ".pieces", fmt::format("{}", question.pieces));
  if (!question.split.empty()) set(settings, of + ".split", question.split);
}

// The nodes of the mesh in the order of NPU numbers.
std::string column_by_column(std::uint32_t npus) {
  std::string nodes;
  for (std::uint32_t npu = 0; npu < npus; ++npu) {
    const Position at = position_of(npu, false);
    nodes += fmt::format("{}{}", npu > 0 ? "," : "", at.x + kColumns * at.y);
  }
  return nodes;
}

}  // namespace

double iteration_seconds(const TrainingJob& job, Wafer wafer, const pipeline::RunOptions& options) {
  pipeline::Draft draft;
  draft.source = kPlace;
  draft.fabric = machine_settings(wafer);

  // The model and how it is spread
  pipeline::JobBlock block{.place = kPlace, .keys = {}, .tables = {}};
  set(block.keys, "model", job.model);
  set(block.keys, "npu", "fred-npu");
  set(block.keys, "npus", fmt::format("{}", job.mp * job.dp * job.pp));
  set(block.keys, "tp", fmt::format("{}", job.mp));
  set(block.keys, "dp", fmt::format("{}", job.dp));
  set(block.keys, "pp", fmt::format("{}", job.pp));
  set(block.keys, "rank_order", "tp,pp,dp");
  const bool whole = job.dp == kNpus;  // one group of all: dimension-ordered wants the mesh's own order
  if (wafer == Wafer::kMesh && !whole) set(block.keys, "ranks", column_by_column(job.mp * job.dp * job.pp));
  set(block.keys, "micro_batch", fmt::format("{}", job.micro_batch));
  set(block.keys, "micro_batches", fmt::format("{}", job.micro_batches));
  set(block.keys, "zero", fmt::format("{}", job.zero));
  set(block.keys, "precision", "fp16");
  set(block.keys, "uneven", "true");
  set(block.keys, "overlap",
      job.streaming ? "true" : "false");  // streamed: out while others come in, full-duplex (2.8)
  set(block.keys, "clip", "false");
  if (job.streaming) set(block.keys, "execution", "streaming");
  if (job.pp > 1) {
    set(block.keys, "scattered_sends", "false");
    set(block.keys, "multicast_sends", "true");
  }

  // Compute, and who carries what
  set(block.tables["npu_parameters"], "peak", fmt::format("{}", 1000 * job.kappa));
  set(block.tables["npu_parameters"], "memory", "1 PB");
  set(block.tables["compute"], "utilisation", "1");
  const auto carried = [&](TrainingPhase phase) { return as_published({job.mp, job.dp, job.pp, phase}, wafer); };
  if (job.mp > 1) set_algorithm(block.tables["algorithm"], "tp", carried(TrainingPhase::kMp));
  if (job.dp > 1 && !job.streaming) set_algorithm(block.tables["algorithm"], "dp", carried(TrainingPhase::kDp));
  if (job.pp > 1) set_algorithm(block.tables["algorithm"], "pp", carried(TrainingPhase::kPp));
  draft.jobs.push_back(std::move(block));
  return pipeline::run_jobs(pipeline::interpret(draft), options).front().time_s;
}

}  // namespace helio::studies::fred_study
