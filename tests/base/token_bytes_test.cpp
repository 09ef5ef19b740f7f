// SPDX-License-Identifier: Apache-2.0
#include "base/token_bytes.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

// Low byte first: 01 02 is 1 + 2·256 = 513, ff ff is 65535.
TEST(TokenBytes, SixteenBitsLowByteFirst) {
  EXPECT_EQ(parse_tokens("\x01\x02\xff\xff", 0, "f"), (std::vector<std::uint16_t>{513, 65535}));
  EXPECT_EQ(parse_tokens("\x01\x02", 514, "f").size(), 1u);
  EXPECT_EQ(parse_tokens("", 0, "f").size(), 0u);
}

TEST(TokenBytes, WhatIsNoTokenIsRefused) {
  EXPECT_THROW(parse_tokens("abc", 0, "f"), Error);
  EXPECT_THROW(parse_tokens("\x01\x02", 513, "f"), Error);
}

}  // namespace
}  // namespace helio
