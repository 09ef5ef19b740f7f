// SPDX-License-Identifier: Apache-2.0
#include "fabric/footing.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/fabric.h"

namespace helio::fabric {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

Settings settings_of(const Texts& texts) {
  Settings settings;
  for (const auto& [name, text] : texts) settings[name] = {text, "--fabric"};
  return settings;
}

const Footing kFooting{
    .injection = BitRate{2.4e12}, .latency = Time::nanoseconds(50), .overhead = Time::microseconds(2)};

Parameters on(const std::string& name, const Texts& texts, const Footing& footing = kFooting) {
  return fabrics().resolve(fabrics().at(name), on_footing(name, settings_of(texts), footing, "here"));
}

ErrorKind refused(const std::string& name, const Texts& texts, const std::string& place) {
  try {
    on_footing(name, settings_of(texts), kFooting, "here");
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), place) << error.message();
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::kUsage;
}

// A port; two links of a ring; two in each of two and three dimensions; one to each of 8 others; four of a node inside a 3x3 mesh, two of
// all nodes of a 2x2 one.
TEST(Footing, RateIsWhatOneOfANodesLinksHas) {
  const auto rate = [](const std::string& name, const Texts& texts) { return on(name, texts).rate("rate").value; };
  for (const char* port : {"switch", "fat-tree", "optinc", "fred"})
    EXPECT_NEAR(rate(port, {{"nodes", "8"}}), 2.4e12, 1) << port;
  EXPECT_NEAR(rate("ring", {{"nodes", "8"}}), 1.2e12, 1);
  EXPECT_NEAR(rate("torus", {{"nodes", "16"}}), 0.6e12, 1);
  EXPECT_NEAR(rate("torus", {{"dimensions", "4x4x4"}}), 0.4e12, 1);
  EXPECT_NEAR(rate("full-mesh", {{"nodes", "9"}}), 0.3e12, 1);
  EXPECT_NEAR(rate("mesh", {{"nodes", "9"}}), 0.6e12, 1);
  EXPECT_NEAR(rate("mesh", {{"nodes", "4"}}), 1.2e12, 1);
}

// Wavelengths of 40 Gb/s both ways: 30 make 2.4 Tb/s; 12.5 would make 1 Tb/s, so 13 of 1/26 each. Of SiP-ML's 25 Gb/s, counted over both
// directions, 96; 4.4 would make 110 Gb/s, and as many go each way: 6. Of transceivers of 100 Gb/s 16 is the most, then they are faster.
TEST(Footing, LightHasMoreLanesAndIsNotFasterWhereItNeedNotBe) {
  const auto lanes = [](const std::string& name, const std::string& what, double injection) {
    const Parameters set = on(name, {{"nodes", "8"}}, {.injection = BitRate{injection}});
    return std::pair(set.integer(what), set.rate("rate").value);
  };
  const auto near = [](std::pair<long long, double> got, long long many, double rate) {
    EXPECT_EQ(got.first, many);
    EXPECT_NEAR(got.second, rate, 1e-6 * rate);
  };
  near(lanes("wdm-ring", "wavelengths", 2.4e12), 30, 40e9);
  near(lanes("wdm-ring", "wavelengths", 1e12), 13, 1e12 / 26);
  near(lanes("sip-ring", "wavelengths", 2.4e12), 96, 25e9);
  near(lanes("sip-ring", "wavelengths", 110e9), 6, 110e9 / 6);
  near(lanes("oddl", "trx", 250e9), 3, 250e9 / 3);
  near(lanes("oddl", "trx", 2.4e12), 16, 150e9);
  // Who says how many has them
  EXPECT_NEAR(on("wdm-ring", {{"nodes", "8"}, {"wavelengths", "60"}}).rate("rate").value, 20e9, 1);
  EXPECT_NEAR(on("oddl", {{"nodes", "8"}, {"trx", "4"}}).rate("rate").value, 600e9, 1);
}

// NICs keep their twelfth of what goes into NVLink (200 Gb/s of 2.4 Tb/s), and NCCL's own costs give way to one that all have.
TEST(Footing, AClusterInjectsIntoItsServersSwitch) {
  const Parameters set =
      on("cluster", {{"nodes", "16"}},
         {.injection = BitRate{4.8e12}, .latency = Time::nanoseconds(50), .overhead = Time::microseconds(2)});
  EXPECT_NEAR(set.rate("rate").value, 4.8e12, 1);
  EXPECT_NEAR(set.rate("network_rate").value, 0.4e12, 1);
  EXPECT_EQ(set.time("latency"), Time::nanoseconds(50));
  EXPECT_EQ(set.time("network_latency"), Time::nanoseconds(50));
  EXPECT_EQ(set.text("protocol"), "none");
  EXPECT_TRUE(set.time("launch").is_zero());
  EXPECT_NEAR(on("cluster", {{"nodes", "16"}, {"npus_per_node", "1"}}).rate("network_rate").value, 2.4e12, 1);
  EXPECT_EQ(on("cluster", {{"nodes", "16"}}, {.injection = BitRate{4.8e12}}).text("protocol"), "auto");
}

TEST(Footing, DelaysAreAlikeUnlessSomebodySaysOtherwise) {
  EXPECT_EQ(on("switch", {{"nodes", "8"}}).time("latency"), Time::nanoseconds(50));
  EXPECT_EQ(on("wdm-ring", {{"nodes", "8"}}).time("step_overhead"), Time::microseconds(2));
  EXPECT_EQ(on("oddl", {{"nodes", "8"}}).time("latency"), Time::nanoseconds(100));  // two links from node to node
  EXPECT_EQ(on("switch", {{"nodes", "8"}, {"latency", "1 us"}}).time("latency"), Time::microseconds(1));
  const Parameters as_it_is = on("ring", {{"nodes", "8"}}, {});
  EXPECT_EQ(as_it_is.time("latency"), Time::nanoseconds(500));
  EXPECT_NEAR(as_it_is.rate("rate").value, 400e9, 1);
}

// Nodes inject on the lowest level; the ring between has the 64 wavelengths of 40 Gb/s that it was written with, and its delays.
TEST(Footing, ACompositeInjectsOnItsLowestLevel) {
  const Settings settings =
      on_footing("composite", settings_of({{"levels", "switch:nodes=4/wdm-ring:nodes=8"}}), kFooting, "here");
  const auto fabric = make("composite", settings);
  const auto& parts = fabric->capabilities().parts;
  EXPECT_NEAR(parts[0].capabilities.injection.value, 2.4e12, 1);
  EXPECT_NEAR(parts[1].capabilities.injection.value, 2 * 64 * 40e9, 1);
  EXPECT_EQ(parts[1].capabilities.step_overhead, Time::microseconds(2));
  EXPECT_EQ(parts[1].capabilities.hop_latency, Time::nanoseconds(50));
}

// A grid above takes its shape from the nodes of all: 32 of them in servers of 4 are 8, as 2x4.
TEST(Footing, AGridAboveShapesItself) {
  const auto fabric = make("composite", settings_of({{"levels", "switch:nodes=4/torus"}, {"nodes", "32"}}));
  EXPECT_EQ(fabric->capabilities().nodes, 32u);
}

TEST(Footing, WhatCannotBeMadeEqualIsSaid) {
  EXPECT_EQ(refused("switch", {{"nodes", "8"}, {"rate", "1 Gb/s"}}, "--fabric"), ErrorKind::kInput);
  EXPECT_EQ(refused("graph", {{"file", "nowhere"}}, "--fabric"), ErrorKind::kInput);
  EXPECT_EQ(refused("no-such", {}, "here"), ErrorKind::kInput);
}

// Every fabric of the catalogue that needs nothing but nodes: of a cluster's port 76.8 % is payload, the others are what they say.
TEST(Footing, EveryFabricOfTheCatalogueInjectsTheSame) {
  for (const auto& entry : fabrics().entries()) {
    const std::string& name = entry.description.name;
    if (name == "graph" || name == "composite") continue;
    const auto fabric = make(name, on_footing(name, settings_of({{"nodes", "8"}}), kFooting, "here"));
    const schedule::Capabilities& can = fabric->capabilities();
    const double share = name == "cluster" ? 0.768 : 1;
    EXPECT_NEAR(can.injection.value / can.lit_share / share, 2.4e12, 2.4e3) << name;
    EXPECT_EQ(can.step_overhead, Time::microseconds(2)) << name;
  }
}

}  // namespace
}  // namespace helio::fabric
