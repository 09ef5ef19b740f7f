// SPDX-License-Identifier: Apache-2.0
// Every expected value is a line of docs/bounds.md with numbers put in.
#include "pipeline/bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace helio::pipeline {
namespace {

using schedule::Capabilities;
using schedule::Kind;
using schedule::Order;
using schedule::request_on_all;

// 8 Gb/s is 1 GB/s: 8 MB take 8 ms.
constexpr BitRate kRate{8e9};
constexpr Bytes kBytes{8e6};

Capabilities plain(std::uint64_t nodes) {
  Capabilities c;
  c.nodes = nodes;
  c.injection = c.ejection = c.link_rate = kRate;
  return c;
}

double bound(const Capabilities& c, Kind kind, Order order = Order::kStep) {
  return lower_bound(c, request_on_all(kind, kBytes, static_cast<schedule::Position>(c.nodes)), order).seconds;
}

TEST(Bound, AResultBelowItIsOurMistake) {
  EXPECT_NO_THROW(kept_bound(0, 0));
  EXPECT_EQ(kept_bound(1, 1), 1);
  for (const auto& [least, time] :
       {std::pair{2.0, 1.0}, {-1.0, 1.0}, {std::nan(""), 1.0}, {0.0, std::nan("")}, {0.0, HUGE_VAL}})
    EXPECT_THROW(kept_bound(least, time), std::logic_error) << least << " " << time;
}

TEST(Bound, ASingleRankNeedsNothing) {
  Capabilities c = plain(1);
  c.step_overhead = Time::seconds(1);
  for (const Kind kind : schedule::kAllKinds) EXPECT_EQ(bound(c, kind), 0);
}

// n = 4: all but one's own block is 6 MB, 6 ms.
TEST(Bound, BytesAtTheEndpoints) {
  const Capabilities c = plain(4);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 12e-3);  // twice 6 MB
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduceScatter), 6e-3);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllGather), 6e-3);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kBroadcast), 8e-3);  // the whole vector reaches every rank
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduce), 8e-3);     // and leaves every rank
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllToAll), 6e-3);
}

TEST(Bound, TheSlowerOfSendingAndReceivingBinds) {
  Capabilities c = plain(4);
  c.injection = 4 * kRate;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 12e-3);
  c.ejection = 2 * kRate;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 6e-3);
}

// A fabric that adds and copies: each vector goes in once and comes out once. Copies alone spare sending, adding alone
// spares receiving.
TEST(Bound, InFabricAbilitiesCount) {
  Capabilities c = plain(4);
  c.reduces = c.multicasts = true;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 8e-3);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduceScatter), 6e-3);  // still all but one's own block is sent
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllGather), 6e-3);      // and received
  c.multicasts = false;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 12e-3);  // sending
  c.injection = 100 * kRate;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 8e-3);  // receiving
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduceScatter), 2e-3);
  c.injection = kRate, c.ejection = 100 * kRate, c.reduces = false, c.multicasts = true;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 8e-3);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllGather), 2e-3);
}

// A thin cut, 1 MB/s each way, with one of four ranks inside. Everything else is fast.
TEST(Bound, CutsBind) {
  Capabilities c = plain(4);
  c.cuts = {{"thin cut", 1, kRate / 1000, kRate / 1000}};
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 8);      // the sum of one side, 8 MB
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduceScatter), 6);  // outward: three blocks
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllGather), 6);      // inward: three blocks
  EXPECT_DOUBLE_EQ(bound(c, Kind::kBroadcast), 8);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduce), 8);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllToAll), 6);  // 1 x 3 pairs of 2 MB

  // Thin outward only: a root inside must send through it, a root outside need not
  c.cuts[0].inward = kRate;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kReduceScatter), 6);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllGather), 2);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kBroadcast), 8e-3);
}

// Latency and overhead: each round pays overhead and the shortest latency; or the farthest rank binds.
TEST(Bound, LatencyOverheadAndSetup) {
  Capabilities c = plain(4);
  c.step_overhead = Time::milliseconds(1);
  c.nearest_latency = Time::milliseconds(2);
  c.farthest_latency = Time::milliseconds(4);
  c.first_setup = Time::milliseconds(16);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 12e-3 + 1e-3 + 2e-3 + 16e-3);
  c.farthest_latency = Time::milliseconds(100);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), 100e-3 + 1e-3 + 16e-3);
  // From a root, some rank is at least half the diameter away
  EXPECT_DOUBLE_EQ(bound(c, Kind::kBroadcast), 50e-3 + 1e-3 + 16e-3);
}

// Who hears two others in a step knows of 3, 9, 27 ranks after one, two, three: 10 ranks take three steps.
TEST(Bound, HearingFewTakesSteps) {
  Capabilities c = plain(10);
  c.step_overhead = Time::milliseconds(1);
  c.senders_heard = 2;
  const double bytes = 2 * 7.2e-3;
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce), bytes + 3e-3);
  EXPECT_DOUBLE_EQ(bound(c, Kind::kAllReduce, Order::kDataflow), bytes + 1e-3);  // one after the other is no chain
  EXPECT_DOUBLE_EQ(bound(c, Kind::kBroadcast), 8e-3 + 1e-3);                     // one may be heard by all
}

// Groups that are not the whole fabric: nobody knows how far apart they are or how cuts divide them.
TEST(Bound, GroupsUseOnlyWhatHoldsForAnyNodes) {
  Capabilities c = plain(8);
  c.nearest_latency = Time::milliseconds(1);
  c.farthest_latency = Time::seconds(5);
  c.cuts = {{"thin cut", 4, kRate / 1000, kRate / 1000}};
  schedule::CollectiveRequest request{
      .kind = Kind::kAllReduce, .bytes = kBytes, .groups = {{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}}}};
  EXPECT_DOUBLE_EQ(lower_bound(c, request, Order::kStep).seconds, 12e-3 + 1e-3);
  EXPECT_NE(lower_bound(c, request, Order::kStep).words.find("12 MB"), std::string::npos);
}

}  // namespace
}  // namespace helio::pipeline
