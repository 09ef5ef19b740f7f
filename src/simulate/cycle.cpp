// SPDX-License-Identifier: Apache-2.0
// Leaps in dataflow order: from the state of a frame to the same state some instances later.
//
//     checkpoint          now                          after m periods
//     a at 3, b at 2  ──▶ a at 7, b at 6   ──▶ …  ──▶  a at 7+4m, b at 6+4m       period: 4 instances, T seconds
//
// What must not change on the way: every operation that moves does so by the same number of instances; no range of an edge
// begins or ends; nobody finishes; nobody who stands still is waited for or released.
//
// Paths. The path of an operation continues the path that some operation, its origin, had at the checkpoint: after each
// further period P'(b) = P(origin(b)) + c(b). Iterating that map m times by repeated squaring gives the path, and so the
// steps, that m simulated periods would have given. Where paths of different origin ended at the same time, the one with more
// steps went on, and in a later period that may be another. Then a leap is taken only if all paths that move grew by the same:
// the rule commutes with adding the same to all, so it will decide in every period as it did in this one.
#include <algorithm>

#include "simulate/engine.h"

namespace helio::simulate {

void Engine::watch_cycle(Holder h) {
  Frame& frame = frames_[h.frame];
  Cycle& cycle = *frame.cycle;
  const flow::Operation& op = operation(h);
  const bool done = frame.states[h.operation].instance == op.repeat;
  if (cycle.reference == h.operation && done) cycle.reference = kNone;
  if (cycle.reference == kNone && !done && op.repeat >= 4) {
    cycle.reference = h.operation;
    cycle.seen = 0;
    cycle.renew = 1;
  }
  if (cycle.reference == h.operation) to_compare_.push_back(h.frame);
}

void Engine::compare_cycles() {
  std::vector<std::uint32_t> frames;
  frames.swap(to_compare_);
  for (std::uint32_t index : frames) {
    Frame& frame = frames_[index];
    if (!frame.cycle || frame.leaping || frame.replaying || frame.unfinished == 0) continue;
    Cycle& cycle = *frame.cycle;
    ++cycle.seen;
    if (!cycle.checkpoint.marks.empty() && !cycle.met && same_as_checkpoint(frame) && paths_are_certain(frame))
      if (const std::uint64_t periods = periods_ahead(frame);
          periods > (facts_[frame.body.value].channels.empty() ? 0u : 1u)) {
        leap_periods(index, periods);
        continue;
      }
    if (cycle.seen >= cycle.renew) {
      cycle.renew *= 2;
      set_checkpoint(frame);
    }
  }
}

Time Engine::held_until_now(flow::ResourceId id) {
  const Channels::Channel& channel = channels_[id];
  return channel.held + (channel.holder.valid() ? now_ - channel.held_since : Time());
}

// When the stage ends that an operation is in.
Time Engine::until(const Frame& frame, std::uint32_t operation) const {
  const std::uint32_t flow = frame.states[operation].flow;
  return flow != kNone ? sharing_.done(flow) : frame.clocks[operation].until;
}

void Engine::set_checkpoint(Frame& frame) {
  survey(frame.body);
  Cycle& cycle = *frame.cycle;
  Checkpoint& checkpoint = cycle.checkpoint;
  cycle.met = cycle.tied = false;
  checkpoint.at = now_;
  checkpoint.paths = frame.paths;
  checkpoint.marks.clear();
  checkpoint.channels.clear();
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    const State& s = frame.states[i];
    checkpoint.marks.push_back({s.instance, s.stage, s.ready - now_, until(frame, i) - now_});
  }
  // Somebody is here already: whoever joins them later would not be noticed
  for (std::uint32_t link : facts_[frame.body.value].links)
    if (sharing_.flows_on(link) != 0 && user_[link] != frame.lineage) cycle.met = true;
  for (std::uint32_t id : facts_[frame.body.value].channels) {
    const Channels::Channel& channel = channels_[flow::ResourceId{id}];
    checkpoint.channels.push_back({channel.circuit, held_until_now(flow::ResourceId{id})});
    if (channel.holder.valid() && frames_[channel.holder.frame].lineage != frame.lineage) cycle.met = true;
  }
  cycle.origin.resize(frame.states.size());
  for (std::uint32_t i = 0; i < cycle.origin.size(); ++i) cycle.origin[i] = i;
}

// Whether the frame is as it was at the checkpoint, but for instances and the clock.
bool Engine::same_as_checkpoint(Frame& frame) {
  Cycle& cycle = *frame.cycle;
  const Checkpoint& checkpoint = cycle.checkpoint;
  if (now_ == checkpoint.at) return false;
  std::uint32_t moved = 0;
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    const State& s = frame.states[i];
    const Checkpoint::Mark& mark = checkpoint.marks[i];
    if (s.stage != mark.stage) return false;
    const std::uint32_t delta = s.instance - mark.instance;
    if (delta != 0) {
      if (moved != 0 && delta != moved) return false;
      moved = delta;
      if (s.stage != Stage::kDone && s.ready - now_ != mark.ready) return false;
    }
    switch (s.stage) {
      case Stage::kOverhead:
      case Stage::kSetup:
      case Stage::kLatency:
      case Stage::kRunning:
        if (delta == 0 || until(frame, i) - now_ != mark.until) return false;
        break;
      case Stage::kWaiting:
      case Stage::kDone: break;
      default: return false;
    }
  }
  if (moved == 0) return false;
  cycle.instances = moved;

  // The resources: nobody else on them, circuits as they were.
  const Facts& facts = facts_[frame.body.value];
  for (std::uint32_t link : facts.links)
    if ((sharing_.flows_on(link) != 0 && user_[link] != frame.lineage) || leaper_[link] != kNone) return false;
  for (std::size_t i = 0; i < facts.channels.size(); ++i) {
    const Channels::Channel& channel = channels_[flow::ResourceId{facts.channels[i]}];
    if (channel.circuit != checkpoint.channels[i].circuit || !channel.line.empty() ||
        leaper_[facts.channels[i]] != kNone ||
        (channel.holder.valid() && frames_[channel.holder.frame].lineage != frame.lineage))
      return false;
  }
  return true;
}

bool Engine::paths_are_certain(const Frame& frame) {
  const Cycle& cycle = *frame.cycle;
  if (!cycle.tied) return true;
  std::optional<Path> growth;
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    if (frame.states[i].instance == cycle.checkpoint.marks[i].instance) continue;
    Path mine = frame.paths[i];
    mine.split += cycle.checkpoint.paths[i].split.scaled(-1);
    mine.steps -= cycle.checkpoint.paths[i].steps;
    if (!growth)
      growth = mine;
    else if (mine.steps != growth->steps || mine.split != growth->split)
      return false;
  }
  return true;
}

// How many periods ahead everything stays as it is.
std::uint64_t Engine::periods_ahead(const Frame& frame) {
  const Cycle& cycle = *frame.cycle;
  const flow::Template& body = program_.templates[frame.body.value];
  const std::int64_t p = cycle.instances;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto moves = [&](std::uint32_t op) { return frame.states[op].instance != cycle.checkpoint.marks[op].instance; };

  // Nobody finishes.
  for (std::uint32_t i = 0; i < frame.states.size(); ++i)
    if (moves(i))
      most = std::min(most, (static_cast<std::int64_t>(body.operations[i].repeat) - 1 - frame.states[i].instance) / p);

  for (const flow::Edge& edge : body.edges) {
    const std::int64_t to = frame.states[edge.to].instance, from = frame.states[edge.from].instance;
    if (moves(edge.to)) {
      // The range neither begins nor ends between the checkpoint and the end of the leap.
      const std::int64_t was = cycle.checkpoint.marks[edge.to].instance;
      if (was < edge.first && edge.first <= to) return 0;
      if (was < edge.last && edge.last <= to) return 0;
      if (to < edge.first)
        most = std::min(most, (static_cast<std::int64_t>(edge.first) - 1 - to) / p);
      else if (to < edge.last)
        most = std::min(most, (static_cast<std::int64_t>(edge.last) - 1 - to) / p);
      // It does not run into something that stands still.
      if (!moves(edge.from) && to >= edge.first && to < edge.last && frame.states[edge.from].stage != Stage::kDone)
        most = std::min(most, std::max<std::int64_t>(0, (from - 1 - (to + edge.offset)) / p));
    } else if (moves(edge.from) && frame.states[edge.to].stage == Stage::kWaiting && to >= edge.first &&
               to < edge.last) {
      // It does not release somebody who stands still.
      const std::int64_t needed = to + edge.offset;
      if (from <= needed) most = std::min(most, (needed - from) / p);
    }
  }
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, most));
}

// The instances that are leapt over, as one span: each a period's share after the last.
void Engine::record_periods(Holder h) {
  const Frame& frame = frames_[h.frame];
  const State& s = frame.states[h.operation];
  if (timeline_.spans.size() >= options_.span_limit) {
    timeline_.spans_cut = true;
    return;
  }
  const std::uint64_t instances = frame.leap_rounds * frame.cycle->instances;
  const Time each = Time::zeptoseconds(frame.leap_period.count() / frame.cycle->instances);
  timeline_.spans.push_back({frame.body, h.operation, frame.depth, s.ready,
                             s.stage == Stage::kWaiting ? s.ready : until(frame, h.operation), instances, each});
}

void Engine::leap_periods(std::uint32_t index, std::uint64_t periods) {
  Frame& frame = frames_[index];
  frame.leap_start = now_;
  frame.leap_period = now_ - frame.cycle->checkpoint.at;
  frame.leap_rounds = periods;
  frame.in_periods = true;
  for (State& s : frame.states) {  // what was posted is posted again afterwards
    ++s.version;
    if (s.flow < ends_.size()) ends_[s.flow] = {};
  }
  mark_and_post(index);
}

// Goes on after leap_rounds periods, which is now.
void Engine::resume_cycle(std::uint32_t index) {
  Frame& frame = frames_[index];
  Cycle& cycle = *frame.cycle;
  const std::int64_t periods = static_cast<std::int64_t>(frame.leap_rounds);
  const Time shift = frame.leap_period * periods;
  frame.leaping = false;
  frame.in_periods = false;
  ++frame.version;
  timeline_.rounds_jumped += static_cast<std::uint64_t>(periods) * cycle.instances;

  // The clockwork of every operation, later.
  std::vector<bool> moved(frame.states.size(), false);
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    State& s = frame.states[i];
    if (s.instance == cycle.checkpoint.marks[i].instance) continue;
    moved[i] = true;
    if (options_.record && periods > 0) record_periods({index, i});
    s.instance += static_cast<std::uint32_t>(periods) * cycle.instances;
    s.ready += shift;
    s.since += shift;
    frame.clocks[i].finished += shift;
    s.asked += shift;
    if (s.stage == Stage::kWaiting) continue;
    const Time end = until(frame, i) + shift;
    if (s.flow != kNone) sharing_.shift(s.flow, shift);
    post({index, i}, end);
  }
  for (std::size_t i = 0; i < cycle.checkpoint.channels.size(); ++i) {
    Channels::Channel& channel = channels_[flow::ResourceId{facts_[frame.body.value].channels[i]}];
    const Time held = channel.held + (channel.holder.valid() ? frame.leap_start - channel.held_since : Time());
    channel.held += (held - cycle.checkpoint.channels[i].held) * periods;
    if (channel.holder.valid()) channel.held_since += shift;
  }

  // The paths: the map of one period, applied `periods` times by squaring.
  std::vector<std::uint32_t> origin = cycle.origin;
  std::vector<Path> gain(frame.paths.size());
  for (std::uint32_t i = 0; i < origin.size(); ++i) {
    if (!moved[i]) {  // stands still, and so does its path
      origin[i] = i;
      continue;
    }
    gain[i].split = frame.paths[i].split;
    gain[i].split += cycle.checkpoint.paths[origin[i]].split.scaled(-1);
    gain[i].steps = frame.paths[i].steps - cycle.checkpoint.paths[origin[i]].steps;
  }
  const auto apply = [&](std::vector<Path>& paths) {
    std::vector<Path> next(paths.size());
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
      next[i] = paths[origin[i]];
      next[i].split += gain[i].split;
      next[i].steps += gain[i].steps;
    }
    paths = std::move(next);
  };
  for (std::uint64_t left = static_cast<std::uint64_t>(periods); left > 0; left /= 2) {
    if (left % 2 == 1) apply(frame.paths);
    if (left == 1) break;
    std::vector<std::uint32_t> twice(origin.size());
    for (std::uint32_t i = 0; i < origin.size(); ++i) twice[i] = origin[origin[i]];
    apply(gain);
    origin = std::move(twice);
  }

  cycle.reference = kNone;
  cycle.checkpoint.marks.clear();
  cycle.origin.clear();
}

}  // namespace helio::simulate
