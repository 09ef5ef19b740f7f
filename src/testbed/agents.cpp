// SPDX-License-Identifier: Apache-2.0
#include "testbed/agents.h"

#include <stdexcept>
#include <utility>

namespace helio::testbed {

Agents::Agents(const flow::Controller& controller, flow::Agent first, flow::Agent count, Send send, Start start)
    : controller_(controller), first_(first), send_(std::move(send)), start_(std::move(start)) {
  for (flow::Agent agent = first; agent < first + count; ++agent) states_.push_back(controller.initial(agent));
}

void Agents::begin(Time now) {
  for (flow::Agent agent = first_; agent < first_ + states_.size(); ++agent) hear(agent, {}, now);
}

std::optional<Time> Agents::next() const {
  return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first);
}

void Agents::hear(flow::Agent agent, flow::Event event, Time now) {
  event.now = now;
  std::vector<flow::Action> actions;
  controller_.react(agent, *states_.at(agent - first_), event, actions);
  for (const flow::Action& action : actions) switch (action.kind) {
      case flow::Action::Kind::kSend: send_(agent, action.to, action.message, action.delay); break;
      case flow::Action::Kind::kTimer: timers_.emplace(now + action.delay, std::pair(agent, action.timer)); break;
      case flow::Action::Kind::kStart: start_(action.ticket); break;
      default: throw std::logic_error("a testbed cuts no flows, and its controller wants to");
    }
}

void Agents::fire(Time now) {
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const auto [agent, timer] = timers_.begin()->second;
    timers_.erase(timers_.begin());
    flow::Event event;
    event.kind = flow::Event::Kind::kTimer;
    event.timer = timer;
    hear(agent, event, now);
  }
}

}  // namespace helio::testbed
