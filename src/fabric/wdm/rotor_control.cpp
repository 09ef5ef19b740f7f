// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/rotor_control.h"

#include <algorithm>

namespace helio::fabric {
namespace {

// Of a node: the light of each pair that its flows so far take, counted from the beginning.
struct RotorState : flow::AgentState {
  std::map<std::uint32_t, Time> taken;  // by destination

  std::unique_ptr<flow::AgentState> clone() const override { return std::make_unique<RotorState>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override {
    for (const auto& [to, light] : taken)
      words.insert(words.end(),
                   {to, static_cast<std::uint64_t>(light.count() >> 64), static_cast<std::uint64_t>(light.count())});
  }
};

}  // namespace

Time RotorCalendar::lit_by(std::uint32_t index, Time now) const {
  const Time first = slot * index + retune;
  if (now <= first) return {};
  const std::int64_t cycles = (now - first) / cycle();
  return open() * cycles + std::min(now - first - cycle() * cycles, open());
}

Time RotorCalendar::when_lit(std::uint32_t index, Time light) const {
  if (light <= Time()) return {};
  const std::int64_t whole = (light - Time::zeptoseconds(1)) / open();  // what fills a slot ends with it
  return slot * index + retune + cycle() * whole + (light - open() * whole);
}

std::unique_ptr<flow::AgentState> RotorController::initial(flow::Agent) const { return std::make_unique<RotorState>(); }

void RotorController::react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
                            std::vector<flow::Action>& actions) const {
  using Kind = flow::Event::Kind;
  if (event.kind == Kind::kTimer) return actions.push_back(flow::Action::start(event.timer));
  if (event.kind != Kind::kReady) return;

  const std::uint32_t slot = calendar_.slot_of(agent, event.claim);
  const Time ready = event.now + overhead_, needed = Time::seconds(seconds_at(Bytes{event.bytes}, rate_));
  Time& taken = static_cast<RotorState&>(state).taken[event.claim];
  taken = std::max(taken, calendar_.lit_by(slot, ready)) + needed;
  const Time wait = calendar_.when_lit(slot, taken) - needed - ready;
  if (wait > Time())
    actions.push_back(flow::Action::set_timer(event.ticket, wait));
  else
    actions.push_back(flow::Action::start(event.ticket));
}

}  // namespace helio::fabric
