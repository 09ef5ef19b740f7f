// SPDX-License-Identifier: Apache-2.0
#include "train/content_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace helio::train {
namespace {

// By hand: no byte is fold((0 ⊕ 0) · odd) = 0. One zero byte has length 1, h = fold(odd) = odd ⊕ (odd >> 32), then fold(h · odd).
TEST(ContentHash, FollowsItsDefinition) {
  EXPECT_EQ(content_hash(""), 0u);
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const std::uint64_t h = kOdd ^ (kOdd >> 32), last = h * kOdd;
  EXPECT_EQ(content_hash(std::string(1, '\0')), last ^ (last >> 32));
  EXPECT_EQ(hash_text(0xabc), "0000000000000abc");
}

// Every single bit of 20 bytes, every length of zeros, and every exchange of two groups of 8 bytes.
TEST(ContentHash, OtherContentIsAnotherNumber) {
  const std::string text = "light moves in ring.";
  std::set<std::uint64_t> seen = {content_hash(text)};
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(seen.insert(content_hash(other)).second) << bit;
  }
  for (std::size_t length = 0; length < 40; ++length)
    EXPECT_TRUE(seen.insert(content_hash(std::string(length, '\0'))).second) << length;
  EXPECT_TRUE(seen.insert(content_hash(text.substr(8, 8) + text.substr(0, 8) + text.substr(16))).second);
}

TEST(ContentHash, AFileIsItsContentNotItsName) {
  const std::string a = testing::TempDir() + "content_a", b = testing::TempDir() + "content_b";
  write_file(a, "same", "");
  write_file(b, "same", "");
  EXPECT_EQ(contents_of({a}, ""), contents_of({b}, ""));
  write_file(b, "sane", "");
  EXPECT_NE(contents_of({a}, ""), contents_of({b}, ""));
  EXPECT_THROW(contents_of({a + "_missing"}, "--train"), Error);
}

}  // namespace
}  // namespace helio::train
