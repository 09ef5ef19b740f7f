// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/protocols.h"

#include <gtest/gtest.h>

#include "fabric/timed.h"

namespace helio::fabric {
namespace {

Protocols protocols(Settings given) { return Protocols(Parameters("test", protocol_parameters("test"), given)); }

const BitRate kWire{1860e9};    // 0.775 of 2.4 Tb/s: the payload of an NVLink port, 232.5 GB/s
const BitRate kNetwork{198e9};  // 0.99 of 200 Gb/s: 24.75 GB/s

double microseconds(const Protocols::Cost& cost) { return 1e6 * cost.latency.to_seconds(); }

TEST(Protocols, TheQuickestForTheSizeIsTaken) {
  // Beyond the hops LL costs 0.65 us + m / 108 GB/s, LL128 1.15 us + m / 144 GB/s, Simple 7.4 us + m / 232.5 GB/s.
  // LL and LL128 meet where 0.5 us = m (1/108 - 1/144) ns: m = 0.5 us * 432 GB/s = 216,000 B.
  // LL128 and Simple meet where 6.25 us = m (1/144 - 1/232.5) ns: m = 6.25 us * 33,480 / 88.5 GB/s = 2,364,407 B.
  const Protocols all = protocols({});
  EXPECT_NEAR(microseconds(all.quickest(Bytes{1}, kWire)), 0.65, 1e-9);
  EXPECT_NEAR(microseconds(all.quickest(Bytes{215'900}, kWire)), 0.65, 1e-9);
  EXPECT_NEAR(microseconds(all.quickest(Bytes{216'100}, kWire)), 1.15, 1e-9);
  EXPECT_NEAR(microseconds(all.quickest(Bytes{2'364'300}, kWire)), 1.15, 1e-9);
  EXPECT_NEAR(microseconds(all.quickest(Bytes{2'364'500}, kWire)), 7.4, 1e-9);
}

TEST(Protocols, ASlowWireIsFilledWithFlagsAndAFastOneIsNotFilled) {
  // 232.5 GB/s are more than LL copies: 232.5 / 108. 24.75 GB/s are less, there the flags count: 2 bytes for each, 128 for 120.
  const Settings ll = settings({{"protocol", "ll"}}), ll128 = settings({{"protocol", "ll128"}});
  EXPECT_NEAR(protocols(ll).quickest(Bytes{1}, kWire).factor, 232.5 / 108, 1e-12);
  EXPECT_NEAR(protocols(ll128).quickest(Bytes{1}, kWire).factor, 232.5 / 144, 1e-12);
  EXPECT_NEAR(protocols(ll).quickest(Bytes{1}, kNetwork).factor, 2, 1e-12);
  EXPECT_NEAR(protocols(ll128).quickest(Bytes{1}, kNetwork).factor, 128.0 / 120, 1e-12);
  EXPECT_EQ(protocols(settings({{"protocol", "simple"}})).quickest(Bytes{1}, kWire).factor, 1);
}

TEST(Protocols, BoundsTakeTheBestOfWhatIsAllowed) {
  EXPECT_NEAR(1e6 * protocols({}).least_latency().to_seconds(), 0.65, 1e-9);
  EXPECT_EQ(protocols({}).least_factor(), 1);
  const Protocols ll = protocols(settings({{"protocol", "ll"}}));
  EXPECT_EQ(ll.least_factor(), 2);
  const Protocols bare = protocols(settings({{"protocol", "none"}}));
  EXPECT_TRUE(bare.least_latency().is_zero());
  EXPECT_TRUE(bare.quickest(Bytes{1e9}, kWire).latency.is_zero());
  EXPECT_EQ(bare.quickest(Bytes{1e9}, kWire).factor, 1);
}

}  // namespace
}  // namespace helio::fabric
