// SPDX-License-Identifier: Apache-2.0
#include "second_opinion/frontier.h"

namespace helio::second_opinion {

using flow::Edge;
using flow::Operation;
using flow::OperationKind;

Frontier::Frontier(const flow::Program& program)
    : program_(program),
      edges_(program.templates.size()),
      entry_ends_(program.templates[program.entry.value].operations.size(), -1.0) {}

const Operation& Frontier::operation(Token token) const {
  const Frame& frame = frames_[frame_of_[token]];
  return body(frame).operations[token - frame.first];
}

void Frontier::open(std::vector<Token>& ready) {
  start_round(open_frame(program_.entry.value, 1, kNone));
  settle(0, ready);
}

void Frontier::end(Token token, double now, std::vector<Token>& ready) {
  to_finish_.push_back(token);
  settle(now, ready);
}

// Follows what happens in no time: calls that open, rounds that end.
void Frontier::settle(double now, std::vector<Token>& ready) {
  while (!to_begin_.empty() || !to_finish_.empty()) {
    if (!to_finish_.empty()) {
      const Token token = to_finish_.back();
      to_finish_.pop_back();
      finish(token, now);
      continue;
    }
    const Token token = to_begin_.back();
    to_begin_.pop_back();
    states_[token].waiting = false;
    const Operation& op = operation(token);
    if (op.kind == OperationKind::kCall)
      start_round(open_frame(op.callee.value, op.rounds, token));
    else
      ready.push_back(token);
  }
}

std::uint32_t Frontier::open_frame(std::uint32_t where, std::uint64_t rounds, Token caller) {
  const flow::Template& body = program_.templates[where];
  Edges& edges = edges_[where];
  if (!edges.sorted) {
    edges.sorted = true;
    edges.in.resize(body.operations.size());
    edges.out.resize(body.operations.size());
    for (std::uint32_t i = 0; i < body.edges.size(); ++i) {
      edges.in[body.edges[i].to].push_back(i);
      edges.out[body.edges[i].from].push_back(i);
    }
  }

  // A frame of this template that is not used any more, or a new one
  std::uint32_t index;
  if (!edges.free_frames.empty()) {
    index = edges.free_frames.back();
    edges.free_frames.pop_back();
  } else {
    index = static_cast<std::uint32_t>(frames_.size());
    frames_.push_back({where, kNone, static_cast<Token>(states_.size()), 0, 0});
    states_.resize(states_.size() + body.operations.size());
    frame_of_.resize(states_.size(), index);
  }
  frames_[index].caller = caller;
  frames_[index].rounds_left = body.operations.empty() ? 0 : rounds;
  return index;
}

void Frontier::start_round(std::uint32_t index) {
  Frame& frame = frames_[index];
  if (frame.rounds_left == 0) return end_round(index);
  const auto count = static_cast<std::uint32_t>(body(frame).operations.size());
  frame.unfinished = count;
  for (std::uint32_t i = 0; i < count; ++i) states_[frame.first + i] = {};
  for (std::uint32_t i = 0; i < count; ++i) wait_for_next(frame, i);
}

void Frontier::end_round(std::uint32_t index) {
  Frame& frame = frames_[index];
  if (frame.rounds_left > 1) {
    --frame.rounds_left;
    return start_round(index);
  }
  edges_[frame.body].free_frames.push_back(index);
  if (frame.caller == kNone)
    finished_ = true;
  else
    to_finish_.push_back(frame.caller);
}

// How much the instance that is next still waits for.
void Frontier::wait_for_next(const Frame& frame, std::uint32_t operation) {
  State& state = states_[frame.first + operation];
  state.waiting = true;
  state.unmet = 0;
  for (const std::uint32_t i : edges_[frame.body].in[operation]) {
    const Edge& edge = body(frame).edges[i];
    if (state.instance < edge.first || state.instance >= edge.last) continue;
    const std::int64_t needed = static_cast<std::int64_t>(state.instance) + edge.offset;
    if (states_[frame.first + edge.from].instance <= needed) ++state.unmet;
  }
  if (state.unmet == 0) to_begin_.push_back(frame.first + operation);
}

// Whoever waits for this instance waits for one thing less.
void Frontier::let_go(const Frame& frame, std::uint32_t operation, std::uint32_t instance) {
  for (const std::uint32_t i : edges_[frame.body].out[operation]) {
    const Edge& edge = body(frame).edges[i];
    State& state = states_[frame.first + edge.to];
    const std::int64_t waits = static_cast<std::int64_t>(instance) - edge.offset;
    if (!state.waiting || waits != state.instance || waits < edge.first || waits >= edge.last) continue;
    if (--state.unmet == 0) to_begin_.push_back(frame.first + edge.to);
  }
}

void Frontier::finish(Token token, double now) {
  const std::uint32_t index = frame_of_[token];
  Frame& frame = frames_[index];
  State& state = states_[token];
  const std::uint32_t operation = token - frame.first;
  const std::uint32_t ended = state.instance++;
  if (frame.caller == kNone) entry_ends_[operation] = now;
  const bool last = state.instance == body(frame).operations[operation].repeat;
  let_go(frame, operation, ended);
  if (!last)
    wait_for_next(frame, operation);
  else if (--frame.unfinished == 0)
    end_round(index);
}

}  // namespace helio::second_opinion
