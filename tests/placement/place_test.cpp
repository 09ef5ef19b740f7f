// SPDX-License-Identifier: Apache-2.0
#include "placement/place.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "placement/models.h"

namespace helio::placement {
namespace {

using schedule::Kind;

Machine machine() {
  Machine m;
  m.npu.name = "test";
  m.npu.bf16 = 1e12;
  m.npu.memory_bandwidth = 1e12;
  m.npu.memory = Bytes{1e9};
  return m;
}

// Small blocks, so that one gradient bucket is one block: 100 parameters in bf16 are 200 bytes.
Program placed(const workload::Workload& w, Strategy s) { return place(w, s, machine(), "here"); }

std::vector<const Task*> tasks(const Program& program, Verb verb) {
  std::vector<const Task*> result;
  for (const Task& task : program.bodies[program.entry].tasks)
    if (task.verb == verb) result.push_back(&task);
  return result;
}

// Every request over replicas of a kind, once for each task that asks for it.
double bytes_over_replicas(const Program& program, Kind kind) {
  double sum = 0;
  for (const Task& task : program.bodies[program.entry].tasks)
    if (task.kind == TaskKind::kCollective && task.activity == Activity::kDp &&
        program.requests[task.index].request.kind == kind)
      sum += program.requests[task.index].request.bytes.value;
  return sum;
}

// In lock-step the two replicas of each of 2 stages run each of 3 micro-batches as one: a pass for each stage, which takes as long as a
// replica's, and the same bytes in the same groups.
TEST(Place, ReplicasInLockStepAreOneCell) {
  Strategy s = strategy(1, 2, 2);
  s.micro_batches = 3;
  const Program apart = placed(small_transformer(4), s);
  s.lock_step = true;
  const Program together = placed(small_transformer(4), s);
  EXPECT_EQ(tasks(apart, Verb::kForward).size(), 12u);
  EXPECT_EQ(tasks(together, Verb::kForward).size(), 6u);
  EXPECT_EQ(together.busiest, apart.busiest);
  EXPECT_EQ(together.done_flops, apart.done_flops);
  EXPECT_EQ(bytes_over_replicas(together, Kind::kAllReduce), bytes_over_replicas(apart, Kind::kAllReduce));
  const auto send = tasks(together, Verb::kSendForward).front();
  const auto& groups = together.requests[together.bodies[send->index].tasks[1].index].request.groups;
  EXPECT_EQ(groups.size(), 2u);  // of both replicas
}

// Two replicas of one stage, 4 blocks: 416 parameters, 832 bytes of gradients, one all-reduce after backward.
TEST(Place, ReplicasReduceTheirGradients) {
  Strategy s = strategy(1, 1, 2);
  s.overlap = false;
  s.micro_batches = 3;
  const Program p = placed(small_transformer(4), s);
  EXPECT_EQ(tasks(p, Verb::kForward).size(), 6u);  // 3 micro-batches on 2 replicas
  EXPECT_EQ(tasks(p, Verb::kBackward).size(), 6u);
  const auto reductions = tasks(p, Verb::kReduceGradients);
  ASSERT_EQ(reductions.size(), 1u);
  const auto& request = p.requests[reductions[0]->index].request;
  EXPECT_EQ(request.kind, Kind::kAllReduce);
  EXPECT_EQ(request.bytes.value, 832);
  ASSERT_EQ(request.groups.size(), 1u);
  EXPECT_EQ(request.groups[0], (std::vector<NodeId>{NodeId{0}, NodeId{1}}));
  EXPECT_EQ(p.samples, 6);
}

// While backward runs: pieces of at least 200 bytes. Backwards: last (9) with block 4, then a block each, the first (7) with
// block 1; pieces are cut forwards, so: [7, 100], [100], [100], [100], [9]: 107 close at 100 parameters.
TEST(Place, OverlappedGradientsGoInBuckets) {
  Strategy s = strategy(1, 1, 2);
  s.bucket = Bytes{200};
  const Program p = placed(small_transformer(4), s);
  const auto reductions = tasks(p, Verb::kReduceGradients);
  ASSERT_EQ(reductions.size(), 5u);
  EXPECT_EQ(p.requests[reductions.front()->index].request.bytes.value, 2 * 9);
  EXPECT_EQ(p.requests[reductions.back()->index].request.bytes.value, 2 * 107);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kAllReduce), 2 * 416);
}

// tp 2, dp 2: each layer of a block asks for an all-reduce of 10 elements x 2 samples x 2 bytes among its two ranks; forward
// and backward share the request, which is of one size.
TEST(Place, TensorRanksReducePartialSums) {
  Strategy s = strategy(2, 1, 2);
  s.micro_batch = 2;
  const Program p = placed(small_transformer(4), s);
  int found = 0;
  for (const Request& r : p.requests)
    if (r.activity == Activity::kTp) {
      ++found;
      EXPECT_EQ(r.request.kind, Kind::kAllReduce);
      EXPECT_EQ(r.request.bytes.value, 40);
      EXPECT_EQ(r.request.ranks(), 2);
    }
  EXPECT_EQ(found, 2);  // one for each replica
}

// Three stages of one replica, 4 micro-batches: 2 boundaries, both ways, each micro-batch once; 10 elements x 2 bytes.
TEST(Place, StagesSendActivationsAndTheirGradients) {
  Strategy s = strategy(1, 3, 1);
  s.micro_batches = 4;
  const Program p = placed(small_transformer(6), s);
  EXPECT_EQ(tasks(p, Verb::kSendForward).size(), 8u);
  EXPECT_EQ(tasks(p, Verb::kSendBackward).size(), 8u);
  for (const Request& r : p.requests)
    if (r.activity == Activity::kPp) {
      EXPECT_EQ(r.request.kind, Kind::kBroadcast);
      EXPECT_EQ(r.request.bytes.value, 20);
      EXPECT_EQ(r.request.ranks(), 2);
    }
}

// 416 parameters over 4 replicas. Stage 1: gradients scattered, parameters gathered once. Stage 2: scattered after each of 2
// micro-batches. Stage 3: gathered before forward and before backward of each micro-batch.
TEST(Place, ZeroMovesWhatItDivides) {
  Strategy s = strategy(1, 1, 4);
  s.micro_batches = 2;
  s.bucket = Bytes{200};
  s.zero = 1;
  Program p = placed(small_transformer(4), s);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kReduceScatter), 832);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kAllGather), 832);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kAllReduce), 0);
  s.zero = 2;
  p = placed(small_transformer(4), s);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kReduceScatter), 2 * 832);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kAllGather), 832);
  s.zero = 3;
  p = placed(small_transformer(4), s);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kReduceScatter), 2 * 832);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kAllGather), 4 * 832);
}

// Reductions of a stage follow each other in the order in which its backward passes run: a cell's passes are written in that
// order, so the passes that the reductions wait for have increasing numbers. Otherwise early ones would wait for late ones.
TEST(Place, ReductionsFollowTheOrderOfBackward) {
  Strategy s = strategy(1, 2, 2);
  s.order = PipelineOrder::kInterleaved;
  s.chunks = 2;
  s.micro_batches = 4;
  s.zero = 2;
  const Program p = placed(small_transformer(8), s);
  const Body& body = p.bodies[p.entry];
  std::map<std::uint32_t, std::uint32_t> last;  // of each stage's reductions: the pass that the last one waited for
  std::size_t seen = 0;
  for (std::uint32_t i = 0; i < body.tasks.size(); ++i) {
    if (body.tasks[i].verb != Verb::kReduceGradients) continue;
    ++seen;
    std::uint32_t waited = 0;
    for (const Dependency& d : body.dependencies)
      if (d.to == i && body.tasks[d.from].verb == Verb::kBackward && body.tasks[d.from].row % 2 == 0)  // of replica 0
        waited = std::max(waited, d.from);
    EXPECT_GT(waited, last[body.tasks[i].row]);
    last[body.tasks[i].row] = waited;
  }
  EXPECT_EQ(seen, 16u);  // 2 stages x 2 chunks x 4 micro-batches
}

// Streaming: every parameter comes in twice and its gradient goes out once, whatever the replicas: 416 x 2 bytes.
TEST(Place, StreamingBringsParametersInTwice) {
  Strategy s = strategy(1, 1, 2);
  s.micro_batches = 3;
  s.bucket = Bytes{200};
  s.streaming = true;
  s.io_rate = BitRate{1e12};
  const Program p = placed(small_transformer(4), s);
  double in = 0, out = 0;
  for (const Task& task : p.bodies[p.entry].tasks) {
    if (task.kind == TaskKind::kInput) in += task.bytes.value;
    if (task.kind == TaskKind::kOutput) out += task.bytes.value;
  }
  EXPECT_EQ(in, 2 * 832);
  EXPECT_EQ(out, 832);
  EXPECT_TRUE(tasks(p, Verb::kOptimiser).empty());
}

// Streamed over two stages, consecutive layers alternate between them: every boundary between layers is one between stages. Each
// micro-batch passes a layer before the next one comes, and parameters still come in twice, however many micro-batches there are.
TEST(Place, StreamedStagesTakeLayersInTurns) {
  Strategy s = strategy(1, 2, 2);
  s.micro_batches = 3;
  s.streaming = true;
  s.io_rate = BitRate{1e12};
  const workload::Workload w = small_transformer(4);
  const Program p = placed(w, s);
  double in = 0, out = 0;
  for (const Task& task : p.bodies[p.entry].tasks) {
    if (task.kind == TaskKind::kInput) in += task.bytes.value;
    if (task.kind == TaskKind::kOutput) out += task.bytes.value;
  }
  EXPECT_EQ(in, 2 * 832);
  EXPECT_EQ(out, 832);
  const std::size_t parts = w.depth() / 2 * 2;                          // as many for each stage
  EXPECT_EQ(tasks(p, Verb::kForward).size(), parts * 3 * 2);            // each part, micro-batch and replica
  EXPECT_EQ(tasks(p, Verb::kSendForward).size(), (parts - 1) * 3 * 2);  // between any two parts
}

// Through the fabric's own I/O copies are made and gradients added on the way: no collective between replicas is left, and each
// tensor rank's share goes to that rank of every replica. Nodes in the order tp, dp, pp: rank t of replica d is node t + 2d.
TEST(Place, TheFabricsIoAddsOnTheWay) {
  Strategy s = strategy(2, 1, 3);
  s.streaming = true;
  s.fabric_io = true;
  const Program p = placed(small_transformer(4), s);
  EXPECT_EQ(bytes_over_replicas(p, Kind::kReduceScatter), 0);
  s.streaming = false;  // nothing goes out: replicas reduce as ever
  EXPECT_GT(bytes_over_replicas(placed(small_transformer(4), s), Kind::kAllReduce), 0);
  ASSERT_EQ(p.streams.size(), 1u);
  EXPECT_EQ(p.streams.front(),
            (std::vector<std::vector<NodeId>>{{NodeId{0}, NodeId{2}, NodeId{4}}, {NodeId{1}, NodeId{3}, NodeId{5}}}));
}

// One rank multicasts what two of the next stage need: groups of three, the sender first, and the whole output of a block.
TEST(Place, OneRankMayMulticastToTheNextStage) {
  Strategy s = strategy(2, 2, 1);
  const auto sent = [](const Program& p) {
    std::vector<schedule::CollectiveRequest> found;
    for (const Request& request : p.requests)
      if (request.activity == Activity::kPp) found.push_back(request.request);
    return found;
  };
  s.scattered_sends = false;
  const double whole = sent(placed(small_transformer(4), s)).front().bytes.value;
  s.multicast_sends = true;
  const auto requests = sent(placed(small_transformer(4), s));
  ASSERT_EQ(requests.size(), 2u);  // forward and backward
  EXPECT_EQ(requests[0].kind, Kind::kBroadcast);
  EXPECT_EQ(requests[0].groups, (std::vector<std::vector<NodeId>>{{NodeId{0}, NodeId{2}, NodeId{3}}}));
  EXPECT_EQ(requests[1].groups, (std::vector<std::vector<NodeId>>{{NodeId{2}, NodeId{0}, NodeId{1}}}));
  EXPECT_EQ(requests[0].bytes.value, whole);
}

TEST(Place, UnevenTensorRanksAreCountedAsEven) {
  Strategy s = strategy(3, 1, 1);
  EXPECT_THROW(placed(small_transformer(4), s), Error);
  s.uneven = true;
  EXPECT_NO_THROW(placed(small_transformer(4), s));
}

TEST(Place, SamplesComeInThroughIo) {
  Strategy s = strategy(1, 2, 2);
  s.micro_batches = 3;
  s.micro_batch = 4;
  s.io_rate = BitRate{1e12};
  s.sample_bytes = Bytes{5};
  const Program p = placed(small_transformer(4), s);
  const auto loads = tasks(p, Verb::kLoadSamples);
  ASSERT_EQ(loads.size(), 3u);
  for (const Task* load : loads) EXPECT_EQ(load->bytes.value, 5 * 4 * 2);  // 4 samples for each of 2 replicas
}

// A cell goes at the pace of its slowest rank: node 3 is the second rank of replica 1.
TEST(Place, AStragglerSlowsItsCell) {
  Strategy s = strategy(2, 1, 2);
  const Time even = placed(small_transformer(4), s).busiest;
  s.speed[3] = 0.5;
  const Time slow = placed(small_transformer(4), s).busiest;
  EXPECT_NEAR(slow.to_seconds() / even.to_seconds(), 2, 1e-9);
}

void expect_infeasible(const workload::Workload& w, const Strategy& s, const std::string& word) {
  try {
    placed(w, s);
    FAIL() << "placed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "here");
    EXPECT_NE(error.message().find(word), std::string::npos) << error.message();
  }
}

TEST(Place, WhatCannotBeDividedIsRefused) {
  expect_infeasible(small_transformer(4), strategy(3, 1, 1), "heads");
  expect_infeasible(small_transformer(4), strategy(1, 7, 1), "layers");
  Strategy s = strategy(1, 1, 2);
  s.ep = 2;
  expect_infeasible(small_transformer(4), s, "experts");
  workload::Workload big = small_transformer(4);
  big.layers[1].parameters = 100'000'000;  // 16 bytes each on a memory of 1 GB
  expect_infeasible(big, strategy(1, 1, 1), "does not fit");
}

// Whatever the strategy: as many passes as it says, gradients reduced once in full, and dependencies without a circle (a
// topological order exists).
RC_GTEST_PROP(Place, EveryStrategyIsWhole, ()) {
  Strategy s = strategy(1 << *rc::gen::inRange(0, 3), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4));
  s.order = static_cast<PipelineOrder>(*rc::gen::inRange(0, 3));
  s.chunks = s.order == PipelineOrder::kInterleaved ? *rc::gen::inRange(1, 3) : 1;
  s.micro_batches = static_cast<std::uint64_t>(*rc::gen::inRange(1, 4)) *
                    (s.order == PipelineOrder::kInterleaved ? static_cast<std::uint64_t>(s.pp) : 1);
  s.overlap = *rc::gen::arbitrary<bool>();
  s.clip = *rc::gen::arbitrary<bool>();
  s.blocking_sends = *rc::gen::arbitrary<bool>();
  s.bucket = Bytes{static_cast<double>(*rc::gen::inRange(50, 1000))};
  s.zero = *rc::gen::inRange(0, 4);
  s.recompute = static_cast<Recompute>(*rc::gen::inRange(0, 3));
  const auto w = small_transformer(8);
  const Program p = placed(w, s);
  const Body& body = p.bodies[p.entry];

  if (s.dp > 1 && s.zero < 2) {
    double expected = 0;  // of one tensor rank: 80 of a block's parameters are divided, and what stands around them
    expected = 2 * (8 * (20 + 80.0 / s.tp) + 16.0 / s.tp);
    RC_ASSERT(std::abs(bytes_over_replicas(p, s.zero == 0 ? Kind::kAllReduce : Kind::kReduceScatter) - expected * 1.0) <
              1e-6 * expected);
  }
  std::vector<int> waits(body.tasks.size(), 0);
  for (const Dependency& d : body.dependencies) ++waits[d.to];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < waits.size(); ++i)
    if (waits[i] == 0) ready.push_back(i);
  std::size_t done = 0;
  std::vector<std::vector<std::uint32_t>> next(body.tasks.size());
  for (const Dependency& d : body.dependencies) next[d.from].push_back(d.to);
  while (!ready.empty()) {
    const std::uint32_t at = ready.back();
    ready.pop_back();
    ++done;
    for (const std::uint32_t to : next[at])
      if (--waits[to] == 0) ready.push_back(to);
  }
  RC_ASSERT(done == body.tasks.size());
}

}  // namespace
}  // namespace helio::placement
