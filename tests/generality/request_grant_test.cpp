// SPDX-License-Identifier: Apache-2.0
// Proof (c): request/grant control over a channel that loses and reorders messages, in the real engine. The protocol is
// flow/arbiter.h; that no order of messages breaks it is shown by the explorer (tests/flow/arbiter_test.cpp), and here it
// earns its keep: it alone keeps transfers apart.
//
//      source 0 ──┐                        0    1    2              7    8    9        14
//      source 1 ──┼── 10 B/s ──▶   source 0 REQ─▶GRANT─▶ 50 B ────── DONE─▶
//      source 2 ──┘                source 1                              GRANT─▶ 50 B ──
//
// Each source sends 50 B (5 s). A message takes 1 s.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "flow/arbiter.h"
#include "flow/explore.h"
#include "generality/proving.h"
#include "simulate/programs.h"

namespace helio::generality {
namespace {

using W = simulate::ProgramWriter;
using simulate::s;

constexpr double kSend = 5;  // seconds

// `sources` sources, each with `each` transfers one after the other; transfer k of every source wants line k % lines.
struct Contest {
  W writer;
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_line;  // operations
  flow::TemplateId body;

  Contest(std::uint32_t sources, std::uint32_t each, std::uint32_t lines, bool exclusive,
          std::shared_ptr<const flow::Controller> controller) {
    std::vector<flow::RouteId> routes;
    for (std::uint32_t i = 0; i < lines; ++i)
      routes.push_back(exclusive ? writer.route({}, {writer.channel(10)}) : writer.route({writer.link(10)}));
    flow::Template contest{"contest", {}, {}};
    for (std::uint32_t source = 0; source < sources; ++source)
      for (std::uint32_t k = 0; k < each; ++k) {
        flow::Operation op = W::transfer(routes[k % lines], 10 * kSend);
        op.controlled = true;
        op.agent = source;
        op.claim = k % lines;
        const auto index = static_cast<std::uint32_t>(contest.operations.size());
        if (k > 0) contest.edges.push_back({index - 1, index});
        by_line[op.claim].push_back(index);
        contest.operations.push_back(op);
      }
    body = writer.program.add(contest);
    writer.program.entry = body;
    writer.program.controls.push_back({std::move(controller)});
  }

  // On a link nothing but the controller keeps transfers apart: two that overlapped would share the rate, and the second of
  // them would end less than 5 s after the first.
  Time closest_ends(const simulate::Timeline& t) const {
    Time closest = Time::max();
    for (const auto& [line, operations] : by_line) {
      std::vector<Time> ends;
      for (const std::uint32_t operation : operations) ends.push_back(end_of(t, body, operation));
      std::sort(ends.begin(), ends.end());
      for (std::size_t i = 1; i < ends.size(); ++i) closest = std::min(closest, ends[i] - ends[i - 1]);
    }
    return closest;
  }
};

std::shared_ptr<const flow::Controller> arbiter(std::uint32_t sources, Time retry_after) {
  return std::make_shared<flow::ArbiterController>(sources, flow::ArbiterOptions{s(1), retry_after});
}

TEST(RequestGrant, WithoutLossTheTimeIsThatOfTheMessages) {
  // All ask at 0; REQUESTs arrive at 1, the first source is granted and hears it at 2, sends until 7. Its DONE arrives at 8,
  // the next GRANT at 9: every transfer costs 2 + 5 s. The three end at 7, 14, 21 s.
  // Messages: 3 REQUEST, 3 GRANT, 3 DONE, and 2 ACK (the program ends before the last); the time-out of 100 s never fires.
  for (const bool exclusive : {false, true}) {
    Contest contest(3, 1, 1, exclusive, arbiter(3, s(100)));
    const simulate::Timeline t = timed(contest.writer.program);
    EXPECT_EQ(end_of(t, contest.body, 0), s(7));
    EXPECT_EQ(end_of(t, contest.body, 1), s(14));
    EXPECT_EQ(end_of(t, contest.body, 2), s(21));
    EXPECT_EQ(t.critical.transmission, s(5));
    // The third waits 16 s. Two transfers of 5 s hold the line before it where it is a channel; the rest, and all of it where a link has
    // no holder, is control
    EXPECT_EQ(t.critical.waiting, exclusive ? s(10) : Time());
    EXPECT_EQ(t.critical.control, exclusive ? s(6) : s(16));
    EXPECT_EQ(t.control_messages, 11u);
    EXPECT_EQ(t.messages_lost, 0u);
    EXPECT_DOUBLE_EQ(t.busy_seconds[0], 15.0);
  }
}

TEST(RequestGrant, RepeatingIsHarmless) {
  // With a time-out of 3 s and nothing lost, REQUESTs are repeated in vain, and the times are those of the test before.
  Contest contest(3, 1, 1, false, arbiter(3, s(3)));
  const simulate::Timeline t = timed(contest.writer.program);
  EXPECT_EQ(t.end, s(21));
  EXPECT_GT(t.control_messages, 11u);
}

TEST(RequestGrant, AllFinishOneAtATimeWhateverIsLostOrReordered) {
  // Three sources, four transfers each, alternating between two lines. Three messages in ten are lost and each is late by
  // up to 4 s, so that they overtake each other. A line carries 6 transfers of 5 s, each after a round trip of 2 s at least.
  std::uint64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Contest contest(3, 4, 2, false, arbiter(3, s(6)));
    contest.writer.program.controls.front().messages = {s(4), 0.3, seed};
    const simulate::Timeline t = timed(contest.writer.program);
    EXPECT_GE(contest.closest_ends(t), s(kSend)) << "seed " << seed;
    EXPECT_GE(t.end, s(6 * (kSend + 2)));
    lost += t.messages_lost;
  }
  EXPECT_GT(lost, 1000u);
}

TEST(RequestGrant, TheSameSeedGivesTheSameRun) {
  Time ends[3];
  for (int i = 0; i < 3; ++i) {
    Contest contest(3, 4, 2, true, arbiter(3, s(6)));
    contest.writer.program.controls.front().messages = {s(4), 0.3, i == 2 ? 8u : 7u};
    ends[i] = timed(contest.writer.program).end;
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_NE(ends[0], ends[2]);
}

TEST(RequestGrant, TheSameCodePassesTheExplorer) {
  // Two sources, one line, one message may be lost: every order of events.
  flow::ExploreOptions options;
  options.losses = 1;
  options.timers_at_most = 1;
  EXPECT_TRUE(flow::explore(flow::ArbiterController(2), {{0, 0, {0}}, {1, 0, {0}}}, options).ok());
}

// A controller that grants at once, to show that the measure above has teeth.
class Generous : public flow::Controller {
 public:
  struct Nothing : flow::AgentState {
    std::unique_ptr<flow::AgentState> clone() const override { return std::make_unique<Nothing>(); }
    void encode(std::vector<std::uint64_t>&) const override {}
  };
  flow::Agent agents() const override { return 3; }
  std::unique_ptr<flow::AgentState> initial(flow::Agent) const override { return std::make_unique<Nothing>(); }
  void react(flow::Agent, flow::AgentState&, const flow::Event& event,
             std::vector<flow::Action>& actions) const override {
    if (event.kind == flow::Event::Kind::kReady) actions.push_back(flow::Action::start(event.ticket));
  }
};

TEST(RequestGrant, ADoubleGrantWouldBeSeen) {
  // Three at once share 10 B/s: all end at 15 s, 0 s apart.
  Contest contest(3, 1, 1, false, std::make_shared<Generous>());
  const simulate::Timeline t = timed(contest.writer.program);
  EXPECT_EQ(t.end, s(15));
  EXPECT_LT(contest.closest_ends(t), s(kSend));
}

}  // namespace
}  // namespace helio::generality
