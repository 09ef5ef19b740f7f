// SPDX-License-Identifier: Apache-2.0
// The end of a rank that waits in vain: for one that died, is stopped, or runs something else. MPI itself waits for ever.
//
// Somebody tells now and then that things go on; where nobody does for as long as was allowed, the program ends with a message and code 4, and mpirun
// ends the other ranks. Ranks lose patience one after the other, so that there is one message.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace helio::apps {

class RankPatience {
 public:
  RankPatience(std::string program, double seconds);
  ~RankPatience();
  RankPatience(const RankPatience&) = delete;
  RankPatience& operator=(const RankPatience&) = delete;

  void set_rank(int rank);
  void set_seconds(double seconds);
  // What begins now may take `allowed_s` longer than usual.
  void progress(double allowed_s = 0);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  const std::string program_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  int rank_ = 0;
  double seconds_, allowed_ = 0;
  Clock::time_point last_ = Clock::now();
  std::thread watcher_;
};

}  // namespace helio::apps
