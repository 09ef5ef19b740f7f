// SPDX-License-Identifier: Apache-2.0
// Exclusive channels in the engine: taking all or none, standing in line, pre-emption, suspension.
#include <algorithm>
#include <utility>

#include "simulate/engine.h"

namespace helio::simulate {

Waiter Engine::waiter(Holder h) { return {h, operation(h).priority, state(h).asked, frames_[h.frame].place}; }

// Hands out channels at the present time: the most urgent first, then who asked first.
void Engine::serve_requests() {
  std::vector<Waiter>& asking = asking_;
  asking.clear();
  asking.swap(to_serve_);
  // A leap that began after a request is broken first; then all wait until that frame has caught up, so that none gets ahead.
  bool wait = false;
  for (const Waiter& waiter : asking) wait = break_leaps_on_way(waiter.who) || wait;
  if (wait) {
    to_serve_.insert(to_serve_.end(), asking.begin(), asking.end());
    return;
  }
  std::sort(asking.begin(), asking.end());
  for (std::size_t next = 0; next < asking.size(); ++next) {
    try_take(asking[next]);
    if (to_serve_.empty()) continue;
    // Somebody was pushed aside: he, and who waited for what he let go of, are served in their order too.
    asking.insert(asking.end(), to_serve_.begin(), to_serve_.end());
    to_serve_.clear();
    std::sort(asking.begin() + static_cast<std::ptrdiff_t>(next) + 1, asking.end());
  }
}

bool Engine::try_take(Waiter waiter) {
  State& s = state(waiter.who);
  if (s.stage != Stage::kRequesting && s.stage != Stage::kInLine) return false;  // suspended meanwhile
  const flow::Operation& op = operation(waiter.who);
  const auto wanted = channels_of(waiter.who);
  const std::uint32_t lineage = frames_[waiter.who.frame].lineage;
  if (const flow::ResourceId busy = channels_.first_closed(wanted, op.priority); busy.valid()) {
    for (flow::ResourceId id : wanted)
      if (channels_[id].holder.valid()) meet(lineage, frames_[channels_[id].holder.frame].lineage);
    s.stage = Stage::kInLine;
    channels_[busy].line.push_back(waiter);
    return false;
  }
  push_aside(waiter, wanted);
  for (flow::ResourceId id : wanted) come_after(channels_[id].last_lineage, lineage);
  const flow::Circuit circuit = op.circuit != flow::kDark ? op.circuit : flow::Circuit{route(waiter.who).value} + 1;
  const Time setup = channels_.take(wanted, waiter.who, op.priority, circuit, op.always_setup, now_);
  s.waited += now_ - s.since;
  s.since = now_;
  if (setup.is_zero()) {
    launch(waiter.who);
  } else {
    s.stage = Stage::kSetup;
    post(waiter.who, now_ + setup);
  }
  return true;
}

// Suspends everyone who holds one of the channels. Requires: all of them may be pushed aside.
void Engine::push_aside(const Waiter& waiter, std::span<const flow::ResourceId> wanted) {
  for (flow::ResourceId id : wanted) {
    const Holder holder = channels_[id].holder;
    if (!holder.valid()) continue;
    meet(frames_[waiter.who.frame].lineage, frames_[holder.frame].lineage);
    suspend(holder);
    state(holder).stage = Stage::kRequesting;
    to_serve_.push_back(this->waiter(holder));
  }
}

void Engine::let_go(Holder h) { channels_.release(channels_of(h), now_, to_serve_); }

void Engine::remember_holds(Holder h) {
  State& s = state(h);
  if (free_holds_.empty()) {
    s.holds = static_cast<std::uint32_t>(holds_.size());
    holds_.emplace_back();
  } else {
    s.holds = free_holds_.back();
    free_holds_.pop_back();
  }
  Holds& holds = holds_[s.holds];
  holds.route = route(h);
  holds.held.clear();
  for (const flow::ResourceId id : channels_of(h)) holds.held.push_back(held_until_now(id));
}

// Of the time since it asked: what is left beside the longest that others held one of its channels, for so long it would have waited
// without a controller, too. Nothing is told apart where the controller chose another route than the first.
Time Engine::waited_for_decision(Holder h) {
  State& s = state(h);
  const Holds& holds = holds_[s.holds];
  free_holds_.push_back(std::exchange(s.holds, kNone));
  if (holds.route != route(h)) return Time();
  Time held;
  const auto channels = channels_of(h);
  for (std::size_t i = 0; i < channels.size(); ++i) held = std::max(held, held_until_now(channels[i]) - holds.held[i]);
  return std::max(Time(), now_ - s.since - held);
}

// Takes an operation off its resources, keeping what it has achieved. A setup or a latency that was under way starts over.
void Engine::suspend(Holder h) {
  State& s = state(h);
  const flow::Operation& op = operation(h);
  switch (s.stage) {
    case Stage::kRunning:
      if (s.flow != kNone) {
        s.bytes = sharing_.remove(s.flow, now_);
        s.flow = kNone;
      } else if (op.kind == flow::OperationKind::kTransfer) {
        s.bytes = std::max(0.0, s.bytes - channels_.rate(channels_of(h)) * (now_ - s.since).to_seconds());
      } else {
        s.left -= now_ - s.since;
      }
      break;
    case Stage::kSetup:
      for (flow::ResourceId id : channels_of(h)) channels_[id].circuit = flow::kDark;
      [[fallthrough]];
    case Stage::kLatency:
    case Stage::kOverhead:
    case Stage::kRequesting:
    case Stage::kInLine: s.waited += now_ - s.since; break;
    default: break;
  }
  const bool held = s.stage == Stage::kRunning || s.stage == Stage::kSetup || s.stage == Stage::kLatency;
  if (held && !channels_of(h).empty()) let_go(h);
  s.stage = Stage::kSuspended;
  s.since = now_;
  ++s.version;
}

}  // namespace helio::simulate
