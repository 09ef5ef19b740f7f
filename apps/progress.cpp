// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <unistd.h>

#include <cstdio>

namespace helio::apps {

Progress::Progress() : watched_(isatty(STDERR_FILENO) != 0), next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::string_view stage) {
  if (!watched_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(stage.size()), stage.data());
  shown_ = true;
}

}  // namespace helio::apps
