// SPDX-License-Identifier: Apache-2.0
// Processes that answer points: a crash, a kill or an endless loop of one is the end of one point, never of the sweep.
//
//     parent ── point ──▶ child: answer(point) ──▶ frame ── parent            a pipe each way; a child that is gone is replaced
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "sweep/store.h"

namespace helio::sweep {

// What a process does with its two pipes until the first is closed: answer_points, or another program in its place.
using Serve = std::function<void(int in, int out)>;
using Answer = std::function<Row(std::uint64_t point)>;

// Reads points, writes frames; returns when nobody asks any more.
void answer_points(int in, int out, const Answer& answer);

// A row as bytes, and back.
std::string frame_of(const Row& row);
Row row_of(const std::string& frame);

class Pool {
 public:
  // Requires: no other thread runs. `limit_s`: by the clock, for one point.
  Pool(std::size_t workers, double limit_s, Serve serve);
  ~Pool();  // ends what still runs
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t workers() const { return workers_.size(); }
  std::size_t room() const;  // points that it would take at once
  std::size_t busy() const;  // points that it has
  void ask(std::uint64_t point);
  // What was answered within `milliseconds`, or nothing. A point whose process ended without an answer has a row that says how.
  std::vector<Row> answers(int milliseconds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    pid_t process = -1;
    Descriptor in = Descriptor(), out = Descriptor();
    std::deque<std::uint64_t> points = {};  // the first is the one it works on
    Clock::time_point since = {};
    std::string bytes = {};  // of frames that are not complete
  };
  void start(Worker& worker);
  void send(Worker& worker, std::uint64_t point);
  void read(Worker& worker, std::vector<Row>& rows);
  void replace(Worker& worker, const std::string& reason, int code, std::vector<Row>& rows);

  double limit_s_;
  Serve serve_;
  std::vector<Worker> workers_;
};

}  // namespace helio::sweep
