// SPDX-License-Identifier: Apache-2.0
#include "base/mix.h"

#include <gtest/gtest.h>

#include <bit>

namespace helio {
namespace {

// The first numbers of splitmix64 from seed 1234567, as its authors' C code prints them
// (prng.di.unimi.it/splitmix64.c; Rosetta Code, "Pseudo-random numbers/Splitmix64").
TEST(Mix, IsSplitmix64) {
  EXPECT_EQ(mixed(1234567, 0), 6457827717110365317u);
  EXPECT_EQ(mixed(1234567, 1), 3203168211198807973u);
  EXPECT_EQ(mixed(1234567, 2), 9817491932198370423u);
}

// One bit of the word moves about half of the result: 32 of 64, and over 64 bits on average within a few standard errors (4 / 8).
TEST(Mix, EveryBitMovesHalfOfTheResult) {
  int moved = 0;
  for (int bit = 0; bit < 64; ++bit)
    moved += std::popcount(mixed(kGolden) ^ mixed(kGolden ^ (std::uint64_t{1} << bit)));
  EXPECT_NEAR(moved / 64.0, 32, 2);
}

}  // namespace
}  // namespace helio
