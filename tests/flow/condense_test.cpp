// SPDX-License-Identifier: Apache-2.0
#include "flow/condense.h"

#include <gtest/gtest.h>

namespace helio::flow {
namespace {

// Links of 1 B/s, and one template of transfers over them.
struct Round {
  Program program;
  std::vector<std::pair<Operation, std::vector<LinkUse>>> transfers;
  Template body;

  explicit Round(std::uint32_t links) { program.resources.add_links(links, BitRate{8}, nullptr); }
  void add_weighted(std::vector<LinkUse> links, double bytes) {
    Operation op;
    op.kind = OperationKind::kTransfer;
    op.bytes = bytes;
    transfers.emplace_back(op, std::move(links));
  }
  void add(std::vector<std::uint32_t> links, double bytes) {
    std::vector<LinkUse> uses;
    for (const std::uint32_t link : links) uses.push_back({ResourceId{link}});
    add_weighted(uses, bytes);
  }
  // Whether every transfer was taken.
  bool condense(double runs = 1) {
    Condensing condensing(program);
    condensing.begin(runs);
    for (const auto& [op, links] : transfers)
      if (!condensing.note(op, links, Time())) return false;
    if (condensing.may_have_classes())
      for (const auto& [op, links] : transfers) condensing.compare(links);
    for (const auto& [op, links] : transfers) condensing.keep(op, links, Time());
    body = condensing.made();
    return true;
  }
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
  many.add({0}, 2);
  many.condense();
  ASSERT_EQ(many.body.operations.size(), 4u);
  EXPECT_EQ(many.body.operations[0].share, kLargestShare);
}

TEST(Condense, LinksLoadedAlikeAreOne) {
  // Everybody three links on, round a ring of 5: three on every link, each at a third of its rate.
  Round round(5);
  for (std::uint32_t i = 0; i < 5; ++i) round.add({i, (i + 1) % 5, (i + 2) % 5}, 7);
  round.condense(2);
  ASSERT_EQ(round.body.operations.size(), 1u);
  EXPECT_EQ(round.body.operations[0].bytes, 7);
  EXPECT_EQ(round.body.operations[0].share, 1);
  const auto links = round.program.routes.links(round.body.operations[0].route);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].weight, 3);
  EXPECT_EQ(round.program.condensed, std::vector<double>(5, 2 * 3 * 7.0));
  // One of more bytes goes on when the others have ended; one on a line alone is faster.
  Round longer(5), beside(6);
  for (std::uint32_t i = 0; i < 5; ++i) longer.add({i, (i + 1) % 5, (i + 2) % 5}, i == 0 ? 8 : 7);
  longer.condense();
  EXPECT_EQ(longer.body.operations.size(), 5u);
  for (std::uint32_t i = 0; i < 5; ++i) beside.add({i, (i + 1) % 5, (i + 2) % 5}, 7);
  beside.add({5}, 7);
  beside.condense();
  EXPECT_EQ(beside.body.operations.size(), 6u);
}

TEST(Condense, AnExchangeOnARingIsOneTransferForEachDistance) {
  // 180 nodes, distances 1 to 179 forwards: 180 x 16,110 uses of links, past a million. Bytes grow with the distance.
  constexpr std::uint32_t kNodes = 180;
  const auto exchange = [](Round& round) {
    for (std::uint32_t distance = 1; distance < kNodes; ++distance)
      for (std::uint32_t from = 0; from < kNodes; ++from) {
        std::vector<std::uint32_t> links;
        for (std::uint32_t i = 0; i < distance; ++i) links.push_back((from + i) % kNodes);
        round.add(links, 10 + distance);
      }
  };
  Round round(kNodes);
  exchange(round);
  round.condense();
  ASSERT_EQ(round.body.operations.size(), kNodes - 1);
  for (std::uint32_t distance = 1; distance < kNodes; ++distance) {
    const Operation& op = round.body.operations[distance - 1];
    EXPECT_EQ(op.bytes, 10 + distance);
    const auto links = round.program.routes.links(op.route);
    ASSERT_EQ(links.size(), 1u);
    EXPECT_EQ(links[0].weight, distance);  // so many of this distance are on every link
  }
  // 180 links carry sum d (10 + d): 10 x 16,110 + 1,927,830 bytes each
  EXPECT_EQ(round.program.condensed, std::vector<double>(kNodes, 161'100 + 1'927'830));
  // A slow link, or one more on a link, tells them apart.
  Round slow(kNodes - 1);
  slow.program.resources.add_links(1, BitRate{4}, nullptr);
  exchange(slow);
  slow.condense();
  EXPECT_GT(slow.body.operations.size(), kNodes - 1);
  Round more(kNodes);
  exchange(more);
  more.add({7}, 10);
  more.condense();
  EXPECT_GT(more.body.operations.size(), kNodes);
}

TEST(Condense, WhatCrossesNothingOrIsDecidedAtRunTimeIsRefused) {
  Round idle(1), decided(1);
  idle.add({}, 1);
  EXPECT_FALSE(idle.condense());
  decided.add({0}, 1);
  decided.add({0}, 1);
  decided.transfers.back().first.controlled = true;
  EXPECT_FALSE(decided.condense());
  EXPECT_TRUE(decided.program.condensed.empty());
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
