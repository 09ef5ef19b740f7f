// SPDX-License-Identifier: Apache-2.0
#include "execute/element.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/error.h"

namespace helio::execute {
namespace {

// bf16 of 1 is 0x3f80, of 1 + 2^-7 0x3f81. 1 + 2^-8 lies between them, and goes to the even one.
TEST(Element, Bf16RoundsToEven) {
  std::uint16_t one = 0x3f80, eighth = 0x3b80;  // 1, 2^-8
  add(Element::kBf16, &one, &eighth, 1);
  EXPECT_EQ(one, 0x3f80);
  one = 0x3f81;
  add(Element::kBf16, &one, &eighth, 1);
  EXPECT_EQ(one, 0x3f82);
}

TEST(Element, WholeNumbersWrapAndAreDividedTowardsZero) {
  std::int32_t sum = 2147483647, more = 1;
  add(Element::kInt32, &sum, &more, 1);
  EXPECT_EQ(sum, -2147483648);
  std::int32_t seven = -7;
  divide(Element::kInt32, &seven, 1, 2);
  EXPECT_EQ(seven, -3);
}

// Numbers of other ranks and other places are others; bf16 has five whole ones.
TEST(Element, InputsDiffer) {
  std::vector<float> a(100), b(100);
  fill(Element::kFloat32, a.data(), 0, 100, 0);
  fill(Element::kFloat32, b.data(), 0, 100, 1);
  EXPECT_LT(first_apart(Element::kFloat32, a.data(), b.data(), 100, 1e-3), 3u);
  fill(Element::kFloat32, b.data(), 50, 50, 0);
  EXPECT_EQ(first_apart(Element::kFloat32, a.data() + 50, b.data(), 50, 0), 50u);
  std::vector<std::uint16_t> c(1000);
  fill(Element::kBf16, c.data(), 0, 1000, 3);
  bool seen[5] = {};
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double value = value_at(Element::kBf16, c.data(), i);
    ASSERT_TRUE(value == -2 || value == -1 || value == 0 || value == 1 || value == 2) << value;
    seen[static_cast<int>(value) + 2] = true;
  }
  for (const bool one : seen) EXPECT_TRUE(one);
}

// A number that is no number is apart from all.
TEST(Element, NoNumberIsNear) {
  float number = 1, none;
  const std::uint32_t bits = 0x7fc00000;
  std::memcpy(&none, &bits, 4);
  EXPECT_EQ(first_apart(Element::kFloat32, &number, &none, 1, 1e9), 0u);
  EXPECT_THROW(element_named("float16"), Error);
}

}  // namespace
}  // namespace helio::execute
