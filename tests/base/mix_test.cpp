// SPDX-License-Identifier: Apache-2.0
#include "base/mix.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

// The first numbers of splitmix64 from seed 1234567, as its reference implementation (Vigna, splitmix64.c) prints them.
TEST(Mix, IsSplitmix64) {
  EXPECT_EQ(mixed(1234567, 0), 6457827717110365317u);
  EXPECT_EQ(mixed(1234567, 1), 3203168211198807973u);
  EXPECT_EQ(mixed(1234567, 2), 9817491932198370423u);
}

}  // namespace
}  // namespace helio
