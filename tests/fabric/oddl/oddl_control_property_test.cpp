// SPDX-License-Identifier: Apache-2.0
// ODDL's control in the engine under random options, loss and jitter: every run ends, every flow is carried exactly once, and light
// never meets light (papers/oddl.md 7, item 5).
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "fabric/oddl/oddl_floor.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

constexpr double kRate = 12.5e9;  // bytes per second
const Time kDark = Time::nanoseconds(220);

template <class T>
T any_of(Random& random, std::initializer_list<T> values) {
  return values.begin()[random.below(values.size())];
}

// How long a flow of so many bytes was lit, if it was carried once: its bytes, and a dark time at most for each stretch. A flow
// that met another at a channel of the engine would have waited there. A cut flow's bytes are rounded at every cut.
void expect_carried_once(const LoggedOddl& control, const std::map<flow::Ticket, double>& bytes) {
  struct Lit {
    int stretches = 0;
    Time time;
  };
  std::map<flow::Ticket, Lit> lit;
  for (const LoggedOddl::Stretch& stretch : control.log()) {
    EXPECT_GE(stretch.start, stretch.ready);
    Lit& flow = lit[stretch.ticket];
    ++flow.stretches;
    flow.time += stretch.end - stretch.start;
  }
  ASSERT_EQ(lit.size(), bytes.size());
  for (const auto& [ticket, flow] : lit) {
    const double least = bytes.at(ticket) / kRate, time = flow.time.to_seconds();
    EXPECT_GE(time, least - 1e-12 * flow.stretches);
    EXPECT_LE(time, least + (kDark.to_seconds() + 1e-12) * flow.stretches);
    EXPECT_TRUE(flow.stretches == 1 || control.options().quantum_bytes > 0);
  }
}

// Flows of 100 B to 100 kB between random nodes that arrive within 200 us. Tickets are given in the order of arrival, so that the
// controller is asked which is whose.
class Weighed : public LoggedOddl {
 public:
  using LoggedOddl::LoggedOddl;
  void react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
             std::vector<flow::Action>& actions) const override {
    if (event.kind == flow::Event::Kind::kReady) {
      EXPECT_TRUE(bytes_.emplace(event.ticket, event.bytes).second);
    }
    LoggedOddl::react(agent, state, event, actions);
  }
  const std::map<flow::Ticket, double>& bytes() const { return bytes_; }

 private:
  mutable std::map<flow::Ticket, double> bytes_;
};

OddlControlOptions any_control(Random& random, std::uint32_t nodes) {
  OddlControlOptions options;
  options.nodes = nodes;
  options.groups = any_of(random, {1u, 4u, 8u});
  options.mode = any_of(random, {OddlControlMode::kDistributed, OddlControlMode::kCentral, OddlControlMode::kSlotted});
  options.policy = any_of(random, {OddlPolicy::kSrpt, OddlPolicy::kFifo, OddlPolicy::kRoundRobin, OddlPolicy::kCoflow});
  options.coflow_bytes = {1e6, 2e6};
  options.lookahead = static_cast<std::uint32_t>(random.below(3));
  options.transmitters = any_of(random, {1u, 1u, 2u, 4u});
  options.clock_error = Time::nanoseconds(any_of(random, {0.0, 20.0, 700.0}));
  options.aging = Time::microseconds(any_of(random, {5.0, 1000.0}));
  options.silences = static_cast<std::uint32_t>(random.below(4));
  if (options.transmitters == 1) options.quantum_bytes = any_of(random, {0.0, 0.0, 20'000.0});
  if (options.silences > 0 && random.below(3) == 0)
    options.dead_arbiter = OddlControlOptions::Death{static_cast<std::uint32_t>(random.below(options.offices())),
                                                     Time::microseconds(static_cast<double>(random.below(150)))};
  return options;
}

flow::MessageChannel any_channel(Random& random) {
  return {Time::microseconds(any_of(random, {0.0, 0.3, 3.0, 20.0})), any_of(random, {0.0, 0.05, 0.3, 0.6}),
          random.next()};
}

class OddlProperty : public testing::TestWithParam<std::uint32_t> {};

TEST_P(OddlProperty, RandomFlowsAreCarriedOnceAndNeverMeet) {
  const std::uint32_t nodes = GetParam();
  const int runs = nodes == 16 ? 300 : 60;
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(run);
    Random random(static_cast<std::uint64_t>(run) * 1000 + nodes);
    const OddlControlOptions options = any_control(random, nodes);
    OddlFloor floor(options, std::make_shared<Weighed>(options));
    const auto flows = static_cast<std::uint32_t>(nodes * (1 + random.below(20)));
    const auto hot = static_cast<std::uint32_t>(random.below(nodes)) + 1;  // so many nodes receive
    for (std::uint32_t i = 0; i < flows; ++i) {
      const auto to = static_cast<std::uint32_t>(random.below(hot));
      const auto from = static_cast<std::uint32_t>((to + 1 + random.below(nodes - 1)) % nodes);
      const double bytes = 100.0 * static_cast<double>(1 + random.below(random.below(4) == 0 ? 1000 : 20));
      floor.flow(Time::microseconds(static_cast<double>(random.below(200))), from, to, bytes,
                 static_cast<std::uint8_t>(random.below(2)), random.below(4) == 0,
                 static_cast<std::uint32_t>(random.below(3)));
    }
    floor.run(any_channel(random));
    EXPECT_EQ(floor.collision(), "");
    const auto& control = static_cast<const Weighed&>(*floor.log);
    EXPECT_EQ(control.bytes().size(), flows);
    expect_carried_once(control, control.bytes());
    if (HasFailure()) return;
  }
}

// Collectives as the fabric lowers them. From each of n nodes all-to-all sends n - 1 flows, a ring 2 (n - 1), halving-doubling
// 2 log2 n. Two transceivers carry half of each, or (`alternate`) take turns.
TEST_P(OddlProperty, CollectivesSendEachFlowOnce) {
  const std::uint32_t nodes = GetParam();
  const std::uint32_t logarithm = nodes == 16 ? 4 : 6;
  struct Collective {
    const char* algorithm;
    schedule::Kind kind;
    std::uint32_t flows;  // of a node
  };
  const Collective collectives[] = {{"direct", schedule::Kind::kAllToAll, nodes - 1},
                                    {"ring", schedule::Kind::kAllReduce, 2 * (nodes - 1)},
                                    {"halving-doubling", schedule::Kind::kAllReduce, 2 * logarithm}};
  const int runs = nodes == 16 ? 60 : 12;
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(run);
    Random random(static_cast<std::uint64_t>(run) * 1000 + nodes);
    const Collective& collective = collectives[run % 3];
    const std::string trx = any_of(random, {"1", "2"}), policy = any_of(random, {"srpt", "fifo", "coflow", "planned"});
    const bool alternate = trx == "2" && random.below(2) == 0;
    const std::string n = std::to_string(nodes), lookahead = std::to_string(random.below(3));
    const Timed timed =
        time_on("oddl",
                settings({{"nodes", n.c_str()},
                          {"nodes_per_group", "8"},
                          {"trx", trx.c_str()},
                          {"alternate", alternate ? "true" : "false"},
                          {"policy", policy.c_str()},
                          {"control", any_of(random, {"distributed", "central", "slotted"})},
                          {"lookahead", lookahead.c_str()},
                          {"loss", any_of(random, {"0.01", "0.1", "0.4"})},
                          {"jitter", any_of(random, {"0 s", "1 us", "10 us"})}}),
                collective.algorithm,
                schedule::request_on_all(collective.kind, Bytes{nodes * 40'000.0}, static_cast<int>(nodes)),
                any_of(random, {schedule::Order::kStep, schedule::Order::kDataflow}));
    ASSERT_EQ(timed.refusal, "");

    // Once more, with a log of every round: the same to the last digit.
    flow::Program program = timed.program;
    const auto log = std::make_shared<Weighed>(
        dynamic_cast<const OddlController&>(*timed.program.controls.front().controller).options());
    program.controls.front().controller = log;
    EXPECT_EQ(simulate::simulate(program, {.jump = false}).end, timed.timeline.end);
    EXPECT_EQ(log->bytes().size(), std::size_t{nodes} * collective.flows);
    // By a plan nobody asks: flows that fell out of step wait for each other at the channels, which is the engine's business.
    EXPECT_EQ(log->log().size(), log->bytes().size());
    if (policy != "planned") {
      EXPECT_EQ(log->collision(), "");
      if (!alternate) expect_carried_once(*log, log->bytes());  // else two flows may share a port
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Nodes, OddlProperty, testing::Values(16u, 64u));

}  // namespace
}  // namespace helio::fabric
