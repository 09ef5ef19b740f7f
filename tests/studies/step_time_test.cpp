// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/step_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace helio::studies::optinc_study {
namespace {

const std::vector<StepTime>& steps() {
  static const std::vector<StepTime> all = step_times({});
  return all;
}

double exposed_us(const StepQuestion& question) { return 1e6 * step_time(question, {}).exposed(); }

// 25,557,032 gradients (torchvision) over 6.4 Tb/s: 32 bits take 127.785 us, 8 bits 31.946. A ring of N sends 2(N-1)/N of that. WRHT sends all of
// them over one wavelength of 0.8 Tb/s, 1,022.281 us, up and down again, and each time is dark for 25 us first.
TEST(StepTime, WithoutOverlapAllBytesAreExposed) {
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kRing, 32, false}), 1.5 * 127.78516, 1e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 16, Carrier::kRing, 32, false}), 1.875 * 127.78516, 1e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kRing, 8, false}), 1.5 * 31.94629, 1e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kWrht, 32, false}), 2 * (1022.28128 + 25), 1e-2);
  EXPECT_NEAR(exposed_us({"resnet-50", 16, Carrier::kWrht, 8, false}), 2 * (255.57032 + 25), 1e-2);
  // Four wavelengths for each: 63.89258 us a step; 16 servers in groups of five leave four, who exchange in a third step
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kWrhtStriped, 8, false}), 2 * (63.89258 + 25), 1e-2);
  EXPECT_NEAR(exposed_us({"resnet-50", 16, Carrier::kWrhtStriped, 8, false}), 3 * (63.89258 + 25), 1e-2);
  // Light takes less than a nanosecond through a constructed network (papers/optinc.md 2.7)
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kOptinc, 8, false}), 31.94629, 2e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 16, Carrier::kOptinc, 8, false}), 31.94629, 2e-3);
}

// Backward ends with the first layers. Buckets are closed by whole blocks when they have 6,553,600 gradients; the last one holds the stem (9,536),
// stage 1 (215,808), stage 2 (1,219,584) and of stage 3 the first block (1,512,448) and four more of 1,117,184: with three it would have
// 6,308,928. So 7,426,112 are left to send when nothing is left to compute.
TEST(StepTime, WithOverlapTheLastBucketIsExposed) {
  constexpr double kLast = 9'536 + 215'808 + 1'219'584 + 1'512'448 + 4 * 1'117'184;
  EXPECT_EQ(kLast, 7'426'112);
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kRing, 32, true}), 1.5 * kLast * 32 / 6.4e6, 1e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 16, Carrier::kRing, 8, true}), 1.875 * kLast * 8 / 6.4e6, 1e-3);
  EXPECT_NEAR(exposed_us({"resnet-50", 4, Carrier::kOptinc, 8, true}), kLast * 8 / 6.4e6, 2e-3);
  // WRHT is dark at most twice
  const double wrht = exposed_us({"resnet-50", 4, Carrier::kWrht, 32, true}), sent = 2 * kLast * 32 / 0.8e6;
  EXPECT_GE(wrht, sent - 1e-3);
  EXPECT_LE(wrht, sent + 50 + 1e-3);
}

// Two models, two sizes, six carriers, overlap or not; hiding never costs, and nothing is below what it must be.
TEST(StepTime, OverlapHidesAndTheBoundHolds) {
  ASSERT_EQ(steps().size(), 48u);
  for (const StepTime& step : steps()) {
    EXPECT_GT(step.computed, 0);
    EXPECT_GE(step.exposed(), step.least * (1 - 1e-6)) << step.asked.model << step.asked.servers;
    if (!step.asked.overlap) {
      EXPECT_NEAR(step.exposed(), step.least, 1e-4 * step.least) << step.asked.model << step.asked.servers;
      continue;
    }
    StepQuestion off = step.asked;
    off.overlap = false;
    const auto same = std::ranges::find_if(steps(), [&](const StepTime& other) {
      const StepQuestion& asked = other.asked;
      return asked.model == off.model && asked.servers == off.servers && asked.carrier == off.carrier &&
             asked.bits == off.bits && !asked.overlap;
    });
    ASSERT_NE(same, steps().end());
    EXPECT_LE(step.exposed(), same->exposed() * (1 + 1e-9));
    EXPECT_NEAR(step.computed, same->computed, 1e-9 * step.computed);
  }
}

// 48 rows beside what they must be at least, and of 8 pictures of a step two rings each beside what is reported.
TEST(StepTime, RowsAndBarsTellEveryStep) {
  const Rows rows = step_time_rows(steps());
  std::set<std::string> names;
  for (const report::Row& row : rows) {
    EXPECT_TRUE(names.insert(row.quantity).second) << row.quantity << " twice";
    EXPECT_EQ(row.label(), "ours");
  }
  EXPECT_EQ(std::ranges::count_if(rows, [](const report::Row& row) { return row.expected.has_value(); }), 48);
  EXPECT_EQ(std::ranges::count_if(rows, [](const report::Row& row) { return row.published.has_value(); }), 16);

  // The step of ResNet-50 without overlap: of computing and 191.678 us a ring of 32 bits has, OptINC takes 159.731 us away.
  const auto saved = std::ranges::find(
      rows, "training step saved by OptINC, ResNet-50, 4 servers, over a ring of 32 bits, overlap off (%)",
      &report::Row::quantity);
  ASSERT_NE(saved, rows.end());
  EXPECT_NEAR(saved->ours, 100 * 159.731e-6 / (steps().front().computed + 191.678e-6), 1e-3);

  const report::Chart chart = step_time_chart(steps());
  EXPECT_EQ(chart.cases.size(), 8u);
  ASSERT_EQ(chart.series.size(), 6u);
  for (const report::Series& series : chart.series) EXPECT_EQ(series.points.size(), 8u) << series.name;
  EXPECT_EQ(chart.cases[0], "ResNet-50, 4, off");
  EXPECT_NEAR(chart.series[0].points[0].second, 191.678, 1e-2);
}

}  // namespace
}  // namespace helio::studies::optinc_study
