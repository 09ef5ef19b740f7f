// SPDX-License-Identifier: Apache-2.0
// One line on stderr for runs longer than a second, only where somebody is watching:
//
//     [########----------------] 2 of 5  wrht: simulating: 4 ms simulated, 210000 events  (12 s)
//
// A clock of its own draws it, so that a stage that says nothing for a while, such as a long proof, is seen to go on. The bar is there
// when the work has parts that are counted.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace helio::apps {

class Progress {
 public:
  Progress();
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Part `part`, from 0, of `parts` begins; `name` is put before its stages.
  void begin(std::size_t part, std::size_t parts, std::string_view name);
  void show(std::string_view stage);

 private:
  using Clock = std::chrono::steady_clock;
  void draw_now_and_then();
  void draw();
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false, shown_ = false;
  std::size_t part_ = 0, parts_ = 0;
  std::string name_, stage_;
  std::thread clock_;  // last: it reads all the others
};

// How far long work is, as a bar of twenty characters: "[########............]".
inline std::string progress_bar(double share) {
  const auto full = static_cast<std::size_t>(20 * std::clamp(share, 0.0, 1.0));
  return "[" + std::string(full, '#') + std::string(20 - full, '.') + "]";
}

}  // namespace helio::apps
