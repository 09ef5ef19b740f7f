// SPDX-License-Identifier: Apache-2.0
#include "schedule/ring_exchange.h"

#include <gtest/gtest.h>

#include <set>

#include "schedule/lightpaths.h"

namespace helio::schedule {
namespace {

// The exchange as one round of a schedule on r ranks.
Schedule one_round(std::uint32_t r) {
  Schedule schedule{.algorithm = "exchange", .ranks = static_cast<Position>(r)};
  schedule.phases.push_back({.name = "all-to-all"});
  for (const Lightpath& path : exchange_on_ring(r))
    schedule.phases[0].moves.push_back(
        {.source = static_cast<Position>(path.source),
         .destination = static_cast<Position>(path.destination),
         .lane = {static_cast<std::int32_t>(path.wavelength), 1, static_cast<std::int8_t>(path.direction)}});
  return schedule;
}

std::vector<std::uint32_t> sizes() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t r = 2; r <= 40; ++r) all.push_back(r);
  all.insert(all.end(), {63, 64, 101, 150, 199, 200});
  return all;
}

TEST(RingExchange, TheMinimumIsThatOfThePapers) {
  // papers/wrht.md 2.3: ceil(r^2/8) for even r; r = 3: 1, 5: 3, 7: 6, 23: 66; r = 22: 61 and 16: 32; 2.4: 22 is the
  // most for 64.
  EXPECT_EQ(exchange_wavelengths(2), 1u);
  EXPECT_EQ(exchange_wavelengths(3), 1u);
  EXPECT_EQ(exchange_wavelengths(5), 3u);
  EXPECT_EQ(exchange_wavelengths(7), 6u);
  EXPECT_EQ(exchange_wavelengths(16), 32u);
  EXPECT_EQ(exchange_wavelengths(22), 61u);
  EXPECT_EQ(exchange_wavelengths(23), 66u);
  for (std::uint64_t r = 2; r <= 40; r += 2) EXPECT_EQ(exchange_wavelengths(r), (r * r + 7) / 8);
}

TEST(RingExchange, EveryPairOnceWithoutConflictOnTheFewestWavelengths) {
  for (const std::uint32_t r : sizes()) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Lightpath& path : exchange_on_ring(r)) {
      EXPECT_NE(path.source, path.destination);
      EXPECT_TRUE(pairs.insert({path.source, path.destination}).second) << "twice, r = " << r;
    }
    EXPECT_EQ(pairs.size(), std::size_t{r} * (r - 1));
    const Light light = light_of(one_round(r));
    EXPECT_EQ(light.conflict, "") << "r = " << r;
    EXPECT_EQ(static_cast<std::uint64_t>(light.wavelengths), exchange_wavelengths(r)) << "r = " << r;
  }
}

TEST(RingExchange, PathsSpanHalfOfTheRingAtMost) {
  // A and B are half of the list apart, and every other stop of a circle lies between them.
  for (const std::uint32_t r : sizes())
    EXPECT_LE(light_of(one_round(r)).longest_hops, static_cast<Position>((r + 1) / 2));
}

TEST(RingExchange, NobodyHasNobodyToTalkTo) {
  EXPECT_TRUE(exchange_on_ring(0).empty());
  EXPECT_TRUE(exchange_on_ring(1).empty());
}

}  // namespace
}  // namespace helio::schedule
