// SPDX-License-Identifier: Apache-2.0
// ODDL's control under every order and every loss of small cases, and controls broken on purpose that the explorer must catch.
#include "fabric/oddl/oddl_control.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/oddl/oddl_explored.h"

namespace helio::fabric {
namespace {

const std::vector<ExploredOperation> kCross{from_to(0, 0), from_to(0, 1), from_to(1, 0)};
const std::vector<ExploredOperation> kFollow{from_to(0, 0), from_to(0, 0), from_to(1, 0)};
const std::vector<ExploredOperation> kKeep{from_to(0, 0, true), from_to(0, 0, true), from_to(1, 0, true)};

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

// Exact below 2^24 - 4096 ns, then to a 64th, never later than it is.
TEST(OddlControl, ReadyTimesAreToldToASixtyFourth) {
  for (std::uint64_t ns = 1; ns < std::uint64_t{1} << 62; ns += 1 + ns / 7) {
    OddlLetter letter;
    letter.ready = ns;
    letter.priority = 5;
    letter.bytes = 77;
    const OddlLetter heard = OddlLetter::unpack(letter.pack());
    EXPECT_LE(heard.ready, ns);
    EXPECT_LE(ns - heard.ready, ns < 16'773'120 ? 0 : ns / 64 + 1);
    EXPECT_EQ(heard.priority, 5u);
    EXPECT_EQ(heard.bytes, 77u);
  }
}

TEST(OddlControl, LettersSurviveTheWire) {
  OddlLetter letter;
  letter.receiver = 262'143;
  letter.slot = 127;
  letter.generation = 16'777'215;
  letter.epoch = 255;
  letter.age = 16'777'215;
  letter.ready = 16'773'119;  // 2^24 - 4096 - 1, the last that is exact
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
  letter.age = letter.bytes = ~std::uint64_t{0};
  letter.priority = 255;
  EXPECT_EQ(letter.pack(), heard.pack());
  OddlLetter grant;
  grant.kind = OddlKind::kGrant;
  grant.time = 123'456'789'012'345;
  grant.flag = true;
  EXPECT_EQ(OddlLetter::unpack(grant.pack()).time, grant.time);
  EXPECT_TRUE(OddlLetter::unpack(grant.pack()).flag);
  OddlLetter clear;
  clear.kind = OddlKind::kClear;
  clear.slot = 127;
  clear.held = 0xffff;
  clear.transmitter = 15;
  clear.held_receiver = 262'143;
  EXPECT_EQ(OddlLetter::unpack(clear.pack()).id(), clear.id());
  EXPECT_EQ(OddlLetter::unpack(clear.pack()).held, clear.held);
  EXPECT_EQ(OddlLetter::unpack(clear.pack()).transmitter, clear.transmitter);
  EXPECT_EQ(OddlLetter::unpack(clear.pack()).held_receiver, clear.held_receiver);
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
