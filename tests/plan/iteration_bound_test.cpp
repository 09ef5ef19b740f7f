// SPDX-License-Identifier: Apache-2.0
#include "plan/iteration_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "placement/memory.h"
#include "plan/small_plan.h"
#include "workload/zoo.h"

namespace helio::plan {
namespace {

// As many candidates as are asked for: a few in the usual test, HELIO_PLAN_CANDIDATES of them at night.
std::size_t candidates_asked_for() {
  const char* many = std::getenv("HELIO_PLAN_CANDIDATES");
  return many ? static_cast<std::size_t>(std::stoul(many)) : 300;
}

// No simulated iteration is shorter than its bound, whatever the software, the fabric and the way of spreading: hosts that run ahead,
// sequences that are shared, experts, parameters that are gathered ahead, stages that count their ends.
TEST(IterationBound, IsBelowEveryTime) {
  Random random(11);
  std::size_t ran = 0;
  const std::size_t most = candidates_asked_for();
  const std::vector<std::string> fabrics = {"switch",   "ring",    "full-mesh", "mesh", "torus",
                                            "fat-tree", "cluster", "wdm-ring",  "fred", "sip-ring"};
  while (ran < most) {
    const int nodes = random.below(2) ? 16 : 8;
    const bool mixture = random.below(3) == 0;
    PlanQuestion question = asking({fabrics[random.below(fabrics.size())]}, nodes, 32);
    question.beside = false;
    pipeline::Job& job = question.fabrics.contenders.front().experiment.jobs.front();
    const auto key = [&](Settings& settings, const char* name, std::string text) { settings[name] = {text, "test"}; };
    if (mixture) {
      job.model.value = "decoder";
      for (const auto& [name, value] : {std::pair{"kv_heads", "4"},
                                        {"experts", "8"},
                                        {"top_k", "2"},
                                        {"expert_feed_forward", "256"},
                                        {"feed_forward", "1024"}})
        key(job.model_settings, name, value);
    }
    if (random.below(2)) key(job.compute, "software", "megatron-25.11");
    if (random.below(3) == 0) key(job.strategy, "ends_count", "true");
    if (random.below(3) == 0) key(job.strategy, "blocking_sends", "false");
    if (random.below(4) == 0) key(job.strategy, "overlap", "false");
    question.space.cp = {1, 2};
    if (random.below(3) == 0) {
      key(job.strategy, "gather_ahead", "true");
      key(job.strategy, "zero", "1");
    }
    key(job.strategy, "bucket", random.below(2) ? "1 MiB" : "25 MiB");
    if (random.below(2)) job.algorithm = {"usual", "test"};
    question.space.chunks = {1, 2};
    question.space.micro_batch = {static_cast<double>(1 << random.below(2))};
    question.space.zero = {static_cast<int>(random.below(4)), 1};
    question.space.recompute = {random.below(2) ? "none" : "full"};
    const std::vector<int> degrees = {1, 2, 4, 8};
    question.space.tp = {degrees[random.below(4)]};
    question.space.pp = {degrees[random.below(3)]};
    question.most_runs = 8;
    try {
      const pipeline::ModelPlan plan = plan_model(question, {});
      ran += plan.runs.size();
      for (const pipeline::PlannedRun& run : plan.runs)
        EXPECT_LE(run.candidate.bound_s, run.candidate.time_s * (1 + 1e-9))
            << run.candidate.title << " " << run.candidate.strategy << (mixture ? ", experts" : "");
    } catch (const Error&) {  // nothing of it can be
    }
    if (HasFailure()) return;
  }
}

// What the planner says of memory is what placement says, to the bit: it is asked stage by stage, and only of the first of equal ones.
TEST(IterationBound, MemoryIsThatOfPlacement) {
  const workload::Workload model = workload::load(
      "gpt", {{"layers", {"24", "test"}}, {"hidden", {"1024", "test"}}, {"heads", {"16", "test"}}}, "test");
  const placement::Machine machine{placement::npus()
                                       .at("a100-80", "test")
                                       .factory(placement::npus().resolve(placement::npus().at("a100-80", "test"), {})),
                                   {}};
  IterationBound bounds(model, machine);
  Random random(3);
  for (int round = 0; round < 400; ++round) {
    placement::Strategy s;
    s.rank_order = {0, 1, 2};
    s.tp = 1 << random.below(4);
    s.pp = 1 << random.below(4);
    s.cp = 1 << random.below(2);
    s.dp = 1 << random.below(5);
    s.chunks = s.pp > 1 ? 1 + static_cast<int>(random.below(3)) : 1;
    s.order = s.chunks > 1      ? placement::PipelineOrder::kInterleaved
              : random.below(2) ? placement::PipelineOrder::k1f1b
                                : placement::PipelineOrder::kGpipe;
    s.micro_batch = static_cast<double>(1 << random.below(3));
    s.micro_batches = static_cast<std::uint64_t>(s.pp) * (1 + random.below(6));
    s.zero = static_cast<int>(random.below(4));
    s.sequence_parallel = s.tp > 1 && random.below(2);
    s.recompute = static_cast<placement::Recompute>(random.below(3));
    s.bucket = Bytes{25e6};
    const std::vector<placement::Part> flat = placement::cut(model, static_cast<std::uint32_t>(s.pp * s.chunks));
    std::vector<std::vector<placement::Part>> parts(static_cast<std::size_t>(s.pp));
    for (std::size_t i = 0; i < flat.size(); ++i) parts[i % parts.size()].push_back(flat[i]);
    const bool fused = placement::fuses_attention(static_cast<double>(model.tokens), machine.constants);
    EXPECT_EQ(bounds.memory(s), placement::memory_of(parts, model, s, fused).total.value) << round;
  }
}

}  // namespace
}  // namespace helio::plan
