// SPDX-License-Identifier: Apache-2.0
// The arbiter under every order and every loss, and arbiters broken on purpose that the explorer must catch.
#include "flow/arbiter.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "flow/explore.h"

namespace helio::flow {
namespace {

using Actions = std::vector<Action>;
using Words = std::vector<std::uint64_t>;

testing::AssertionResult mentions(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in \"" << text << '"';
}

// One operation per source, all on resource 0.
std::vector<ExploredOperation> contenders(Agent sources) {
  std::vector<ExploredOperation> operations;
  for (Agent source = 0; source < sources; ++source) operations.push_back({source, 0, {0}});
  return operations;
}

// The arbiter with one thing spoilt: `after` may change the state and the actions of every reaction.
class Spoilt : public ArbiterController {
 public:
  using After = std::function<void(Agent agent, AgentState& state, const Event& event, Actions& actions)>;
  Spoilt(Agent sources, After after) : ArbiterController(sources), after_(std::move(after)) {}
  void react(Agent agent, AgentState& state, const Event& event, Actions& actions) const override {
    ArbiterController::react(agent, state, event, actions);
    after_(agent, state, event, actions);
  }

 private:
  After after_;
};

bool hears(const Event& event, ArbiterController::MessageType type) {
  return event.kind == Event::Kind::kMessage && event.message.type == type;
}

Event message(Agent from, ArbiterController::MessageType type, Ticket ticket, std::int64_t resource = 0) {
  Event event;
  event.kind = Event::Kind::kMessage;
  event.from = from;
  event.message = {type, ticket, resource};
  return event;
}

Event own(Event::Kind kind, Ticket ticket, std::uint32_t claim = 0) {
  Event event;
  event.kind = kind;
  event.ticket = event.timer = ticket;
  event.claim = claim;
  return event;
}

bool same(const Action& a, const Action& b) {
  return a.kind == b.kind && a.to == b.to && a.message == b.message && a.delay == b.delay && a.timer == b.timer &&
         a.ticket == b.ticket && a.alternative == b.alternative;
}

Words encoded(const AgentState& state) {
  Words words;
  state.encode(words);
  return words;
}

// What an agent does, in short: "GRANT 3 to 1", "start 3", "arm 3".
std::vector<std::string> told(const ArbiterController& arbiter, Agent agent, AgentState& state, const Event& event) {
  Actions actions;
  arbiter.react(agent, state, event, actions);
  std::vector<std::string> words;
  for (const Action& action : actions) {
    if (action.kind == Action::Kind::kSend)
      words.push_back(arbiter.describe(action.message) + " to " + std::to_string(action.to));
    if (action.kind == Action::Kind::kStart) words.push_back("start " + std::to_string(action.ticket));
    if (action.kind == Action::Kind::kTimer) words.push_back("arm " + std::to_string(action.timer));
  }
  return words;
}
using Told = std::vector<std::string>;

// One source, no loss, no early timer: not ready · REQUEST · GRANT · running · DONE · ACK · idle with the timer still
// armed · the timer fired for nothing. 8 situations.
TEST(Arbiter, OneSourceWalksStraightThrough) {
  const Exploration seen = explore(ArbiterController(1), contenders(1), {.timers_at_most = 0});
  EXPECT_EQ(seen.situations, 8u);
  EXPECT_TRUE(seen.ok());
}

struct Case {
  Agent sources;
  std::uint32_t losses, early;
};
class ArbiterEverywhere : public testing::TestWithParam<Case> {};

TEST_P(ArbiterEverywhere, NeitherGrantsTwiceNorGetsStuck) {
  const auto [sources, losses, early] = GetParam();
  const Exploration seen =
      explore(ArbiterController(sources), contenders(sources), {.losses = losses, .timers_at_most = early});
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.double_grant, "");
  EXPECT_EQ(seen.deadlock, "");
  RecordProperty("situations", std::to_string(seen.situations));
}

INSTANTIATE_TEST_SUITE_P(TwoSources, ArbiterEverywhere, testing::Values(Case{2, 0, 2}, Case{2, 1, 2}, Case{2, 2, 2}));
INSTANTIATE_TEST_SUITE_P(ThreeSources, ArbiterEverywhere, testing::Values(Case{3, 0, 1}, Case{3, 1, 1}, Case{3, 2, 1}));

// Source 0 has two operations, on resources 0 and 1; source 1 has one on each as well.
TEST(Arbiter, KeepsSeveralTicketsOfOneSourceApart) {
  const std::vector<ExploredOperation> operations{{0, 0, {0}}, {0, 1, {1}}, {1, 0, {0}}, {1, 1, {1}}};
  EXPECT_TRUE(explore(ArbiterController(2), operations, {.losses = 1, .timers_at_most = 0}).ok());
}

TEST(BrokenArbiter, ThatGrantsWhileBusyIsCaught) {
  const Spoilt eager(2, [](Agent agent, AgentState&, const Event& event, Actions& actions) {
    if (agent == 2 && hears(event, ArbiterController::kRequest))
      actions.push_back(Action::send(event.from, {ArbiterController::kGrant, event.message.ticket, 0}, Time()));
  });
  // It needs no loss and no timer: one operation runs when the other's REQUEST is granted at once.
  const Exploration seen = explore(eager, contenders(2), {.timers_at_most = 0});
  EXPECT_TRUE(mentions(seen.double_grant, "on resource 0, where operation"));
  EXPECT_TRUE(mentions(seen.double_grant, "GRANT of ticket 1 from agent 2 to agent 1 arrives"));
  EXPECT_FALSE(seen.ok());
}

// A source that obeys every GRANT: the second one comes from a REQUEST that was repeated too early, or, without early
// timers, not at all.
TEST(BrokenArbiter, WhoseSourceObeysEveryGrantIsCaught) {
  const Spoilt obedient(2, [](Agent agent, AgentState&, const Event& event, Actions& actions) {
    const bool started = std::ranges::any_of(actions, [](const Action& a) { return a.kind == Action::Kind::kStart; });
    if (agent < 2 && hears(event, ArbiterController::kGrant) && !started)
      actions.push_back(Action::start(event.message.ticket));
  });
  EXPECT_TRUE(explore(obedient, contenders(2), {.timers_at_most = 0}).ok());
  EXPECT_TRUE(mentions(explore(obedient, contenders(2), {.timers_at_most = 1}).double_grant, "starts operation"));
}

// Without timers nothing is repeated: harmless on a perfect channel, a deadlock with the first loss, whichever it is.
TEST(BrokenArbiter, ThatNeverRetransmitsIsCaught) {
  const Spoilt silent(2, [](Agent, AgentState&, const Event&, Actions& actions) {
    std::erase_if(actions, [](const Action& action) { return action.kind == Action::Kind::kTimer; });
  });
  EXPECT_TRUE(explore(silent, contenders(2), {.losses = 0}).ok());
  const Exploration seen = explore(silent, contenders(2), {.losses = 1});
  EXPECT_TRUE(seen.complete);
  EXPECT_TRUE(mentions(seen.deadlock, "REQUEST of ticket 0 from agent 0 to agent 2 is lost"));
}

// A DONE that is sent once: the first source is done, the second waits for ever behind it.
TEST(BrokenArbiter, WhoseDoneIsNotRepeatedIsCaught) {
  const Spoilt careless(2, [](Agent, AgentState&, const Event& event, Actions& actions) {
    if (event.kind != Event::Kind::kTimer) return;
    std::erase_if(actions, [](const Action& action) {
      return action.kind == Action::Kind::kSend && action.message.type == ArbiterController::kDone;
    });
  });
  EXPECT_TRUE(explore(careless, contenders(2), {.losses = 0, .timers_at_most = 1}).ok());
  const Exploration seen = explore(careless, contenders(2), {.losses = 1, .timers_at_most = 1});
  EXPECT_TRUE(mentions(seen.deadlock, "DONE of ticket 0 from agent 0 to agent 2 is lost"));
}

// A REQUEST repeated early arrives after its DONE and is granted again to a source that has nothing to release. It takes
// a repetition: without early timers no REQUEST is in flight twice.
TEST(BrokenArbiter, ThatForgetsCompletedTicketsIsCaught) {
  const Spoilt forgetful(2, [](Agent agent, AgentState& state, const Event&, Actions&) {
    if (agent == 2) static_cast<ArbiterState&>(state).completed.clear();
  });
  EXPECT_TRUE(explore(forgetful, contenders(2), {.timers_at_most = 0}).ok());
  const Exploration seen = explore(forgetful, contenders(2), {.timers_at_most = 1});
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.double_grant, "");
  EXPECT_TRUE(mentions(seen.deadlock, "timer 0 of agent 0 fires"));
  EXPECT_TRUE(mentions(seen.deadlock, "REQUEST of ticket 0 from agent 0 to agent 2 arrives"));
}

TEST(Arbiter, ServesInOrderOfArrivalPerResource) {
  const ArbiterController arbiter(3);
  const auto state = arbiter.initial(3);
  const auto tell = [&](const Event& event) { return told(arbiter, 3, *state, event); };
  EXPECT_EQ(tell(message(0, ArbiterController::kRequest, 7)), Told{"GRANT of ticket 7 to 0"});
  EXPECT_EQ(tell(message(1, ArbiterController::kRequest, 5)), Told{});
  EXPECT_EQ(tell(message(2, ArbiterController::kRequest, 3)), Told{});
  EXPECT_EQ(tell(message(2, ArbiterController::kRequest, 4, 1)), Told{"GRANT of ticket 4 to 2"});  // another resource
  EXPECT_EQ(tell(message(1, ArbiterController::kRequest, 5)), Told{});                             // keeps its place
  EXPECT_EQ(tell(message(0, ArbiterController::kRequest, 7)), Told{"GRANT of ticket 7 to 0"});     // the GRANT was lost
  EXPECT_EQ(tell(message(0, ArbiterController::kDone, 7)), (Told{"ACK of ticket 7 to 0", "GRANT of ticket 5 to 1"}));
  EXPECT_EQ(tell(message(1, ArbiterController::kDone, 5)), (Told{"ACK of ticket 5 to 1", "GRANT of ticket 3 to 2"}));
}

TEST(Arbiter, AnswersWhatComesAfterTheEnd) {
  const ArbiterController arbiter(2);
  const auto state = arbiter.initial(2);
  told(arbiter, 2, *state, message(0, ArbiterController::kRequest, 7));
  told(arbiter, 2, *state, message(0, ArbiterController::kDone, 7));
  const Words over = encoded(*state);
  EXPECT_EQ(told(arbiter, 2, *state, message(0, ArbiterController::kRequest, 7)), Told{});
  EXPECT_EQ(told(arbiter, 2, *state, message(0, ArbiterController::kDone, 7)), Told{"ACK of ticket 7 to 0"});
  EXPECT_EQ(encoded(*state), over);
}

TEST(Arbiter, SourceIgnoresGrantsItDoesNotWaitFor) {
  const ArbiterController arbiter(1);
  const auto state = arbiter.initial(0);
  const auto tell = [&](const Event& event) { return told(arbiter, 0, *state, event); };
  const Event grant = message(1, ArbiterController::kGrant, 7);
  EXPECT_EQ(tell(grant), Told{});  // nothing asked for
  EXPECT_EQ(tell(own(Event::Kind::kReady, 7)), (Told{"REQUEST of ticket 7 to 1", "arm 7"}));
  EXPECT_EQ(tell(own(Event::Kind::kTimer, 7)), (Told{"REQUEST of ticket 7 to 1", "arm 7"}));
  EXPECT_EQ(tell(grant), Told{"start 7"});
  EXPECT_EQ(tell(grant), Told{});
  EXPECT_EQ(tell(own(Event::Kind::kTimer, 7)), Told{});  // nothing to repeat while it runs: the timer lapses
  EXPECT_EQ(tell(own(Event::Kind::kDone, 7)), (Told{"DONE of ticket 7 to 1", "arm 7"}));
  EXPECT_EQ(tell(grant), Told{});
  EXPECT_EQ(tell(own(Event::Kind::kTimer, 7)), (Told{"DONE of ticket 7 to 1", "arm 7"}));
  EXPECT_EQ(tell(message(1, ArbiterController::kAck, 7)), Told{});
  EXPECT_EQ(encoded(*state), encoded(*arbiter.initial(0)));  // forgotten
  EXPECT_EQ(tell(grant), Told{});
  EXPECT_EQ(tell(own(Event::Kind::kTimer, 7)), Told{});
}

// The timer armed with the REQUEST is still running at kDone: a second one would repeat everything twice as often.
TEST(Arbiter, SourceArmsOneTimerPerTicket) {
  const ArbiterController arbiter(1);
  const auto state = arbiter.initial(0);
  told(arbiter, 0, *state, own(Event::Kind::kReady, 7));
  told(arbiter, 0, *state, message(1, ArbiterController::kGrant, 7));
  EXPECT_EQ(told(arbiter, 0, *state, own(Event::Kind::kDone, 7)), Told{"DONE of ticket 7 to 1"});
}

TEST(Arbiter, UsesItsDelays) {
  const ArbiterOptions options{.message_delay = Time::nanoseconds(40), .retry_after = Time::nanoseconds(100)};
  const ArbiterController arbiter(1, options);
  const auto state = arbiter.initial(0);
  Actions actions;
  arbiter.react(0, *state, own(Event::Kind::kReady, 7, 3), actions);
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_TRUE(same(actions[0], Action::send(1, {ArbiterController::kRequest, 7, 3}, Time::nanoseconds(40))));
  EXPECT_TRUE(same(actions[1], Action::set_timer(7, Time::nanoseconds(100))));
}

TEST(Arbiter, RefusesDelaysThatMakeNoSense) {
  const Time t = Time::nanoseconds(1);
  EXPECT_THROW(ArbiterController(1, {.message_delay = t, .retry_after = 2 * t}), Error);  // the answer comes just then
  EXPECT_THROW(ArbiterController(1, {.message_delay = Time(), .retry_after = Time()}), Error);
  EXPECT_THROW(ArbiterController(1, {.message_delay = Time() - t, .retry_after = t}), Error);
  EXPECT_NO_THROW(ArbiterController(1, {.message_delay = t, .retry_after = 3 * t}));
}

// A random run of 3 sources and 12 operations on 2 resources, a tenth of the messages lost. At every event the agent
// reacts twice, on two clones: same state, same actions, and the state they were cloned from is untouched.
TEST(Arbiter, IsPure) {
  const ArbiterController arbiter(3);
  std::vector<std::unique_ptr<AgentState>> states;
  for (Agent agent = 0; agent < arbiter.agents(); ++agent) states.push_back(arbiter.initial(agent));
  std::vector<std::pair<Agent, Event>> pending;
  for (std::uint32_t ticket = 0; ticket < 12; ++ticket)
    pending.push_back({ticket % 3, own(Event::Kind::kReady, ticket, ticket % 2)});

  Random random(1);
  int events = 0, started = 0;
  for (; !pending.empty() && events < 100'000; ++events) {
    std::swap(pending[random.below(pending.size())], pending.back());
    const auto [agent, event] = pending.back();
    pending.pop_back();

    // React twice.
    const Words before = encoded(*states[agent]);
    const auto first = states[agent]->clone(), second = states[agent]->clone();
    Actions actions, repeated;
    arbiter.react(agent, *first, event, actions);
    arbiter.react(agent, *second, event, repeated);
    ASSERT_EQ(encoded(*states[agent]), before);
    ASSERT_EQ(encoded(*first), encoded(*second));
    ASSERT_TRUE(std::ranges::equal(actions, repeated, same));
    states[agent] = first->clone();

    // Carry the actions out.
    for (const Action& action : actions) {
      if (action.kind == Action::Kind::kSend && random.below(10) > 0) {
        Event heard = message(agent, static_cast<ArbiterController::MessageType>(action.message.type),
                              action.message.ticket, action.message.value);
        pending.push_back({action.to, heard});
      }
      if (action.kind == Action::Kind::kTimer) pending.push_back({agent, own(Event::Kind::kTimer, action.timer)});
      if (action.kind == Action::Kind::kStart) {
        ++started;
        pending.push_back(
            {agent, own(Event::Kind::kDone, action.ticket, static_cast<std::uint32_t>(action.ticket % 2))});
      }
    }
  }
  EXPECT_EQ(started, 12);
  EXPECT_TRUE(pending.empty());
}

}  // namespace
}  // namespace helio::flow
