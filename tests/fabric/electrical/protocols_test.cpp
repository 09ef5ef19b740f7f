// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/protocols.h"

#include <gtest/gtest.h>

#include "fabric/timed.h"

namespace helio::fabric {
namespace {

Protocols protocols(Settings given) { return Protocols(Parameters("test", protocol_parameters("test"), given)); }

const BitRate kWire{1843.2e9};  // 0.768 of 2.4 Tb/s: the payload of an NVLink port, 230.4 GB/s
const BitRate kNetwork{198e9};  // 0.99 of 200 Gb/s: 24.75 GB/s

Errand one(double bytes) { return {.rounds = 1, .message = Bytes{bytes}, .part = {}}; }
double latency(const Protocols& all, const Errand& errand, BitRate rate = kWire) {
  return 1e6 * all.quickest(errand, rate).on(rate, errand).latency.to_seconds();
}
double factor(const Protocols& all, const Errand& errand, BitRate rate) {
  return all.quickest(errand, rate).on(rate, errand).factor;
}

TEST(Protocols, TheQuickestForTheSizeIsTaken) {
  // One round beyond its hops: LL 0.22 us + m / 88.75 GB/s, LL128 14.3 + 0.26 us + m / 167 GB/s, Simple 25.3 + 5.1 us + m / 230.4 GB/s.
  const Protocols all = protocols({});
  const double to_ll128 = 14.34e-6 / (1 / 88.75e9 - 1 / 167e9), to_simple = 15.84e-6 / (1 / 167e9 - 1 / 230.4e9);
  EXPECT_NEAR(latency(all, one(1)), 0.22, 1e-9);
  EXPECT_NEAR(latency(all, one(0.999 * to_ll128)), 0.22, 1e-9);
  EXPECT_NEAR(latency(all, one(1.001 * to_ll128)), 0.26, 1e-9);
  EXPECT_NEAR(latency(all, one(0.999 * to_simple)), 0.26, 1e-9);
  EXPECT_NEAR(latency(all, one(1.001 * to_simple)), 5.1, 1e-9);
}

TEST(Protocols, ACollectiveChoosesByAllItsRounds) {
  // 14 rounds of m: LL pays 14 m / 88.75 GB/s and LL128 14.3 + 14 * 0.04 us more once, so that it pays from a fourteenth on.
  const double m = (14.3e-6 / 14 + 0.04e-6) / (1 / 88.75e9 - 1 / 167e9);
  const Protocols all = protocols({});
  EXPECT_NEAR(latency(all, {.rounds = 14, .message = Bytes{0.999 * m}, .part = {}}), 0.22, 1e-9);
  EXPECT_NEAR(latency(all, {.rounds = 14, .message = Bytes{1.001 * m}, .part = {}}), 0.26, 1e-9);
}

TEST(Protocols, WhatIsPaidOnce) {
  // LL: launch 10 us and 0.44 of 88,750 B at 88.75 GB/s. By send and receive 2.2 us more.
  const Protocols ll = protocols(settings({{"protocol", "ll"}}));
  Errand errand = one(88750);
  errand.part = Bytes{88750};
  EXPECT_NEAR(1e6 * ll.once(errand, kWire).to_seconds(), 10 + 0.44, 1e-6);
  errand.exchange = true;
  EXPECT_NEAR(1e6 * ll.once(errand, kWire).to_seconds(), 10 + 2.2 + 0.44, 1e-6);
  // Simple starts after 25.3 us, and between servers its proxies take 77 us.
  const Protocols simple = protocols(settings({{"protocol", "simple"}}));
  EXPECT_NEAR(1e6 * simple.once(one(1), kWire).to_seconds(), 10 + 25.3, 1e-3);
  errand = one(1);
  errand.between = true;
  EXPECT_NEAR(1e6 * simple.once(errand, kWire).to_seconds(), 10 + 25.3 + 77, 1e-3);
}

TEST(Protocols, Ll128StaysWhereItIsAllowed) {
  // 10 MB would be LL128's: not by send and receive, and between servers only where NICs keep its lines together.
  Errand errand{.rounds = 30, .message = Bytes{1e5}, .part = {}};
  EXPECT_NEAR(latency(protocols({}), errand), 0.26, 1e-9);
  errand.exchange = true;
  EXPECT_NE(latency(protocols({}), errand), 0.26);
  errand.exchange = false;
  errand.between = true;
  EXPECT_NEAR(latency(protocols({}), errand, kNetwork), 0.26, 1e-9);
  EXPECT_NE(latency(protocols(settings({{"network_ll128", "false"}})), errand, kNetwork), 0.26);
}

TEST(Protocols, ASlowWireIsFilledWithFlagsAndAFastOneIsNotFilled) {
  // 230.4 GB/s are more than LL copies: 230.4 / 88.75. 24.75 GB/s are less, there the flags count: 2 bytes for each, 128 for 120.
  const Settings ll = settings({{"protocol", "ll"}}), ll128 = settings({{"protocol", "ll128"}});
  EXPECT_NEAR(factor(protocols(ll), one(1), kWire), 230.4 / 88.75, 1e-12);
  EXPECT_NEAR(factor(protocols(ll128), one(1), kWire), 230.4 / 167, 1e-12);
  EXPECT_NEAR(factor(protocols(ll), one(1), kNetwork), 2, 1e-12);
  EXPECT_NEAR(factor(protocols(ll128), one(1), kNetwork), 128.0 / 120, 1e-12);
  EXPECT_EQ(factor(protocols(settings({{"protocol", "simple"}})), one(1), kWire), 1);
}

TEST(Protocols, BoundsTakeTheBestOfWhatIsAllowed) {
  EXPECT_NEAR(1e6 * protocols({}).least_latency().to_seconds(), 0.22, 1e-9);
  EXPECT_EQ(protocols({}).least_factor(), 1);
  const Protocols ll = protocols(settings({{"protocol", "ll"}}));
  EXPECT_EQ(ll.least_factor(), 2);
  const Protocols bare = protocols(settings({{"protocol", "none"}}));
  EXPECT_TRUE(bare.least_latency().is_zero());
  EXPECT_EQ(latency(bare, one(1e9)), 0);
  EXPECT_EQ(factor(bare, one(1e9), kWire), 1);
  EXPECT_EQ(1e6 * bare.once(one(1e9), kWire).to_seconds(), 10);  // its launch
}

}  // namespace
}  // namespace helio::fabric
