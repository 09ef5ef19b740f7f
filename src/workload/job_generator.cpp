// SPDX-License-Identifier: Apache-2.0
#include "workload/job_generator.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "base/random.h"

namespace helio::workload {
namespace {

std::uint32_t gpus_at(double part) { return part < 0.70 ? 1 : part < 0.80 ? 2 : part < 0.95 ? 4 : 8; }

double duration_at(bool longer, double part) {
  constexpr double kMinute = 60;
  return kMinute * std::pow(10.0, longer ? 3 + part : 1.5 + 1.5 * part);
}

}  // namespace

JobLog generate_jobs(std::uint64_t jobs, double mean_gap_s, std::uint64_t seed) {
  assert(jobs > 0 && mean_gap_s > 0 && "somebody comes, now and then");
  JobLog log{.source = fmt::format("{} generated jobs, seed {}", jobs, seed), .columns = "generated"};
  const Random random(seed);
  double at = 0;
  for (std::uint64_t i = 0; i < jobs; ++i) {
    Random own = random.split(i);
    LoggedJob job{.name = fmt::format("job {}", i), .arrival_s = at, .place = log.source};
    job.gpus = gpus_at(own.uniform());
    const bool longer = own.uniform() >= 0.8;
    job.duration_s = duration_at(longer, own.uniform());
    at += -std::log1p(-own.uniform()) * mean_gap_s;
    log.jobs.push_back(std::move(job));
  }
  log.rows = jobs;
  return log;
}

}  // namespace helio::workload
