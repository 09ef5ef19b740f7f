// SPDX-License-Identifier: Apache-2.0
// ODDL's control as the explorer sees it: small cases, controls that a test may spoil, and the verdict.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/oddl/oddl_control.h"
#include "fabric/oddl/oddl_control_arbiter.h"
#include "fabric/oddl/oddl_control_messages.h"
#include "fabric/oddl/oddl_control_source.h"
#include "flow/explore.h"

namespace helio::fabric {

using flow::Action;
using flow::Agent;
using flow::AgentState;
using flow::Event;
using flow::ExploredOperation;
using Actions = std::vector<Action>;

// Two sources, two receivers, one arbiter (agent 2) and its spare (agent 3). Clocks are not to be trusted, since the explorer has
// none; nobody is suspected unless a case says so.
inline OddlControlOptions small() {
  OddlControlOptions options;
  options.nodes = 2;
  options.groups = 1;
  options.clock_error = Time::microseconds(1);
  options.silences = 0;
  return options;
}

// The controller as explored: the explorer's operations have no size, this gives operation 0 one (0: not known), and to others
// 1 byte at most. `after` may spoil the state and the actions of every reaction. With `mortal`, a letter is under way from the
// beginning that kills the arbiter when it arrives, whenever that is.
class Explored : public OddlController {
 public:
  using After = std::function<void(Agent agent, AgentState& state, const Event& event, Actions& actions)>;
  explicit Explored(const OddlControlOptions& options, double bytes = 1, After after = {}, bool mortal = false)
      : OddlController(options), bytes_(bytes), after_(std::move(after)), mortal_(mortal) {}

  void react(Agent agent, AgentState& state, const Event& event, Actions& actions) const override {
    Event heard = event;
    if (event.kind == Event::Kind::kReady) heard.bytes = event.ticket == 0 ? bytes_ : std::min(bytes_, 1.0);
    if (event.kind == Event::Kind::kMessage && event.message == kDeath) {
      heard = {};
      heard.kind = Event::Kind::kTimer;
      heard.timer = 0;
    }
    if (mortal_ && event.kind == Event::Kind::kStart && agent == 0)
      actions.push_back(Action::send(options().nodes, kDeath, Time()));
    OddlController::react(agent, state, heard, actions);
    if (after_) after_(agent, state, event, actions);
  }
  std::string describe(const flow::Message& message) const override {
    return message == kDeath ? "death" : OddlController::describe(message);
  }

 private:
  static constexpr flow::Message kDeath{15, 0, 0};
  double bytes_;
  After after_;
  bool mortal_;
};

// Operation from `source` to `receiver`: exclusive are the receiver and the source's only transmitter.
inline ExploredOperation from_to(Agent source, std::uint32_t receiver, bool keep = false) {
  return {source, OddlClaim{receiver, keep}.pack(), {receiver, 100 + source}};
}
inline const std::vector<ExploredOperation> kContend{from_to(0, 0), from_to(1, 0)};

inline testing::AssertionResult holds(const flow::Controller& controller,
                                      const std::vector<ExploredOperation>& operations, std::uint32_t losses,
                                      std::uint32_t early) {
  const flow::Exploration seen = flow::explore(controller, operations, {.losses = losses, .timers_at_most = early});
  testing::Test::RecordProperty("situations", std::to_string(seen.situations));
  if (seen.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << (seen.complete ? "" : "not complete; ") << seen.double_grant << seen.deadlock;
}

inline bool hears(const Event& event, OddlKind kind) {
  return event.kind == Event::Kind::kMessage && OddlLetter::unpack(event.message).kind == kind;
}

inline void drop(Actions& actions, OddlKind kind) {
  std::erase_if(actions, [&](const Action& action) {
    return action.kind == Action::Kind::kSend && OddlLetter::unpack(action.message).kind == kind;
  });
}

inline void grant_at_once(const Event& request, Actions& actions) {
  OddlLetter letter = OddlLetter::unpack(request.message);
  letter.kind = OddlKind::kGrant;
  actions.push_back(Action::send(request.from, letter.pack(), Time()));
}

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace helio::fabric
