// SPDX-License-Identifier: Apache-2.0
// ODDL in the engine against the formulas of papers/oddl.md 2.5, all of them ours: only the paper's abstract is known.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "fabric/oddl/oddl.h"
#include "fabric/oddl/oddl_control.h"
#include "fabric/oddl/oddl_slice_fit.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::Order;
using schedule::Position;

constexpr double kVgg19 = 574'668'960, kRate = 12.5e9;  // bytes, and 100 Gb/s in bytes per second

// papers/oddl.md 2.3: 64 bytes at 10 Gb/s are 51.2 ns, 50 m of fibre 250 ns, 3 cycles 15 ns; tune 100, lock 100, guard 20 ns.
constexpr double kRoundTrip = 2 * (51.2e-9 + 250e-9) + 15e-9, kDark = 220e-9, kSetup = kRoundTrip + kDark;

schedule::CollectiveRequest vgg19(Position nodes = 1024) {
  return schedule::request_on_all(Kind::kAllReduce, Bytes{kVgg19}, nodes);
}
double bound(double nodes = 1024) { return 2 * (nodes - 1) / nodes * kVgg19 / kRate; }

// Lowered but not run.
LowerResult lowered(const Settings& values, const std::string& algorithm, const schedule::CollectiveRequest& request) {
  const std::unique_ptr<Fabric> fabric = make("oddl", values);
  flow::Program program;
  const auto carrier = fabric->install(program);
  return carrier->lower(schedule::build(algorithm, request, fabric->capabilities(), {}), request, {});
}
template <class T>
T fact(const LowerResult& result, const std::string& name) {
  for (const Fact& fact : std::get<Lowered>(result).facts)
    if (fact.name == name) return std::get<T>(fact.value);
  ADD_FAILURE() << "no fact " << name;
  return {};
}

TEST(Oddl, AllReducesOfVgg19TakeWhatTheFormulasSay) {
  EXPECT_NEAR(1e3 * bound(), 91.86, 0.005);
  const Settings steps = settings({{"step_overhead", "1 us"}});

  // One set-up: 0.837 us + 2046 (1 us + S/(1024 rate)) = 93.904 ms
  const Timed ring = time_on("oddl", steps, "ring", vgg19());
  EXPECT_NEAR(seconds(ring), kSetup + 2046e-6 + bound(), 1e-12);
  EXPECT_NEAR(1e3 * seconds(ring), 93.90, 0.005);

  // Twenty steps, each a new permutation but one: the last of halving and the first of doubling join the same pairs, and so need
  // no tuning, if a request
  const Timed halving = time_on("oddl", steps, "halving-doubling", vgg19());
  EXPECT_NEAR(seconds(halving), 20 * (1e-6 + kSetup) - kDark + bound(), 1e-12);
  EXPECT_NEAR(1e3 * seconds(halving), 91.89, 0.005);

  // Nobody asks
  const Timed planned =
      time_on("oddl", settings({{"step_overhead", "1 us"}, {"policy", "planned"}}), "halving-doubling", vgg19());
  EXPECT_NEAR(seconds(planned), 20e-6 + 19 * kDark + bound(), 1e-12);
  EXPECT_NEAR(1e3 * seconds(planned), 91.88, 0.005);

  // Five halvings, two rings of 31 rounds on the same circuits, five doublings: 72 steps and 11 set-ups. The ring's circuits are
  // kept until they are recalled, which takes another round trip at most.
  const Timed plane = time_on("oddl", steps, "two-level", vgg19());
  EXPECT_GE(seconds(plane), 72e-6 + 11 * kSetup + bound() - 1e-12);
  EXPECT_LE(seconds(plane), 72e-6 + 11 * kSetup + kRoundTrip + bound() + 1e-12);
  EXPECT_NEAR(1e3 * seconds(plane), 91.94, 0.005);
}

TEST(Oddl, WithoutOverheadAndSetupEveryCollectiveMeetsTheBound) {
  const Settings ideal = settings({{"tune", "0 s"}, {"lock", "0 s"}, {"guard", "0 s"}, {"policy", "planned"}});
  for (const char* algorithm : {"ring", "halving-doubling", "two-level"})
    EXPECT_NEAR(seconds(time_on("oddl", ideal, algorithm, vgg19())) / bound(), 1, 1e-9) << algorithm;
}

TEST(Oddl, ARingAsksOnceForAllItsRounds) {
  // REQUEST and GRANT, a BUSY because the flow outlasts the timeout, and perhaps an answer to it: not one for each of 14 rounds
  const Timed ring = time_on("oddl", {}, "ring", vgg19(8));
  EXPECT_GE(ring.timeline.control_messages, 2 * 8u);
  EXPECT_LE(ring.timeline.control_messages, 4 * 8u);
  // Of six steps of 8 flows every one is asked for and given back
  const Timed halving = time_on("oddl", {}, "halving-doubling", vgg19(8));
  EXPECT_GE(halving.timeline.control_messages, 3 * 6 * 8u);
}

// The largest number of nodes that the nodes of a group send to (papers/oddl.md 2.2). A plane has 3 channels of each class.
TEST(Oddl, ChannelsAndPlanesFollowFromTheCollective) {
  struct Case {
    const char* algorithm;
    Kind kind;
    double channels, planes;
  };
  for (const Case& c :
       {Case{"ring", Kind::kAllReduce, 32, 1}, Case{"two-level", Kind::kAllReduce, 64, 1},
        Case{"halving-doubling", Kind::kAllReduce, 192, 2}, Case{"direct", Kind::kAllToAll, 1024, 11}}) {
    const LowerResult result = lowered({}, c.algorithm, schedule::request_on_all(c.kind, Bytes{1e6}, 1024));
    EXPECT_EQ(fact<double>(result, "channels"), c.channels) << c.algorithm;
    EXPECT_EQ(fact<double>(result, "planes"), c.planes) << c.algorithm;
  }
}

TEST(Oddl, OnOnePlaneHalvingDoublingIsRefusedAndTwoLevelIsNot) {
  const Settings one = settings({{"planes", "1"}});
  const LowerResult result = lowered(one, "halving-doubling", vgg19());
  ASSERT_TRUE(std::holds_alternative<Refusal>(result));
  const Refusal& refusal = std::get<Refusal>(result);
  EXPECT_NE(refusal.reason.find("halving-doubling needs 192 channels"), std::string::npos) << refusal.reason;
  EXPECT_NE(refusal.advice.find("two-level"), std::string::npos) << refusal.advice;
  EXPECT_NE(refusal.advice.find("2 would carry"), std::string::npos) << refusal.advice;
  EXPECT_TRUE(std::holds_alternative<Lowered>(lowered(one, "two-level", vgg19())));
}

// Two groups of two nodes, each reached by a channel of its own: node 1 and node 2 have class 1, nodes 0 and 3 class 0.
TEST(Oddl, LaterCollectivesGetTheirLightBesideEarlierOnes) {
  const std::unique_ptr<Fabric> fabric =
      make("oddl", settings({{"nodes_per_group", "2"}, {"nodes", "4"}, {"channels", "2"}, {"planes", "1"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  const auto refused = [&](std::vector<NodeId> nodes) {
    const schedule::CollectiveRequest request{
        .kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {std::move(nodes)}};
    const auto ring = schedule::build("ring", request, fabric->capabilities(), {});
    return std::holds_alternative<Refusal>(carrier->lower(ring, request, {}));
  };
  EXPECT_FALSE(refused({NodeId{0}, NodeId{2}}));  // group 0 lights class 1, group 1 class 0
  EXPECT_TRUE(refused({NodeId{0}, NodeId{1}}));   // class 1 again, for another node
  EXPECT_FALSE(refused({NodeId{0}, NodeId{3}}));  // group 0 lights class 0; group 1 leads to node 0 already
}

// Ranks 1 and 2 send a megabyte each to rank 0, whose one receiver takes them one after the other: 2 x 80 us, a round trip and
// two circuits.
TEST(Oddl, AReceiverHearsOneTransmitterAtATime) {
  const auto request = schedule::request_on_all(Kind::kReduce, Bytes{1e6}, 3);
  EXPECT_NEAR(seconds(time_on("oddl", {}, "direct", request)), 160e-6 + kSetup + kDark, 1e-12);
}

// Even when nobody asks. The two senders are in groups of their own, so that their light meets nowhere before the receiver.
TEST(Oddl, ThePathRuleIsTheEnginesNotTheArbiters) {
  const auto request = schedule::request_on_all(Kind::kReduce, Bytes{1e6}, 3);
  const Timed timed =
      time_on("oddl", settings({{"nodes", "3"}, {"nodes_per_group", "1"}, {"policy", "planned"}}), "direct", request);
  EXPECT_NEAR(seconds(timed), 160e-6 + 2 * kDark, 1e-12);
  const auto way = timed.program.routes.channels(flow::RouteId{0});
  ASSERT_EQ(way.size(), 3u);
  EXPECT_EQ(timed.program.resources.name(way[0]), "transmitter of node 1");
  EXPECT_EQ(timed.program.resources.name(way[1]), "receiver of node 0");
  EXPECT_EQ(timed.program.resources.name(way[2]), "channel 0 of group 1, plane 0");
}

// Halving-doubling of S on 8 nodes sends 8 x 2 x 7/8 S = 14 S.
TEST(Oddl, CoflowsAreTheSteps) {
  for (const Order order : {Order::kStep, Order::kDataflow}) {
    const Timed timed = time_on("oddl", settings({{"policy", "coflow"}}), "halving-doubling", vgg19(8), order);
    const auto* controller = dynamic_cast<const OddlController*>(timed.program.controls.front().controller.get());
    ASSERT_NE(controller, nullptr);
    const std::vector<double>& steps = controller->options().coflow_bytes;
    EXPECT_NEAR(std::accumulate(steps.begin(), steps.end(), 0.0), 14 * kVgg19, 1e-3);
    EXPECT_EQ(*std::max_element(steps.begin(), steps.end()), 8 * kVgg19 / 2);
    for (const flow::Template& body : timed.program.templates)
      for (const flow::Operation& op : body.operations)
        if (op.controlled) {
          EXPECT_GT(OddlClaim::unpack(op.claim).coflow, 0u);
        }
  }
}

TEST(Oddl, EveryFlowArrivesUnderEveryControl) {
  const auto request = schedule::request_on_all(Kind::kAllToAll, Bytes{8e5}, 8);
  const double least = 7 * 1e5 / kRate;
  for (const char* policy : {"srpt", "fifo", "round-robin", "coflow", "planned"})
    for (const char* control : {"distributed", "central", "slotted"})
      for (const Order order : {Order::kStep, Order::kDataflow}) {
        const Settings values = settings({{"nodes_per_group", "4"},
                                          {"policy", policy},
                                          {"control", control},
                                          {"loss", "0.1"},
                                          {"jitter", "1 us"},
                                          {"dead_arbiter", "0"},
                                          {"dead_at", "20 us"},
                                          {"nodes", "8"}});
        const Timed timed = time_on("oddl", values, "direct", request, order);
        EXPECT_GT(seconds(timed), least) << policy << ' ' << control;
        EXPECT_LT(seconds(timed), 100 * least) << policy << ' ' << control;
        EXPECT_GT(timed.timeline.messages_lost, 0u) << policy << ' ' << control;
      }
}

// 100 Gb/s from one transceiver; two carry half of each flow.
TEST(Oddl, AFlowIsSpreadOverAllTransceivers) {
  const auto request = vgg19(8);
  EXPECT_NEAR(seconds(time_on("oddl", settings({{"trx", "2"}}), "ring", request)), kSetup + bound(8) / 2, 1e-12);
}

// n nodes, n - 1 independent flows of 64 KiB from each: (n - 1) x 5.243 us on an ideal switch. In the schedule's order each flow pays
// the dark time, 4.2 %; two transceivers that take turns hide all of it but the first, for odd and even n alike. The first is less
// than 1 % of five flows or more.
TEST(Oddl, TransceiversThatTakeTurnsHideTuning) {
  for (const int nodes : {6, 7, 15, 63, 64}) {
    const auto request = schedule::request_on_all(Kind::kAllToAll, Bytes{nodes * 65536.0}, nodes);
    const std::string n = std::to_string(nodes);
    const auto on_oddl = [&](const char* trx, const char* alternate) {
      return seconds(time_on(
          "oddl", settings({{"nodes", n.c_str()}, {"policy", "planned"}, {"trx", trx}, {"alternate", alternate}}),
          "direct", request));
    };
    const double ideal = seconds(time_on(
        "switch", settings({{"nodes", n.c_str()}, {"rate", "100 Gb/s"}, {"latency", "0 s"}}), "direct", request));
    EXPECT_NEAR(ideal, (nodes - 1) * 65536 / kRate, 1e-12) << nodes;
    EXPECT_NEAR(on_oddl("1", "false"), ideal + (nodes - 1) * kDark, 1e-12) << nodes;
    const double turns = on_oddl("2", "true");
    EXPECT_NEAR(turns, ideal + kDark, 1e-11) << nodes;
    EXPECT_LT(turns, 1.01 * ideal) << nodes;
  }
}

TEST(Oddl, LightArrivesWithThePowerOfTheBudget) {
  const LowerResult result = lowered({}, "ring", vgg19());
  EXPECT_NEAR(fact<double>(result, "received_unsaturated_dbm"), 0.4, 0.05);  // papers/oddl.md 2.6
  EXPECT_NEAR(fact<double>(result, "osnr_unsaturated_db"), 38.1, 0.06);
  EXPECT_NEAR(fact<double>(result, "received_dbm"), -2.1, 0.05);
  EXPECT_NEAR(fact<double>(result, "crosstalk_db"), -20.086, 1e-3);  // photonics/amplified_path_test
  EXPECT_NEAR(fact<double>(result, "margin_db"), 16.841, 3e-3);
  EXPECT_LT(fact<double>(result, "bit_error_rate"), 3.8e-3);
  EXPECT_EQ(fact<double>(result, "wss_s"), 0.05);
  EXPECT_NEAR(fact<double>(result, "setup_s"), kSetup, 1e-15);
  try {
    make("oddl", settings({{"edfa_gain", "10 dB"}, {"light", "generous"}}));  // -19.6 dBm, and -6 are asked for
    FAIL() << "so little light is not enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
  // 31 ports at 20 dB: 0.31 of the signal, of which 1/7.1 may be.
  EXPECT_THROW(make("oddl", settings({{"wss_isolation", "20 dB"}})), Error);
  EXPECT_NO_THROW(make("oddl", settings({{"wss_isolation", "20 dB"}, {"nodes", "64"}})));  // one port
}

TEST(Oddl, IsolationIsPhysicalOnWholeGroupsOnly) {
  EXPECT_EQ(fact<std::string>(lowered({}, "ring", vgg19()), "isolation"), "physical");
  schedule::CollectiveRequest half = vgg19(16);  // of the 32 nodes of group 0
  EXPECT_EQ(fact<std::string>(lowered({}, "ring", half), "isolation"), "masked");
}

// Group 0 sends to nodes 1 to 31 and, at its end, to node 32, which has class 1 as node 1 has.
TEST(Oddl, TunableReceiversNeedNoClasses) {
  const auto request = vgg19(64);
  const Settings tight = settings({{"nodes", "64"}, {"channels", "32"}, {"planes", "1"}});
  EXPECT_TRUE(std::holds_alternative<Refusal>(lowered(tight, "ring", request)));
  Settings tunable = tight;
  tunable["tunable_receivers"] = {"true", "test"};
  EXPECT_TRUE(std::holds_alternative<Lowered>(lowered(tunable, "ring", request)));
}

TEST(Oddl, WhatContradictsItselfIsAnError) {
  for (const Settings& wrong :
       {settings({{"nodes", "65"}, {"groups", "2"}}), settings({{"channels", "31"}}), settings({{"alternate", "true"}}),
        settings({{"trx", "2"}, {"planes", "3"}}), settings({{"dead_arbiter", "32"}}), settings({{"tune", "-1 ns"}}),
        settings({{"grant_timeout", "600 ns"}}), settings({{"wss", "1 s"}}), settings({{"groups", "65536"}})}) {
    try {
      make("oddl", wrong);
      ADD_FAILURE() << wrong.begin()->first;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
    }
  }
}

// 500 m are 2.5 us each way, 64 bytes 51.2 ns, an arbiter 15 ns: 5.1174 us, more than 5. Unset, the time-out is twice that; a given one must
// be above it. Bytes take as long as ever, and only the set-up grows: by 2 * 450 m of 5 ns.
TEST(Oddl, TimeOutsScaleWithTheFibre) {
  const auto request = schedule::request_on_all(Kind::kAllReduce, Bytes{8e6}, 8);
  const double near = seconds(time_on("oddl", settings({{"nodes", "8"}}), "ring", request));
  const double far = seconds(time_on("oddl", settings({{"nodes", "8"}, {"fibre", "500"}}), "ring", request));
  EXPECT_NEAR(far - near, 2 * 450 * 5e-9, 1e-12);
  EXPECT_NO_THROW(make("oddl", settings({{"fibre", "100000"}})));
  EXPECT_THROW(make("oddl", settings({{"fibre", "500"}, {"grant_timeout", "5 us"}})), Error);
  EXPECT_NO_THROW(make("oddl", settings({{"fibre", "500"}, {"grant_timeout", "5.2 us"}})));
  // Lost messages are repeated, and everything ends, at any length
  const double lossy = seconds(
      time_on("oddl", settings({{"nodes", "8"}, {"fibre", "2000"}, {"loss", "0.2"}}), "halving-doubling", request));
  EXPECT_GT(lossy, far);
}

// 1,000 s over 5 us are 2e8 repetitions of every message; a time-out of 1 s lets it wait.
TEST(Oddl, JitterThatRepeatsAMessageForeverIsToldByName) {
  try {
    make("oddl", settings({{"jitter", "1000 s"}}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("late by up to 1000 s"), std::string::npos) << error.message();
    EXPECT_NE(error.advice().find("at most 50 ms"), std::string::npos) << error.advice();
  }
  EXPECT_NO_THROW(make("oddl", settings({{"jitter", "1000 s"}, {"grant_timeout", "1 s"}})));
}

// The ring's 14 rounds on 8 nodes then ask and tune each; halving-doubling also tunes for the two steps with the same partner.
TEST(Oddl, WithoutHoldingEveryFlowTunes) {
  const auto request = schedule::request_on_all(Kind::kAllReduce, Bytes{8e6}, 8);
  const Settings held = settings({{"nodes", "8"}}), given_up = settings({{"nodes", "8"}, {"hold", "false"}});
  const double bytes = 14 * 1e6 / kRate;
  EXPECT_NEAR(seconds(time_on("oddl", held, "ring", request)), kSetup + bytes, 1e-12);
  EXPECT_NEAR(seconds(time_on("oddl", given_up, "ring", request)), 14 * kSetup + bytes, 1e-12);
  EXPECT_NEAR(seconds(time_on("oddl", held, "halving-doubling", request)), 6 * kSetup - kDark + bytes, 1e-12);
  EXPECT_NEAR(seconds(time_on("oddl", given_up, "halving-doubling", request)), 6 * kSetup + bytes, 1e-12);

  // papers/oddl.md 6: 1.017 on four nodes that tune in 1 ms; 32 images at 190/s, 2 us a step, 5 m of fibre
  const double compute = 32 / 190.0;
  const auto four = [&](const char* hold) {
    const Settings slow =
        settings({{"nodes", "4"}, {"tune", "1 ms"}, {"fibre", "5"}, {"step_overhead", "2 us"}, {"hold", hold}});
    return (compute + seconds(time_on("oddl", slow, "halving-doubling", vgg19(4)))) / (compute + 4 * 2e-6 + bound(4));
  };
  EXPECT_NEAR(four("false"), 1.017, 0.0005);
  EXPECT_NEAR(four("true"), 1.0126, 0.0005);  // three of the four steps tune
}

// 192 channels on one plane of 96: three of the six sets of 32 nodes are lit at once. Three parts, as the planner says
// (SlicePlanner.WhatIsTriedWhenItDoesNotFit), two changes of 50 ms, and nothing else is different.
TEST(Oddl, ACollectiveIsSplitByWssChanges) {
  const Settings one = settings({{"planes", "1"}, {"step_overhead", "1 us"}});
  const std::unique_ptr<Fabric> fabric = make("oddl", one);
  flow::Program program;
  const auto carrier = fabric->install(program);
  const auto request = vgg19();
  const schedule::Schedule halving = schedule::build("halving-doubling", request, fabric->capabilities(), {});
  EXPECT_FALSE(carrier->remedy(Remedy::kMiddle, halving, request, {}));
  const auto instead = carrier->remedy(Remedy::kSplit, halving, request, {});
  ASSERT_TRUE(instead);
  EXPECT_EQ(fact<double>(instead->result, "wss_changes"), 2);
  EXPECT_EQ(fact<double>(instead->result, "channels"), 96);
  EXPECT_EQ(fact<double>(instead->result, "planes"), 1);
  program.entry = std::get<Lowered>(instead->result).entry;
  flow::check(program);
  EXPECT_NEAR(simulate::simulate(program).end.to_seconds(), 2 * 0.05 + 20 * (1e-6 + kSetup) - kDark + bound(), 1e-12);

  // Its light is taken: another collective gets none of it
  EXPECT_TRUE(std::holds_alternative<Refusal>(
      carrier->lower(schedule::build("ring", request, fabric->capabilities(), {}), request, {})));

  // A single step that needs too much cannot be cut: `direct` sends to all 64 at once, and a fibre has 32 channels
  const auto all = schedule::request_on_all(Kind::kAllToAll, Bytes{1e6}, 64);
  const std::unique_ptr<Fabric> tight = make("oddl", settings({{"nodes", "64"}, {"channels", "32"}, {"planes", "1"}}));
  flow::Program other;
  const auto tight_carrier = tight->install(other);
  const schedule::Schedule direct = schedule::build("direct", all, tight->capabilities(), {});
  const auto stuck = tight_carrier->remedy(Remedy::kSplit, direct, all, {});
  ASSERT_TRUE(stuck);
  EXPECT_TRUE(std::holds_alternative<Refusal>(stuck->result));
}

// A slice that starts with the third order of the classes: the flows leave on those channels and on no others.
TEST(Oddl, FlowsUseTheLightThatTheyAreGiven) {
  const auto& fabrics = fabric::fabrics();
  const Settings values = settings({{"nodes", "8"}, {"nodes_per_group", "4"}, {"channels", "12"}, {"planes", "1"}});
  const std::unique_ptr<OddlFabric> fabric = make_oddl(fabrics.resolve(fabrics.at("oddl"), values));
  const OddlGeometry& g = fabric->geometry();
  flow::Program program;
  const auto carrier = fabric->install(program);
  const std::vector<NodeId> nodes = {{0}, {2}, {4}, {5}};  // to classes 2 and 1 from group 0, 2 and 0 from group 1
  const schedule::CollectiveRequest request{Kind::kAllReduce, Bytes{1e6}, {nodes}, 0};
  const schedule::Schedule ring = slice_schedule("ring", Kind::kAllReduce, 4, 0);
  const auto first_two = [&](std::uint32_t light) { return light % g.channels < 2 * g.nodes_per_group; };
  const Slice slice = std::get<Slice>(first_fit(g, pairs_of(ring, nodes), 1, first_two));
  const LowerResult result = dynamic_cast<OddlCarrier&>(*carrier).lower_on(slice, ring, request, {});
  ASSERT_TRUE(std::holds_alternative<Lowered>(result));
  std::set<std::string> used;
  for (const flow::Template& body : program.templates)
    for (const flow::Operation& op : body.operations)
      if (op.kind == flow::OperationKind::kTransfer)
        for (const flow::ResourceId id : program.routes.channels(op.route))
          if (const std::string name = program.resources.name(id); name.starts_with("channel")) used.insert(name);
  std::set<std::string> given;
  for (const SliceEntry& e : slice)
    given.insert(fmt::format("channel {} of group {}, plane 0", e.channel, e.source_group));
  EXPECT_EQ(used, given);
  EXPECT_EQ(given.size(), 4u);
}

}  // namespace
}  // namespace helio::fabric
