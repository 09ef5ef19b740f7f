// SPDX-License-Identifier: Apache-2.0
// ODDL's control under every order and every loss of small cases, and controls broken on purpose that the explorer must catch.
#include "fabric/oddl_control.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/oddl_control_arbiter.h"
#include "fabric/oddl_control_messages.h"
#include "fabric/oddl_control_source.h"
#include "flow/explore.h"

namespace helio::fabric {
namespace {

using flow::Action;
using flow::Agent;
using flow::AgentState;
using flow::Event;
using flow::ExploredOperation;
using Actions = std::vector<Action>;

// Two sources, two receivers, one arbiter (agent 2) and its spare (agent 3). Clocks are not to be trusted, since the explorer has
// none; nobody is suspected unless a case says so.
OddlControlOptions small() {
  OddlControlOptions options;
  options.nodes = 2;
  options.groups = 1;
  options.clock_error = Time::microseconds(1);
  options.silences = 0;
  return options;
}

// The controller as explored: the explorer's operations have no size, this gives operation 0 one (0: not known), and to others
// 1 byte at most. `after` may spoil the
// state and the actions of every reaction. With `mortal`, a letter is under way from the beginning that kills the arbiter when it
// arrives, whenever that is.
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
ExploredOperation from_to(Agent source, std::uint32_t receiver, bool keep = false) {
  return {source, OddlClaim{receiver, keep}.pack(), {receiver, 100 + source}};
}
const std::vector<ExploredOperation> kContend{from_to(0, 0), from_to(1, 0)};
const std::vector<ExploredOperation> kCross{from_to(0, 0), from_to(0, 1), from_to(1, 0)};
const std::vector<ExploredOperation> kFollow{from_to(0, 0), from_to(0, 0), from_to(1, 0)};
const std::vector<ExploredOperation> kKeep{from_to(0, 0, true), from_to(0, 0, true), from_to(1, 0, true)};

testing::AssertionResult holds(const flow::Controller& controller, const std::vector<ExploredOperation>& operations,
                               std::uint32_t losses, std::uint32_t early) {
  const flow::Exploration seen = flow::explore(controller, operations, {.losses = losses, .timers_at_most = early});
  testing::Test::RecordProperty("situations", std::to_string(seen.situations));
  if (seen.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << (seen.complete ? "" : "not complete; ") << seen.double_grant << seen.deadlock;
}

bool hears(const Event& event, OddlKind kind) {
  return event.kind == Event::Kind::kMessage && OddlLetter::unpack(event.message).kind == kind;
}

void drop(Actions& actions, OddlKind kind) {
  std::erase_if(actions, [&](const Action& action) {
    return action.kind == Action::Kind::kSend && OddlLetter::unpack(action.message).kind == kind;
  });
}

void grant_at_once(const Event& request, Actions& actions) {
  OddlLetter letter = OddlLetter::unpack(request.message);
  letter.kind = OddlKind::kGrant;
  actions.push_back(Action::send(request.from, letter.pack(), Time()));
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every order, with losses and early timers.

TEST(OddlControl, TwoSourcesContendForOneReceiver) {
  EXPECT_TRUE(holds(Explored(small()), kContend, 0, 1));
  EXPECT_TRUE(holds(Explored(small()), kContend, 2, 0));
  EXPECT_TRUE(holds(Explored(small()), kContend, 1, 1));
}

TEST(OddlControl, ThreeSourcesContendForOneReceiver) {
  OddlControlOptions options = small();
  options.nodes = 3;
  EXPECT_TRUE(holds(Explored(options), {from_to(0, 0), from_to(1, 0), from_to(2, 0)}, 1, 0));
}

// A source with lookahead holds the second grant (its flow will end soon), or declines it (it does not know when).
TEST(OddlControl, ASourceWithTwoRequestsHoldsOrDeclines) {
  EXPECT_TRUE(holds(Explored(small(), 1), kCross, 2, 0));
  EXPECT_TRUE(holds(Explored(small(), 0), kCross, 1, 0));
}

TEST(OddlControl, FlowsFollowEachOtherInALease) {
  EXPECT_TRUE(holds(Explored(small()), kFollow, 1, 0));
  EXPECT_TRUE(holds(Explored(small()), kKeep, 1, 0));
}

// Without lookahead the second flow uses the slot of the first again, while repetitions of the first's messages are under way.
// Nothing is lost, so that only source 0 needs a timer.
TEST(OddlControl, ASlotIsUsedAgainAmongLateMessages) {
  OddlControlOptions options = small();
  options.lookahead = 0;
  const auto one_timer = [](Agent agent, AgentState&, const Event&, Actions& actions) {
    if (agent > 0) std::erase_if(actions, [](const Action& action) { return action.kind == Action::Kind::kTimer; });
  };
  EXPECT_TRUE(holds(Explored(options, 1, one_timer), {from_to(0, 0), from_to(0, 1), from_to(1, 0)}, 0, 1));
  EXPECT_TRUE(holds(Explored(options, 1, one_timer), {from_to(0, 0), from_to(0, 1), from_to(1, 1)}, 0, 1));
}

TEST(OddlControl, TwoArbitersDoNotWaitForEachOther) {
  OddlControlOptions options = small();
  options.groups = 2;
  EXPECT_TRUE(holds(Explored(options), {from_to(0, 0), from_to(0, 1), from_to(1, 0), from_to(1, 1)}, 0, 0));
}

TEST(OddlControl, EveryPolicyAndModeHolds) {
  for (const OddlPolicy policy : {OddlPolicy::kSrpt, OddlPolicy::kFifo, OddlPolicy::kRoundRobin, OddlPolicy::kCoflow}) {
    OddlControlOptions options = small();
    options.policy = policy;
    options.coflow_bytes = {100, 200};
    EXPECT_TRUE(holds(Explored(options), kCross, 1, 0));
  }
  for (const OddlControlMode mode : {OddlControlMode::kCentral, OddlControlMode::kSlotted}) {
    OddlControlOptions options = small();
    options.mode = mode;
    EXPECT_TRUE(holds(Explored(options), kContend, 2, 0));
    EXPECT_TRUE(holds(Explored(options), kContend, 0, 1));
  }
}

// By a plan nobody asks, so that only a plan without collisions is safe; what is lost then is only the check.
TEST(OddlControl, APlanWithoutCollisionsRuns) {
  OddlControlOptions options = small();
  options.policy = OddlPolicy::kPlanned;
  EXPECT_TRUE(holds(Explored(options), {from_to(0, 0), from_to(0, 0), from_to(1, 1)}, 2, 1));
}

TEST(OddlControl, TwoTransmittersOfOneSource) {
  OddlControlOptions options = small();
  options.transmitters = 2;
  EXPECT_TRUE(holds(Explored(options), {{0, 0, {0}}, {0, 1, {1}}, {1, 0, {0}}}, 1, 0));
}

// Operation 0 is cut after its first byte. Nothing is lost here, so that of the timers only the ends of quanta (kind 2 of a source's) are needed.
TEST(OddlControl, ElephantsAreCutAndResumed) {
  OddlControlOptions options = small();
  options.quantum_bytes = 1;
  const auto only_cuts = [](Agent agent, AgentState&, const Event&, Actions& actions) {
    std::erase_if(actions,
                  [&](const Action& a) { return a.kind == Action::Kind::kTimer && (agent > 1 || (a.timer & 3) != 2); });
  };
  EXPECT_TRUE(holds(Explored(options, 2, only_cuts), kContend, 0, 2));
}

// To give an arbiter up takes a timer that fires while others are at work, once per repetition: too many situations. So
// source 0 is made to suspect at the first, the other has no timer at all, and the arbiters' own repetitions (kind 2 of theirs),
// needed only for losses, are switched off.
void lose_patience(Agent agent, AgentState& state, const Event&, Actions& actions) {
  if (agent == 0)
    for (OddlLease& lease : static_cast<OddlSourceState&>(state).leases) lease.silent = 1;
  if (agent > 0)
    std::erase_if(
        actions, [&](const Action& a) { return a.kind == Action::Kind::kTimer && (agent == 1 || (a.timer & 3) == 2); });
}
OddlControlOptions suspicious() {
  OddlControlOptions options = small();
  options.silences = 1;
  return options;
}

// The arbiter dies at any moment; sources give it up, and the spare takes over. (That a flow may run meanwhile which the dead one
// granted is in the next case: a dead arbiter does nothing that a slow one could not do.)
TEST(OddlControl, ADeadArbiterNeitherLosesAFlowNorGrantsTwice) {
  EXPECT_TRUE(holds(Explored(suspicious(), 1, {}, true), kContend, 0, 0));
  EXPECT_TRUE(holds(Explored(suspicious(), 1, {}, true), kContend, 1, 0));
}

// It is alive, but a source has lost patience: two arbiters believe that they own the receiver.
TEST(OddlControl, ASuspectedArbiterThatLivesDoesNoHarm) {
  EXPECT_TRUE(holds(Explored(suspicious(), 1, lose_patience), kContend, 0, 1));
}

// Broken on purpose.

TEST(BrokenOddlControl, ThatGrantsWhileBusyIsCaught) {
  const Explored eager(small(), 1, [](Agent agent, AgentState&, const Event& event, Actions& actions) {
    if (agent == 2 && hears(event, OddlKind::kRequest)) grant_at_once(event, actions);
  });
  const flow::Exploration seen = flow::explore(eager, kContend, {.timers_at_most = 0});
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.double_grant;
}

// The receiver of a lost DONE is held for ever.
TEST(BrokenOddlControl, WhoseDoneIsNotRepeatedIsCaught) {
  const Explored careless(small(), 1, [](Agent agent, AgentState&, const Event& event, Actions& actions) {
    if (agent < 2 && event.kind == Event::Kind::kTimer) drop(actions, OddlKind::kDone);
  });
  EXPECT_TRUE(holds(careless, kContend, 0, 0));
  const flow::Exploration seen = flow::explore(careless, kContend, {.losses = 1, .timers_at_most = 0});
  EXPECT_TRUE(mentions(seen.deadlock, "DONE of request 0.1 for receiver 0")) << seen.deadlock;
}

// A kept circuit whose RECALL is lost stays for ever.
TEST(BrokenOddlControl, WhoseRecallIsNotRepeatedIsCaught) {
  const Explored forgetful(small(), 1, [](Agent agent, AgentState&, const Event& event, Actions& actions) {
    if (agent == 2 && event.kind == Event::Kind::kTimer) drop(actions, OddlKind::kRecall);
  });
  EXPECT_TRUE(holds(forgetful, kKeep, 0, 0));
  const flow::Exploration seen = flow::explore(forgetful, kKeep, {.losses = 1, .timers_at_most = 0});
  EXPECT_TRUE(mentions(seen.deadlock, "RECALL of request 0.1 for receiver 0 from agent 2")) << seen.deadlock;
}

// A REQUEST that was repeated arrives after its DONE and is granted to a source that has forgotten it.
TEST(BrokenOddlControl, ThatForgetsWhatIsOverIsCaught) {
  const Explored amnesiac(small(), 1, [](Agent agent, AgentState& state, const Event& event, Actions&) {
    if (agent == 2 && hears(event, OddlKind::kDone)) static_cast<OddlArbiterState&>(state).records[event.from].clear();
  });
  EXPECT_TRUE(holds(amnesiac, kContend, 0, 0));
  const flow::Exploration seen = flow::explore(amnesiac, kContend, {.timers_at_most = 1});
  EXPECT_TRUE(mentions(seen.deadlock, "REQUEST of request 0.1")) << seen.deadlock << seen.double_grant;
}

// A stand-in that grants before everyone has told it that nothing is left of its predecessor's grants.
TEST(BrokenOddlControl, WhoseStandInDoesNotAskIsCaught) {
  const auto hasty = [](Agent agent, AgentState& state, const Event& event, Actions& actions) {
    lose_patience(agent, state, event, actions);
    if (agent == 3 && hears(event, OddlKind::kRequest)) grant_at_once(event, actions);
  };
  const flow::Exploration seen = flow::explore(Explored(suspicious(), 1, hasty), kContend, {.timers_at_most = 1});
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// A source that says CLEAR while a flow that the predecessor granted still runs.
TEST(BrokenOddlControl, WhoseSourcesClearTooEarlyIsCaught) {
  const auto liar = [](Agent agent, AgentState& state, const Event& event, Actions& actions) {
    lose_patience(agent, state, event, actions);
    if (agent > 1 || !hears(event, OddlKind::kInquire)) return;
    drop(actions, OddlKind::kClear);
    OddlLetter clear = OddlLetter::unpack(event.message);
    clear.kind = OddlKind::kClear;
    actions.push_back(Action::send(event.from, clear.pack(), Time()));
  };
  const flow::Exploration seen = flow::explore(Explored(suspicious(), 1, liar), kContend, {.timers_at_most = 1});
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// The parts.

// Flows at receiver 0 from 0 to 10 and from `start` to 20 ps: an ALARM goes to the second source if they overlap.
TEST(OddlControl, APlanThatCollidesRaisesAnAlarm) {
  for (const std::int64_t start : {5, 10}) {
    OddlControlOptions options = small();
    options.policy = OddlPolicy::kPlanned;
    const OddlController controller(options);
    const auto state = controller.initial(2);
    int alarms = 0;
    const auto tell = [&](Agent source, OddlKind kind, std::int64_t time) {
      OddlLetter letter;
      letter.kind = kind;
      letter.generation = 1;
      letter.time = time;
      Event event;
      event.kind = Event::Kind::kMessage;
      event.from = source;
      event.message = letter.pack();
      Actions actions;
      controller.react(2, *state, event, actions);
      for (const Action& action : actions)
        alarms += action.to == 1 && OddlLetter::unpack(action.message).kind == OddlKind::kAlarm;
    };
    tell(0, OddlKind::kCheck, 0);
    tell(1, OddlKind::kCheck, start);
    tell(0, OddlKind::kDone, 10);
    tell(1, OddlKind::kDone, 20);
    tell(1, OddlKind::kDone, 20);  // repeated: no second alarm
    EXPECT_EQ(alarms, start < 10 ? 1 : 0);
  }
}

TEST(OddlControl, LettersSurviveTheWire) {
  OddlLetter letter;
  letter.receiver = 262'143;
  letter.slot = 127;
  letter.generation = 16'777'215;
  letter.epoch = 255;
  letter.age = 16'777'215;
  letter.ready = 16'777'215;
  letter.priority = 15;
  letter.bytes = 68'719'476'735;
  const OddlLetter heard = OddlLetter::unpack(letter.pack());
  EXPECT_EQ(heard.pack(), letter.pack());
  EXPECT_EQ(heard.receiver, letter.receiver);
  EXPECT_EQ(heard.id(), letter.id());
  EXPECT_EQ(heard.epoch, 255u);
  EXPECT_EQ(heard.age, letter.age);
  EXPECT_EQ(heard.ready, letter.ready);
  EXPECT_EQ(heard.bytes, letter.bytes);
  // What does not fit saturates and touches nothing else.
  letter.age = letter.ready = letter.bytes = ~std::uint64_t{0};
  letter.priority = 255;
  EXPECT_EQ(letter.pack(), heard.pack());
  OddlLetter grant;
  grant.kind = OddlKind::kGrant;
  grant.time = 123'456'789'012'345;
  grant.flag = true;
  EXPECT_EQ(OddlLetter::unpack(grant.pack()).time, grant.time);
  EXPECT_TRUE(OddlLetter::unpack(grant.pack()).flag);
}

TEST(OddlControl, ClaimsSurvivePacking) {
  const OddlClaim claim = OddlClaim::unpack(OddlClaim{262'143, true, 8'191}.pack());
  EXPECT_EQ(claim.receiver, 262'143u);
  EXPECT_TRUE(claim.keep);
  EXPECT_EQ(claim.coflow, 8'191u);
}

// 2 · (64 B / 10 Gb/s + 50 m · 5 ns/m) + 3 · 5 ns = 2 · 301.2 + 15 ns.
TEST(OddlControl, TheRoundTripIsAsDerived) { EXPECT_EQ(OddlControlOptions{}.round_trip(), Time::nanoseconds(617.4)); }

TEST(OddlControl, RefusesOptionsThatMakeNoSense) {
  const auto refused = [](const std::function<void(OddlControlOptions&)>& change) {
    OddlControlOptions options;
    change(options);
    EXPECT_THROW(OddlController{options}, Error);
  };
  refused([](auto& o) { o.nodes = 0; });
  refused([](auto& o) { o.nodes = 300'000; });
  refused([](auto& o) { o.transmitters = 0; });
  refused([](auto& o) { o.grant_timeout = o.round_trip(); });
  refused([](auto& o) { o.propagation = Time() - Time::nanoseconds(1); });
  refused([](auto& o) {
    o.quantum_bytes = 1;
    o.transmitters = 2;
  });
  refused([](auto& o) { o.slot = Time(); });
  refused([](auto& o) { o.dead_arbiter = OddlControlOptions::Death{32, Time()}; });
  EXPECT_THROW(oddl_control_mode("centrl"), Error);
  EXPECT_EQ(oddl_control_mode("central"), OddlControlMode::kCentral);
}

}  // namespace
}  // namespace helio::fabric
