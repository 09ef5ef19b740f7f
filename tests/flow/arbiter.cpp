// SPDX-License-Identifier: Apache-2.0
#include "flow/arbiter.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::flow {
namespace {

// One transition of either machine: what it may read, and where its actions go.
struct Transition {
  const ArbiterOptions& options;
  std::vector<Action>& actions;

  void send(Agent to, ArbiterController::MessageType type, Ticket ticket, std::uint32_t resource = 0) {
    actions.push_back(Action::send(to, Message{type, ticket, resource}, options.message_delay));
  }
  void arm(Ticket ticket) { actions.push_back(Action::set_timer(ticket, options.retry_after)); }
};

using Phase = SourceState::Phase;

void react_as_source(Agent arbiter, SourceState& state, const Event& event, Transition out) {
  // A ticket is born.
  if (event.kind == Event::Kind::kReady) {
    state.tickets[event.ticket] = {event.claim, Phase::kRequesting, true};
    out.send(arbiter, ArbiterController::kRequest, event.ticket, event.claim);
    out.arm(event.ticket);
    return;
  }

  // What concerns a ticket that is over, or none, is ignored.
  Ticket ticket = event.ticket;
  if (event.kind == Event::Kind::kMessage) ticket = event.message.ticket;
  if (event.kind == Event::Kind::kTimer) ticket = event.timer;
  const auto place = state.tickets.find(ticket);
  if (event.kind == Event::Kind::kStart || place == state.tickets.end()) return;
  SourceState::Entry& entry = place->second;

  switch (event.kind) {
    case Event::Kind::kMessage:
      if (event.message.type == ArbiterController::kGrant && entry.phase == Phase::kRequesting) {
        entry.phase = Phase::kRunning;
        out.actions.push_back(Action::start(ticket));
      } else if (event.message.type == ArbiterController::kAck && entry.phase == Phase::kReleasing) {
        state.tickets.erase(place);
      }
      break;
    case Event::Kind::kDone:
      entry.phase = Phase::kReleasing;
      out.send(arbiter, ArbiterController::kDone, ticket, entry.resource);
      if (!entry.armed) out.arm(ticket);
      entry.armed = true;
      break;
    case Event::Kind::kTimer:
      entry.armed = entry.phase != Phase::kRunning;
      if (!entry.armed) break;
      out.send(arbiter, entry.phase == Phase::kRequesting ? ArbiterController::kRequest : ArbiterController::kDone,
               ticket, entry.resource);
      out.arm(ticket);
      break;
    case Event::Kind::kStart:
    case Event::Kind::kReady: break;
  }
}

void react_as_arbiter(ArbiterState& state, const Event& event, Transition out) {
  if (event.kind != Event::Kind::kMessage) return;
  const Ticket ticket = event.message.ticket;
  const auto number = static_cast<std::uint32_t>(event.message.value);

  // A ticket that is over: its DONE wants an answer, its late REQUEST wants none.
  if (state.completed.contains(ticket)) {
    if (event.message.type == ArbiterController::kDone) out.send(event.from, ArbiterController::kAck, ticket);
    return;
  }

  ArbiterState::Resource& resource = state.resources[number];
  const bool holds = resource.holder && resource.holder->ticket == ticket;
  if (event.message.type == ArbiterController::kRequest) {
    // A holder that asks again has not heard its GRANT; a ticket that waits already keeps its place.
    const auto same = [&](const ArbiterState::Claim& claim) { return claim.ticket == ticket; };
    if (holds)
      out.send(event.from, ArbiterController::kGrant, ticket);
    else if (std::ranges::none_of(resource.queue, same))
      resource.queue.push_back({ticket, event.from});
  } else if (event.message.type == ArbiterController::kDone) {
    if (holds) resource.holder.reset();
    state.completed.insert(ticket);
    out.send(event.from, ArbiterController::kAck, ticket);
  }

  // A free resource goes to the head of its queue, or is forgotten.
  if (resource.holder) return;
  if (resource.queue.empty()) {
    state.resources.erase(number);
    return;
  }
  resource.holder = resource.queue.front();
  resource.queue.pop_front();
  out.send(resource.holder->source, ArbiterController::kGrant, resource.holder->ticket);
}

}  // namespace

ArbiterController::ArbiterController(Agent sources, ArbiterOptions options) : sources_(sources), options_(options) {
  if (options.message_delay < Time())
    throw Error(ErrorKind::kInput, "the arbiter's message delay is negative", "message_delay",
                "give a delay of 0 or more");
  if (options.retry_after <= 2 * options.message_delay)
    throw Error(ErrorKind::kInput, "the arbiter's sources would retry before an answer can come", "retry_after",
                "give more than twice message_delay");
}

std::unique_ptr<AgentState> ArbiterController::initial(Agent agent) const {
  if (agent == arbiter()) return std::make_unique<ArbiterState>();
  return std::make_unique<SourceState>();
}

std::string ArbiterController::describe(const Message& message) const {
  static constexpr const char* kNames[] = {"REQUEST", "GRANT", "DONE", "ACK"};
  assert(message.type >= kRequest && message.type <= kAck && "only the arbiter's own messages are described");
  return fmt::format("{} of ticket {}", kNames[message.type], message.ticket);
}

void ArbiterController::react(Agent agent, AgentState& state, const Event& event, std::vector<Action>& actions) const {
  const Transition out{options_, actions};
  if (agent == arbiter())
    react_as_arbiter(static_cast<ArbiterState&>(state), event, out);
  else
    react_as_source(arbiter(), static_cast<SourceState&>(state), event, out);
}

void SourceState::encode(std::vector<std::uint64_t>& words) const {
  for (const auto& [ticket, entry] : tickets)
    words.insert(words.end(), {ticket, entry.resource, static_cast<std::uint64_t>(entry.phase), entry.armed});
}

void ArbiterState::encode(std::vector<std::uint64_t>& words) const {
  words.push_back(resources.size());
  for (const auto& [number, resource] : resources) {
    words.insert(words.end(), {number, resource.holder.has_value(), resource.queue.size()});
    if (resource.holder) words.insert(words.end(), {resource.holder->ticket, resource.holder->source});
    for (const Claim& claim : resource.queue) words.insert(words.end(), {claim.ticket, claim.source});
  }
  words.insert(words.end(), completed.begin(), completed.end());
}

}  // namespace helio::flow
