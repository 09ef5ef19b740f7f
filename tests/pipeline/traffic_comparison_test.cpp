// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traffic_comparison.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"

namespace helio::pipeline {
namespace {

constexpr BitRate kRate{64e9};

Choice fabric(const std::string& name, const Texts& settings) {
  return {name, "--fabric", settings_of(settings, "fabric.")};
}

// 8 MB each: all of a node's tokens take 1 ms at 64 Gb/s.
const TrafficQuestion kEven = {.bytes = {Bytes{8e6}, "--bytes"}, .iterations = 2, .skew = 0};

ErrorKind refused(const std::vector<TrafficContender>& contenders) {
  try {
    compare_traffic(kEven, contenders, kRate);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::kUsage;
}

// One port of a switch; one of four or eight wavelengths; one of two transceivers.
TEST(TrafficComparison, ANodesRateIsDividedAsTheFabricDoes) {
  const auto rate_of = [](const std::string& name, const Texts& settings) {
    const Choice set = at_node_rate(fabric(name, settings), BitRate{100e9});
    return fabric::fabrics().resolve(fabric::fabrics().at(name), set.settings).rate("rate").value;
  };
  EXPECT_NEAR(rate_of("switch", {{"nodes", "8"}}), 100e9, 1);
  EXPECT_NEAR(rate_of("fat-tree", {{"nodes", "8"}}), 100e9, 1);
  EXPECT_NEAR(rate_of("sip-ring", {{"nodes", "8"}}), 25e9, 1);
  EXPECT_NEAR(rate_of("sip-ring", {{"nodes", "8"}, {"wavelengths", "8"}}), 12.5e9, 1);
  EXPECT_NEAR(rate_of("oddl", {{"nodes", "8"}, {"trx", "2"}}), 50e9, 1);
  EXPECT_NEAR(rate_of("oddl", {{"nodes", "8"}, {"trx", "2"}, {"alternate", "true"}}), 100e9, 1);
}

// Even traffic of 8 nodes: 7/8 ms on an ideal switch whatever its default rate is. Planned ODDL sends the seven eighths one after the
// other, each after 220 ns of darkness: 875 us + 7 x 0.22 us.
TEST(TrafficComparison, EqualRatesGiveWhatEachAloneWouldGive) {
  const auto comparison = compare_traffic(kEven,
                                          {{"ideal", fabric("switch", {{"nodes", "8"}, {"latency", "0 s"}})},
                                           {"light", fabric("oddl", {{"nodes", "8"}, {"policy", "planned"}})}},
                                          kRate);
  EXPECT_EQ(comparison.rate.value, kRate.value);
  ASSERT_EQ(comparison.entries.size(), 2u);
  EXPECT_EQ(comparison.entries[0].name, "ideal");
  EXPECT_NEAR(comparison.entries[0].result->mean.to_seconds(), 875e-6, 1e-12);
  EXPECT_NEAR(comparison.entries[0].result->utilisation, 1, 1e-9);
  EXPECT_EQ(comparison.entries[1].result->fabric, "oddl");
  EXPECT_NEAR(comparison.entries[1].result->mean.to_seconds(), 875e-6 + 7 * 0.22e-6, 1e-9);

  // The same bytes for all, as they are asked the same, and the first light is made first: 875 us, and 220 ns more
  for (const TrafficIteration& iteration : comparison.entries[0].result->iterations)
    EXPECT_NEAR(iteration.bound_s, 875e-6, 1e-12);
  const auto& light = comparison.entries[1].result->iterations;
  for (std::size_t i = 0; i < light.size(); ++i)
    EXPECT_NEAR(light[i].bound_s, 875e-6 + (i == 0 ? 0.22e-6 : 0), 1e-12) << i;
}

// ODDL's transceiver has 100 Gb/s by default.
TEST(TrafficComparison, WithoutARateThatOfTheFirst) {
  const auto comparison = compare_traffic(
      kEven, {{"a", fabric("oddl", {{"nodes", "8"}})}, {"b", fabric("switch", {{"nodes", "8"}, {"latency", "0 s"}})}},
      {});
  EXPECT_EQ(comparison.rate.value, 100e9);
  EXPECT_NEAR(comparison.entries[1].result->mean.to_seconds(), 0.64 * 875e-6, 1e-12);
}

// 128 nodes in groups of 32 need 128 channels; a plane has 96.
TEST(TrafficComparison, WhoRefusesIsListedAndOthersAnswer) {
  const TrafficContender dark{"dark", fabric("oddl", {{"nodes", "128"}, {"planes", "1"}})};
  const auto comparison = compare_traffic(kEven, {dark, {"switch", fabric("switch", {{"nodes", "128"}})}}, kRate);
  EXPECT_FALSE(comparison.entries[0].result);
  EXPECT_NE(comparison.entries[0].refusal.find("128 channels"), std::string::npos) << comparison.entries[0].refusal;
  EXPECT_TRUE(comparison.entries[1].result);
  EXPECT_EQ(refused({dark, dark}), ErrorKind::kInfeasible);
}

TEST(TrafficComparison, RatesThatCannotBeEqualAreWrongInput) {
  const TrafficContender fine{"switch", fabric("switch", {{"nodes", "8"}})};
  EXPECT_EQ(refused({fine, {"own", fabric("switch", {{"nodes", "8"}, {"rate", "1 Gb/s"}})}}), ErrorKind::kInput);
  EXPECT_EQ(refused({fine, {"graph", fabric("graph", {{"file", "nowhere"}})}}), ErrorKind::kInput);
}

}  // namespace
}  // namespace helio::pipeline
