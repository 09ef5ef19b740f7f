// SPDX-License-Identifier: Apache-2.0
// The controller's runtime: tickets, messages, loss, timers, suspension.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "simulate/programs.h"

namespace helio::simulate {
namespace {

using W = ProgramWriter;

struct NoState : flow::AgentState {
  std::unique_ptr<AgentState> clone() const override { return std::make_unique<NoState>(*this); }
  void encode(std::vector<std::uint64_t>&) const override {}
};

// An agent whose reaction is a function without memory.
class Reflex : public flow::Controller {
 public:
  using Reaction = std::function<void(flow::Agent, const flow::Event&, std::vector<flow::Action>&)>;
  Reflex(flow::Agent agents, Reaction reaction, bool repeats = false)
      : agents_(agents), reaction_(std::move(reaction)), repeats_(repeats) {}
  bool repeats() const override { return repeats_; }
  flow::Agent agents() const override { return agents_; }
  std::unique_ptr<flow::AgentState> initial(flow::Agent) const override { return std::make_unique<NoState>(); }
  void react(flow::Agent agent, flow::AgentState&, const flow::Event& event,
             std::vector<flow::Action>& actions) const override {
    reaction_(agent, event, actions);
  }

 private:
  flow::Agent agents_;
  Reaction reaction_;
  bool repeats_;
};

using Kind = flow::Event::Kind;

flow::Operation controlled(flow::Operation op, flow::Agent agent = 0) {
  op.controlled = true;
  op.agent = agent;
  return op;
}

TEST(Control, AMessageThereAndBackStartsAnOperation) {
  W w;
  // Ready at 0; asks agent 1 (1 s), who answers (2 s): starts at 3 s, 10 B at 10 B/s: 4 s.
  w.program.controls.emplace_back().controller =
      std::make_shared<Reflex>(2, [](flow::Agent agent, const flow::Event& event, std::vector<flow::Action>& out) {
        if (event.kind == Kind::kReady) out.push_back(flow::Action::send(1, {1, event.ticket, 0}, s(1)));
        if (event.kind == Kind::kMessage && agent == 1)
          out.push_back(flow::Action::send(event.from, event.message, s(2)));
        if (event.kind == Kind::kMessage && agent == 0) out.push_back(flow::Action::start(event.message.ticket));
      });
  const Timeline t = w.run(w.body("ask", {controlled(W::transfer(w.route({w.link(10)}), 10))}));
  EXPECT_EQ(t.end, s(4));
  EXPECT_EQ(t.control_messages, 2u);
  EXPECT_EQ(t.critical.control, s(3));
  EXPECT_EQ(t.critical.waiting, s(0));
}

// Two controllers of two agents each. They are asked at 0 and ask their own agent 1, one over 1 s, the other over 3 s, who starts the
// transfer by itself: 1 + 1 = 2 s and 3 + 1 = 4 s. A third loses all that it sends and starts by its timer: 5 + 1 = 6 s.
TEST(Control, ControllersOfOneProgramDoNotHearEachOther) {
  W w;
  for (const double there : {1.0, 3.0})
    w.program.controls.push_back({std::make_shared<Reflex>(
        2, [there](flow::Agent agent, const flow::Event& event, std::vector<flow::Action>& out) {
          if (event.kind == Kind::kReady) out.push_back(flow::Action::send(1, {1, event.ticket, 0}, s(there)));
          if (event.kind == Kind::kMessage && agent == 1) out.push_back(flow::Action::start(event.message.ticket));
        })});
  w.program.controls.push_back(
      {std::make_shared<Reflex>(2,
                                [](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
                                  if (event.kind == Kind::kReady) {
                                    out.push_back(flow::Action::send(1, {1, event.ticket, 0}, s(1)));
                                    out.push_back(flow::Action::set_timer(event.ticket, s(5)));
                                  }
                                  if (event.kind == Kind::kTimer) out.push_back(flow::Action::start(event.timer));
                                  EXPECT_NE(event.kind, Kind::kMessage);
                                }),
       {.loss = 1}});
  flow::Operation first = controlled(W::transfer(w.route({w.link(10)}), 10)), second = first, third = first;
  second.route = w.route({w.link(10)});
  second.controller = 1;
  third.route = w.route({w.link(10)});
  third.controller = 2;
  const flow::TemplateId body = w.body("all", {first, second, third});
  w.program.templates[body.value].visible = true;
  const Timeline t = w.run(body);
  EXPECT_EQ(t.end, s(6));
  EXPECT_EQ(t.control_messages, 3u);
  EXPECT_EQ(t.messages_lost, 1u);
  ASSERT_EQ(t.spans.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(t.spans[i].end, s(2 + 2 * static_cast<double>(i)));
}

TEST(Control, TheControllerChoosesTheRoute) {
  W w;
  const auto slow = w.link(1), fast = w.link(10);
  flow::Operation op = controlled(W::transfer(w.route({slow}), 10));
  w.route({fast});
  op.alternatives = 2;
  w.program.controls.emplace_back().controller =
      std::make_shared<Reflex>(1, [](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
        if (event.kind == Kind::kReady) out.push_back(flow::Action::start(event.ticket, 1));
      });
  EXPECT_EQ(w.run(w.body("choose", {op})).end, s(1));
}

TEST(Control, ASuspendedTransferResumesWithWhatIsLeft) {
  W w;
  // Starts at once, suspended at 2 s (20 of 50 B moved), resumed at 5 s: 5 + 3 = 8 s.
  w.program.controls.emplace_back().controller =
      std::make_shared<Reflex>(1, [](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
        if (event.kind == Kind::kReady) {
          out.push_back(flow::Action::start(event.ticket));
          out.push_back(flow::Action::set_timer(2 * event.ticket, s(2)));
          out.push_back(flow::Action::set_timer(2 * event.ticket + 1, s(5)));
        }
        if (event.kind == Kind::kTimer)
          out.push_back(event.timer % 2 == 0 ? flow::Action::suspend(event.timer / 2)
                                             : flow::Action::resume(event.timer / 2));
      });
  const Timeline t = w.run(w.body("pause", {controlled(W::transfer(w.route({w.link(10)}), 50))}));
  EXPECT_EQ(t.end, s(8));
  EXPECT_EQ(t.critical.waiting, s(3));
  EXPECT_EQ(t.critical.transmission, s(5));
}

TEST(Control, LossIsCountedAndReproducible) {
  // One agent throws 1000 messages; the transfer starts by a timer. The lost ones are the same for the same seed and near the
  // expected 300 (standard deviation 14.5, so within 5 of them).
  const auto lost = [](std::uint64_t seed) {
    W w;
    w.program.controls.push_back({nullptr, {Time(), 0.3, seed}});
    w.program.controls.front().controller =
        std::make_shared<Reflex>(2, [](flow::Agent agent, const flow::Event& event, std::vector<flow::Action>& out) {
          if (event.kind == Kind::kReady) out.push_back(flow::Action::set_timer(event.ticket, s(1)));
          if (event.kind == Kind::kTimer) out.push_back(flow::Action::start(event.timer));
          if (event.kind == Kind::kStart && agent == 0)
            for (int i = 0; i < 1000; ++i) out.push_back(flow::Action::send(1, {0, 0, i}, s(0.5)));
        });
    return w.run(w.body("loss", {controlled(W::delay(s(1)))})).messages_lost;
  };
  EXPECT_EQ(lost(1), lost(1));
  EXPECT_NE(lost(1), lost(2));
  EXPECT_NEAR(static_cast<double>(lost(1)), 300, 73);
}

TEST(Control, StartingTwiceIsTheControllersFault) {
  W w;
  w.program.controls.emplace_back().controller =
      std::make_shared<Reflex>(1, [](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
        if (event.kind != Kind::kReady) return;
        out.push_back(flow::Action::start(event.ticket));
        out.push_back(flow::Action::start(event.ticket));
      });
  EXPECT_THROW(w.run(w.body("twice", {controlled(W::delay(s(1)))})), std::logic_error);
}

TEST(Control, ARotorHoldsTransfersToItsSlots) {
  W w;
  // A rotor with slots of 1 s in which even tickets may send, then odd ones. 15 B at 10 B/s need 1.5 s of slots each:
  // ticket 2 (even) in 0-1 and 2-2.5, ticket 1 (odd) in 1-2 and 3-3.5.
  w.program.controls.emplace_back().controller =
      std::make_shared<Reflex>(1, [](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
        if (event.kind == Kind::kReady) {
          out.push_back(flow::Action::start(event.ticket));
          if (event.ticket % 2 == 1) out.push_back(flow::Action::suspend(event.ticket));
          if (event.ticket == 1) out.push_back(flow::Action::set_timer(1, s(1)));
        }
        if (event.kind == Kind::kTimer && event.timer < 4) {
          const bool even = event.timer % 2 == 0;
          if (event.timer < 3) out.push_back(flow::Action::suspend(even ? 1 : 2));
          out.push_back(flow::Action::resume(even ? 2 : 1));
          out.push_back(flow::Action::set_timer(event.timer + 1, s(1)));
        }
      });
  const auto l = w.link(10);
  const auto body =
      w.body("rotor", {controlled(W::transfer(w.route({l}), 15)), controlled(W::transfer(w.route({l}), 15))});
  const Timeline t = w.run(body);
  EXPECT_EQ(end_of(t, body, 1), s(2.5));
  EXPECT_EQ(end_of(t, body, 0), s(3.5));
}

// Rounds that ask

// One transfer of 1 s a round. Who repeats himself and says nothing is asked in the first round and in the last; a timer, or a message, in
// every round keeps the rounds apart.
TEST(Control, RoundsAreLeaptOverWhereNothingIsSaid) {
  const auto run = [](bool repeats, bool talks) {
    W w;
    w.program.controls.emplace_back().controller = std::make_shared<Reflex>(
        1,
        [talks](flow::Agent, const flow::Event& event, std::vector<flow::Action>& out) {
          if (event.kind == Kind::kReady) out.push_back(flow::Action::start(event.ticket));
          if (event.kind == Kind::kDone && talks) out.push_back(flow::Action::set_timer(1, s(0.5)));
        },
        repeats);
    const auto a = w.body("a", {controlled(W::transfer(w.route({w.link(10)}), 10))});
    return w.run(w.body("entry", {W::call(a, 1000)}), true, false);
  };
  for (const bool repeats : {true, false})
    for (const bool talks : {true, false}) {
      const Timeline t = run(repeats, talks);
      EXPECT_EQ(t.end, s(1000));
      EXPECT_EQ(t.critical.transmission, s(1000));
      EXPECT_EQ(t.steps, 1000u);
      EXPECT_EQ(t.rounds_jumped, repeats && !talks ? 998u : 0u);
    }
}

// Lets one operation at a time go; those that wait go in turn. An agent other than the first tells him of each that it lets go.
struct Turnstile : flow::AgentState {
  std::vector<flow::Ticket> line;  // the first goes
  std::unique_ptr<AgentState> clone() const override { return std::make_unique<Turnstile>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override { words.insert(words.end(), line.begin(), line.end()); }
};
class Turnstiles : public flow::Controller {
 public:
  explicit Turnstiles(flow::Agent agents) : agents_(agents) {}
  flow::Agent agents() const override { return agents_; }
  std::unique_ptr<flow::AgentState> initial(flow::Agent) const override { return std::make_unique<Turnstile>(); }
  bool repeats() const override { return true; }
  void react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
             std::vector<flow::Action>& out) const override {
    auto& line = static_cast<Turnstile&>(state).line;
    const auto go = [&] {
      out.push_back(flow::Action::start(line.front()));
      if (agent > 1) out.push_back(flow::Action::send(0, {}, s(0.25)));
    };
    if (event.kind == Kind::kReady) {
      line.push_back(event.ticket);
      if (line.size() == 1) go();
    }
    if (event.kind == Kind::kDone) {
      line.erase(line.begin());
      if (!line.empty()) go();
    }
  }

 private:
  flow::Agent agents_;
};

// Ten rounds of 1 s, and one of 2 s that asks the same agent 3.5 s after the start: it waits for the fourth round, goes from 4 to 6 s, and
// the fifth waits for it. So the rounds end at 12 s.
TEST(Control, WhoAsksTheSameAgentBreaksTheLeap) {
  W w;
  w.program.controls.emplace_back().controller = std::make_shared<Turnstiles>(1);
  const auto a = w.body("a", {controlled(W::delay(s(1)))});
  const auto entry = w.body("entry", {W::call(a, 10), W::delay(s(3.5)), controlled(W::delay(s(2)))}, {{1, 2}});
  for (const bool jump : {true, false}) {
    const Timeline t = w.run(entry, jump);
    EXPECT_EQ(t.end, s(12));
    EXPECT_EQ(end_of(t, entry, 2), s(6));
    EXPECT_EQ(t.rounds_jumped > 0, jump);
  }
}

// Random programs of delays and calls, half of which ask one of three agents; no two times are alike by chance.
RC_GTEST_PROP(Control, LeapsChangeNothing, (std::uint64_t seed)) {
  Random random(seed);
  W w;
  w.program.controls.emplace_back().controller = std::make_shared<Turnstiles>(3);
  std::vector<flow::TemplateId> bodies;
  for (int level = 0; level < 3; ++level)
    for (int k = 0; k < 2; ++k) {
      std::vector<flow::Operation> operations;
      std::vector<flow::Edge> edges;
      const std::uint64_t count = 1 + random.below(3);
      for (std::uint32_t i = 0; i < count; ++i) {
        flow::Operation op = level > 0 && random.below(2) == 0
                                 ? W::call(bodies[random.below(bodies.size())], 1 + random.below(12))
                                 : W::delay(Time::seconds(random.uniform()));
        if (op.kind != flow::OperationKind::kCall && random.below(2) == 0)
          op = controlled(op, static_cast<flow::Agent>(random.below(3)));
        operations.push_back(op);
        if (i > 0 && random.below(2) == 0) edges.push_back({static_cast<std::uint32_t>(random.below(i)), i});
      }
      bodies.push_back(w.body("b", operations, edges));
    }
  const Timeline leaping = w.run(bodies.back(), true), walking = w.run(bodies.back(), false);
  RC_ASSERT(leaping.end == walking.end);
  RC_ASSERT(leaping.steps == walking.steps);
  RC_ASSERT(leaping.control_messages == walking.control_messages);
  RC_ASSERT(leaping.critical.control == walking.critical.control);
}

}  // namespace
}  // namespace helio::simulate
