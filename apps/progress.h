// SPDX-License-Identifier: Apache-2.0
// One line on stderr for runs longer than a second, only where somebody is watching.
#pragma once

#include <chrono>
#include <string_view>

namespace helio::apps {

class Progress {
 public:
  Progress();
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view stage);

 private:
  using Clock = std::chrono::steady_clock;
  bool watched_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace helio::apps
