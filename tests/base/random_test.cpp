// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

namespace helio {
namespace {

// splitmix64 from seed 0 gives these four words (Vigna, prng.di.unimi.it/splitmix64.c). xoshiro256** outputs
// f(s1) = rotl(s1 * 5, 7) * 9 of its second word, which after one step is s0^s1^s2 and after two (s1<<17)^s0^s3:
//   step:  s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= s1<<17 (the old s1), s3 = rotl(s3, 45)
//   s1' = s1^s2^s0;  s1'' = s1' ^ s2' ^ s0' = (s0^s1^s2) ^ (s2^s0^(s1<<17)) ^ (s0^s3^s1)
// The same formulae give 11520, 0, 1509978240 for the state 1, 2, 3, 4, as the reference code does.
TEST(Random, IsXoshiro256StarStarSeededBySplitmix64) {
  const auto output = [](std::uint64_t s0, std::uint64_t s1, std::uint64_t s2, std::uint64_t s3, int step) {
    const std::uint64_t word = step == 0 ? s1 : step == 1 ? s0 ^ s1 ^ s2 : (s1 << 17) ^ s0 ^ s3;
    return std::rotl(word * 5, 7) * 9;
  };
  ASSERT_EQ(output(1, 2, 3, 4, 0), 11520u);
  ASSERT_EQ(output(1, 2, 3, 4, 1), 0u);
  ASSERT_EQ(output(1, 2, 3, 4, 2), 1509978240u);

  Random random(0);
  for (int step = 0; step < 3; ++step)
    EXPECT_EQ(random.next(),
              output(0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu, 0xf88bb8a8724c81ecu, step));
}

TEST(Random, SameSeedSameNumbers) {
  Random a(42), b(42), c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t x = a.next();
    EXPECT_EQ(x, b.next());
    differs |= x != c.next();
  }
  EXPECT_TRUE(differs);
}

// 70,000 draws below 7: each value 10,000 times with a deviation of sqrt(70000 * 1/7 * 6/7) = 92.6; five are 463.
TEST(Random, BelowIsUniform) {
  Random random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 463);
}

// Of 3 * 2^62 values a third lies below 2^62. Taking a remainder of 2^64 would put half of the draws there.
// 30,000 draws deviate by sqrt(30000 * 1/3 * 2/3) = 81.6; five of them are 408.
TEST(Random, BelowHasNoBiasForHugeBounds) {
  Random random(2);
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += random.below(std::uint64_t{3} << 62) < std::uint64_t{1} << 62;
  EXPECT_NEAR(low, 10000, 408);
}

TEST(Random, BelowOneIsZero) { EXPECT_EQ(Random(3).below(1), 0u); }

// The mean of n uniform draws deviates by sqrt(1/12/n): 0.000913 for 100,000; five of them are 0.0046.
TEST(Random, UniformLiesInTheHalfOpenUnitInterval) {
  Random random(4);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.0046);
}

// Standard normal: mean 0 ± 1/sqrt(n), variance 1 ± sqrt(2/n), fourth moment 3 ± sqrt(96/n) (E x^8 - 9 = 105 - 9),
// share within one deviation 0.682689 ± sqrt(0.6827 * 0.3173 / n). Five deviations each, n = 200,000.
TEST(Random, NormalHasTheMomentsOfTheStandardNormal) {
  Random random(5);
  const int n = 200000;
  double first = 0, second = 0, fourth = 0, within = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    first += x;
    second += x * x;
    fourth += x * x * x * x;
    within += std::abs(x) < 1;
  }
  EXPECT_NEAR(first / n, 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(second / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96.0 / n));
  EXPECT_NEAR(within / n, 0.682689, 5 * std::sqrt(0.6827 * 0.3173 / n));
}

// Streams of one generator, and the generator itself, share no number among their first hundred: a chance meeting of
// 10,100 draws from 2^64 has probability 3e-12.
TEST(Random, SplitStreamsDiffer) {
  Random parent(6);
  std::set<std::uint64_t> seen;
  for (std::uint64_t stream = 0; stream < 100; ++stream) {
    Random child = parent.split(stream);
    for (int i = 0; i < 100; ++i) seen.insert(child.next());
  }
  for (int i = 0; i < 100; ++i) seen.insert(parent.next());
  EXPECT_EQ(seen.size(), 10100u);
}

TEST(Random, SplitDependsOnTheParentAndLeavesItAlone) {
  Random parent(7), twin(7);
  const Random child = parent.split(1);
  EXPECT_EQ(parent.next(), twin.next());
  EXPECT_EQ(Random(child).next(), Random(7).split(1).next());
  EXPECT_NE(Random(child).next(), Random(8).split(1).next());
}

// Each of 3! = 6 orders 1,000 times in 6,000 shuffles, with a deviation of sqrt(6000 * 1/6 * 5/6) = 28.9; five are 145.
TEST(Random, ShuffleReachesEveryOrderEquallyOften) {
  Random random(8);
  std::vector<int> counts(6);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items = {0, 1, 2};
    random.shuffle(items);
    ++counts.at(static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2])));
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 145);
}

TEST(Random, ShuffleOfNothingOrOneIsHarmless) {
  Random random(9);
  std::vector<int> none, one = {1};
  random.shuffle(none);
  random.shuffle(one);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one, std::vector<int>{1});
}

}  // namespace
}  // namespace helio
