// SPDX-License-Identifier: Apache-2.0
#include "fabric/carrier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/example.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Kind;

std::vector<NodeId> nodes(std::uint32_t first, std::uint32_t count, std::uint32_t stride = 1) {
  std::vector<NodeId> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push_back({first + i * stride});
  return list;
}

// What an all-reduce of a megabyte among all nodes takes by itself.
double alone(const std::string& fabric, const Settings& values, const std::string& algorithm) {
  const auto made = make(fabric, values);
  return seconds(time_on(fabric, values, algorithm,
                         schedule::request_on_all(Kind::kAllReduce, Bytes{1e6},
                                                  static_cast<schedule::Position>(made->capabilities().nodes))));
}

// Two wafers of 20 NPUs, two rings of light: one joins node 0 of each wafer and six others, the other stands on eight more.
// Everything runs side by side and meets nowhere, so each takes what it takes alone, and no channel of one is a channel of another.
TEST(Carrier, FabricsStandSeveralTimesInOneProgram) {
  const Settings ring_values = settings({{"nodes", "8"}, {"wavelengths", "4"}}), wafer_values = settings({});
  const auto ring = make("wdm-ring", ring_values), wafer = make("fred", wafer_values);
  std::vector<NodeId> first_ring = nodes(0, 2, 20), second_ring = nodes(46, 8);
  for (const NodeId node : nodes(40, 6)) first_ring.push_back(node);

  flow::Program program;
  struct Standing {
    const Fabric& fabric;
    Site site;
    const char* algorithm;
    double expected;
    std::unique_ptr<Carrier> carrier = nullptr;
  };
  const double on_ring = alone("wdm-ring", ring_values, "wrht"), on_wafer = alone("fred", wafer_values, "in-fabric");
  std::vector<Standing> all;
  all.push_back({*wafer, {nodes(0, 20), "wafer 0"}, "in-fabric", on_wafer});
  all.push_back({*wafer, {nodes(20, 20), "wafer 1"}, "in-fabric", on_wafer});
  all.push_back({*ring, {first_ring, "ring 0"}, "wrht", on_ring});
  all.push_back({*ring, {second_ring, "ring 1"}, "wrht", on_ring});
  flow::Template entry{"all", {}, {}, true};
  for (Standing& one : all) {
    one.carrier = one.fabric.install(program, one.site);
    const CollectiveRequest request{Kind::kAllReduce, Bytes{1e6}, {one.site.nodes}, 0};
    const LowerResult result =
        one.carrier->lower(schedule::build(one.algorithm, request, one.fabric.capabilities()), request, {});
    ASSERT_TRUE(std::holds_alternative<Lowered>(result)) << one.site.name;
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = std::get<Lowered>(result).entry;
    entry.operations.push_back(call);
  }
  program.entry = program.add(std::move(entry));
  flow::check(program);
  EXPECT_EQ(program.resources.size(), 2 * ring->resources().size() + 2 * wafer->resources().size());

  const simulate::Timeline timeline = simulate::simulate(program);
  std::size_t seen = 0;
  for (const simulate::Span& span : timeline.spans) {
    if (span.where != program.entry) continue;
    const Standing& one = all[span.operation];
    EXPECT_EQ((span.end - span.start).to_seconds(), one.expected) << one.site.name;
    EXPECT_EQ(span.start, Time());
    ++seen;
  }
  EXPECT_EQ(seen, all.size());
  EXPECT_EQ(program.resources.name({all[3].carrier->offset()}), "ring 1: " + ring->resources().name({0}));
  EXPECT_EQ(program.resources.class_name({all[3].carrier->offset()}), "segment clockwise");
}

// ODDL twice, each with a controller of its own: agents and messages of one are nothing to the other.
TEST(Carrier, EveryInstallationHasItsOwnController) {
  const Settings values = settings({{"nodes", "8"}});
  const double expected = alone("oddl", values, "ring");
  const auto oddl = make("oddl", values);
  flow::Program program;
  std::vector<std::unique_ptr<Carrier>> carriers;
  flow::Template entry{"both", {}, {}, true};
  for (const std::uint32_t first : {0u, 8u}) {
    carriers.push_back(oddl->install(program, {nodes(first, 8), "network"}));
    const CollectiveRequest request{Kind::kAllReduce, Bytes{1e6}, {nodes(first, 8)}, 0};
    const LowerResult result =
        carriers.back()->lower(schedule::build("ring", request, oddl->capabilities()), request, {});
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = std::get<Lowered>(result).entry;
    entry.operations.push_back(call);
  }
  program.entry = program.add(std::move(entry));
  flow::check(program);
  ASSERT_EQ(program.controls.size(), 2u);
  EXPECT_EQ(simulate::simulate(program).end.to_seconds(), expected);
}

// A way that nobody asked to prove beside others, of a FRED of chiplets: NPUs 0 and 1 of one L1 add up and both get the sum.
// All that NPU 0 sends goes up its own links, shared by the planes: the weights add up to one.
TEST(Carrier, AWayThroughChipletsMayBeAskedForByItself) {
  const auto fred = make("fred", settings({{"structure", "chiplets"}}));
  flow::Program program;
  const auto carrier = fred->install(program);
  const schedule::Schedule schedule;
  const CollectiveRequest request;
  const schedule::Move move;
  Way way;
  carrier->add_way(nodes(0, 2), nodes(0, 2), Carriage{schedule, request, move}, way);
  double up = 0;
  for (const flow::LinkUse& use : way.links)
    if (program.resources.name(use.link).starts_with("link NPU 0 up")) up += use.weight;
  EXPECT_NEAR(up, 1, 1e-5);
}

// FRED is not set anew in the middle of a collective, so it has no such remedy; the others it has.
TEST(Carrier, FredHasNoRemedySplit) {
  const auto fred = make("fred", settings({{"radix", "8"}, {"middle", "2"}}));
  flow::Program program;
  const auto carrier = fred->install(program);
  const CollectiveRequest request{Kind::kAllReduce, Bytes{8}, {nodes(0, 2, 2), {{1}, {4}}, {{3}, {5}}, {{6}, {7}}}, 0};
  const schedule::Schedule schedule = schedule::build("in-fabric", request, fred->capabilities());
  EXPECT_FALSE(carrier->remedy(Remedy::kSplit, schedule, request, {}));
  EXPECT_TRUE(carrier->remedy(Remedy::kMiddle, schedule, request, {}));
  EXPECT_TRUE(carrier->remedy(Remedy::kReplace, schedule, request, {}));
}

TEST(Carrier, CircuitsAreWhatTheirKeysAre) {
  Circuits circuits;
  const auto of = [&](std::vector<std::uint64_t> key) { return circuits.of(key); };
  const flow::Circuit one = of({1, 2}), other = of({2, 1});
  EXPECT_NE(one, flow::kDark);
  EXPECT_NE(one, other);
  EXPECT_EQ(of({1, 2}), one);
  EXPECT_EQ(of({2, 1}), other);
  EXPECT_NE(of({1, 2, 0}), one);
  EXPECT_NE(of({}), of({0}));
  std::set<flow::Circuit> all;
  for (std::uint64_t i = 0; i < 10'000; ++i) all.insert(of({i % 100, i / 100}));
  EXPECT_EQ(all.size(), 10'000u);
}

// Every fabric of the catalogue, as its own example makes it: a few classes of links, whatever their numbers.
TEST(Carrier, LinksOfEveryFabricAreAFewKinds) {
  for (const auto& entry : fabrics().entries()) {
    const auto fabric = make(entry.description.name, example_settings(entry.description));
    std::set<std::string> classes;
    for (std::uint32_t i = 0; i < fabric->resources().size(); ++i)
      if (fabric->resources().is_link({i})) classes.insert(fabric->resources().class_name({i}));
    EXPECT_LE(classes.size(), 12u) << entry.description.name;
    for (const std::string& words : classes) {
      EXPECT_TRUE(std::ranges::none_of(words, [](char c) { return c >= '0' && c <= '9'; })) << words;
      EXPECT_FALSE(words.empty() || words == "resource" || words.ends_with(' ')) << entry.description.name << words;
    }
  }
}

TEST(Carrier, ClassesOfLinksThatAreThereSometimes) {
  const auto of = [](const char* name, const Settings& values) {
    const auto fabric = make(name, values);
    std::set<std::string> classes;
    for (std::uint32_t i = 0; i < fabric->resources().size(); ++i)
      if (fabric->resources().is_link({i})) classes.insert(fabric->resources().class_name({i}));
    return classes;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(of("fat-tree", settings({{"nodes", "16"}, {"k", "4"}})),
            (Set{"link host to edge", "link edge to host", "link edge to aggregation", "link aggregation to edge",
                 "link aggregation to core", "link core to aggregation"}));
  EXPECT_EQ(of("fat-tree", settings({{"nodes", "16"}, {"k", "4"}, {"routing", "spray"}})),
            (Set{"link host to edge", "link edge to host", "uplinks of edge", "downlinks of edge", "uplinks of pod",
                 "downlinks of pod"}));
  EXPECT_EQ(of("cluster", settings({{"nodes", "64"}, {"network", "fat-tree"}})),
            (Set{"NVLink port of NPU, out", "NVLink port of NPU, in", "NIC of server, out", "NIC of server, in",
                 "uplink of leaf", "downlink of leaf"}));
  EXPECT_EQ(of("mesh", settings({{"dimensions", "4x4"}, {"io_rate", "128 GB/s"}})),
            (Set{"mesh link node to node", "I/O channel in", "I/O channel out"}));
}

}  // namespace
}  // namespace helio::fabric
