// SPDX-License-Identifier: Apache-2.0
#include "rank_patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "complaint.h"

namespace helio::apps {
namespace {

constexpr double kBetween = 1;  // seconds in which mpirun ends the others, when the rank before gave up

}  // namespace

RankPatience::RankPatience(std::string program, double seconds)
    : program_(std::move(program)), seconds_(seconds), watcher_([this] { watch(); }) {}

RankPatience::~RankPatience() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  watcher_.join();
}

void RankPatience::set_rank(int rank) {
  const std::lock_guard lock(mutex_);
  rank_ = rank;
}

void RankPatience::set_seconds(double seconds) {
  const std::lock_guard lock(mutex_);
  seconds_ = seconds;
  last_ = Clock::now();
}

void RankPatience::progress(double allowed_s) {
  const std::lock_guard lock(mutex_);
  allowed_ = allowed_s;
  last_ = Clock::now();
}

void RankPatience::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(100), [this] { return end_; })) {
    const double patience = seconds_ + allowed_ + kBetween * std::min(rank_, 5);
    if (std::chrono::duration<double>(Clock::now() - last_).count() < patience) continue;
    std::_Exit(complain(program_, exit_code(ErrorKind::kInfeasible),
                        fmt::format("rank {} has waited {:.1f} s for the others, and nothing came", rank_, patience),
                        "mpirun", "see which rank died or hangs; a slow network needs more --patience"));
  }
}

}  // namespace helio::apps
