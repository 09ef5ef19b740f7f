// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/schedule_exchange.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "emulate/execute.h"
#include "schedule/algorithm.h"

namespace helio::train {
namespace {

// Every algorithm with an all-reduce, on every number of servers that it admits; lengths that all slots share alike, and not.
TEST(ScheduleExchange, EveryScheduleAddsAsItIsExecuted) {
  int ran = 0;
  for (const schedule::AlgorithmEntry& entry : schedule::algorithms().entries()) {
    const std::string& name = entry.description.name;
    if (std::ranges::find(entry.factory.kinds, schedule::Kind::kAllReduce) == entry.factory.kinds.end()) continue;
    for (const int servers : {4, 5, 8, 16})
      for (const std::int64_t length : {std::int64_t{960}, std::int64_t{1003}, std::int64_t{3}}) {
        std::unique_ptr<ScheduleExchange> exchange;
        try {
          exchange = std::make_unique<ScheduleExchange>(ExchangeSpec{.name = name}, servers, length);
        } catch (const Error& error) {
          // Only the fabric's own sums, levels and links that there are none of, and what a number of servers does not admit
          EXPECT_EQ(error.kind(), ErrorKind::kInfeasible) << error.what();
          EXPECT_TRUE(name == "in-fabric" || name == "by-level" || name == "fitted" || servers == 5)
              << name << ", " << servers << ": " << error.what();
          continue;
        }
        for (int step = 0; step < 2; ++step) {
          at::Tensor gradients = at::empty({servers, length}, at::kFloat), average = at::empty({length}, at::kFloat);
          Random random(static_cast<std::uint64_t>(step + 1));
          std::vector<std::vector<float>> buffers(static_cast<std::size_t>(servers));
          for (std::int64_t k = 0; k < servers * length; ++k) {
            gradients.data_ptr<float>()[k] = static_cast<float>(random.normal());
            buffers[static_cast<std::size_t>(k / length)].push_back(gradients.data_ptr<float>()[k]);
          }
          const at::Tensor mean = gradients.to(at::kDouble).mean(0);
          exchange->average(gradients, average);
          emulate::execute(exchange->schedule(), buffers);
          for (std::int64_t e = 0; e < length; ++e) {
            const float expected = buffers[0][static_cast<std::size_t>(e)] * (1.0f / static_cast<float>(servers));
            ASSERT_EQ(average.data_ptr<float>()[e], expected) << name << ", " << servers << " servers, element " << e;
            ASSERT_NEAR(expected, mean.data_ptr<double>()[e], 1e-6);
          }
          ++ran;
        }
      }
  }
  EXPECT_GE(ran, 12 * 4 * 3);
}

// A round in which two servers swap a slot: each must get what the other had before. Recursive doubling of two does just that.
TEST(ScheduleExchange, ARoundReadsWhatWasThereBefore) {
  at::Tensor gradients = at::tensor({1.0f, 2.0f, 10.0f, 20.0f}).view({2, 2}), average = at::empty({2}, at::kFloat);
  ScheduleExchange({.name = "recursive-doubling"}, 2, 2).average(gradients, average);
  EXPECT_TRUE(average.equal(at::tensor({5.5f, 11.0f})));
}

TEST(ScheduleExchange, SettingsReachTheAlgorithm) {
  // Groups of three on sixteen servers take more levels than one group of all
  const ScheduleExchange few({.name = "wrht", .settings = {{"wavelengths", "1"}}}, 16, 64),
      many({.name = "wrht"}, 16, 64);
  EXPECT_GT(schedule::rounds(few.schedule()), schedule::rounds(many.schedule()));
  const ScheduleExchange grid({.name = "dimension-ordered", .settings = {{"dimensions", "2x2x4"}}}, 16, 64);
  EXPECT_NE(grid.describe().find("dimension-ordered on 16 servers"), std::string::npos);
  EXPECT_NE(grid.describe().find("proven by"), std::string::npos);
}

TEST(ScheduleExchange, BadSettingsAreRefused) {
  const auto kind_of = [](const ExchangeSpec& spec, int servers) {
    try {
      ScheduleExchange(spec, servers, 64);
    } catch (const Error& error) {
      return static_cast<int>(error.kind());
    }
    return 0;
  };
  EXPECT_EQ(kind_of({.name = "ring", .settings = {{"colour", "red"}}}, 4), 3);
  EXPECT_EQ(kind_of({.name = "ring", .settings = {{"wavelengths", "4"}}}, 4), 3);
  EXPECT_EQ(kind_of({.name = "wrht", .settings = {{"wavelengths", "few"}}}, 4), 3);
  EXPECT_EQ(kind_of({.name = "dimension-ordered", .settings = {{"dimensions", "3x3"}}}, 4), 3);
  EXPECT_EQ(kind_of({.name = "in-fabric"}, 4), 4);
}

}  // namespace
}  // namespace helio::train
