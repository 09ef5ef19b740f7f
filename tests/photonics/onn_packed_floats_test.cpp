// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_packed_floats.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace helio::photonics {
namespace {

// 1.0f is 00 00 80 3f: 000000 000000 000010 000000 | 001111 11(0000) = A A C A | P w = =.
TEST(OnnPackedFloats, IsBase64OfFloat32) {
  EXPECT_EQ(packed_floats(std::vector<double>{1.0}), "AACAPw==");
  std::vector<double> one(1);
  EXPECT_EQ(unpack_floats("AACAPw==", one), "");
  EXPECT_EQ(one[0], 1.0);
}

TEST(OnnPackedFloats, RoundTripsWhatAFloatHolds) {
  for (std::size_t n = 1; n <= 7; ++n) {
    std::vector<double> numbers(n), back(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = 0.5 + 3.25 * static_cast<double>(i) * (i % 2 ? -1 : 1);
    EXPECT_EQ(unpack_floats(packed_floats(numbers), back), "");
    EXPECT_EQ(back, numbers);
  }
}

TEST(OnnPackedFloats, SaysWhatIsWrong) {
  std::vector<double> one(1);
  EXPECT_NE(unpack_floats("AACAPw=", one), "");
  EXPECT_NE(unpack_floats("AAC!Pw==", one).find("letter 4"), std::string::npos);
  EXPECT_NE(unpack_floats("AA==Pw==", one), "");                                // padding in the middle
  EXPECT_NE(unpack_floats("AACAfw==", one).find("finite"), std::string::npos);  // 7f800000: infinity
}

}  // namespace
}  // namespace helio::photonics
