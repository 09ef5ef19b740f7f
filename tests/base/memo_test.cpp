// SPDX-License-Identifier: Apache-2.0
#include "base/memo.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace helio {
namespace {

TEST(Memo, MakesOnceWhatIsKeptAndAgainWhatIsNot) {
  Memo<int, int> squares(2);
  int made = 0;
  const auto square = [&](int x) {
    return squares.of(x, [&] {
      ++made;
      if (x < 0) throw std::runtime_error("no");
      return x * x;
    });
  };
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(made, 1);
  EXPECT_THROW(square(-1), std::runtime_error);
  EXPECT_THROW(square(-1), std::runtime_error);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(square(4) + square(5), 41);  // a third does not fit: all are forgotten
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(made, 6);
}

}  // namespace
}  // namespace helio
