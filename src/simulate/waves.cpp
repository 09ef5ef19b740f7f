// SPDX-License-Identifier: Apache-2.0
// Waves: rounds of transfers over links alone in which nobody waits for anybody set out, and end, many by one event.
#include <algorithm>
#include <vector>

#include "base/budget.h"
#include "simulate/engine.h"

namespace helio::simulate {

// An event that tells of as many.
void Engine::count_wave(std::size_t events) {
  Budget::spend(static_cast<std::int64_t>(8 * (events - 1)));
  timeline_.events += events - 1;
}

// All operations of a round in which nobody waits for anybody.
void Engine::begin_together(std::uint32_t index) {
  const Time overhead = program_.templates[frames_[index].body.value].operations.front().duration;
  if (overhead.is_zero()) return request_together(index);
  queue_.post(now_ + overhead, {Event::Kind::kWave, index, kTogether, frames_[index].version});
}

// They set out in waves; where somebody leaps over what one of them will use, each by itself.
void Engine::request_together(std::uint32_t index) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  bool wait = false;
  if (marks_ > 0) {
    wait_.clear();
    for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
      wait_.push_back(break_leaps_on_way({index, i}));
      wait = wait || wait_.back();
    }
  }
  if (!wait) {
    for (std::uint32_t w = 0; w < facts.waves.size(); ++w)
      if (const Time latency = facts.waves[w].latency; latency.is_zero())
        set_out(index, w);
      else
        queue_.post(now_ + latency, {Event::Kind::kWave, index, w, frame.version});
    return;
  }
  for (std::uint32_t i = 0; i < frame.states.size(); ++i) {
    State& s = frame.states[i];
    s.stage = Stage::kRequesting;
    s.instance = 0;
    s.unmet = kNone;
    s.bytes = operation({index, i}).bytes;
    s.ready = frame.round_start;
    s.since = s.asked = now_;
    if (wait_[i])
      post({index, i}, now_);
    else
      launch({index, i});
  }
}

void Engine::set_out(std::uint32_t index, std::uint32_t number) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  const Wave& wave = facts.waves[number];
  bool some_alone = false;
  for (std::uint32_t d = wave.first; d < wave.last; ++d) {
    const Departure& departure = facts.departures[d];
    const Holder h{index, departure.operation};
    State& s = frame.states[departure.operation];
    s.stage = Stage::kLatency;
    s.instance = 0;
    s.unmet = kNone;
    s.bytes = departure.bytes;
    s.ready = frame.round_start;
    s.since = now_;
    if (break_leaps_on_way(h)) {
      post(h, now_);
      continue;
    }
    s.stage = Stage::kRunning;
    const auto links = program_.routes.links(departure.route);
    if (departure.may_be_alone && set_out_alone(h, links))
      some_alone = true;
    else
      flow_over(links, h, Sharing::kNoCap, {departure.priority, departure.share});
  }
  if (some_alone) alone_.push_back({index, number});
}

// Over empty links: these are lent.
bool Engine::set_out_alone(Holder h, std::span<const flow::LinkUse> links) {
  for (const flow::LinkUse& use : links)
    if (sharing_.flows_on(use.link.value) > 0) return false;
  const std::uint32_t lineage = frames_[h.frame].lineage;
  for (const flow::LinkUse& use : links) {
    user_[use.link.value] = lineage;
    lone_[use.link.value] = h;
    sharing_.lend(use.link.value);
  }
  return true;
}

// Those that set out alone and still are end together.
void Engine::end_alone_later() {
  for (const auto& [index, number] : alone_) {
    Frame& frame = frames_[index];
    const Facts& facts = facts_[frame.body.value];
    for (std::uint32_t g = facts.waves[number].first_group; g < facts.waves[number].last_group; ++g) {
      bool some = false;
      for (const std::uint32_t d : facts.groups[g].departures)
        if (State& s = frame.states[facts.departures[d].operation]; s.stage == Stage::kRunning && s.flow == kNone) {
          s.unmet = s.version;
          some = true;
        }
      if (some) queue_.post(now_ + facts.groups[g].period, {Event::Kind::kAlone, index, g, frame.version});
    }
  }
  alone_.clear();
}

// Of those that were joined by others since, those end too whose rate never changed.
void Engine::end_alone(std::uint32_t index, std::uint32_t group) {
  Frame& frame = frames_[index];
  const Facts& facts = facts_[frame.body.value];
  std::size_t ended = 0;
  for (const std::uint32_t d : facts.groups[group].departures) {
    const Departure& departure = facts.departures[d];
    const State& s = frame.states[departure.operation];
    if (s.stage != Stage::kRunning || s.unmet != s.version) continue;
    if (s.flow == kNone)
      for (const flow::LinkUse& use : program_.routes.links(departure.route)) sharing_.take_back(use.link.value);
    finish_together({index, departure.operation});
    ++ended;
  }
  count_wave(std::max<std::size_t>(ended, 1));
}

// Somebody comes to one of its links.
void Engine::join(Holder alone) {
  State& s = state(alone);
  const flow::Operation& op = operation(alone);
  const auto links = program_.routes.links(op.route);
  for (const flow::LinkUse& use : links) sharing_.take_back(use.link.value);
  const Sharing::Claim claim{op.priority, op.share};
  s.flow = s.unmet == kNone
               ? sharing_.add(links, op.bytes, Sharing::kNoCap, claim, alone.frame, alone.operation, s.since)
               : sharing_.add_alone(links, op.bytes, claim, alone.frame, alone.operation, s.since);
  if (s.flow < ends_.size()) ends_[s.flow] = {};
}

// Of a round in which nobody waits for anybody; of those that end at one time the first decides the path.
void Engine::finish_together(Holder h) {
  Frame& frame = frames_[h.frame];
  State& s = frame.states[h.operation];
  if (now_ > frame.last_finish) frame.best = {own_split(h), operation(h).step ? 1u : 0u, Link::kNone};
  frame.last_finish = now_;
  if (s.flow != kNone) sharing_.remove(std::exchange(s.flow, kNone));
  s.stage = Stage::kDone;
  s.since = now_;
  ++s.version;
  if (options_.record) record(h, 1, Time());
  if (--frame.unfinished == 0) to_end_.push_back(h.frame);
}

}  // namespace helio::simulate
