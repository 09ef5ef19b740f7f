// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "pipeline/asking.h"
#include "pipeline/version.h"

namespace helio::pipeline {
namespace {

// The first number: 2 x 1023 x (0.5 us + (100e6 B / 1024) / 50 GB/s) = 2046 x 2.453125 us = 5.01909375 ms.
// Each rank sends 2 x 1023/1024 of 100 MB = 199.8046875 MB, and every byte crosses one link.
TEST(Run, RingOf1024) {
  const Result r = answer({{"name", "ring"}, {"nodes", "1024"}, {"rate", "400 Gb/s"}, {"latency", "500 ns"}},
                          {{"kind", "all-reduce"}, {"bytes", "100 MB"}, {"algorithm", "ring"}, {"verify", "true"}});
  EXPECT_NEAR(r.time_s, 5.01909375e-3, 5e-12);
  EXPECT_EQ(r.steps, 2046u);
  EXPECT_DOUBLE_EQ(r.injected.value, 199.8046875e6);
  EXPECT_NEAR(r.traffic.value, 1024 * 199.8046875e6, 1);
  EXPECT_TRUE(r.verified);
  // A rank may use both directions: 199.8046875 MB at 100 GB/s, and one hop
  EXPECT_NEAR(r.bound_s, 1.998046875e-3 + 0.5e-6, 1e-15);
  EXPECT_NEAR(r.critical.latency.to_seconds(), 2046 * 0.5e-6, 1e-15);
  EXPECT_EQ(r.critical.total(), r.time);
  EXPECT_EQ(r.label, "ours");
  EXPECT_EQ(r.version, kVersion);
  EXPECT_GT(r.energy.low.value, 0);
}

// Rounds that are walked are not condensed either (flow/condense.h): eleven flows of a share each are not one of eleven shares, to the last
// digit of a double.
TEST(Run, JumpingChangesNothing) {
  const Texts fabric = {{"name", "switch"}, {"nodes", "12"}};
  for (const char* algorithm : {"ring", "bidirectional-ring", "halving-doubling", "direct"}) {
    const Texts keys = {{"kind", "broadcast"}, {"bytes", "3 MB"}, {"algorithm", algorithm}, {"root", "5"}};
    const Result jumped = answer(fabric, keys), walked = answer(fabric, keys, {}, {.jump = false});
    EXPECT_NEAR(jumped.time_s, walked.time_s, 4e-16 * walked.time_s) << algorithm;
    EXPECT_EQ(jumped.steps, walked.steps) << algorithm;
    EXPECT_EQ(jumped.critical.latency, walked.critical.latency) << algorithm;
  }
}

TEST(Run, OneRankIsDoneAtOnce) {
  const Result r = answer({{"name", "ring"}, {"nodes", "1"}},
                          {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "ring"}, {"verify", "true"}});
  EXPECT_TRUE(r.time.is_zero());
  EXPECT_EQ(r.steps, 0u);
  EXPECT_EQ(r.bound_s, 0);
  EXPECT_EQ(r.bound_ratio, 1);
  EXPECT_TRUE(r.verified);
}

// Two groups of four share a ring of eight, neighbours in each: six rounds of 0.25 MB at 1 GB/s in both at once. The way
// back from the last to the first of a group is three hops against the stream of nobody else.
TEST(Run, GroupsRunAtTheSameTime) {
  const Texts fabric = {{"name", "ring"}, {"nodes", "8"}, {"rate", "8 Gb/s"}, {"latency", "0"}};
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}, {"groups", "0,1,2,3;4,5,6,7"}};
  const Result r = answer(fabric, keys);
  EXPECT_DOUBLE_EQ(r.time_s, 6 * 0.25e-3);
  EXPECT_EQ(r.ranks, 4u);
  EXPECT_EQ(r.groups, 2u);
  EXPECT_EQ(r.nodes, 8u);
  // Of each round's four moves in a group three cross one link and one crosses three: 6 x 6 x 0.25 MB, twice
  EXPECT_DOUBLE_EQ(r.traffic.value, 18e6);
}

// Broadcast along a chain in step order: (p + n - 2) rounds of 1/p of the vector. In dataflow order a piece moves on as soon
// as it is there, which for equal pieces is the same time.
TEST(Run, SyncIsTheUsersChoice) {
  const Texts fabric = {{"name", "ring"}, {"nodes", "5"}, {"rate", "8 Gb/s"}, {"latency", "0"}};
  Texts keys = {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "ring"}, {"sync", "step"}};
  EXPECT_DOUBLE_EQ(answer(fabric, keys, {{"chunks", "4"}}).time_s, 7 * 0.25e-3);
  keys["sync"] = "dataflow";
  const Result r = answer(fabric, keys, {{"chunks", "4"}});
  EXPECT_EQ(r.sync, schedule::Order::kDataflow);
  EXPECT_DOUBLE_EQ(r.time_s, 7 * 0.25e-3);
}

TEST(Run, TheConfigurationIsWhatWasUsed) {
  const Result r = answer({{"name", "switch"}, {"nodes", "4"}, {"latency", "7 ns"}},
                          {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "ring"}}, {{"chunks", "3"}});
  ASSERT_EQ(r.configuration.size(), 2u);
  const auto value = [&](std::size_t owner, const std::string& name) {
    for (const auto& [key, text] : r.configuration[owner].values)
      if (key == name) return text;
    return std::string("missing");
  };
  EXPECT_EQ(value(0, "latency"), "7 ns");
  EXPECT_EQ(value(0, "rate"), "400 Gb/s");
  EXPECT_EQ(value(1, "chunks"), "3");
}

TEST(Run, MistakesAreToldAtTheirPlace) {
  const Texts fabric = {{"name", "ring"}, {"nodes", "4"}};
  const Texts keys = {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "ring"}};
  struct Mistake {
    Texts fabric, keys;
    const char* place;
    ErrorKind kind;
  };
  const auto with = [](Texts texts, const std::string& key, const std::string& text) {
    texts[key] = text;
    return texts;
  };
  const Mistake mistakes[] = {
      {with(fabric, "name", "rign"), keys, "fabric.name", ErrorKind::kInput},
      {with(fabric, "nodes", "0"), keys, "fabric.nodes", ErrorKind::kInput},
      {with(fabric, "nodes", "1000000000000"), keys, "fabric.nodes", ErrorKind::kInput},
      {with(fabric, "rtae", "1 Gb/s"), keys, "fabric.rtae", ErrorKind::kInput},
      {{{"name", "ring"}}, keys, "fabric.name", ErrorKind::kInput},
      {fabric, with(keys, "algorithm", "rings"), "collective.algorithm", ErrorKind::kInput},
      {fabric, with(keys, "kind", "all-to-all"), "collective.algorithm", ErrorKind::kInfeasible},
      {fabric, with(keys, "algorithm", "auto"), "collective.algorithm", ErrorKind::kInput},  // plan's word
      {with(fabric, "name", "composite"), keys, "fabric.nodes", ErrorKind::kInput},          // its levels have 16
      {fabric, with(keys, "algorithm", "wrht"), "collective.algorithm", ErrorKind::kInfeasible},
      {fabric, with(keys, "algorithm", "in-fabric"), "collective.algorithm", ErrorKind::kInfeasible},
      {fabric, with(with(keys, "algorithm", "in-fabric"), "remedy", "block"), "collective.remedy",
       ErrorKind::kInfeasible},
      {with(fabric, "nodes", "5000"), with(with(keys, "kind", "all-reduce"), "algorithm", "direct"),
       "collective.algorithm", ErrorKind::kInfeasible},
      // 2 phases x 20000 rounds x 2 touches of 20000 ranks are followed at few of them; in a chain at all: 20000 links x
      // 60000 pieces x 2 = 2.4e9 touches, over the limit of 1e9
      {with(fabric, "nodes", "20000"), with(keys, "sync", "dataflow"), "collective.sync", ErrorKind::kInfeasible},
      // One operator for two groups
      {{{"name", "switch"}, {"nodes", "4"}, {"reducers", "1"}},
       with(with(keys, "algorithm", "in-fabric"), "groups", "0,1;2,3"),
       "collective.algorithm",
       ErrorKind::kInfeasible},
      {fabric, with(keys, "root", "4"), "collective.root", ErrorKind::kInput},
      {fabric, with(keys, "groups", "0,4"), "collective.groups", ErrorKind::kInput},
      {fabric, with(keys, "groups", "0,1;2,1"), "collective.groups", ErrorKind::kInput},  // it would receive twice
      {fabric, with(with(keys, "kind", "all-reduce"), "groups", "0,1;1,2"), "collective.groups", ErrorKind::kInput},
      {fabric, with(keys, "groups", "0,1;2"), "collective.groups", ErrorKind::kInput},
  };
  for (const Mistake& mistake : mistakes) {
    try {
      const bool chain = mistake.place == std::string("collective.sync");
      answer(mistake.fabric, mistake.keys, chain ? Texts{{"chunks", "60000"}} : Texts{});
      ADD_FAILURE() << mistake.place;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), mistake.place) << error.message();
      EXPECT_EQ(error.kind(), mistake.kind) << error.message();
    }
  }
}

// What is advised works: the switch admits in-fabric with one operator, and so does the remedy.
TEST(Run, AnAlgorithmThatIsNotAdmittedSaysWhatWorks) {
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "in-fabric"}};
  for (const char* name : {"switch", "ring"}) {
    try {
      answer({{"name", name}, {"nodes", "4"}}, keys);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(error.advice().find("switch with fabric.reducers=1"), std::string::npos) << error.advice();
      EXPECT_NE(error.advice().find("remedy=endpoint"), std::string::npos) << error.advice();
    }
  }
  EXPECT_EQ(answer({{"name", "switch"}, {"nodes", "4"}, {"reducers", "1"}}, keys).algorithm, "in-fabric");
}

// Two nodes, 1 MB, 1 GB/s, no latency. ring: two rounds of half the vector over one link each way, 1 ms; both ways at once:
// 0.5 ms, which is the bound, since a node can send 2 GB/s. Of a chain of two the whole vector, 1 ms, and half of it.
TEST(Run, BothWaysRoundARingOfTwoTakeHalfTheTime) {
  const Texts fabric = {{"name", "ring"}, {"nodes", "2"}, {"rate", "8 Gb/s"}, {"latency", "0"}};
  for (const char* kind : {"all-reduce", "broadcast", "reduce"}) {
    Texts keys = {{"kind", kind}, {"bytes", "1 MB"}, {"algorithm", "ring"}, {"verify", "true"}};
    const Result one_way = answer(fabric, keys);
    keys["algorithm"] = "bidirectional-ring";
    const Result both_ways = answer(fabric, keys);
    EXPECT_DOUBLE_EQ(one_way.time_s, 1e-3) << kind;
    EXPECT_DOUBLE_EQ(both_ways.time_s, 0.5e-3) << kind;
    EXPECT_TRUE(both_ways.verified);
    keys["sync"] = "dataflow";
    EXPECT_DOUBLE_EQ(answer(fabric, keys).time_s, 0.5e-3) << kind;
  }
}

// Two of eight nodes are neighbours: no half goes the seven hops the other way round.
TEST(Run, TwoOfManyAreNotSentTheLongWay) {
  const Result r = answer(
      {{"name", "ring"}, {"nodes", "8"}, {"rate", "8 Gb/s"}, {"latency", "1 us"}},
      {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "bidirectional-ring"}, {"groups", "1,0;2,3;4,5;6,7"}});
  EXPECT_DOUBLE_EQ(r.time_s, 1e-3 + 2e-6);
}

TEST(Run, AssumptionsSayHowRoundsWait) {
  Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}, {"sync", "step"}};
  const auto assumes = [&](const char* words) {
    return std::ranges::count(answer({{"name", "ring"}, {"nodes", "4"}}, keys).assumptions, words) == 1;
  };
  const char* dataflow = "a move's rounds follow each other, each after the arrival of the last";
  const char* step = "a round starts when the last has ended at every rank of its group";
  EXPECT_TRUE(assumes(step) && !assumes(dataflow));
  keys["sync"] = "dataflow";
  EXPECT_TRUE(!assumes(step) && assumes(dataflow));
}

TEST(Run, AnotherEngineIsNotSubstituted) {
  Experiment experiment =
      asking({{"name", "ring"}, {"nodes", "4"}}, {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "ring"}});
  experiment.engine = {"simgrid", "--engine"};
  setenv("HELIO_SIMGRID", "/no/such/program", 1);
  try {
    run(experiment);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "--engine");
  }
  unsetenv("HELIO_SIMGRID");
}

// Where a controller decides on every flow, work is counted in events; elsewhere rounds are jumped over and events say little.
TEST(Run, EventsOfControlledFlowsAreLimited) {
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "ring"}};
  RunOptions tight;
  tight.limits.events = 10;
  const auto ask = [&](const char* fabric) { return answer({{"name", fabric}, {"nodes", "8"}}, keys, {}, tight); };
  EXPECT_THROW(ask("oddl"), WorkLimitError);
  EXPECT_NO_THROW(ask("switch"));
}

}  // namespace
}  // namespace helio::pipeline
