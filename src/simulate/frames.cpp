// SPDX-License-Identifier: Apache-2.0
// Frames: what is known of a template before it runs, calls that open, rounds that start and end.
#include <algorithm>
#include <map>

#include "simulate/engine.h"

namespace helio::simulate {

void Engine::learn(flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  if (!facts.unmet.empty()) return;
  const flow::Template& body = program_.templates[id.value];
  const std::size_t count = body.operations.size();
  facts.unmet.assign(count, 0);
  facts.size = count;
  facts.shows = body.visible;
  for (const flow::Operation& op : body.operations) {
    if (op.controlled) {
      facts.asks = true;
      if (!program_.controls[op.controller].controller->repeats()) facts.leaps = false;
    }
    if (op.repeat > 1) facts.tracks = true;
    if (body.visible) facts.tracks = true;
    if (op.kind == flow::OperationKind::kCall) {
      learn(op.callee);
      facts.shows = facts.shows || facts_[op.callee.value].shows;
      facts.size = std::min<std::uint64_t>(facts.size + facts_[op.callee.value].size, 1ull << 60);
      if (!facts_[op.callee.value].leaps) facts.leaps = false;
      if (facts_[op.callee.value].asks) facts.asks = true;
    }
  }
  if (facts.tracks)
    facts.cycles = facts.leaps && !facts.asks &&
                   std::none_of(body.operations.begin(), body.operations.end(),
                                [](const flow::Operation& op) { return op.kind == flow::OperationKind::kCall; });
  facts.in_waves = !facts.tracks && goes_in_waves(body);
  if (body.edges.empty()) return;
  facts.tracks = true;
  facts.out_begin.assign(count + 1, 0);
  facts.in_begin.assign(count + 1, 0);
  for (const flow::Edge& edge : body.edges) {
    ++facts.out_begin[edge.from + 1];
    ++facts.in_begin[edge.to + 1];
    if (edge.first == 0) ++facts.unmet[edge.to];
  }
  for (std::size_t i = 0; i < count; ++i) {
    facts.out_begin[i + 1] += facts.out_begin[i];
    facts.in_begin[i + 1] += facts.in_begin[i];
  }
  facts.out.resize(body.edges.size());
  facts.in.resize(body.edges.size());
  std::vector<std::uint32_t> out_at(facts.out_begin.begin(), facts.out_begin.end() - 1);
  std::vector<std::uint32_t> in_at(facts.in_begin.begin(), facts.in_begin.end() - 1);
  for (std::uint32_t i = 0; i < body.edges.size(); ++i) {
    facts.out[out_at[body.edges[i].from]++] = i;
    facts.in[in_at[body.edges[i].to]++] = i;
  }
}

namespace {

bool each_once(std::span<const flow::LinkUse> links) {
  for (std::size_t i = 1; i < links.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (links[i].link == links[k].link) return false;
  return true;
}

}  // namespace

// Requires: nothing in it repeats.
bool Engine::goes_in_waves(const flow::Template& body) const {
  if (!body.edges.empty() || body.operations.empty()) return false;
  const flow::Operation& first = body.operations.front();
  return std::ranges::all_of(body.operations, [&](const flow::Operation& op) {
    return op.kind == flow::OperationKind::kTransfer && op.bytes > 0 && op.route.valid() && op.alternatives == 1 &&
           !op.controlled && op.duration == first.duration && op.step == first.step &&
           program_.routes.channels(op.route).empty() && !program_.routes.links(op.route).empty();
  });
}

void Engine::plan_waves(flow::TemplateId id) {
  Facts& facts = facts_[id.value];
  if (!facts.departures.empty()) return;
  const std::vector<flow::Operation>& operations = program_.templates[id.value].operations;
  facts.departures.reserve(operations.size());
  for (std::uint32_t i = 0; i < operations.size(); ++i)
    facts.departures.push_back(
        {operations[i].bytes, operations[i].route, i, operations[i].share, operations[i].priority});
  const auto latency = [&](const Departure& departure) { return program_.routes.latency(departure.route); };
  std::ranges::stable_sort(facts.departures, {}, latency);
  for (std::uint32_t i = 0; i < facts.departures.size(); ++i) {
    const Time its = latency(facts.departures[i]);
    if (facts.waves.empty() || facts.waves.back().latency != its) facts.waves.push_back({its, i, i, 0, 0});
    facts.waves.back().last = i + 1;
  }
  for (Wave& wave : facts.waves) {
    wave.first_group = static_cast<std::uint32_t>(facts.groups.size());
    std::map<Time, std::uint32_t> by_period;
    for (std::uint32_t i = wave.first; i < wave.last; ++i) {
      Departure& departure = facts.departures[i];
      const auto links = program_.routes.links(departure.route);
      const double seconds = departure.bytes / sharing_.rate_alone(links);
      departure.may_be_alone = seconds < Sharing::kForever && each_once(links);
      if (!departure.may_be_alone) continue;
      const auto [at, fresh] = by_period.try_emplace(Time::seconds(seconds), facts.groups.size());
      if (fresh) facts.groups.push_back({at->first, {}});
      facts.groups[at->second].departures.push_back(i);
    }
    wave.last_group = static_cast<std::uint32_t>(facts.groups.size());
  }
}

std::uint32_t Engine::open_frame(flow::TemplateId body, std::uint64_t rounds, std::uint32_t parent,
                                 std::uint32_t call) {
  learn(body);
  Facts& facts = facts_[body.value];
  std::uint32_t index;
  if (facts.idle.empty()) {
    index = static_cast<std::uint32_t>(frames_.size());
    frames_.emplace_back();
  } else {
    index = facts.idle.back();
    facts.idle.pop_back();
  }
  Frame& frame = frames_[index];
  frame.body = body;
  frame.parent = parent;
  frame.call = call;
  frame.depth = parent == kNone ? 0 : frames_[parent].depth + 1;
  frame.place = parent == kNone ? 0 : frames_[parent].place * 1'000'003 + call + 1;
  frame.rounds = rounds;
  frame.round = 0;
  frame.start = now_;
  frame.total = {};
  frame.in_periods = false;
  frame.lineage = lineages_.open(parent == kNone ? kNone : frames_[parent].lineage, index);
  ++frame.version;
  return index;
}

// For the states of a frame that really runs.
void Engine::make_room(Frame& frame) {
  const std::size_t count = program_.templates[frame.body.value].operations.size();
  frame.states.resize(count);
  if (facts_[frame.body.value].tracks) {
    frame.paths.resize(count);
    frame.clocks.resize(count);
  } else {
    sharing_.reserve(count);
    if (facts_[frame.body.value].in_waves)
      plan_waves(frame.body);
    else
      queue_.reserve(count);
  }
}

void Engine::start_round(std::uint32_t index) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  frame.round_start = now_;
  frame.last_finish = Time::zeptoseconds(-1);
  frame.disturbed = false;
  frame.unfinished = static_cast<std::uint32_t>(facts.unmet.size());
  if (frame.unfinished == 0 || frame.rounds == 0) {
    frame.round = frame.rounds;
    to_end_.push_back(index);
    return;
  }
  if (leap_from_memory(index)) return;
  if (frame.states.empty()) make_room(frame);
  if (options_.jump && facts.leaps && frame.round + 1 < frame.rounds) mark(frame);
  if (options_.jump && facts.cycles) frame.cycle = std::make_unique<Cycle>();
  if (facts.in_waves) return to_begin_.push_back({index, kTogether});
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    State& state = frame.states[i];
    const std::uint32_t version = state.version;
    state = State{};
    state.version = version + 1;
    state.unmet = facts.unmet[i];
    if (facts.tracks) frame.paths[i] = {};
    if (state.unmet == 0) to_begin_.push_back({index, i});
  }
}

void Engine::end_round(std::uint32_t index) {
  Frame& frame = frames_[index];
  if (frame.round < frame.rounds) {
    ++frame.round;
    frame.total.split += frame.best.split;
    frame.total.steps += frame.best.steps;
    if (program_.templates[frame.body.value].visible)
      frame.total.link =
          add_link({frame.total.link, frame.best.link, frame.body, Link::kNone, 1, frame.round_start, now_});
    if (Facts& facts = facts_[frame.body.value]; !frame.disturbed && facts.leaps && !facts.asks && !facts.timed) {
      facts.timed = true;
      facts.period = now_ - frame.round_start;
      facts.path = frame.best;
    }
  }
  if (frame.round == frame.rounds) return close_frame(index);
  if (may_leap(index)) return leap(index);
  start_round(index);
}

void Engine::close_frame(std::uint32_t index) {
  Frame& frame = frames_[index];
  facts_[frame.body.value].idle.push_back(index);
  lineages_.close(frame.lineage);
  if (frame.parent == kNone) {
    finished_ = true;
    timeline_.end = now_;
    timeline_.critical = frame.total.split;
    timeline_.steps = frame.total.steps;
    timeline_.last_link = frame.total.link;
    return;
  }
  finish({frame.parent, frame.call});
}

}  // namespace helio::simulate
