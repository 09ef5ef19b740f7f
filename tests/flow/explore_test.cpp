// SPDX-License-Identifier: Apache-2.0
// The explorer on controllers so small that their situations can be counted by hand.
#include "flow/explore.h"

#include <functional>
#include <utility>

#include <gtest/gtest.h>

namespace helio::flow {
namespace {

using Memory = std::vector<std::uint64_t>;
using Actions = std::vector<Action>;

testing::AssertionResult mentions(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in \"" << text << '"';
}

// A controller from one function; an agent's state is a row of words.
class Toy : public Controller {
 public:
  using Rule = std::function<void(Agent agent, Memory& memory, const Event& event, Actions& actions)>;
  Toy(Agent agents, Rule rule) : agents_(agents), rule_(std::move(rule)) {}

  Agent agents() const override { return agents_; }
  std::unique_ptr<AgentState> initial(Agent) const override { return std::make_unique<State>(); }
  void react(Agent agent, AgentState& state, const Event& event, Actions& actions) const override {
    rule_(agent, static_cast<State&>(state).memory, event, actions);
  }

 private:
  struct State : AgentState {
    Memory memory;
    std::unique_ptr<AgentState> clone() const override { return std::make_unique<State>(*this); }
    void encode(std::vector<std::uint64_t>& words) const override {
      words.insert(words.end(), memory.begin(), memory.end());
    }
  };
  Agent agents_;
  Rule rule_;
};

// Starts what is ready.
Toy direct() {
  return Toy(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::start(event.ticket));
  });
}

// Agent 0 writes to agent 1 about what is ready; agent 1 starts it.
Toy courier() {
  return Toy(2, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::send(1, {0, event.ticket, 0}, Time()));
    if (event.kind == Event::Kind::kMessage) actions.push_back(Action::start(event.message.ticket));
  });
}

// Starts what is ready after a while.
Toy sleeper() {
  return Toy(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::set_timer(event.ticket, Time::seconds(1)));
    if (event.kind == Event::Kind::kTimer) actions.push_back(Action::start(event.timer));
  });
}

const ExploredOperation kFree{0, 0, {}};
const ExploredOperation kOnSeven{0, 0, {7}};

// One operation is not ready, running, done: 3 situations (ready is left in the same event). Two that share nothing are
// independent: 3 · 3. No operation: the one situation in which nothing happens.
TEST(Explore, CountsOperationsThatStartAtOnce) {
  EXPECT_EQ(explore(direct(), {}).situations, 1u);
  EXPECT_EQ(explore(direct(), {kFree}).situations, 3u);
  const Exploration two = explore(direct(), {kFree, kFree});
  EXPECT_EQ(two.situations, 9u);
  EXPECT_TRUE(two.ok());
}

// not ready · letter in flight · running · done: 4, and 4 · 4 for two, because their letters differ.
TEST(Explore, CountsMessages) {
  EXPECT_EQ(explore(courier(), {kFree}).situations, 4u);
  EXPECT_EQ(explore(courier(), {kFree, kFree}).situations, 16u);
}

// Both operations make agent 0 write the same letter, so that letters are interchangeable and agent 1 hears "one more".
// With r operations ready, d letters arrived (0 <= d <= r <= 2), and which operation is ready mattering only to the
// statuses: r = 0: 1; r = 1: 2 choices · d in {0, 1}; r = 2: d in {0, 1, 2}. That is 1 + 4 + 3. Were equal letters told
// apart, r = 2 would have 4. Nobody starts anything, so it is a deadlock from the first situation on.
TEST(Explore, TakesEqualMessagesAsOne) {
  const Toy counter(2, [](Agent, Memory& memory, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::send(1, {}, Time()));
    if (event.kind == Event::Kind::kMessage) memory.push_back(1);
  });
  const Exploration seen = explore(counter, {kFree, kFree});
  EXPECT_EQ(seen.situations, 8u);
  EXPECT_TRUE(seen.complete);
  EXPECT_TRUE(mentions(seen.deadlock, "operation 0 is not ready; operation 1 is not ready"));
}

// The 4 of the courier with one loss left, and the one after the letter was lost: 5. Nothing can happen there.
TEST(Explore, FindsTheLossThatNobodyMends) {
  const Exploration seen = explore(courier(), {kFree}, {.losses = 1});
  EXPECT_EQ(seen.situations, 5u);
  EXPECT_TRUE(seen.complete);
  EXPECT_FALSE(seen.ok());
  EXPECT_EQ(seen.deadlock,
            "operation 0 is ready; nothing more can happen\n"
            "  operation 0 becomes ready at agent 0\n"
            "  message 0 (ticket 0, value 0) from agent 0 to agent 1 is lost\n");
}

// Per operation: N not ready, A armed, R running, D done. Alone: 4.
// Two, and no timer fires early, which means while the other is N or R: NN AN NA AA, then RA AR, DA AD, DR RD, DD: 11.
TEST(Explore, FiresTimersWhenNothingElseCanHappen) {
  EXPECT_EQ(explore(sleeper(), {kFree}, {.timers_at_most = 0}).situations, 4u);
  const Exploration two = explore(sleeper(), {kFree, kFree}, {.timers_at_most = 0});
  EXPECT_EQ(two.situations, 11u);
  EXPECT_TRUE(two.ok());
}

// As above, with R and D marked 1 when their timer fired early.
//   none fired:          {N,A} × {N,A}                                                                             4
//   one, the other N:    {R1,D1}, either operation                                                                 4
//   one, the other A:    {R0,R1,D0,D1}, either operation: fired when the other was A or still N                     8
//   both:                the second is marked 1 if the first was then R, 0 if it was D; the first is marked freely.
//                        marks 11, 01, 10: all of {R,D} × {R,D}; marks 00: the first must be D: DR RD DD           15
TEST(Explore, CountsEarlyFirings) {
  const Exploration seen = explore(sleeper(), {kFree, kFree}, {.timers_at_most = 1});
  EXPECT_EQ(seen.situations, 31u);
  EXPECT_TRUE(seen.ok());
}

// Two agents return a message for ever, so that it is never quiet; the operation needs the timer. With no early firing
// allowed the timer is always held back: that is not known to be a deadlock. With one, the operation ends.
TEST(Explore, DoesNotTakeTheTimerBoundForADeadlock) {
  const Toy chatter(2, [](Agent agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kStart && agent == 0) actions.push_back(Action::send(1, {}, Time()));
    if (event.kind == Event::Kind::kMessage) actions.push_back(Action::send(event.from, {}, Time()));
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::set_timer(event.ticket, Time::seconds(1)));
    if (event.kind == Event::Kind::kTimer) actions.push_back(Action::start(event.timer));
  });
  const Exploration bounded = explore(chatter, {kFree}, {.timers_at_most = 0});
  EXPECT_FALSE(bounded.complete);
  EXPECT_EQ(bounded.deadlock, "");
  EXPECT_TRUE(explore(chatter, {kFree}, {.timers_at_most = 1}).ok());
}

// A timer that fires for ever without effect: something can always happen, and still nobody starts the operation. It is
// lost from the beginning: not ready, then armed, which is where the timer leads back to.
TEST(Explore, FindsOperationsThatStarve) {
  const Toy idler(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady || event.kind == Event::Kind::kTimer)
      actions.push_back(Action::set_timer(0, Time::seconds(1)));
  });
  const Exploration seen = explore(idler, {kFree});
  EXPECT_EQ(seen.situations, 2u);
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.deadlock, "operation 0 is not ready; nothing that can still happen completes them all\n");
}

TEST(Explore, FindsTwoOperationsOnOneResource) {
  const Exploration seen = explore(direct(), {kOnSeven, kFree, kOnSeven});
  EXPECT_FALSE(seen.ok());
  EXPECT_EQ(seen.double_grant,
            "agent 0 starts operation 2 on resource 7, where operation 0 is running\n"
            "  operation 0 becomes ready at agent 0\n"
            "  operation 2 becomes ready at agent 0");
}

TEST(Explore, FindsAnOperationStartedTwiceOrTooEarly) {
  const auto starting = [](Event::Kind when, std::vector<Ticket> tickets) {
    return Toy(1, [=](Agent, Memory&, const Event& event, Actions& actions) {
      if (event.kind != when) return;
      for (const Ticket ticket : tickets) actions.push_back(Action::start(ticket));
    });
  };
  const auto wrong = [](const Toy& toy) { return explore(toy, {kFree}).double_grant; };
  EXPECT_TRUE(mentions(wrong(starting(Event::Kind::kReady, {0, 0})), "operation 0, which is running"));
  EXPECT_TRUE(mentions(wrong(starting(Event::Kind::kStart, {0})), "operation 0, which is not ready"));
  EXPECT_TRUE(mentions(wrong(starting(Event::Kind::kReady, {5})), "unknown ticket 5"));

  const Toy again(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady || event.kind == Event::Kind::kDone)
      actions.push_back(Action::start(event.ticket));
  });
  EXPECT_TRUE(mentions(wrong(again), "operation 0, which is done"));
}

// Operation 1 (claim 1) is urgent: it takes the resource from operation 0 and gives it back when it is done.
TEST(Explore, FollowsPreemption) {
  const auto preempting = [](bool resume_too_early) {
    return Toy(1, [=](Agent, Memory& memory, const Event& event, Actions& actions) {
      enum { kAway, kWaits, kRuns, kSuspended };
      memory.resize(2);  // [0]: what operation 0 does; [1]: whether the urgent one runs
      const bool urgent = event.claim == 1;
      if (event.kind == Event::Kind::kReady && !urgent) {
        memory[0] = memory[1] ? kWaits : kRuns;
        if (!memory[1]) actions.push_back(Action::start(0));
      } else if (event.kind == Event::Kind::kReady) {
        memory[1] = 1;
        const bool takes = memory[0] == kRuns;
        if (takes) actions.push_back(Action::suspend(0));
        if (takes) memory[0] = kSuspended;
        actions.push_back(Action::start(1));
        if (takes && resume_too_early) actions.push_back(Action::resume(0));
      } else if (event.kind == Event::Kind::kDone && !urgent) {
        memory[0] = kAway;
      } else if (event.kind == Event::Kind::kDone) {
        memory[1] = 0;
        if (memory[0] == kWaits) actions.push_back(Action::start(0));
        if (memory[0] == kSuspended) actions.push_back(Action::resume(0));
        if (memory[0] != kAway) memory[0] = kRuns;
      }
    });
  };
  const std::vector<ExploredOperation> operations{{0, 0, {7}}, {0, 1, {7}}};
  EXPECT_TRUE(explore(preempting(false), operations).ok());
  EXPECT_TRUE(mentions(explore(preempting(true), operations).double_grant, "operation 0 on resource 7"));
}

// Suspended and never resumed, operation 0 cannot complete: lost from the first situation on.
TEST(Explore, FindsAnOperationThatStaysSuspended) {
  const Toy stopper(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind != Event::Kind::kReady) return;
    actions.push_back(Action::start(0));
    actions.push_back(Action::suspend(0));
  });
  EXPECT_TRUE(mentions(explore(stopper, {kFree}).deadlock, "operation 0 is not ready; nothing that can still happen"));
}

TEST(Explore, FindsCommandsToWhatIsOver) {
  const Toy late(1, [](Agent, Memory&, const Event& event, Actions& actions) {
    if (event.kind == Event::Kind::kReady) actions.push_back(Action::start(0));
    if (event.kind == Event::Kind::kDone) actions.push_back(Action::suspend(0));
  });
  EXPECT_TRUE(mentions(explore(late, {kFree}).double_grant, "agent 0 suspends operation 0, which is done"));
}

// The 9 situations of two direct operations do not fit into 4; whatever was left out may hold the end.
TEST(Explore, GivesUpPastTheLimit) {
  const Exploration seen = explore(direct(), {kFree, kFree}, {.situation_limit = 4});
  EXPECT_FALSE(seen.complete);
  EXPECT_FALSE(seen.ok());
  EXPECT_EQ(seen.deadlock, "");
  EXPECT_EQ(seen.double_grant, "");
  EXPECT_TRUE(explore(direct(), {kFree, kFree}, {.situation_limit = 9}).ok());
}

}  // namespace
}  // namespace helio::flow
