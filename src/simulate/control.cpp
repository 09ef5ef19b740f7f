// SPDX-License-Identifier: Apache-2.0
// The controller's runtime in the engine: agents, messages that may be late or lost, timers, and their actions.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "simulate/engine.h"

namespace helio::simulate {

void Engine::start_control() {
  for (const flow::Control& control : program_.controls) {
    Crew& crew =
        crews_.emplace_back(Crew{*control.controller, control.messages, Random(control.messages.seed), {}, kNone});
    for (flow::Agent agent = 0; agent < control.controller->agents(); ++agent)
      crew.agents.push_back(control.controller->initial(agent));
  }
  flow::Event event;
  event.kind = flow::Event::Kind::kStart;
  for (std::uint16_t c = 0; c < crews_.size(); ++c)
    for (flow::Agent agent = 0; agent < crews_[c].agents.size(); ++agent) deliver({c, agent}, event);
}

void Engine::arrive(std::uint32_t slot) {
  const Delivery& delivery = deliveries_[slot];
  flow::Event event;
  event.kind = delivery.kind;
  event.from = delivery.from;
  event.message = delivery.message;
  event.timer = delivery.timer;
  free_deliveries_.push_back(slot);
  deliver(Address(delivery.to), event);
}

// Tells controllers of who is ready, in an order that does not hang on who was simulated and who was leapt over.
void Engine::ask_controllers() {
  std::vector<Waiter>& asking = asking_;
  asking.clear();
  asking.swap(to_ask_);
  // A leap over whom somebody asks is broken first; then all wait until that frame has caught up.
  bool wait = false;
  for (const Waiter& waiter : asking)
    wait = (marks_ > 0 && break_leap_over(program_.resources.size() + operation(waiter.who).controller, waiter.who)) ||
           wait;
  if (wait) {
    to_ask_.insert(to_ask_.end(), asking.begin(), asking.end());
    return;
  }
  std::sort(asking.begin(), asking.end());
  for (const Waiter& waiter : asking) {
    const Holder h = waiter.who;
    State& s = state(h);
    const flow::Operation& op = operation(h);
    come_after(crews_[op.controller].last_lineage, frames_[h.frame].lineage);
    remember_holds(h);
    s.ticket = open_ticket(h);
    flow::Event event;
    event.kind = flow::Event::Kind::kReady;
    event.ticket = s.ticket;
    event.claim = op.claim;
    event.bytes = op.bytes;
    event.priority = op.priority;
    deliver({op.controller, op.agent}, event);
  }
}

void Engine::deliver(Address to, flow::Event& event) {
  event.now = now_;
  std::vector<flow::Action> actions;
  actions.swap(actions_);
  actions.clear();
  Crew& crew = crews_[to.controller];
  crew.controller.react(to.agent, *crew.agents[to.agent], event, actions);
  for (const flow::Action& action : actions) apply(to, action);
  actions_.swap(actions);
}

flow::Ticket Engine::open_ticket(Holder h) {
  if (free_tickets_.empty()) {
    tickets_.emplace_back();
    free_tickets_.push_back(static_cast<std::uint32_t>(tickets_.size()));
  }
  const std::uint32_t place = free_tickets_.back();
  free_tickets_.pop_back();
  tickets_[place - 1].holder = h;
  return flow::Ticket{tickets_[place - 1].before} << 32 | place;
}

void Engine::close_ticket(flow::Ticket ticket) {
  const auto place = static_cast<std::uint32_t>(ticket);
  tickets_[place - 1] = {{}, tickets_[place - 1].before + 1};
  free_tickets_.push_back(place);
}

Holder Engine::holder_of(flow::Ticket ticket) const {
  const auto place = static_cast<std::uint32_t>(ticket);
  const bool given = place >= 1 && place <= tickets_.size() && tickets_[place - 1].before == ticket >> 32;
  return given ? tickets_[place - 1].holder : Holder{};
}

// Where every flow asks, hardly two events are of one time, and each is about somebody else, whose state is in no cache: what the next ones will
// touch is fetched while this one is dealt with.
void Engine::expect_next() const {
  // Inlined by force: a call that returns nothing and changes nothing is otherwise left out, with what it fetches.
  const auto fetch = [](const void* at, int lines) __attribute__((always_inline)) {
    for (int i = 0; i < lines; ++i) __builtin_prefetch(static_cast<const char*>(at) + 64 * i);
  };
  queue_.look_ahead([&](const Event& event, bool next) __attribute__((always_inline)) {
    if (event.kind == Event::Kind::kControl) {
      const Delivery& delivery = deliveries_[event.frame];
      if (next)
        fetch(crews_[delivery.to.controller].agents[delivery.to.agent].get(), 4);
      else
        fetch(&delivery, 1);
    } else if (event.kind == Event::Kind::kOperation) {
      const Frame& frame = frames_[event.frame];
      if (event.operation >= frame.states.size()) return;
      fetch(&frame.states[event.operation], next ? 3 : 1);
      if (next && !frame.paths.empty()) fetch(&frame.paths[event.operation], 2);
    } else if (!next) {
      fetch(&frames_[event.frame], 2);
    } else if (const Frame& frame = frames_[event.frame]; !frame.states.empty()) {
      fetch(frame.states.data(), 12);
    }
  });
}

void Engine::apply(Address from, const flow::Action& action) {
  const auto post_control = [&](const Delivery& delivery, Time delay) {
    std::uint32_t slot;
    if (free_deliveries_.empty()) {
      slot = static_cast<std::uint32_t>(deliveries_.size());
      deliveries_.emplace_back();
    } else {
      slot = free_deliveries_.back();
      free_deliveries_.pop_back();
    }
    deliveries_[slot] = delivery;
    ++stirs_;
    queue_.post(now_ + delay, {Event::Kind::kControl, slot, 0, 0});
  };

  switch (action.kind) {
    case flow::Action::Kind::kSend: {
      ++timeline_.control_messages;
      Crew& crew = crews_[from.controller];
      const flow::MessageChannel& channel = crew.messages;
      if (channel.loss > 0 && crew.random.uniform() < channel.loss) {
        ++timeline_.messages_lost;
        return;
      }
      Time delay = action.delay;
      if (channel.jitter > Time()) delay += Time::seconds(crew.random.uniform() * channel.jitter.to_seconds());
      return post_control({{from.controller, action.to}, flow::Event::Kind::kMessage, from.agent, action.message, 0},
                          delay);
    }
    case flow::Action::Kind::kTimer:
      return post_control({from, flow::Event::Kind::kTimer, 0, {}, action.timer}, action.delay);
    default: break;
  }

  // The rest concerns an operation, which must be in the right stage: anything else is a fault of the controller.
  const Holder h = holder_of(action.ticket);
  if (!h.valid())
    throw std::logic_error(fmt::format("the controller names ticket {}, which is not open", action.ticket));
  if (operation(h).controller != from.controller)
    throw std::logic_error(fmt::format("ticket {} belongs to another controller", action.ticket));
  State& s = state(h);
  switch (action.kind) {
    case flow::Action::Kind::kStart:
      if (s.stage != Stage::kAsking)
        throw std::logic_error(fmt::format("the controller starts ticket {} twice", action.ticket));
      if (action.alternative >= operation(h).alternatives)
        throw std::logic_error(fmt::format("ticket {} has no route {}", action.ticket, action.alternative));
      s.alternative = action.alternative;
      s.stage = Stage::kRequesting;
      to_admit_.push_back(h);
      return;
    case flow::Action::Kind::kSuspend:
      if (operation(h).kind == flow::OperationKind::kCall) throw std::logic_error("a controller cannot suspend a call");
      if (s.stage != Stage::kAsking && s.stage != Stage::kSuspended) suspend(h);
      return;
    case flow::Action::Kind::kResume:
      if (s.stage != Stage::kSuspended) return;
      if (!s.passed_overhead) {
        s.stage = Stage::kRequesting;
        to_admit_.push_back(h);
        return;
      }
      s.waited += now_ - s.since;
      request(h);
      return;
    default: return;
  }
}

}  // namespace helio::simulate
