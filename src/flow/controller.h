// SPDX-License-Identifier: Apache-2.0
// Decisions at run time: arbiters, slotted schedulers, rotors, admission.
//
// A Controller is a set of agents that exchange messages. Each agent is a pure function (state, event) → (state, actions):
// `react` is const, reads nothing but its arguments, and passes the state in place only to save copies. The same code runs
// in the engine, where time and a lossy message channel come from the simulation, and in the explorer (tests/flow/explore.h), where
// every order and every loss is tried.
//
// An operation marked `controlled` starts only by an action: its agent hears kReady when the dependencies are met, some
// agent answers kStart, the owner hears kDone at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"

namespace helio::flow {

using Agent = std::uint32_t;

// A controlled operation instance as controllers know it; unique while the program runs.
using Ticket = std::uint64_t;

struct Message {
  std::int32_t type = 0;
  Ticket ticket = 0;
  std::int64_t value = 0;
  friend auto operator<=>(const Message&, const Message&) = default;
};

struct Event {
  enum class Kind : std::uint8_t { kStart, kReady, kDone, kMessage, kTimer };
  Kind kind = Kind::kStart;
  Ticket ticket = 0;          // kReady, kDone
  std::uint32_t claim = 0;    // kReady, kDone: what the operation asks for
  double bytes = 0;           // kReady
  std::uint8_t priority = 0;  // kReady
  Agent from = 0;             // kMessage
  Message message;            // kMessage
  std::uint64_t timer = 0;    // kTimer
  Time now;                   // zero in the explorer: a protocol's safety must not depend on it
};

struct Action {
  enum class Kind : std::uint8_t { kSend, kTimer, kStart, kSuspend, kResume };
  Kind kind = Kind::kSend;
  Agent to = 0;                   // kSend
  Message message;                // kSend
  Time delay;                     // kSend: propagation, serialisation, processing; kTimer: when
  std::uint64_t timer = 0;        // kTimer: identity, given back in the event
  Ticket ticket = 0;              // kStart, kSuspend, kResume
  std::uint16_t alternative = 0;  // kStart: which of the operation's routes

  static Action send(Agent to, Message message, Time delay) {
    Action a;
    a.kind = Kind::kSend;
    a.to = to;
    a.message = message;
    a.delay = delay;
    return a;
  }
  static Action set_timer(std::uint64_t id, Time delay) {
    Action a;
    a.kind = Kind::kTimer;
    a.timer = id;
    a.delay = delay;
    return a;
  }
  static Action start(Ticket ticket, std::uint16_t alternative = 0) {
    Action a;
    a.kind = Kind::kStart;
    a.ticket = ticket;
    a.alternative = alternative;
    return a;
  }
  static Action suspend(Ticket ticket) {
    Action a;
    a.kind = Kind::kSuspend;
    a.ticket = ticket;
    return a;
  }
  static Action resume(Ticket ticket) {
    Action a;
    a.kind = Kind::kResume;
    a.ticket = ticket;
    return a;
  }
};

// What one agent knows. `encode` is complete: states that encode alike behave alike.
class AgentState {
 public:
  virtual ~AgentState() = default;
  virtual std::unique_ptr<AgentState> clone() const = 0;
  virtual void encode(std::vector<std::uint64_t>& words) const = 0;
};

class Controller {
 public:
  virtual ~Controller() = default;
  virtual Agent agents() const = 0;
  virtual std::unique_ptr<AgentState> initial(Agent agent) const = 0;
  // Pure: see above. Appends to `actions`.
  virtual void react(Agent agent, AgentState& state, const Event& event, std::vector<Action>& actions) const = 0;
  // Whether decisions follow the clock only as far as encoded states, messages and timers tell: a round in which agents heard of nothing but
  // operations that became ready and ended, said nothing, set no timer, and encode as before it, is then followed by equal ones.
  virtual bool repeats() const { return false; }
  // A message in words, for traces and the explorer's trails.
  virtual std::string describe(const Message& message) const {
    return "message " + std::to_string(message.type) + " (ticket " + std::to_string(message.ticket) + ", value " +
           std::to_string(message.value) + ")";
  }
};

// Loss and reordering of control messages. A message takes its own delay plus a uniform draw below `jitter` (which is what
// reorders), and is lost with probability `loss`. Draws come from `seed` alone.
struct MessageChannel {
  Time jitter;
  double loss = 0;
  std::uint64_t seed = 1;
};

}  // namespace helio::flow
