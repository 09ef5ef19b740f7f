// SPDX-License-Identifier: Apache-2.0
#include "pipeline/remedy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

// A fabric of one link that carries at most `fits` groups at once, and never a group with an odd first node. It says which
// groups it refuses only if it is asked to.
class Picky : public fabric::Fabric {
 public:
  Picky(std::size_t most, bool names) : fits(most), names_groups(names) {
    capabilities_.fabric = "picky";
    capabilities_.nodes = 64;
    resources_.add_links(1, BitRate{8e9}, [](std::uint32_t) { return "link"; });
  }
  std::unique_ptr<fabric::Carrier> install(flow::Program& program, fabric::Site site = {}) const override;

  const std::size_t fits;
  const bool names_groups;
};

class PickyCarrier : public fabric::Carrier {
 public:
  PickyCarrier(const Picky& picky, flow::Program& program) : Carrier(picky, program, {}), picky_(picky) {}

 protected:
  void route(NodeId, NodeId, const fabric::Carriage&, fabric::Way&) override {}
  fabric::LowerResult lower_here(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                 const fabric::LowerOptions&) override {
    const bool odd = request.groups.front().front().value % 2 == 1;
    if (schedule.algorithm != "ring" && (odd || request.groups.size() > picky_.fits)) {
      fabric::Refusal refusal{.reason = "no room", .advice = "wait"};
      for (auto g = static_cast<std::uint32_t>(odd ? 0 : picky_.fits); picky_.names_groups && g < request.groups.size();
           ++g)
        refusal.groups.push_back(g);
      return refusal;
    }
    flow::Template body{.name = "wave of " + std::to_string(request.groups.size())};
    return fabric::Lowered{program().add(std::move(body)), static_cast<std::uint32_t>(request.groups.size())};
  }

 private:
  const Picky& picky_;
};

std::unique_ptr<fabric::Carrier> Picky::install(flow::Program& program, fabric::Site) const {
  return std::make_unique<PickyCarrier>(*this, program);
}

struct Trial {
  Carried carried;
  flow::Program program;

  // Names of what the entry calls, in order; a single part is itself.
  std::vector<std::string> parts() const {
    const flow::Template& entry = program.templates[carried.lowered.entry.value];
    if (entry.operations.empty()) return {entry.name};
    std::vector<std::string> names;
    for (const flow::Operation& call : entry.operations) names.push_back(program.templates[call.callee.value].name);
    return names;
  }
};

// `groups` pairs (0,2), (4,6), …: all even, so that only `fits` limits.
Trial attempt(const Picky& fabric, std::uint32_t groups, const std::vector<Remedy>& remedies, std::uint32_t first = 0) {
  schedule::CollectiveRequest request{.kind = schedule::Kind::kAllReduce, .bytes = {1000}};
  for (std::uint32_t g = 0; g < groups; ++g)
    request.groups.push_back({NodeId{first + 4 * g}, NodeId{first + 4 * g + 2}});
  const schedule::Schedule direct = schedule::build("direct", request, fabric.capabilities());
  Trial trial;
  const auto carrier = fabric.install(trial.program);
  trial.carried = lower_with_remedies(*carrier, "direct", direct, request, {}, {remedies, "here"});
  return trial;
}

TEST(Remedy, NoneIsNeededWhereTheFabricAccepts) {
  const Trial trial = attempt(Picky(2, true), 2, {Remedy::kBlock});
  EXPECT_TRUE(trial.carried.attempts.empty());
  EXPECT_EQ(trial.parts(), std::vector<std::string>{"wave of 2"});
}

// Five groups, two at a time: waves of 2, 2 and 1, chained, no wider than the widest.
TEST(Remedy, BlockMakesWaves) {
  const Trial trial = attempt(Picky(2, true), 5, {Remedy::kBlock});
  EXPECT_EQ(trial.parts(), (std::vector<std::string>{"wave of 2", "wave of 2", "wave of 1"}));
  const auto& edges = trial.program.templates[trial.carried.lowered.entry.value].edges;
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[1].from, 1u);
  EXPECT_EQ(edges[1].to, 2u);
  EXPECT_EQ(trial.carried.lowered.wavelengths_used, 2u);
  ASSERT_EQ(trial.carried.attempts.size(), 2u);
  EXPECT_EQ(trial.carried.attempts[0].outcome, "refused");
  EXPECT_EQ(trial.carried.attempts[1].remedy, "block");
  EXPECT_EQ(trial.carried.attempts[1].outcome, "carried");
}

// A refusal that names no groups means all: one group is tried at a time until the rest fits.
TEST(Remedy, BlockCopesWithARefusalOfAll) {
  EXPECT_EQ(attempt(Picky(2, false), 4, {Remedy::kBlock}).parts(),
            (std::vector<std::string>{"wave of 1", "wave of 1", "wave of 2"}));
}

TEST(Remedy, EndpointRunsTheRefusedGroupsBeside) {
  const Trial trial = attempt(Picky(1, true), 3, {Remedy::kEndpoint});
  EXPECT_EQ(trial.parts(), (std::vector<std::string>{"wave of 2", "wave of 1"}));
  EXPECT_TRUE(trial.program.templates[trial.carried.lowered.entry.value].edges.empty());
  ASSERT_TRUE(trial.carried.endpoint.has_value());
  EXPECT_EQ(trial.carried.endpoint->algorithm, "ring");
  EXPECT_TRUE(trial.carried.original);
}

TEST(Remedy, TheyAreTriedInOrderAndAllRecorded) {
  // Odd groups are refused even alone, so block cannot help
  const Trial trial = attempt(
      Picky(1, true), 2, {Remedy::kMiddle, Remedy::kBlock, Remedy::kReplace, Remedy::kSplit, Remedy::kEndpoint}, 1);
  std::vector<std::string> outcomes;
  for (const Attempt& one : trial.carried.attempts) outcomes.push_back(one.remedy + " " + one.outcome);
  EXPECT_EQ(outcomes, (std::vector<std::string>{"none refused", "middle not applicable", "block refused",
                                                "replace not applicable", "split not applicable", "endpoint carried"}));
  EXPECT_FALSE(trial.carried.original);
}

TEST(Remedy, WithoutAnyLeftItIsInfeasibleWithReasonAndAdvice) {
  for (const std::vector<Remedy>& remedies : {std::vector<Remedy>{}, {Remedy::kMiddle}}) {
    try {
      attempt(Picky(1, true), 2, remedies);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.message().find("no room"), std::string::npos);
      EXPECT_EQ(error.advice(), "wait");
      EXPECT_EQ(error.place(), "here");
    }
  }
}

// End to end on a switch with one operator, ports of 1 GB/s, no latency, two groups of two ranks, 1 MB each.
//   block: one after the other, 1 ms each.
//   endpoint: the first by the switch in 1 ms, the second by a ring in 2 x 0.5 ms at the same time, on other ports.
TEST(Remedy, TwoGroupsShareOneOperator) {
  const Texts fabric = {{"name", "switch"}, {"nodes", "4"}, {"rate", "8 Gb/s"}, {"latency", "0"}, {"reducers", "1"}};
  Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"},   {"algorithm", "in-fabric"},
                {"groups", "0,1;2,3"},  {"remedy", "block"}, {"verify", "true"}};
  const Result block = answer(fabric, keys);
  EXPECT_DOUBLE_EQ(block.time_s, 2e-3);
  EXPECT_EQ(block.steps, 2u);
  EXPECT_EQ(block.algorithm, "in-fabric");
  keys["remedy"] = "endpoint";
  const Result endpoint = answer(fabric, keys);
  EXPECT_DOUBLE_EQ(endpoint.time_s, 1e-3);
  EXPECT_EQ(endpoint.algorithm, "in-fabric+ring");
  EXPECT_TRUE(endpoint.verified);
}

// An algorithm that does not admit the fabric at all is remedied at the endpoints too.
TEST(Remedy, AnAlgorithmThatDoesNotAdmitTheFabric) {
  const Texts fabric = {{"name", "ring"}, {"nodes", "4"}};
  Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "in-fabric"}};
  EXPECT_THROW(answer(fabric, keys), Error);
  keys["remedy"] = "block,endpoint";
  const Result result = answer(fabric, keys);
  EXPECT_EQ(result.algorithm, "ring");
  EXPECT_EQ(result.attempts.size(), 3u);
}

// ODDL, two groups of two nodes and two channels: halving-doubling of four reaches the own group and the other one, of which one
// is lit at once. Three parts (own, other there and back, own), two changes of 1 ms; without the remedy the advice names it.
TEST(Remedy, SplitChangesTheWssInsideACollective) {
  const Texts fabric = {{"name", "oddl"},  {"nodes", "4"},  {"nodes_per_group", "2"},
                        {"channels", "2"}, {"planes", "1"}, {"wss", "1 ms"}};
  Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "halving-doubling"}, {"verify", "true"}};
  try {
    answer(fabric, keys);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.advice().find("remedy=split"), std::string::npos) << error.advice();
  }
  keys["remedy"] = "split";
  const Result split = answer(fabric, keys);
  EXPECT_TRUE(split.verified);
  // 2 x 3/4 of 1 MB at 100 Gb/s are 120 us; four set-ups of 0.8374 us, but for one dark time of 0.22 us in the middle
  EXPECT_NEAR(split.time_s, 2e-3 + 120e-6 + 4 * 0.8374e-6 - 0.22e-6, 1e-12);
  EXPECT_EQ(split.steps, 4u);
  ASSERT_EQ(split.attempts.size(), 2u);
  EXPECT_EQ(split.attempts[1].outcome, "carried");
}

}  // namespace
}  // namespace helio::pipeline
