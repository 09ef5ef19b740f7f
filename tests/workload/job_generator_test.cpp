// SPDX-License-Identifier: Apache-2.0
#include "workload/job_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace helio::workload {
namespace {

// 20,000 draws: the share p of a count is met to 4 sqrt(p (1 - p) / 20000) < 0.014.
TEST(JobGenerator, HasThePublishedStatistics) {
  const JobLog log = generate_jobs(20000, 30, 7);
  ASSERT_EQ(log.jobs.size(), 20000u);
  std::map<std::uint32_t, double> gpus;
  std::vector<double> durations;
  double last = 0, longer = 0;
  for (const LoggedJob& job : log.jobs) {
    gpus[job.gpus] += 1.0 / 20000;
    durations.push_back(job.duration_s / 60);
    longer += (job.duration_s >= 60000) / 20000.0;
    EXPECT_GE(job.arrival_s, last);
    last = job.arrival_s;
  }
  ASSERT_EQ(gpus.size(), 4u);
  EXPECT_NEAR(gpus[1], 0.70, 0.014);
  EXPECT_NEAR(gpus[2], 0.10, 0.014);
  EXPECT_NEAR(gpus[4], 0.15, 0.014);
  EXPECT_NEAR(gpus[8], 0.05, 0.014);
  std::ranges::sort(durations);
  EXPECT_GE(durations.front(), 31.6);     // 10^1.5 minutes
  EXPECT_LE(durations.back(), 10000.01);  // 10^4
  EXPECT_NEAR(longer, 0.2, 0.014);        // 10^3 and more
  // The median has 0.5/0.8 of the first part below it: 10^(1.5 + 1.5 · 0.625) = 273.8 minutes
  EXPECT_NEAR(durations[10000], 273.8, 15);
  // Poisson: the mean gap of 20,000 is met to 4 / sqrt(20000) = 3 %
  EXPECT_NEAR(last / 19999, 30, 0.9);
}

TEST(JobGenerator, IsTheSameForTheSameSeedHoweverManyThereAre) {
  const JobLog few = generate_jobs(10, 1, 3), many = generate_jobs(20, 1, 3);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(few.jobs[i].arrival_s, many.jobs[i].arrival_s);
    EXPECT_EQ(few.jobs[i].duration_s, many.jobs[i].duration_s);
  }
  EXPECT_NE(generate_jobs(10, 1, 4).jobs[0].duration_s, few.jobs[0].duration_s);
}

}  // namespace
}  // namespace helio::workload
