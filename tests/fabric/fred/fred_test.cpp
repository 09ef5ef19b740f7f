// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "fabric/fred/fred_flows.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Kind;
using schedule::request_on_all;

constexpr double kGb = 1e9;

Settings wafer(std::initializer_list<std::pair<const char*, const char*>> values = {}) {
  Settings all = settings({{"latency", "0 s"}});
  for (const auto& [name, setting] : settings(values)) all[name] = setting;
  return all;
}

CollectiveRequest all_reduces(std::vector<std::vector<std::uint32_t>> groups) {
  CollectiveRequest request{.kind = Kind::kAllReduce, .bytes = {kGb}, .groups = {}};
  for (const auto& group : groups) {
    request.groups.emplace_back();
    for (const std::uint32_t node : group) request.groups.back().push_back({node});
  }
  return request;
}

CollectiveRequest phase(const StrategyPhase& which) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (const Flow& flow : flows_of(which)) {
    groups.push_back(flow.outputs);
    if (which.phase == TrainingPhase::kPp) groups.back().insert(groups.back().begin(), flow.inputs.front());
  }
  CollectiveRequest request = all_reduces(groups);
  if (which.phase == TrainingPhase::kPp) request.kind = Kind::kBroadcast;
  return request;
}

const StrategyPhase kMp2{2, 5, 2, TrainingPhase::kMp}, kDp5{2, 5, 2, TrainingPhase::kDp},
    kPp2{2, 5, 2, TrainingPhase::kPp};

double milliseconds(const char* variant, const std::string& algorithm, const CollectiveRequest& request) {
  return 1e3 * seconds(time_on("fred", wafer({{"variant", variant}}), algorithm, request));
}

// papers/fred.md 6.1, D = 1 GB. In the switch D/3 TB/s, or what crosses an uplink; at the endpoints 2(n-1)/n D.
TEST(Fred, Microbenchmarks) {
  const CollectiveRequest all = request_on_all(Kind::kAllReduce, {kGb}, 20);
  EXPECT_NEAR(milliseconds("B", "in-fabric", all), 1 / 1.5, 1e-9);  // one crossing, 1.5 TB/s
  EXPECT_NEAR(milliseconds("C", "ring", all), 1.9 / 3, 1e-9);       // 2·19/20 at 3 TB/s
  EXPECT_NEAR(milliseconds("D", "in-fabric", all), 1.0 / 3, 1e-9);
  for (const char* variant : {"A", "C"}) EXPECT_NEAR(milliseconds(variant, "ring", phase(kMp2)), 1.0 / 3, 1e-9);
  for (const char* variant : {"B", "D"}) EXPECT_NEAR(milliseconds(variant, "in-fabric", phase(kMp2)), 1.0 / 3, 1e-9);
  EXPECT_NEAR(milliseconds("A", "ring", phase(kDp5)), 4 * 1.6 / 1.5, 1e-9);  // four rings of 2·4/5 D over one uplink
  EXPECT_NEAR(milliseconds("B", "in-fabric", phase(kDp5)), 4 / 1.5, 1e-9);
  EXPECT_NEAR(milliseconds("C", "ring", phase(kDp5)), 1.6 / 3, 1e-9);
  EXPECT_NEAR(milliseconds("D", "in-fabric", phase(kDp5)), 1.0 / 3, 1e-9);
  for (const char* variant : {"A", "B", "C", "D"})
    EXPECT_NEAR(milliseconds(variant, "in-fabric", phase(kPp2)), 1.0 / 3, 1e-9);
}

// Links of NPUs up and down, and of L1s up and down: 20 D + 20 D + 5 D + 5 D for the all-reduce of all; a pair in one L1
// stays below it: 2 D + 2 D.
TEST(Fred, TrafficInTheSwitch) {
  const auto traffic = [](const CollectiveRequest& request) {
    const Timed timed = time_on("fred", wafer(), "in-fabric", request);
    double sum = 0;
    for (const double bytes : flow::traffic(timed.program)) sum += bytes;
    return sum / kGb;
  };
  EXPECT_NEAR(traffic(request_on_all(Kind::kAllReduce, {kGb}, 20)), 50, 1e-9);
  EXPECT_NEAR(traffic(all_reduces({{1, 3}})), 4, 1e-9);
  EXPECT_NEAR(traffic(all_reduces({{3, 4}})), 8, 1e-9);
}

TEST(Fred, LatencyByLevels) {
  // Under one L1 two links, through the L2 four, of 1 us each; 1 B takes no time to speak of
  const auto microseconds = [](const CollectiveRequest& request) {
    CollectiveRequest tiny = request;
    tiny.bytes = {1e-9};
    return 1e6 * seconds(time_on("fred", wafer({{"latency", "1 us"}}), "in-fabric", tiny));
  };
  EXPECT_NEAR(microseconds(all_reduces({{0, 3}})), 2, 1e-6);
  EXPECT_NEAR(microseconds(all_reduces({{0, 4}})), 4, 1e-6);
}

TEST(Fred, MoreLevelsThanAWafer) {
  // 4x8x32: 1,024 NPUs; variant B: uplinks of an eighth of the NPUs below. 1 GB over 4·3/8 TB/s from the L1s, which is the
  // narrowest: the next level has 32·3/8 TB/s.
  const Timed timed = time_on("fred", wafer({{"radix", "4x8x32"}, {"variant", "B"}}), "in-fabric",
                              request_on_all(Kind::kAllReduce, {kGb}, 1024));
  EXPECT_NEAR(1e3 * seconds(timed), 1 / 1.5, 1e-9);
  // With uplinks given: the second level is the narrowest
  const Timed narrow = time_on("fred", wafer({{"radix", "4x8x32"}, {"uplink", "12 TB/s,1 TB/s"}}), "in-fabric",
                               request_on_all(Kind::kAllReduce, {kGb}, 1024));
  EXPECT_NEAR(1e3 * seconds(narrow), 1, 1e-9);
}

// The triangle of papers/fred.md 2.3: {0,2}, {1,4}, {3,5} need three middle switches.
class Triangle : public ::testing::Test {
 protected:
  CollectiveRequest request = all_reduces({{0, 2}, {1, 4}, {3, 5}, {6, 7}});
  std::unique_ptr<Fabric> fabric = make("fred", wafer({{"radix", "8"}, {"middle", "2"}}));
  schedule::Schedule schedule = schedule::build("in-fabric", request, fabric->capabilities());
  flow::Program program;
  std::unique_ptr<Carrier> carrier = fabric->install(program);
};

TEST_F(Triangle, IsRefusedWithTheGroupThatIsTooMany) {
  const LowerResult result = carrier->lower(schedule, request, {});
  const Refusal* refusal = std::get_if<Refusal>(&result);
  ASSERT_NE(refusal, nullptr);
  EXPECT_NE(refusal->reason.find("share an edge element"), std::string::npos);
  EXPECT_EQ(refusal->groups, (std::vector<std::uint32_t>{2}));  // 0, 1 and 3 fit together
}

TEST_F(Triangle, RoutesWithAThirdMiddleSwitch) {
  const auto instead = carrier->remedy(Remedy::kMiddle, schedule, request, {});
  ASSERT_TRUE(instead && std::holds_alternative<Lowered>(instead->result));
  EXPECT_EQ(instead->words, "with 3 middle switches instead of 2");
}

TEST_F(Triangle, RoutesElsewhereWithItsGroupsKept) {
  const auto instead = carrier->remedy(Remedy::kReplace, schedule, request, {});
  ASSERT_TRUE(instead && std::holds_alternative<Lowered>(instead->result));
  // The groups that it says it runs on are four disjoint pairs, and route
  std::string placement;
  for (const Fact& fact : std::get<Lowered>(instead->result).facts)
    if (fact.name == "placement") placement = std::get<std::string>(fact.value);
  std::vector<std::vector<std::uint32_t>> groups{{}};
  std::map<char, int> seen;
  for (const char c : placement) {
    if (c == ';')
      groups.emplace_back();
    else if (c != ',')
      groups.back().push_back(static_cast<std::uint32_t>(c - '0')), ++seen[c];
  }
  EXPECT_EQ(groups.size(), 4u);
  EXPECT_EQ(seen.size(), 8u);
  EXPECT_TRUE(std::holds_alternative<Lowered>(carrier->lower(schedule, all_reduces(groups), {})));
}

TEST_F(Triangle, AnEndpointAlgorithmNeedsNoRemedy) {
  const schedule::Schedule ring = schedule::build("ring", request, fabric->capabilities());
  EXPECT_FALSE(carrier->remedy(Remedy::kMiddle, ring, request, {}).has_value());
  EXPECT_TRUE(std::holds_alternative<Lowered>(carrier->lower(ring, request, {})));  // unicasts are not blocked
}

// The DP phase of 5-4-1 fits on 4 of 5 planes of 600 GB/s (papers/fred.md 2.3): D / 2.4 TB/s. 2-5-2 fits whole: D / 3 TB/s.
TEST(Fred, Chiplets) {
  const auto on_chiplets = [](const StrategyPhase& which) {
    return 1e3 * seconds(time_on("fred", wafer({{"structure", "chiplets"}}), "in-fabric", phase(which)));
  };
  EXPECT_NEAR(on_chiplets({5, 4, 1, TrainingPhase::kDp}), 1 / 2.4, 1e-6);
  EXPECT_NEAR(on_chiplets(kDp5), 1.0 / 3, 1e-6);
  EXPECT_NEAR(on_chiplets(kPp2), 1.0 / 3, 1e-6);
  const Timed strict = time_on("fred", wafer({{"structure", "chiplets"}, {"partial", "false"}}), "in-fabric",
                               phase({5, 4, 1, TrainingPhase::kDp}));
  EXPECT_NE(strict.refusal.find("4 of 5 planes"), std::string::npos) << strict.refusal;
}

// Reduce-scatter and all-gather apart, 4 buckets: the reduce to a rank runs beside that rank's multicast, so both have uplinks of their
// own in every round, also where a round has only one of them. (4 + 1)/4 of D / 3 TB/s, as on the flat switch.
TEST(Fred, AFlowKeepsItsWaysInEveryRound) {
  const CollectiveRequest all = request_on_all(Kind::kAllReduce, {kGb}, 20);
  const Settings apart = settings({{"fused", "false"}, {"buckets", "4"}});
  for (const char* structure : {"flat", "chiplets"}) {
    const Timed timed =
        time_on("fred", wafer({{"structure", structure}}), "in-fabric", all, schedule::Order::kStep, apart);
    EXPECT_NEAR(1e3 * seconds(timed), 1.25 / 3, 1e-6) << structure;
  }
}

TEST(Fred, APortIsSetAnewForAnotherFlow) {
  // Reduce-scatter of 20: 20 reduces, one after the other, each with another destination. A port up sees another flow each time,
  // so all 20 pay 1 us: 20 · 50 MB / 3 TB/s + 20 us.
  const CollectiveRequest request = request_on_all(Kind::kReduceScatter, {kGb}, 20);
  const Timed timed = time_on("fred", wafer({{"reconfigure", "1 us"}}), "in-fabric", request);
  EXPECT_NEAR(1e6 * seconds(timed), 1e3 / 3 + 20, 1e-6);
}

TEST(Fred, CompressionOnEveryLink) {
  const CollectiveRequest all = request_on_all(Kind::kAllReduce, {kGb}, 20);
  const auto with = [&](const char* variant, const char* kind, const char* keep = "") {
    Settings machine = wafer({{"variant", variant}, {"compression", kind}, {"codec_delay", "0 s"}});
    if (*keep != 0) machine["keep"] = {keep, "test"};
    return 1e3 * seconds(time_on("fred", machine, "in-fabric", all));
  };
  EXPECT_NEAR(with("D", "fp8"), 0.5 / 3, 1e-6);
  // 1 % kept: 3 % up. The sum of all 20 keeps 20 %, 60 % of the bytes, on the way down to an NPU at 3 TB/s and to an L1 at 1.5
  EXPECT_NEAR(with("D", "top-k", "0.01"), 0.6 / 3, 1e-6);
  EXPECT_NEAR(with("B", "top-k", "0.01"), 0.6 / 1.5, 1e-6);
  // An error of a tenth keeps most elements, and the sum of 20 all of them
  EXPECT_NEAR(with("D", "top-k"), 1. / 3, 1e-6);
}

// I/O: 18 channels at 5 L1s, 4, 4, 4, 3 and 3. A broadcast of all of them: an L1 with 3 takes in 15 of 18 parts.
TEST(Fred, StreamsTakeTheirShareOfEveryLink) {
  const auto fabric = make("fred", wafer({{"variant", "B"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  std::vector<NodeId> everyone;
  for (std::uint32_t node = 0; node < 20; ++node) everyone.push_back({node});
  std::vector<flow::LinkUse> in, out;
  ASSERT_TRUE(carrier->stream({&everyone, 1}, true, in));
  ASSERT_TRUE(carrier->stream({&everyone, 1}, false, out));
  const auto load = [&](const std::vector<flow::LinkUse>& uses, const std::string& link) {
    double sum = 0;
    for (const flow::LinkUse& use : uses)
      if (program.resources.name(use.link) == link) sum += use.weight;
    return sum;
  };
  EXPECT_NEAR(load(in, "I/O channel 3 in"), 1.0 / 18, 1e-6);
  EXPECT_NEAR(load(in, "link down to NPU 7"), 1, 1e-6);
  EXPECT_NEAR(load(in, "link down to L1 switch 4"), 15.0 / 18, 1e-6);
  EXPECT_NEAR(load(in, "link L1 switch 0 up"), 4.0 / 18, 1e-6);
  EXPECT_NEAR(load(in, "link NPU 7 up"), 0, 1e-6);
  // Written back: the same links the other way
  EXPECT_NEAR(load(out, "I/O channel 3 out"), 1.0 / 18, 1e-6);
  EXPECT_NEAR(load(out, "link NPU 7 up"), 1, 1e-6);
  EXPECT_NEAR(load(out, "link L1 switch 4 up"), 15.0 / 18, 1e-6);
  EXPECT_NEAR(load(out, "link down to L1 switch 0"), 4.0 / 18, 1e-6);
}

// papers/fred.md 2.7: A and B 1.5/(15·0.128) = 0.78125 of the channels' rate, C and D all of it.
TEST(Fred, ShareOfTheIoRate) {
  const std::map<std::string, double> expected = {{"A", 0.78125}, {"B", 0.78125}, {"C", 1}, {"D", 1}};
  for (const auto& [variant, share] : expected) {
    const auto fabric = make("fred", wafer({{"variant", variant.c_str()}}));
    flow::Program program;
    const auto carrier = fabric->install(program);
    const CollectiveRequest request = request_on_all(Kind::kAllReduce, {kGb}, 20);
    const schedule::Schedule schedule = schedule::build("ring", request, fabric->capabilities());
    const LowerResult result = carrier->lower(schedule, request, {});
    bool found = false;
    for (const Fact& fact : std::get<Lowered>(result).facts)
      if (fact.name == "io_broadcast_share") {
        found = true;
        EXPECT_NEAR(std::get<double>(fact.value), share, 1e-12);
      }
    EXPECT_TRUE(found);
  }
}

// Two L1s of a shard of two nodes each: half of every byte goes to nodes 0 and 4, the other half to nodes 1 and 5.
TEST(Fred, ShardsGoOnlyWhereTheyBelong) {
  const auto fabric = make("fred", wafer({{"io_channels", "5"}}));  // one at each L1
  flow::Program program;
  const auto carrier = fabric->install(program);
  const std::vector<std::vector<NodeId>> shards = {{{0}, {4}}, {{1}, {5}}};
  std::vector<flow::LinkUse> uses;
  ASSERT_TRUE(carrier->stream(shards, true, uses));
  const auto load = [&](const std::string& link) {
    double sum = 0;
    for (const flow::LinkUse& use : uses)
      if (program.resources.name(use.link) == link) sum += use.weight;
    return sum;
  };
  EXPECT_NEAR(load("link down to NPU 0"), 0.5, 1e-6);
  EXPECT_NEAR(load("link down to NPU 2"), 0, 1e-6);
  EXPECT_NEAR(load("link down to L1 switch 0"), 4.0 / 5, 1e-6);  // from the four channels elsewhere
  EXPECT_NEAR(load("link L1 switch 0 up"), 1.0 / 5, 1e-6);       // its own, for L1 1
  EXPECT_NEAR(load("link L1 switch 3 up"), 1.0 / 5, 1e-6);
  EXPECT_NEAR(load("link down to L1 switch 3"), 0, 1e-6);
}

TEST(Fred, WrongParametersSaySoAtTheirPlace) {
  const auto message = [](const Settings& values) -> std::string {
    try {
      make("fred", values);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), "test");
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message(settings({{"radix", "4x5"}, {"nodes", "21"}})), "a tree of 4x5 has 20 NPUs, not 21");
  EXPECT_EQ(message(settings({{"radix", "64x65"}})), "a tree of 64x65 has more than 4096 NPUs");
  EXPECT_EQ(message(settings({{"uplink", "12 TB/s,3 TB/s"}})), "2 uplink rates for 1 levels of switches below the top");
  EXPECT_EQ(message(settings({{"uplink", "0 TB/s"}})), "an uplink needs a rate above zero");
  EXPECT_EQ(message(settings({{"nodes", "21"}})), "21 NPUs do not divide into L1 switches of 4");
  EXPECT_EQ(message(settings({{"planes", "4"}})), "planes means something only with structure = chiplets");
  EXPECT_EQ(message(settings({{"compression", "fp8"}, {"keep", "0.1"}})),
            "keep means something only with compression = top-k");
  EXPECT_EQ(message(settings({{"error", "0.1"}})), "error means something only with compression = top-k");
  EXPECT_EQ(message(settings({{"compression", "top-k"}, {"keep", "0.1"}, {"error", "0.2"}})),
            "both keep and error say how many elements top-k keeps");
  EXPECT_NE(message(settings({{"structure", "chiplets"}, {"variant", "B"}})).find("variants C and D"),
            std::string::npos);
  EXPECT_NE(message(settings({{"structure", "chiplets"}, {"radix", "4x5x2"}})).find("two levels"), std::string::npos);
}

}  // namespace
}  // namespace helio::fabric
