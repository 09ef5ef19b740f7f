// SPDX-License-Identifier: Apache-2.0
// What collectives take on fabrics made of fabrics.
#include "fabric/composite/composite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"
#include "schedule/cases.h"

namespace helio::pipeline {
namespace {

Texts keys_of(const std::string& kind, const std::string& algorithm, const std::string& bytes = "12 MB") {
  return {{"kind", kind}, {"algorithm", algorithm}, {"bytes", bytes}, {"verify", "true"}};
}

double seconds(const std::string& levels, const std::string& kind, const std::string& algorithm,
               const Texts& parameters = {}) {
  const Result result = answer({{"name", "composite"}, {"levels", levels}}, keys_of(kind, algorithm), parameters);
  EXPECT_TRUE(result.verified);
  return result.time_s;
}

// A cluster is servers of a switch, joined by a switch that reaches every NPU through a NIC of its own. Its protocols and efficiencies off,
// the NIC's rate is that of a gateway, and the switch above is as wide as all NICs of a server.
TEST(Composite, SwitchesInASwitchAreACluster) {
  const Texts cluster = {{"name", "cluster"},          {"nodes", "32"},
                         {"network", "fat-tree"},      {"leaf", "4"},
                         {"protocol", "none"},         {"launch", "0 s"},
                         {"efficiency", "1"},          {"rate", "2.4 Tb/s"},
                         {"latency", "300 ns"},        {"network_efficiency", "1"},
                         {"network_rate", "200 Gb/s"}, {"network_latency", "1350 ns"}};
  const Texts composite = {{"name", "composite"},
                           {"levels",
                            "switch:nodes=8,rate=2.4 Tb/s,latency=300 ns/"
                            "switch:nodes=4,rate=1.6 Tb/s,latency=1350 ns,gateway_rate=200 Gb/s"}};
  int compared = 0;
  for (const auto& entry : schedule::algorithms().entries()) {
    if (entry.description.name == "fitted") continue;  // a composite does not show its links
    for (const schedule::Kind kind : entry.factory.kinds)
      for (const char* sync : {"step", "dataflow"}) {
        Texts keys = keys_of(std::string(schedule::name_of(kind)), entry.description.name);
        keys["sync"] = sync;
        double expected = 0;
        try {
          expected = answer(cluster, keys).time_s;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
          continue;
        }
        EXPECT_NEAR(answer(composite, keys).time_s, expected, 1e-9 * expected)
            << entry.description.name << " " << keys["kind"];
        ++compared;
      }
  }
  EXPECT_GE(compared, 60);  // 11 algorithms with 2 to 6 kinds, in two orders
}

TEST(Composite, OneLevelIsTheFabricBitForBit) {
  for (const char* algorithm : {"ring", "halving-doubling", "direct"})
    EXPECT_EQ(seconds("torus:dimensions=4x4", "all-reduce", algorithm),
              answer({{"name", "torus"}, {"dimensions", "4x4"}}, keys_of("all-reduce", algorithm)).time_s);
}

// Rings of m nodes at r0 in a ring of n units at r1, ring on both levels and the vector as a whole: m-1 steps of d/m below, 2(n-1) of d/n
// above, m-1 below again, each with its latency. d = 12 MB, m = 4, n = 3, r0 = 400 Gb/s and 500 ns, r1 = 100 Gb/s and 2 us:
// 2·3·(60 us + 0.5 us) + 2·2·(320 us + 2 us) = 363 us + 1288 us.
TEST(Composite, RingsInARing) {
  const std::string levels = "ring:nodes=4,rate=400 Gb/s,latency=500 ns/ring:nodes=3,rate=100 Gb/s,latency=2 us";
  EXPECT_NEAR(seconds(levels, "all-reduce", "by-level", {{"levels", "ring/ring"}, {"waves", "1"}}), 363e-6 + 1288e-6,
              1e-13);
  // In halves the rounds of both levels overlap where they can, and no byte is saved: not below the longer level, 1280 us
  const double halves = seconds(levels, "all-reduce", "by-level", {{"levels", "ring/ring"}, {"waves", "2"}});
  EXPECT_LT(halves, 363e-6 + 1288e-6);
  EXPECT_GT(halves, 1280e-6);
}

// Two switches of four nodes, one gateway each, no latency: between them each of two steps moves d/2 of the unit's vector, three quarters of
// it from nodes that first cross the link down to the gateway. 12 MB: 6 MB at 400 Gb/s above are 120 us; 4.5 MB at 100 Gb/s below 360 us, and
// that is what counts. Below, reduce-scatter and all-gather take 3 steps of 3 MB: 240 us each, 720 us.
TEST(Composite, WhatIsNoGatewayGoesToOne) {
  const std::string levels =
      "switch:nodes=4,rate=100 Gb/s,latency=0 s/switch:nodes=2,rate=400 Gb/s,latency=0 s,gateways=1";
  EXPECT_NEAR(seconds(levels, "all-reduce", "by-level", {{"levels", "ring/ring"}, {"waves", "1"}}),
              2 * 360e-6 + 2 * 720e-6, 1e-12);
  // A gateway of 40 Gb/s is narrower still: 6 MB in 1.2 ms
  EXPECT_NEAR(
      seconds(levels + ",gateway_rate=40 Gb/s", "all-reduce", "by-level", {{"levels", "ring/ring"}, {"waves", "1"}}),
      2 * 1200e-6 + 2 * 720e-6, 1e-12);
}

// Node 1 of switch 0 to node 1 of switch 1 by `direct` broadcast among them: down to gateway 0, over both gates, up from gateway 0. At 100 Gb/s
// and 1 us a link below (2 links each time), 2 us a link above (2 links): 12 MB are 960 us, and 4 + 4 us of latency.
TEST(Composite, AMoveGoesUpAcrossAndDown) {
  Texts keys = keys_of("broadcast", "direct");
  keys["groups"] = "1,3";
  const std::string one_gateway =
      "switch:nodes=2,rate=100 Gb/s,latency=1 us/switch:nodes=2,rate=400 Gb/s,latency=2 us,gateways=1";
  EXPECT_NEAR(answer({{"name", "composite"}, {"levels", one_gateway}}, keys).time_s, 960e-6 + 8e-6, 1e-12);
  keys["groups"] = "0,2";  // gateways themselves
  EXPECT_NEAR(answer({{"name", "composite"}, {"levels", one_gateway}}, keys).time_s, 240e-6 + 4e-6, 1e-12);
}

// Gateways 0 and 2 of four nodes, broadcast from 0 to its neighbour 1 and to 6, node 2 of the other switch. By position 0 leaves through itself:
// its port carries 12 MB at 100 Gb/s, 960 us, after 2 us. By rail it leaves where 6 sits, through node 2: the port carries both, 1920 us.
TEST(Composite, RailsLeaveWhereTheReceiverSits) {
  const std::string levels =
      "switch:nodes=4,rate=100 Gb/s,latency=1 us/switch:nodes=2,rate=400 Gb/s,latency=2 us,gateways=2";
  Texts keys = keys_of("broadcast", "direct");
  keys["groups"] = "0,1,6";
  EXPECT_NEAR(answer({{"name", "composite"}, {"levels", levels}}, keys).time_s, 962e-6, 1e-12);
  EXPECT_NEAR(answer({{"name", "composite"}, {"levels", levels + ",gateway_choice=rail"}}, keys).time_s, 1922e-6,
              1e-12);
}

// One of three switches at half its rate: its reduce-scatter and all-gather take 1440 us each instead of 720 (as above), and everybody waits.
// Between them 2·2 steps of 4 MB at 400 Gb/s take 80 us each.
TEST(Composite, OneInstanceMayBeSlower) {
  const std::string low = "switch:nodes=4,rate=100 Gb/s,latency=0 s",
                    high = "/switch:nodes=3,rate=400 Gb/s,latency=0 s";
  const Texts parameters = {{"levels", "ring/ring"}, {"waves", "1"}};
  EXPECT_NEAR(seconds(low + ",name=a" + high, "all-reduce", "by-level", parameters), 2 * 720e-6 + 4 * 80e-6, 1e-12);
  EXPECT_NEAR(seconds(low + ",slow=1@0.5" + high, "all-reduce", "by-level", parameters), 2 * 1440e-6 + 4 * 80e-6,
              1e-12);
}

TEST(Composite, TheLevelThatHoldsThingsUpIsNamed) {
  const auto bottleneck = [](const std::string& low, const std::string& high) {
    return answer({{"name", "composite"},
                   {"levels", "switch:name=inside,nodes=4,rate=" + low + "/ring:name=between,nodes=3,rate=" + high}},
                  keys_of("all-reduce", "by-level"))
        .bottleneck;
  };
  EXPECT_TRUE(bottleneck("10 Gb/s", "4 Tb/s").starts_with("level 'inside' holds things up"));
  EXPECT_TRUE(bottleneck("4 Tb/s", "10 Gb/s").starts_with("level 'between' holds things up"));
  // A gateway belongs to the level that it leads to
  const std::string gate = bottleneck("4 Tb/s", "4 Tb/s,gateways=1,gateway_rate=1 Gb/s");
  EXPECT_TRUE(gate.starts_with("level 'between' holds things up")) << gate;
  EXPECT_NE(gate.find("gateway 0 of inside"), std::string::npos) << gate;
}

// A ring of 8 whose gateways are 0 and 1, broadcast from 5 to 13, its like in the other ring: to gateway 0 it is 3 hops, to gateway 1 4. By
// position 5 takes number 5·2/8 = 1. 12 MB at 100 Gb/s are 960 us, 1 us a hop below, 2 us above (two units: one hop).
TEST(Composite, TheNearestGatewayIsTheOneWithTheShortestWay) {
  const std::string levels =
      "ring:nodes=8,rate=100 Gb/s,latency=1 us/ring:nodes=2,rate=400 Gb/s,latency=2 us,gateways=0+1,gateway_choice=";
  Texts keys = keys_of("broadcast", "direct");
  keys["groups"] = "5,13";
  const auto seconds_by = [&](const char* choice) {
    return answer({{"name", "composite"}, {"levels", levels + choice}}, keys).time_s;
  };
  EXPECT_NEAR(seconds_by("nearest"), 960e-6 + (3 + 2 + 3) * 1e-6, 1e-12);
  EXPECT_NEAR(seconds_by("position"), 960e-6 + (4 + 2 + 4) * 1e-6, 1e-12);
}

// By a hash of both ends a node spreads what it sends to different receivers over all gateways: gates of 10 Gb/s, four of them, 24 receivers
// in the other switch. By position node 0's neighbour 1 of 24 takes gateway 0 for everything; by hash no gate has all of it.
TEST(Composite, AHashSpreadsOverGateways) {
  const std::string levels =
      "switch:nodes=24,rate=4 Tb/s,latency=0 s/switch:nodes=2,rate=4 Tb/s,latency=0 s,gateways=0+6+12+18,"
      "gateway_rate=10 Gb/s,gateway_choice=";
  Texts keys = keys_of("broadcast", "direct");
  keys["groups"] = "1";
  for (int node = 24; node < 48; ++node) keys["groups"] += fmt::format(",{}", node);
  const auto seconds_by = [&](const char* choice) {
    return answer({{"name", "composite"}, {"levels", levels + choice}}, keys).time_s;
  };
  // 24 times 12 MB through one gate of 10 Gb/s are 230.4 ms; into the other switch a quarter through each
  EXPECT_NEAR(seconds_by("position"), 230.4e-3, 1e-9);
  EXPECT_LT(seconds_by("hash"), 0.6 * 230.4e-3);
  EXPECT_GE(seconds_by("hash"), 0.25 * 230.4e-3);  // no better than even
}

// Gates of 50 Gb/s: by one node 12 MB take 1.92 ms between switches, by four a quarter. Down there are 4 Tb/s.
TEST(Composite, RootedKindsUseAllGateways) {
  const std::string levels =
      "switch:nodes=4,rate=4 Tb/s,latency=0 s/switch:nodes=3,rate=4 Tb/s,latency=0 s,gateway_rate=50 Gb/s";
  for (const char* kind : {"broadcast", "reduce"}) {
    EXPECT_GE(seconds(levels, kind, "by-level", {{"holders", "one"}}), 1.92e-3) << kind;
    const double many = seconds(levels, kind, "by-level", {{"holders", "members"}, {"waves", "4"}});
    EXPECT_GE(many, 0.48e-3) << kind;
    EXPECT_LT(many, 1.92e-3 / 1.5) << kind;
  }
}

// Three levels, one fabric at two of them, and two controllers in one program.
TEST(Composite, AnyFabricStandsAtAnyLevel) {
  for (const char* levels :
       {"switch:nodes=2/ring:nodes=3/switch:nodes=2", "ring:nodes=3/ring:nodes=2/ring:nodes=2",
        "wdm-ring:nodes=3,wavelengths=4/wdm-ring:nodes=4,wavelengths=8", "oddl:nodes=3/oddl:nodes=4",
        "fred:variant=D/switch:nodes=2/wdm-ring:nodes=3,gateways=2", "switch:nodes=2/oddl:nodes=3/oddl:nodes=2"})
    for (const schedule::Kind kind : schedule::kAllKinds) {
      SCOPED_TRACE(fmt::format("{} on {}", schedule::name_of(kind), levels));
      const Result result = answer({{"name", "composite"}, {"levels", levels}},
                                   keys_of(std::string(schedule::name_of(kind)), "by-level", "1 MB"), {{"waves", "2"}});
      EXPECT_TRUE(result.verified);
      EXPECT_GT(result.time_s, 0);
    }
}

// Rings of 2 and of 8 wavelengths: what one level tells stands beside what the other does, with its name.
TEST(Composite, FactsOfOneFabricAtTwoLevelsAreToldApart) {
  const Result result =
      answer({{"name", "composite"},
              {"levels", "wdm-ring:name=inside,nodes=3,wavelengths=2/wdm-ring:name=between,nodes=6,wavelengths=8"}},
             keys_of("all-reduce", "by-level"), {{"waves", "1"}});
  std::string told;
  for (const Fact& fact : result.facts)
    if (fact.name == "level_facts") told = std::get<std::string>(fact.value);
  EXPECT_NE(told.find("of inside"), std::string::npos) << told;
  EXPECT_NE(told.find("of between"), std::string::npos) << told;
}

// Averages of 8 bits are wrong by about 1/sqrt(12) of a code; sums below are exact. As numbers or as codes, down they are the same values.
TEST(Composite, AnAverageAboveHasItsError) {
  const auto error_of = [](const Result& result) {
    for (const Fact& fact : result.facts)
      if (fact.name == std::string("value_error")) return std::get<double>(fact.value);
    return -1.0;
  };
  const Texts fabric = {{"name", "composite"}, {"levels", "switch:nodes=4/optinc:nodes=4"}};
  const Result numbers = answer(fabric, keys_of("all-reduce", "by-level"), {{"waves", "1"}}),
               codes = answer(fabric, keys_of("all-reduce", "by-level"), {{"waves", "1"}, {"codes_below", "true"}});
  EXPECT_GT(error_of(numbers), 0.001);
  EXPECT_LT(error_of(numbers), 0.1);
  EXPECT_EQ(error_of(numbers), error_of(codes));
  EXPECT_LT(codes.time_s, numbers.time_s);
  for (const char* kind : {"all-gather", "broadcast", "all-to-all"}) {
    try {
      answer(fabric, keys_of(kind, "by-level"));
      FAIL() << kind;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.message().find("level 'optinc'"), std::string::npos) << error.message();
    }
  }
}

TEST(Composite, LightThatDoesNotArriveIsToldWithItsLevel) {
  try {
    answer({{"name", "composite"},
            {"levels", "switch:nodes=2/wdm-ring:name=between,nodes=256,enforce_budget=true,laser_power=-20 dBm"}},
           keys_of("all-reduce", "by-level"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("level 'between'"), std::string::npos) << error.message();
  }
}

// Random machines: levels, gateways, groups, kinds. Proven, right on real numbers, not below the bound, alike with leaps and without.
struct Question {
  std::string levels;
  Texts keys, parameters;
};

std::string any_level(Random& random, bool lowest, std::uint32_t& nodes) {
  nodes = 2 + static_cast<std::uint32_t>(random.below(4));
  const std::string rate = fmt::format("{} Gb/s", 10 * (1 + random.below(40)));
  switch (random.below(lowest ? 6 : 9)) {
    case 0: return fmt::format("switch:nodes={},rate={},latency={} ns", nodes, rate, random.below(3) * 250);
    case 1: return fmt::format("ring:nodes={},rate={}", nodes, rate);
    case 2: return fmt::format("full-mesh:nodes={},rate={}", nodes, rate);
    case 3: nodes = 4; return fmt::format("torus:dimensions=2x2,rate={}", rate);
    case 4: nodes = 6; return fmt::format("mesh:dimensions=2x3,rate={},step_overhead=1 us", rate);
    case 5: nodes = 4; return "fred:radix=2x2,variant=D";
    case 6: return fmt::format("wdm-ring:nodes={},wavelengths={},rate={}", nodes, 1 + random.below(8), rate);
    case 7: return fmt::format("oddl:nodes={}", nodes);
    default: return fmt::format("optinc:nodes={},rate={}", nodes, rate);
  }
}

Question any_question(Random& random) {
  Question question;
  std::uint32_t unit = 1;
  const std::size_t levels = 2 + (random.below(4) == 0);
  for (std::size_t k = 0; k < levels; ++k) {
    std::uint32_t nodes = 0;
    std::string level = any_level(random, k == 0, nodes);
    if (k > 0 && random.below(2) == 0) level += fmt::format(",gateways={}", 1 + random.below(unit));
    if (k > 0 && random.below(3) == 0) level += fmt::format(",gateway_rate={} Gb/s", 5 * (1 + random.below(50)));
    if (k > 0)
      level += fmt::format(",gateway_choice={}", std::array{"position", "nearest", "hash", "rail"}[random.below(4)]);
    question.levels += (k > 0 ? "/" : "") + level;
    unit *= nodes;
  }
  const auto kind = schedule::kAllKinds[random.below(6)];
  question.keys = keys_of(std::string(schedule::name_of(kind)), random.below(4) == 0 ? "ring" : "by-level",
                          fmt::format("{} B", 1000 * (1 + random.below(10'000))));
  if (question.keys["algorithm"] == "ring" && kind == schedule::Kind::kAllToAll) question.keys["algorithm"] = "direct";
  if (question.keys["algorithm"] == "by-level") question.parameters["waves"] = fmt::format("{}", 1 + random.below(5));
  // In other ways than the usual
  const bool by_level = question.keys["algorithm"] == "by-level";
  if (by_level && kind == schedule::Kind::kAllReduce && random.below(2) == 0)
    question.parameters["above_first"] = fmt::format("{}", static_cast<double>(1 + random.below(8)) / 8);
  if (by_level && schedule::has_root(kind) && random.below(2) == 0) question.parameters["holders"] = "members";
  // All nodes, or some of them in any order
  if (random.below(3) == 0) {
    std::vector<std::uint32_t> nodes(unit);
    std::iota(nodes.begin(), nodes.end(), 0u);
    for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.below(i)]);
    nodes.resize(2 + random.below(unit - 1));
    question.keys["groups"] = fmt::format("{}", fmt::join(nodes, ","));
  }
  return question;
}

TEST(Composite, TwoThousandRandomMachines) {
  Random random(20261118);
  int ran = 0;
  for (int i = 0; i < 2000; ++i) {
    const Question question = any_question(random);
    SCOPED_TRACE(fmt::format("{} {} by {} ({}) on {} groups {}", i, question.keys.at("kind"),
                             question.keys.at("algorithm"), question.parameters, question.levels,
                             question.keys.contains("groups") ? question.keys.at("groups") : "all"));
    const Texts fabric = {{"name", "composite"}, {"levels", question.levels}};
    const Experiment experiment = asking(fabric, question.keys, question.parameters);
    try {
      const Result result = run(experiment, experiment.collectives.front(), {});  // which asserts 0 <= bound <= time
      EXPECT_TRUE(result.verified);
      EXPECT_GE(result.time_s, result.bound_s);
      const Prospect least = prospect(ChosenFabric(experiment.fabric), experiment, experiment.collectives.front());
      EXPECT_LE(least.least_s, result.time_s * (1 + 1e-9) + 1e-12);
      EXPECT_LE(least.least_in_pieces_s, least.least_s * (1 + 1e-9));
      RunOptions walking;
      walking.jump = false;
      EXPECT_NEAR(run(experiment, experiment.collectives.front(), walking).time_s, result.time_s, 1e-9 * result.time_s);
      ++ran;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible) << error.message();
      continue;
    } catch (const std::logic_error& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    // On real numbers
    const auto made = fabric::make("composite", {{"levels", {question.levels, ""}}});
    schedule::CollectiveRequest request =
        schedule::request_on_all(experiment.collectives.front().kind, experiment.collectives.front().bytes.value,
                                 static_cast<schedule::Position>(made->capabilities().nodes));
    if (!experiment.collectives.front().groups.value.empty())
      request.groups = experiment.collectives.front().groups.value;
    const schedule::Schedule schedule = schedule::build(question.keys.at("algorithm"), request, made->capabilities(),
                                                        settings_of(question.parameters, ""));
    EXPECT_TRUE(schedule::executes_correctly(schedule, schedule.chunks, static_cast<std::uint64_t>(i)));
  }
  EXPECT_GE(ran, 1500);
}

}  // namespace
}  // namespace helio::pipeline
