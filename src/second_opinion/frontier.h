// SPDX-License-Identifier: Apache-2.0
// The frontier of a flow program: which operation instances may run now, without ever unfolding the rest.
//
//     open() ─▶ ready ─▶ [somebody runs them] ─▶ end(one of them) ─▶ ready ─▶ … ─▶ finished()
//
// Calls, rounds and repeats are followed here, written anew and not shared with simulate/, so that a second opinion
// is one about dependencies too. Invariant: memory is that of the calls that are open, however many rounds they have.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/program.h"

namespace helio::second_opinion {

class Frontier {
 public:
  using Token = std::uint32_t;  // a running operation; given again once it has ended

  // Requires: check(program) passed.
  explicit Frontier(const flow::Program& program);

  const flow::Operation& operation(Token token) const;
  bool finished() const { return finished_; }
  // When the last instance of each operation of the entry template ended; negative: not yet.
  const std::vector<double>& entry_ends() const { return entry_ends_; }

  // The first operations. Like those of end(), they are appended to `ready` and none of them is a call.
  void open(std::vector<Token>& ready);
  // Requires: `token` was in `ready` and has not ended since.
  void end(Token token, double now, std::vector<Token>& ready);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct State {
    std::uint32_t instance = 0;  // that runs or waits
    std::uint32_t unmet = 0;     // dependencies of that instance
    bool waiting = true;
  };
  struct Frame {
    std::uint32_t body = 0;
    Token caller = kNone, first = 0;  // the call's token; the token of the first operation
    std::uint64_t rounds_left = 0;
    std::uint32_t unfinished = 0;
  };
  // Edges of a template by their ends.
  struct Edges {
    bool sorted = false;
    std::vector<std::vector<std::uint32_t>> in, out;
    std::vector<std::uint32_t> free_frames;
  };

  const flow::Template& body(const Frame& frame) const { return program_.templates[frame.body]; }
  std::uint32_t open_frame(std::uint32_t body, std::uint64_t rounds, Token caller);
  void start_round(std::uint32_t frame);
  void end_round(std::uint32_t frame);
  void finish(Token token, double now);
  void let_go(const Frame& frame, std::uint32_t operation, std::uint32_t instance);
  void wait_for_next(const Frame& frame, std::uint32_t operation);
  void settle(double now, std::vector<Token>& ready);

  const flow::Program& program_;
  std::vector<Edges> edges_;  // by template
  std::vector<Frame> frames_;
  std::vector<State> states_;  // by token
  std::vector<std::uint32_t> frame_of_;
  std::vector<Token> to_begin_, to_finish_;
  std::vector<double> entry_ends_;
  bool finished_ = false;
};

}  // namespace helio::second_opinion
