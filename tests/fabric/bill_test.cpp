// SPDX-License-Identifier: Apache-2.0
// Bills of small networks, counted by hand.
#include "fabric/bill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "fabric/fabric.h"

namespace helio::fabric {
namespace {

constexpr double kGbps = 1e9;

Settings settings(const std::map<std::string, std::string>& texts) {
  Settings all;
  for (const auto& [name, text] : texts) all[name] = {text, name};
  return all;
}

// Part, how many, Gb/s that each lets pass.
struct Counted {
  std::string part;
  double count = 0, gbps = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};
void PrintTo(const Counted& c, std::ostream* out) { *out << c.count << " x " << c.part << " of " << c.gbps << " Gb/s"; }

std::vector<Counted> counted(const std::string& fabric, const std::map<std::string, std::string>& texts) {
  std::vector<Counted> all;
  for (const BillLine& line : make(fabric, settings(texts))->bill().lines)
    all.push_back({line.part, line.count, line.rate.value / kGbps});
  return all;
}
using All = std::vector<Counted>;

// 8 cables, each with two ends; 400 Gb/s out and 400 Gb/s in pass an end.
TEST(Bill, OfARing) {
  EXPECT_EQ(counted("ring", {{"nodes", "8"}, {"rate", "400 Gb/s"}}),
            (All{{"serdes", 16, 800}, {"copper-cable", 8, 800}}));
}

// 4 nodes: 6 pairs.
TEST(Bill, OfAFullMesh) {
  EXPECT_EQ(counted("full-mesh", {{"nodes", "4"}, {"rate", "100 Gb/s"}}),
            (All{{"serdes", 12, 200}, {"copper-cable", 6, 200}}));
}

// 3 x 2: lines of 3 have 2 links, two of them; lines of 2 have 1, three of them. As a torus lines of 3 have 3; lines of 2 stay.
TEST(Bill, OfGrids) {
  EXPECT_EQ(counted("mesh", {{"dimensions", "3x2"}, {"rate", "100 Gb/s"}}),
            (All{{"serdes", 8, 200}, {"copper-cable", 4, 200}, {"serdes", 6, 200}, {"copper-cable", 3, 200}}));
  EXPECT_EQ(counted("torus", {{"dimensions", "3x2"}, {"rate", "100 Gb/s"}}),
            (All{{"serdes", 12, 200}, {"copper-cable", 6, 200}, {"serdes", 6, 200}, {"copper-cable", 3, 200}}));
}

// The chip lets pass what all nodes send.
TEST(Bill, OfASwitch) {
  EXPECT_EQ(counted("switch", {{"nodes", "4"}, {"rate", "400 Gb/s"}}),
            (All{{"serdes", 4, 800}, {"copper-cable", 4, 800}, {"switch-chip", 1, 1600}}));
}

// k = 4: 16 hosts, 8 edge and 8 aggregation switches, 4 cores, each of 4 ports; 16 cables between edge and aggregation, and as many
// above, with a module at each end.
TEST(Bill, OfAFatTree) {
  EXPECT_EQ(counted("fat-tree", {{"k", "4"}, {"rate", "100 Gb/s"}}), (All{{"nic", 16, 200},
                                                                          {"copper-cable", 16, 200},
                                                                          {"switch-chip", 8, 400},
                                                                          {"switch-chip", 8, 400},
                                                                          {"switch-chip", 4, 400},
                                                                          {"optical-module", 32, 200},
                                                                          {"optical-module", 32, 200}}));
  // Edge uplinks of half the rate: an edge switch hears 2 x 100 from below and 2 x 50 from above
  const auto halved = counted("fat-tree", {{"k", "4"}, {"rate", "100 Gb/s"}, {"oversubscription", "2"}});
  EXPECT_EQ(halved[2], (Counted{"switch-chip", 8, 300}));
  EXPECT_EQ(halved[5], (Counted{"optical-module", 32, 100}));
}

// Two nodes on one switch: two ends of nodes; the switch's ends are its own. It hears both.
TEST(Bill, OfAGraph) {
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("helio_bill_{}.txt", getpid())).string();
  std::ofstream(file) << "node a b\nswitch s\nlink a s 100Gb/s 1us\nlink b s 100Gb/s 1us\n";
  EXPECT_EQ(counted("graph", {{"file", file}}),
            (All{{"serdes", 2, 200}, {"copper-cable", 2, 200}, {"switch-chip", 1, 200}}));
  std::filesystem::remove(file);
}

// Two servers of 8: a switch in each lets 8 x 2.4 Tb/s pass; 16 NICs; each of 8 rails hears two of them.
TEST(Bill, OfACluster) {
  EXPECT_EQ(counted("cluster", {{"nodes", "16"}}), (All{{"serdes", 16, 4800},
                                                        {"nvlink-switch", 2, 19200},
                                                        {"nic", 16, 400},
                                                        {"optical-module", 32, 400},
                                                        {"switch-chip", 8, 400}}));
  // Leaves of one server: 8 uplinks each, which 8 spines join
  const auto tree = counted("cluster", {{"nodes", "16"}, {"network", "fat-tree"}, {"leaf", "1"}});
  EXPECT_EQ(tree[4], (Counted{"switch-chip", 2, 3200}));
  EXPECT_EQ(tree[5], (Counted{"optical-module", 32, 400}));
  EXPECT_EQ(tree[6], (Counted{"switch-chip", 8, 400}));
}

// 4 nodes, 8 wavelengths each way: a node sends on 16 at once and hears 16, with a ring each.
TEST(Bill, OfAWdmRing) {
  EXPECT_EQ(counted("wdm-ring", {{"nodes", "4"}, {"wavelengths", "8"}, {"rate", "25 Gb/s"}}),
            (All{{"laser", 64, 0},
                 {"ring-heater", 128, 0},
                 {"die-to-die", 4, 800},
                 {"driver", 64, 25},
                 {"modulator", 64, 25},
                 {"receiver", 64, 25}}));
  // Light is what the budget starts with: 10 mW by default, at 5 to 15 % of the plug
  const Priced bill =
      fabric::bill(*make("wdm-ring", settings({{"nodes", "4"}, {"wavelengths", "8"}, {"laser_power", "10 dBm"}})));
  EXPECT_NEAR(bill.lines[0].watts.low, 64 * 0.01 / 0.15, 1e-9);
  EXPECT_NEAR(bill.lines[0].watts.high, 64 * 0.01 / 0.05, 1e-9);
}

// 4 wavelengths of a node over both directions.
TEST(Bill, OfASipRing) {
  EXPECT_EQ(counted("sip-ring", {{"nodes", "4"}, {"wavelengths", "4"}, {"rate", "25 Gb/s"}}),
            (All{{"laser", 16, 0},
                 {"ring-heater", 32, 0},
                 {"die-to-die", 4, 200},
                 {"driver", 16, 25},
                 {"modulator", 16, 25},
                 {"receiver", 16, 25}}));
}

// 64 nodes in 2 groups, one plane: a WSS and an AWG for each group, two amplifiers, an arbiter.
TEST(Bill, OfOddl) {
  EXPECT_EQ(counted("oddl", {{"nodes", "64"}, {"planes", "1"}}), (All{{"tunable-laser", 64, 0},
                                                                      {"edfa", 4, 0},
                                                                      {"wss", 2, 0},
                                                                      {"awg", 2, 0},
                                                                      {"arbiter", 2, 0},
                                                                      {"serdes", 64, 200},
                                                                      {"optical-module", 64, 200}}));
}

// The published wafer: 35 chiplets that take 179.35 W together; 20 links of NPUs and 5 of L1 switches each way, 18 I/O channels each way.
TEST(Bill, OfFred) {
  const auto wafer = make("fred", {});
  EXPECT_EQ(counted("fred", {}), (All{{"fred-chiplet", 35, 0},
                                      {"wafer-link", 20, 24000},
                                      {"wafer-link", 20, 24000},
                                      {"wafer-link", 5, 96000},
                                      {"wafer-link", 5, 96000},
                                      {"wafer-link", 18, 1024},
                                      {"wafer-link", 18, 1024}}));
  const Priced bill = fabric::bill(*wafer);
  EXPECT_NEAR(bill.lines[0].watts.low, 179.35, 1e-9);
  EXPECT_NEAR(bill.lines[0].watts.high, 179.35, 1e-9);
  EXPECT_NEAR(bill.idle_watts.low, 179.35, 1e-9);

  // Another wafer is not published: half to twice what its links' rates say. 8 NPUs of 3 TB/s, 2 switches of 12 TB/s, the same I/O:
  // (8·24 + 2·96 + 18·1.024) / (20·24 + 5·96 + 18·1.024) = 402.432 / 978.432 of 179.35 W.
  const Priced other = fabric::bill(*make("fred", settings({{"nodes", "8"}})));
  EXPECT_NEAR(other.lines[0].watts.low, 402.432 / 978.432 * 179.35 / 2, 1e-9);
  EXPECT_NEAR(other.lines[0].watts.high, 402.432 / 978.432 * 179.35 * 2, 1e-9);
}

// Heaters as the parameter has them, and 9.4 pJ for each of 2 x 6.4 Tb/s at 4 servers' ends: 481.28 W.
TEST(Bill, OfOptinc) {
  const auto optinc = make("optinc", settings({{"nodes", "4"}, {"heater_power", "10"}}));
  const Priced bill = fabric::bill(*optinc);
  ASSERT_EQ(bill.lines.size(), 5u);
  EXPECT_EQ(bill.lines[0].what.part, "mzi-heater");
  EXPECT_NEAR(bill.lines[0].watts.low, bill.lines[0].what.count * 0.01, 1e-9);
  EXPECT_EQ(bill.lines[1].what.count, 4);
  EXPECT_NEAR(bill.lines[1].watts.high, 4 * 12.8e12 * 9.4e-12, 1e-9);

  // The reported network has 64 + 128 + 256 + 128 + 64 = 640 activations; symbols of 2 bits at 53.125 GBd are 106.25 Gb/s each, and 6.4 Tb/s
  // take 6400 / (4 · 106.25) = 15.06, so 16 of them: 10,240 receivers of 0.38 to 1.5 pJ/bit are 413.44 to 1632 W
  const Priced reported = fabric::bill(*make("optinc", settings({{"nodes", "4"}, {"network", "paper"}})));
  EXPECT_EQ(reported.lines[2].what.part, "receiver");
  EXPECT_EQ(reported.lines[2].what.count, 10'240);
  EXPECT_NEAR(reported.lines[2].watts.low, 413.44, 1e-6);
  EXPECT_NEAR(reported.lines[2].watts.high, 1632, 1e-6);
}

// 64 nodes whose light reaches R hops: a regenerator for each of 2 · 4 wavelengths at every R-th node.
TEST(Bill, CountsRegenerators) {
  const Priced with =
      fabric::bill(*make("wdm-ring", settings({{"nodes", "64"}, {"wavelengths", "4"}, {"regenerators", "true"}})));
  const Priced without = fabric::bill(*make("wdm-ring", settings({{"nodes", "64"}, {"wavelengths", "4"}})));
  ASSERT_EQ(with.lines.size(), without.lines.size() + 4);
  const BillLine& receivers = with.lines[without.lines.size()].what;
  int reach = 0;
  ASSERT_EQ(std::sscanf(receivers.where.c_str(), "regenerators, every %d hops", &reach), 1);
  EXPECT_EQ(receivers.count, 8 * std::ceil(64.0 / reach));
  EXPECT_GT(with.idle_watts.low, without.idle_watts.low);
}

// Four switches of 4 nodes, and a ring of 4 of them.
TEST(Bill, OfACompositeIsThatOfItsLevels) {
  EXPECT_EQ(counted("composite", {{"levels", "switch:nodes=4,rate=100 Gb/s/ring:nodes=4,rate=400 Gb/s"}}),
            (All{{"serdes", 16, 200},
                 {"copper-cable", 16, 200},
                 {"switch-chip", 4, 400},
                 {"serdes", 8, 800},
                 {"copper-cable", 4, 800}}));
}

// A part of 2 W and 3 pJ/bit, half of it idle; two of them let 1 Tb/s pass each. In 4 s 5 Tb pass and 3 Tb could have:
//   moving    5e12 · 3e-12 = 15 J
//   being on  2 · 2 W · 4 s + 0.5 · 3e-12 · 3e12 = 16 + 4.5 J
TEST(Bill, TakesEnergyForBitsThatPassAndForThoseThatCouldHave) {
  Parts parts;
  parts["thing"] = {.name = "thing",
                    .year = 2020,
                    .recalled = true,
                    .watts = {2, 2},
                    .joules_per_bit = {3e-12, 3e-12},
                    .idle = {0.5, 0.5},
                    .watts_per_light = {},
                    .price = {},
                    .price_per_gbps = {}};
  Bill bill;
  bill.add({"thing", 2, "somewhere", BitRate{1e12}});
  const std::vector<double> bits{5e12};
  const Spent all = spent(bill, bits, 4, parts);
  EXPECT_NEAR(all.moving.low, 15, 1e-9);
  EXPECT_NEAR(all.being_on.high, 20.5, 1e-9);
  EXPECT_EQ(all.recalled, std::vector<std::string>{"thing"});
}

// 1 kB on two wavelengths over three stretches of four: what sets out is 2 kB, whatever it passes.
TEST(Bill, PaysForLightWhereItSetsOut) {
  flow::Program program;
  program.resources.add_channels(12, BitRate{8e9}, {Time(), false, true}, nullptr);
  const std::vector<flow::ResourceId> way{{1}, {2}, {5}, {6}, {9}, {10}};
  flow::Operation op;
  op.kind = flow::OperationKind::kTransfer;
  op.bytes = 1000;
  op.repeat = 3;
  op.route = program.routes.add({}, way, Time());
  program.entry = program.add({.name = "light", .operations = {op}, .edges = {}});
  const std::vector<Crossing> once{{{0}, 12, {{0, 2}}, 4}}, each{{{0}, 12, {{0}}, 0}};
  EXPECT_EQ(bits_passed(program, once, 1)[0], 3 * 8 * 2000 * 2);
  EXPECT_EQ(bits_passed(program, each, 1)[0], 3 * 8 * 6000);
}

}  // namespace
}  // namespace helio::fabric
