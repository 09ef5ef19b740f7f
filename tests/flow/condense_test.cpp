// SPDX-License-Identifier: Apache-2.0
#include "flow/condense.h"

#include <gtest/gtest.h>

namespace helio::flow {
namespace {

// Links of 1 B/s, and one template of transfers over them.
struct Round {
  Program program;
  Template body;

  explicit Round(std::uint32_t links) { program.resources.add_links(links, BitRate{8}, nullptr); }
  void add_weighted(std::vector<LinkUse> links, double bytes) {
    Operation op;
    op.kind = OperationKind::kTransfer;
    op.bytes = bytes;
    op.route = program.routes.add(links, {}, Time());
    body.operations.push_back(op);
  }
  void add(std::vector<std::uint32_t> links, double bytes) {
    std::vector<LinkUse> uses;
    for (const std::uint32_t link : links) uses.push_back({ResourceId{link}});
    add_weighted(uses, bytes);
  }
  void condense(double runs = 1) { Condensing(program).condense(body, 0, runs); }
  std::vector<std::uint32_t> links(std::size_t operation) const {
    std::vector<std::uint32_t> links;
    for (const LinkUse& use : program.routes.links(body.operations[operation].route)) links.push_back(use.link.value);
    return links;
  }
};

TEST(Condense, WaysOutOfOneRootKeepItsLink) {
  // 0 to 1, 1 to 2, 2 to 3: all that cross the second have crossed the first. Bytes tell the transfers apart.
  Round round(3);
  round.add({0}, 1);
  round.add({0, 1}, 2);
  round.add({0, 1, 2}, 3);
  round.condense(10);
  ASSERT_EQ(round.body.operations.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(round.links(i), (std::vector<std::uint32_t>{0}));
  // What links carry is still known, over ten runs: 1 + 2 + 3, 2 + 3, 3 bytes.
  EXPECT_EQ(round.program.condensed, (std::vector<double>{60, 50, 30}));
}

TEST(Condense, WaysIntoOneRootKeepItsLink) {
  Round round(3);
  round.add({2}, 1);
  round.add({1, 2}, 2);
  round.add({0, 1, 2}, 3);
  round.condense();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(round.links(i), (std::vector<std::uint32_t>{2}));
}

TEST(Condense, WhatOthersCrossTooStays) {
  // Link 1 has a user that link 0 does not have, and the other way round.
  Round round(2);
  round.add({0, 1}, 1);
  round.add({0}, 2);
  round.add({1}, 3);
  round.condense();
  EXPECT_EQ(round.links(0), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Condense, ASlowerLinkBehindAFastOneStays) {
  Round round(1);
  const ResourceId slow = round.program.resources.add_links(1, BitRate{4}, nullptr);
  round.add({0, slow.value}, 1);
  round.add({0, slow.value}, 2);
  round.condense();
  EXPECT_EQ(round.links(0), (std::vector<std::uint32_t>{slow.value}));
  // And so does one that is crossed with more weight: half of it over link 0, all of it over link 1.
  Round weighted(2);
  weighted.add_weighted(std::vector<LinkUse>{{ResourceId{0}, 0.5f}, {ResourceId{1}, 1}}, 1);
  weighted.add_weighted(std::vector<LinkUse>{{ResourceId{0}, 0.5f}, {ResourceId{1}, 1}}, 2);
  weighted.condense();
  EXPECT_EQ(weighted.links(0), (std::vector<std::uint32_t>{1}));
}

TEST(Condense, TransfersByThemselvesAreOne) {
  Round round(8);
  for (std::uint32_t i = 0; i < 8; i += 2) round.add({i, i + 1}, 5);
  round.condense();
  ASSERT_EQ(round.body.operations.size(), 1u);
  EXPECT_EQ(round.body.operations[0].bytes, 5);
  EXPECT_EQ(round.program.condensed, std::vector<double>(8, 5.0));
  EXPECT_EQ(round.program.routes.size(), 1u);
}

TEST(Condense, ParallelTransfersAreOneWithTheirShares) {
  // Three beside each other, and one of more bytes that shares a link with them: of 4 shares they have 3.
  Round round(2);
  for (int i = 0; i < 3; ++i) round.add({0, 1}, 5);
  round.add({1}, 6);
  round.condense();
  ASSERT_EQ(round.body.operations.size(), 2u);
  EXPECT_EQ(round.body.operations[0].bytes, 15);
  EXPECT_EQ(round.body.operations[0].share, 3);
  EXPECT_EQ(round.body.operations[1].share, 1);
  // A share has a largest value, so 2,500 are three.
  Round many(2);
  for (int i = 0; i < 2500; ++i) many.add({0}, 1);
  many.condense();
  ASSERT_EQ(many.body.operations.size(), 3u);
  EXPECT_EQ(many.body.operations[0].share, kLargestShare);
}

TEST(Condense, WhatHoldsChannelsStaysAsItIs) {
  Round round(2);
  const ResourceId port = round.program.resources.add_channels(1, BitRate{8}, {}, nullptr);
  round.add({0}, 1);
  round.body.operations[0].route = round.program.routes.add({}, std::vector{port}, Time());
  round.add({1}, 1);
  round.condense();
  EXPECT_EQ(round.body.operations.size(), 2u);
  EXPECT_FALSE(round.body.condensed);
}

TEST(Condense, TrafficIsCountedAsItWas) {
  Round round(4);
  round.add({0, 1, 2}, 7);
  round.add({3}, 7);
  round.condense(3);
  round.body.name = "round";
  Program& program = round.program;
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = program.add(round.body);
  call.rounds = 3;
  program.entry = program.add({"entry", {call}, {}});
  EXPECT_EQ(traffic(program), std::vector<double>(4, 21.0));
}

}  // namespace
}  // namespace helio::flow
