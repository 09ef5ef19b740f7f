// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/training_job.h"

#include <fmt/format.h>

#include "studies/fred/runs.h"

namespace helio::studies::fred_study {
namespace {

using placement::TrainingPhase;

// What carries one class of the job's traffic, as the paper does.
void set_algorithm(Words& words, const std::string& of, const Question& question) {
  words[of] = question.algorithm;
  if (question.pieces > 1) words[of + ".pieces"] = fmt::format("{}", question.pieces);
  if (!question.split.empty()) words[of + ".split"] = question.split;
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
  // The model and how it is spread
  JobQuestion asked{.fabric = machine_settings(wafer),
                    .keys = {{"model", job.model},
                             {"npu", "fred-npu"},
                             {"npus", fmt::format("{}", job.mp * job.dp * job.pp)},
                             {"tp", fmt::format("{}", job.mp)},
                             {"dp", fmt::format("{}", job.dp)},
                             {"pp", fmt::format("{}", job.pp)},
                             {"rank_order", "tp,pp,dp"},
                             {"micro_batch", fmt::format("{}", job.micro_batch)},
                             {"micro_batches", fmt::format("{}", job.micro_batches)},
                             {"zero", fmt::format("{}", job.zero)},
                             {"precision", "fp16"},
                             {"uneven", "true"},
                             {"algorithm", "usual"},
                             // streamed: out while others come in, full-duplex (2.8)
                             {"overlap", job.streaming ? "true" : "false"},
                             {"clip", "false"}}};
  const bool whole = job.dp == kNpus;  // one group of all: dimension-ordered wants the mesh's own order
  if (wafer == Wafer::kMesh && !whole) asked.keys["ranks"] = column_by_column(job.mp * job.dp * job.pp);
  if (job.streaming) asked.keys["execution"] = "streaming";
  if (job.pp > 1) asked.keys.merge(Words{{"scattered_sends", "false"}, {"multicast_sends", "true"}});

  // Compute, and who carries what
  asked.tables["npu_parameters"] = {{"peak", fmt::format("{}", 1000 * job.kappa)}, {"memory", "1 PB"}};
  asked.tables["compute"] = {{"utilisation", "1"}};
  Words algorithms;
  const auto carried = [&](const char* of, TrainingPhase phase) {
    set_algorithm(algorithms, of, as_published({job.mp, job.dp, job.pp, phase}, wafer));
  };
  if (job.mp > 1) carried("tp", TrainingPhase::kMp);
  if (job.dp > 1 && !job.streaming) carried("dp", TrainingPhase::kDp);
  if (job.pp > 1) carried("pp", TrainingPhase::kPp);
  if (!algorithms.empty()) asked.tables["algorithm"] = algorithms;
  return iterated(asked, options).time_s;
}

}  // namespace helio::studies::fred_study
