// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/exchange_check.h"

#include <gtest/gtest.h>

#include <c10/core/Device.h>

namespace helio::train {
namespace {

// On the CPU both sides are the same program: what is checked is that every case runs, and what is told.
TEST(ExchangeCheck, TellsSpeedAndBits) {
  int told = 0;
  const nlohmann::ordered_json result = check_exchange(
      {.elements = 10'000, .repeats = 1, .compared = 2000, .tell = [&](const std::string&) { ++told; }}, at::kCPU);
  EXPECT_EQ(result.at("same_bits"), true) << result.dump(1);
  EXPECT_GT(result.at("comparisons").size(), 25u);
  EXPECT_EQ(static_cast<std::size_t>(told), result.at("comparisons").size() + 1);
  EXPECT_GT(result.at("gigabytes_per_s").get<double>(), 0);
  // Necessary bytes: four floats read and one written for each element
  EXPECT_NEAR(result.at("gigabytes_per_s").get<double>() * result.at("seconds").get<double>(), 10'000 * 20e-9, 1e-12);
  EXPECT_FALSE(check_exchange({.elements = 100, .repeats = 1, .compared = 0}, at::kCPU).contains("same_bits"));
}

}  // namespace
}  // namespace helio::train
