// SPDX-License-Identifier: Apache-2.0
// An arbiter that is given up, dead or alive: another takes its office over. Every order of small cases, and stand-ins broken on
// purpose that the explorer must catch.
#include <gtest/gtest.h>

#include "fabric/oddl/oddl_explored.h"

namespace helio::fabric {
namespace {

OddlControlOptions suspicious() {
  OddlControlOptions options = small();
  options.silences = 1;
  return options;
}

// To give an arbiter up takes a repetition that nobody answers, and another firing of the timer. The first is spared: a source is
// always one firing away from giving up the arbiters of the first `epochs` epochs, as if the repetition had been lost. Later ones
// it trusts for ever, else suspicion would have no end. WAIT, whose only effect without clocks is to make sources trust, is then
// without any and left out.
void lose_patience(std::uint32_t epochs, Agent agent, AgentState& state, Actions& actions) {
  drop(actions, OddlKind::kWait);
  if (agent > 1) return;
  for (OddlLease& lease : static_cast<OddlSourceState&>(state).leases)
    lease.silent = lease.live() && lease.epoch < epochs ? 1u << lease.epoch : 0;
}

// Where no source has two flows for one receiver and none keeps its circuit, it leaves after its flow in any case: that others
// wait need not be told. So RECALL, BUSY and the flags about it make no difference to what is granted and started, and are left out.
void say_not_who_waits(Agent agent, AgentState& state, Actions& actions) {
  drop(actions, OddlKind::kRecall);
  drop(actions, OddlKind::kBusy);
  for (Action& action : actions) {
    if (action.kind != Action::Kind::kSend || OddlLetter::unpack(action.message).kind != OddlKind::kGrant) continue;
    OddlLetter grant = OddlLetter::unpack(action.message);
    grant.flag = false;
    action.message = grant.pack();
  }
  if (agent < 2)
    for (OddlLease& lease : static_cast<OddlSourceState&>(state).leases) lease.contended = lease.confirmed = false;
  else
    for (auto& [number, place] : static_cast<OddlArbiterState&>(state).receivers) {
      place.pointer = 0;  // of round-robin
      if (place.holder) place.holder->told = false;
    }
}

// Arbiters repeat GRANT, RECALL and INQUIRE (kinds 2 and 3 of their timers) only because messages get lost.
void repeat_nothing(Agent agent, Actions& actions) {
  std::erase_if(actions,
                [&](const Action& a) { return agent > 1 && a.kind == Action::Kind::kTimer && (a.timer & 3) >= 2; });
}

// The arbiter dies at any moment; sources give it up, and the spare takes over. (That a flow may run meanwhile which the dead one
// granted is in the next cases: a dead arbiter does nothing that a slow one could not do.)
TEST(OddlOffice, ADeadArbiterNeitherLosesAFlowNorGrantsTwice) {
  EXPECT_TRUE(holds(Explored(suspicious(), 1, {}, true), kContend, 0, 0));
  EXPECT_TRUE(holds(Explored(suspicious(), 1, {}, true), kContend, 1, 0));
}

// It is alive, but a source, or both, have lost patience: two arbiters believe that they own the receiver. Every timer of every
// agent may fire early.
TEST(OddlOffice, ASuspectedArbiterThatLivesDoesNoHarm) {
  const Explored control(suspicious(), 1, [](Agent agent, AgentState& state, const Event&, Actions& actions) {
    lose_patience(1, agent, state, actions);
    say_not_who_waits(agent, state, actions);
  });
  EXPECT_TRUE(holds(control, kContend, 0, 1));
  EXPECT_TRUE(holds(control, kContend, 2, 0));
}

// The stand-in is suspected, too, and the first arbiter is called back, for epoch 2: it may still believe to be in epoch 0, or
// hear that it is to leave before it hears that it is called.
TEST(OddlOffice, AnArbiterIsCalledBack) {
  const Explored control(suspicious(), 1, [](Agent agent, AgentState& state, const Event&, Actions& actions) {
    lose_patience(2, agent, state, actions);
    say_not_who_waits(agent, state, actions);
    repeat_nothing(agent, actions);
  });
  EXPECT_TRUE(holds(control, kContend, 0, 1));
}

// A circuit that is kept goes over to the stand-in, who recalls it for the other source.
TEST(OddlOffice, AKeptCircuitGoesOver) {
  const Explored control(suspicious(), 1, [](Agent agent, AgentState& state, const Event&, Actions& actions) {
    lose_patience(1, agent, state, actions);
    repeat_nothing(agent, actions);
  });
  EXPECT_TRUE(holds(control, {from_to(0, 0, true), from_to(1, 0)}, 0, 1));
}

// A source with two transmitters has two leases, and says so in two letters.
OddlControlOptions two_transmitters() {
  OddlControlOptions options = suspicious();
  options.transmitters = 2;
  return options;
}
const std::vector<ExploredOperation> kTwoLeases{{0, 0, {0}}, {0, 1, {1}}, {1, 0, {0}}};

TEST(OddlOffice, TwoLeasesOfOneSourceGoOver) {
  const Explored control(two_transmitters(), 1, [](Agent agent, AgentState& state, const Event&, Actions& actions) {
    lose_patience(1, agent, state, actions);
    say_not_who_waits(agent, state, actions);
    repeat_nothing(agent, actions);
    if (agent == 0)
      std::erase_if(actions, [](const Action& a) { return a.kind == Action::Kind::kTimer; });  // only 1 suspects
  });
  EXPECT_TRUE(holds(control, kTwoLeases, 0, 1));
}

// Broken on purpose.

// Suspected, and spoilt by `fault` in every reaction.
flow::Exploration explore_spoilt(const Explored::After& fault, const OddlControlOptions& options = suspicious(),
                                 const std::vector<ExploredOperation>& operations = kContend) {
  const Explored control(options, 1, [&](Agent agent, AgentState& state, const Event& event, Actions& actions) {
    lose_patience(1, agent, state, actions);
    say_not_who_waits(agent, state, actions);
    repeat_nothing(agent, actions);
    fault(agent, state, event, actions);
  });
  return flow::explore(control, operations, {.timers_at_most = 1});
}

// A stand-in that grants before everyone has told it what is left of its predecessor's grants.
TEST(BrokenOddlOffice, WhoseStandInDoesNotAskIsCaught) {
  const flow::Exploration seen = explore_spoilt([](Agent agent, AgentState&, const Event& event, Actions& actions) {
    if (agent == 3 && hears(event, OddlKind::kRequest)) grant_at_once(event, actions);
  });
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// Changes every CLEAR that is sent.
void change_clear(Actions& actions, const std::function<void(OddlLetter&)>& change) {
  for (Action& action : actions) {
    if (action.kind != Action::Kind::kSend || OddlLetter::unpack(action.message).kind != OddlKind::kClear) continue;
    OddlLetter clear = OddlLetter::unpack(action.message);
    change(clear);
    action.message = clear.pack();
  }
}

// A source that says it holds nothing while a flow that the predecessor granted still runs.
TEST(BrokenOddlOffice, WhoseSourcesHideALeaseIsCaught) {
  const flow::Exploration seen = explore_spoilt([](Agent, AgentState&, const Event&, Actions& actions) {
    change_clear(actions, [](OddlLetter& clear) { clear.held = 0; });
  });
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// Of two leases each letter tells of its own only: the stand-in believes that the first one is all.
TEST(BrokenOddlOffice, WhoseLettersTellOfOneLeaseOnlyIsCaught) {
  const flow::Exploration seen = explore_spoilt(
      [](Agent, AgentState&, const Event&, Actions& actions) {
        change_clear(actions, [](OddlLetter& clear) {
          if (clear.held != 0) clear.held = static_cast<std::uint16_t>(1u << clear.transmitter);
        });
      },
      two_transmitters(), kTwoLeases);
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// A source that starts, after its CLEAR, what the predecessor has granted.
TEST(BrokenOddlOffice, WhoseSourcesObeyTwoArbitersIsCaught) {
  const flow::Exploration seen =
      explore_spoilt([](Agent agent, AgentState& state, const Event& event, Actions& actions) {
        if (agent > 1 || !hears(event, OddlKind::kGrant)) return;
        for (OddlLease& lease : static_cast<OddlSourceState&>(state).leases) {
          if (lease.phase != OddlLease::Phase::kAsking) continue;
          lease.phase = OddlLease::Phase::kRunning;
          actions.push_back(Action::start(lease.flow.ticket));
        }
      });
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation")) << seen.deadlock;
}

// A stand-in that has forgotten, when CLEAR comes late, that the lease which it names was given back: nobody will do so again.
TEST(BrokenOddlOffice, ThatForgetsWhatIsOverIsCaught) {
  const flow::Exploration seen = explore_spoilt([](Agent agent, AgentState& state, const Event& event, Actions&) {
    if (agent == 3 && hears(event, OddlKind::kDone)) static_cast<OddlArbiterState&>(state).records[event.from].clear();
  });
  EXPECT_TRUE(mentions(seen.deadlock, "DONE of request 0.1 for receiver 0 from agent 0 to agent 3"))
      << seen.double_grant;
}

}  // namespace
}  // namespace helio::fabric
