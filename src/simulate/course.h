// SPDX-License-Identifier: Apache-2.0
// Transfers that wait for nobody and meet nobody else, from their starts to their ends: a template of them by itself, time by time.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/time.h"
#include "flow/program.h"
#include "simulate/full_links.h"

namespace helio::simulate {

class Course {
 public:
  struct End {
    Time time;  // from the start of the round
    std::uint32_t operation = 0;
  };

  // Transfers over links only, in one class, each once, with no edges.
  static bool runs(const flow::Program& program, const flow::Template& body);
  // Requires: runs(program, body).
  Course(const flow::Program& program, const flow::Template& body);

  bool done() const { return started_ == starts_.size() && running_ == 0; }
  // Of those that started before.
  std::size_t running() const { return running_; }
  // At how many times some start.
  std::size_t waves() const;
  // All have started, or do so now.
  bool all_here() const { return started_ == starts_.size(); }

  // Goes to the next time, and lets end who ends and start who starts. False: nothing happens any more.
  bool advance();
  // Shares the links anew among those that are here.
  void share();
  // Those that ended now.
  const std::vector<std::uint32_t>& ended() const { return ended_; }

  // Shows operations that started and the bytes that each has left.
  template <class See>
  void see_standing(const See& see) const {
    for (std::uint32_t i = 0; i < body_.operations.size(); ++i)
      if (const double left = links_ ? links_->left(i, now_) : kNever; left != kNever) see(i, left);
    for (const std::uint32_t i : fresh_) see(i, body_.operations[i].bytes);
  }

  Time now() const { return time_; }
  // The last so far; of several at one time the one with most steps.
  const End& last() const { return last_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t work() const { return links_ ? links_->work() : 0; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Start {
    Time time;
    std::uint32_t operation;
  };
  void end(std::uint32_t operation);

  const flow::Program& program_;
  const flow::Template& body_;
  std::optional<FullLinks> links_;  // once they are shared
  std::vector<Start> starts_;       // in order
  std::vector<std::uint32_t> fresh_, ended_, of_links_;
  double now_ = 0;
  Time time_;
  End last_{Time::zeptoseconds(-1)};
  std::size_t started_ = 0, running_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace helio::simulate
