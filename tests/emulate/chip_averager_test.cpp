// SPDX-License-Identifier: Apache-2.0
#include "emulate/chip_averager.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace helio::emulate {
namespace {

// Four servers on a default chip make no mistake (photonics/onn_chip_test.cpp), so that averages are those of the exact switch.
TEST(ChipAverager, AveragesAsTheChipDoes) {
  const AveragingCascade cascade{AveragingTask{}};
  const CodeAverager exact(cascade), chip = chip_averager(cascade, "default");
  EXPECT_FALSE(chip.levels().front().has_table());
  EXPECT_EQ(chip.levels().front().noise, 0.06);
  constexpr std::size_t kElements = 2000;
  AveragingBlock one(exact, kElements), other(chip, kElements);
  one.begin(kElements, 0);
  other.begin(kElements, 0);
  Random random(1);
  std::vector<std::uint32_t> codes(kElements);
  for (int server = 0; server < 4; ++server) {
    for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.below(256));
    one.add(codes);
    other.add(codes);
  }
  EXPECT_TRUE(std::ranges::equal(one.result(), other.result()));
}

// Noise of half a symbol is another draw for every element and step, and the same one for the same seed.
TEST(ChipAverager, NoiseIsDrawnAnew) {
  const AveragingCascade cascade{AveragingTask{}};
  const std::vector<photonics::Onn> networks{chip_averager(cascade, "default").levels().front().network.value()};
  const CodeAverager noisy(cascade, networks, 0, 0.5);
  const std::vector<std::uint32_t> codes(1000, 100);
  const auto averages = [&](std::uint64_t seed) {
    AveragingBlock block(noisy, codes.size(), seed);
    block.begin(codes.size(), 0);
    for (int server = 0; server < 4; ++server) block.add(codes);
    return std::vector<std::uint32_t>(block.result().begin(), block.result().end());
  };
  EXPECT_EQ(averages(1), averages(1));
  EXPECT_NE(averages(1), averages(2));
}

TEST(ChipAverager, RefusesWhatHasNoNetwork) {
  AveragingTask thirds;
  thirds.servers = 3;
  EXPECT_THROW(chip_averager({thirds}, "default"), Error);
  EXPECT_THROW(chip_averager({AveragingTask{}}, "perfect"), Error);
}

}  // namespace
}  // namespace helio::emulate
