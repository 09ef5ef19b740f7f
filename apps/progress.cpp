// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/visible.h"

namespace helio::apps {
namespace {

constexpr std::size_t kCells = 24;

// A terminal whose lines can be drawn over.
bool watched() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (!terminal || std::string_view(terminal) != "dumb");
}

// What fits on one line: a longer one could not be cleared again.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
}

// As many characters as there is room for.
std::string cut(std::string line, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t count = 0; end < line.size(); ++end)
    if ((static_cast<unsigned char>(line[end]) & 0xc0) != 0x80 && count++ == most) break;
  line.resize(end);
  return line;
}

}  // namespace

Progress::Progress() {
  if (watched()) clock_ = std::thread([this] { draw_now_and_then(); });
}

Progress::~Progress() {
  if (!clock_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  clock_.join();
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::begin(std::size_t part, std::size_t parts, std::string_view name) {
  const std::lock_guard lock(mutex_);
  part_ = part;
  parts_ = parts;
  name_ = name;
  stage_.clear();
}

void Progress::show(std::string_view stage) {
  if (!clock_.joinable()) return;
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

void Progress::draw_now_and_then() {
  std::unique_lock lock(mutex_);
  for (auto next = start_ + std::chrono::seconds(1); !ended_.wait_until(lock, next, [this] { return end_; });
       next = Clock::now() + std::chrono::milliseconds(200))
    draw();
}

void Progress::draw() {
  std::string line;
  if (parts_ > 1) {
    const std::size_t done = kCells * part_ / parts_;
    line = "[" + std::string(done, '#') + std::string(kCells - done, '-') + "] " + std::to_string(part_) + " of " +
           std::to_string(parts_) + "  ";
  }
  line += name_;
  if (!name_.empty() && !stage_.empty()) line += ": ";
  line += stage_;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_).count();
  const std::string elapsed = "  (" + std::to_string(seconds) + " s)";
  const std::size_t room = columns();
  line = cut(visible(line), room > elapsed.size() ? room - elapsed.size() : 0);
  line += elapsed;
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  shown_ = true;
}

}  // namespace helio::apps
