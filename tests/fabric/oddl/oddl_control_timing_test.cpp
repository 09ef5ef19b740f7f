// SPDX-License-Identifier: Apache-2.0
// ODDL's control in the engine: how long it takes, whom it serves, and that no receiver ever hears two.
//
// Numbers (papers/oddl.md §2.3): a message takes 64 B at 10 Gb/s + 50 m at 5 ns/m = 51.2 + 250 = 301.2 ns, an arbiter 3 cycles of
// 5 ns = 15 ns, so rtg = 2 · 301.2 + 15 = 617.4 ns ("0.62 us"); dark = 220 ns; rtg + dark = 837.4 ns ("0.84 us").
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "fabric/oddl/oddl_floor.h"

namespace helio::fabric {
namespace {

const Time kMessage = Time::nanoseconds(301.2), kArbiter = Time::nanoseconds(15), kDark = Time::nanoseconds(220);
const Time kRtg = Time::nanoseconds(617.4);
const Time kPicosecond = Time::picoseconds(1);
Time us(double t) { return Time::microseconds(t); }

OddlControlOptions eight() {
  OddlControlOptions options;
  options.nodes = 8;
  options.groups = 2;
  return options;
}

// Times in messages are whole picoseconds, rounded up.
testing::AssertionResult about(Time time, Time expected) {
  if (time >= expected && time <= expected + 3 * kPicosecond) return testing::AssertionSuccess();
  return testing::AssertionFailure() << time.to_seconds() * 1e9 << " ns is not " << expected.to_seconds() * 1e9
                                     << " ns";
}

TEST(OddlTiming, ALoneFlowStartsAfterRoundTripAndDarkTime) {
  OddlFloor floor(eight());
  const auto lone = floor.flow(us(1), 0, 5, 125'000);
  const auto timeline = floor.run();
  EXPECT_EQ(floor.first_byte(lone), us(1) + kRtg + kDark);
  EXPECT_EQ(timeline.critical.setup, kDark);
}

// 125,000 B last 10 us, which is more than rtg: the second flow is granted long before the first ends.
TEST(OddlTiming, WithLookaheadTheNextDestinationCostsTheDarkTime) {
  OddlFloor floor(eight());
  const auto first = floor.flow(Time(), 0, 5, 125'000), second = floor.flow(Time(), 0, 2, 125'000);
  floor.run();
  EXPECT_EQ(floor.first_byte(first), kRtg + kDark);
  EXPECT_EQ(floor.first_byte(second), floor.end(first) + kDark);
}

TEST(OddlTiming, WithoutLookaheadItCostsTheRoundTripToo) {
  OddlControlOptions options = eight();
  options.lookahead = 0;
  OddlFloor floor(options);
  const auto first = floor.flow(Time(), 0, 5, 125'000), second = floor.flow(Time(), 0, 2, 125'000);
  floor.run();
  EXPECT_EQ(floor.first_byte(second), floor.end(first) + kRtg + kDark);
}

// The second request says that the transmitter is busy until 10.84 us. So the receiver is not kept idle for it: another source
// that asks at 7 us is served at once.
TEST(OddlTiming, ARequestAheadOfItsTimeBlocksNobody) {
  OddlFloor floor(eight());
  const auto first = floor.flow(Time(), 0, 5, 125'000), second = floor.flow(Time(), 0, 2, 125'000);
  const auto other = floor.flow(us(7), 1, 2, 12'500);
  floor.run();
  EXPECT_EQ(floor.first_byte(other), us(7) + kRtg + kDark);
  EXPECT_EQ(floor.first_byte(second), floor.end(first) + kDark);
}

// 500 B last 40 ns: the second request left with the first, at 0, both grants come at rtg, and the second waits for the
// transmitter only.
TEST(OddlTiming, FlowsShorterThanTheRoundTripStillNeedOnlyOne) {
  OddlFloor floor(eight());
  const auto first = floor.flow(Time(), 0, 5, 500), second = floor.flow(Time(), 0, 2, 500);
  floor.run();
  EXPECT_EQ(floor.end(first), kRtg + kDark + Time::nanoseconds(40));
  EXPECT_EQ(floor.first_byte(second), floor.end(first) + kDark);
}

TEST(OddlTiming, TheSameDestinationOnAHeldCircuitCostsNothing) {
  OddlFloor floor(eight());
  const auto first = floor.flow(Time(), 0, 5, 125'000), second = floor.flow(us(2), 0, 5, 125'000);
  const auto timeline = floor.run();
  EXPECT_EQ(floor.first_byte(second), floor.end(first));
  // REQUEST, GRANT, BUSY (it lasts longer than the time-out), DONE, ACK: the second flow sends nothing.
  EXPECT_LE(timeline.control_messages, 5u);
}

// Rounds of a ring follow each other with gaps (here 1 us). With `keep` the circuit waits; without, each asks again.
TEST(OddlTiming, AKeptCircuitOutlivesGapsUntilSomebodyElseWantsTheReceiver) {
  for (const bool keep : {false, true}) {
    OddlFloor floor(eight());
    const auto first = floor.flow(Time(), 0, 5, 125'000, 0, keep);
    const Time ready = kRtg + kDark + OddlFloor::time_of(125'000) + us(1);
    const auto second = floor.flow(ready, 0, 5, 125'000, 0, keep);
    // Another source asks when the circuit is idle: REQUEST, RECALL, DONE, GRANT are two round trips; one when it was given back.
    const auto other = floor.flow(us(40), 3, 5, 125'000);
    floor.run();
    EXPECT_EQ(floor.end(first), ready - us(1));
    // Without `keep` the receiver's circuit is still the same one, so that nothing is dark.
    EXPECT_EQ(floor.first_byte(second), keep ? ready : ready + kRtg);
    EXPECT_EQ(floor.first_byte(other), us(40) + (keep ? 2 : 1) * kRtg + kDark);
  }
}

// Source 1 asks while 0 sends: RECALL makes 0 tell its end, and the grant names it as the start. Untimed it comes after DONE.
TEST(OddlTiming, AReceiverIsGrantedAheadOfItsReleaseIfClocksAgree) {
  for (const double error_ns : {0.0, 10.0, 21.0, 600.0, 700.0}) {
    OddlControlOptions options = eight();
    options.clock_error = Time::nanoseconds(error_ns);
    OddlFloor floor(options);
    // Even a circuit that is to be kept is left.
    const auto first = floor.flow(Time(), 0, 5, 125'000, 0, true), second = floor.flow(us(3), 1, 5, 125'000);
    floor.run();
    // The start waits for the error of the clocks, as long as that is less than the 617 ns after which a grant could mean "now".
    const Time handover = std::min(options.clock_error, kRtg);
    EXPECT_TRUE(about(floor.first_byte(second), floor.end(first) + handover + kDark)) << error_ns;
    EXPECT_EQ(floor.collision(), "");
  }
}

// A channel that loses the n-th message, through the seed alone: the first seed for which exactly the second message of a lone
// flow, its GRANT, is lost. The source hears nothing for 5 us and asks again.
TEST(OddlTiming, ALostGrantRecoversInTheTimeOut) {
  const Time undisturbed = kRtg + kDark;
  int recovered = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    OddlFloor floor(eight());
    const auto lone = floor.flow(Time(), 0, 5, 500);
    const auto timeline = floor.run({Time(), 0.2, seed});
    const Time start = floor.first_byte(lone);
    if (timeline.messages_lost == 0) {
      EXPECT_EQ(start, undisturbed);
    }
    if (timeline.messages_lost == 1 && start > undisturbed) {
      EXPECT_EQ(start - undisturbed, us(5));
      ++recovered;
    }
    EXPECT_NE(floor.end(lone), Time::max());
  }
  EXPECT_GT(recovered, 10);
}

TEST(OddlTiming, CentralControlAddsTheQueueAtOneServer) {
  // Eight sources ask for eight receivers at once: the k-th REQUEST waits for k − 1 others.
  OddlControlOptions options = eight();
  options.mode = OddlControlMode::kCentral;
  OddlFloor floor(options);
  for (std::uint32_t node = 0; node < 8; ++node) floor.flow(Time(), node, (node + 1) % 8, 125'000);
  floor.run();
  for (std::uint32_t node = 0; node < 8; ++node)
    EXPECT_EQ(floor.first_byte(node), kRtg + node * kArbiter + kDark) << node;
}

TEST(OddlTiming, SlotsMakeFlowsWaitForTheirBoundary) {
  OddlControlOptions options = eight();
  options.mode = OddlControlMode::kSlotted;
  options.slot = us(1);
  OddlFloor floor(options);
  // Ready at 0.1 us, heard at 0.4, granted for the boundary at 1 us (rtg ends at 0.72). It ends at 1 + 0.22 + 10 = 11.22 us.
  const auto first = floor.flow(us(0.1), 0, 5, 125'000);
  // The same receiver, from another source: its slots begin at the boundary after that, 12 us.
  const auto second = floor.flow(us(2), 1, 5, 125'000);
  // Ready at 0.5: 0.5 + rtg lies past 1 us, so it gets the boundary at 2 us.
  const auto third = floor.flow(us(0.5), 2, 6, 125'000);
  floor.run();
  EXPECT_EQ(floor.first_byte(first), us(1) + kDark);
  EXPECT_EQ(floor.first_byte(second), us(12) + kDark);
  EXPECT_EQ(floor.first_byte(third), us(2) + kDark);
}

TEST(OddlTiming, APlanStartsAtOnce) {
  OddlControlOptions options = eight();
  options.policy = OddlPolicy::kPlanned;
  OddlFloor floor(options);
  const auto first = floor.flow(us(1), 0, 5, 125'000), second = floor.flow(us(2), 0, 2, 125'000);
  const auto timeline = floor.run();
  EXPECT_EQ(floor.first_byte(first), us(1) + kDark);
  EXPECT_EQ(floor.first_byte(second), floor.end(first) + kDark);
  EXPECT_GE(timeline.control_messages, 4u);  // CHECK and DONE of each; the program may end before the last ACK
}

// A long flow (100 us) under a stream of short ones (1 us each, always one waiting): by srpt it would come last, at 3 ms. With
// aging 0.2 ms it goes next once it has waited so long; the flow in front of it takes 1.22 us.
TEST(OddlTiming, AgeingEndsStarvation) {
  for (const double aging_us : {200.0, 1e6}) {
    OddlControlOptions options = eight();
    options.aging = us(aging_us);
    OddlFloor floor(options);
    floor.flow(Time(), 1, 0, 12'500);
    const auto longest = floor.flow(us(0.5), 7, 0, 1'250'000);
    // Two sources offer one flow per us between them, which is more than the receiver takes (1.22 us each).
    for (int i = 0; i < 2000; ++i) floor.flow(us(i), 1 + i % 4, 0, 12'500);
    floor.run();
    if (aging_us < 1000)
      EXPECT_LT(floor.first_byte(longest), us(0.5 + 200 + 3 * 1.22 + 1));
    else
      EXPECT_GT(floor.first_byte(longest), us(2000));
  }
}

// Seven sources, one receiver, always backlogged: after 7k flows everyone had k, up to one.
TEST(OddlTiming, RoundRobinIsFair) {
  OddlControlOptions options = eight();
  options.policy = OddlPolicy::kRoundRobin;
  OddlFloor floor(options);
  for (std::uint32_t source = 1; source < 8; ++source)
    for (int i = 0; i < 10; ++i) floor.flow(Time(), source, 0, 12'500);
  floor.run();
  std::vector<int> served(8, 0);
  for (const LoggedOddl::Stretch& stretch : floor.log->log()) {
    ++served[stretch.source];
    const auto [least, most] = std::minmax_element(served.begin() + 1, served.end());
    EXPECT_LE(*most - *least, 1);
  }
  EXPECT_EQ(floor.log->log().size(), 70u);
}

// 1 MB in quanta of 125 kB (10 us): a short flow that comes in between waits for one quantum, not for all 80 us.
TEST(OddlTiming, AQuantumCutsElephantsThatOthersWaitFor) {
  OddlControlOptions options = eight();
  options.quantum_bytes = 125'000;
  OddlFloor floor(options);
  const auto elephant = floor.flow(Time(), 0, 5, 1'000'000), mouse = floor.flow(us(12), 1, 5, 12'500);
  floor.run();
  EXPECT_LT(floor.first_byte(mouse), us(12 + 10 + 2));
  EXPECT_EQ(floor.collision(), "");
  // Nobody waits afterwards: it is cut once, and pays one more round trip and dark time around the mouse.
  EXPECT_LT(floor.end(elephant), kRtg + kDark + us(80) + us(1) + 3 * (kRtg + kDark));
}

struct Load {
  OddlPolicy policy;
  OddlControlMode mode;
  double clock_error_ns, loss, jitter_ns;
};
class OddlUnderLoad : public testing::TestWithParam<Load> {};

// 16 nodes in 4 groups, 2,000 flows of 100 B … 100 kB between random nodes within 400 us.
TEST_P(OddlUnderLoad, NoReceiverHearsTwoAndNoFlowIsLost) {
  const Load load = GetParam();
  OddlControlOptions options;
  options.nodes = 16;
  options.groups = 4;
  options.policy = load.policy;
  options.mode = load.mode;
  options.clock_error = Time::nanoseconds(load.clock_error_ns);
  OddlFloor floor(options);
  Random random(7);
  constexpr int kFlows = 2000;
  for (int i = 0; i < kFlows; ++i) {
    const auto from = static_cast<std::uint32_t>(random.below(16));
    const auto to = static_cast<std::uint32_t>((from + 1 + random.below(15)) % 16);
    const double bytes = 100.0 * static_cast<double>(1 + random.below(random.below(2) != 0 ? 1000 : 10));
    floor.flow(us(static_cast<double>(random.below(400))), from, to, bytes, static_cast<std::uint8_t>(random.below(2)),
               random.below(4) == 0);
  }
  const simulate::Timeline timeline = floor.run({Time::nanoseconds(load.jitter_ns), load.loss, 3});
  EXPECT_EQ(floor.collision(), "");
  EXPECT_EQ(floor.log->log().size(), kFlows);
  // A receiver takes 125 flows of some 4 us each on average; even if every one of them met two time-outs of 5 us, all are done
  // within 125 · 14 us and the 400 us of arrivals.
  EXPECT_LT(timeline.end, us(2150));
}

constexpr auto kD = OddlControlMode::kDistributed;
INSTANTIATE_TEST_SUITE_P(Policies, OddlUnderLoad,
                         testing::Values(Load{OddlPolicy::kSrpt, kD, 0, 0, 0}, Load{OddlPolicy::kFifo, kD, 0, 0, 0},
                                         Load{OddlPolicy::kRoundRobin, kD, 0, 0, 0},
                                         Load{OddlPolicy::kCoflow, kD, 0, 0, 0}));
INSTANTIATE_TEST_SUITE_P(Modes, OddlUnderLoad,
                         testing::Values(Load{OddlPolicy::kSrpt, OddlControlMode::kCentral, 0, 0, 0},
                                         Load{OddlPolicy::kSrpt, OddlControlMode::kSlotted, 0, 0, 0},
                                         Load{OddlPolicy::kSrpt, kD, 100, 0, 0}));
INSTANTIATE_TEST_SUITE_P(Channels, OddlUnderLoad,
                         testing::Values(Load{OddlPolicy::kSrpt, kD, 0, 0.05, 500},
                                         Load{OddlPolicy::kSrpt, kD, 100, 0.2, 2000},
                                         Load{OddlPolicy::kRoundRobin, OddlControlMode::kSlotted, 0, 0.05, 500},
                                         Load{OddlPolicy::kFifo, OddlControlMode::kCentral, 0, 0.05, 500}));

// Eight times after one time-out, eight times after two, …: 8m repetitions take 4m(m + 1) time-outs. A message that is late by 10 ms, which are
// 2,000 of 5 us, is repeated at most 8 · 22 = 176 times, as 4 · 22 · 23 = 2,024.
TEST(OddlTiming, WhatIsLateIsRepeatedEverMoreRarely) {
  const OddlControlOptions options;
  EXPECT_EQ(options.patience(7), us(5));
  EXPECT_EQ(options.patience(8), us(10));
  Time waited;
  std::uint32_t repeated = 0;
  while (waited < us(10'000)) waited += options.patience(repeated++);
  EXPECT_GT(repeated, 8u * 21);
  EXPECT_LE(repeated, 8u * 22);
}

// An arbiter that dies at 100 us, loss besides: its neighbour takes over, nothing is lost and nobody is granted twice.
TEST(OddlTiming, ADeadArbiterLosesNoFlow) {
  for (const OddlControlMode mode : {kD, OddlControlMode::kCentral}) {
    OddlControlOptions options;
    options.nodes = 16;
    options.groups = 4;
    options.mode = mode;
    options.dead_arbiter = OddlControlOptions::Death{mode == kD ? 2u : 0u, us(100)};
    OddlFloor floor(options);
    Random random(11);
    for (int i = 0; i < 1000; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(16));
      floor.flow(us(static_cast<double>(random.below(300))), from,
                 static_cast<std::uint32_t>((from + 1 + random.below(15)) % 16),
                 100.0 * static_cast<double>(1 + random.below(200)), 0, random.below(4) == 0);
    }
    floor.run({Time::nanoseconds(100), 0.02, 5});
    EXPECT_EQ(floor.collision(), "");
    EXPECT_EQ(floor.log->log().size(), 1000u);
  }
}

// Alone: REQUEST at 0 is never heard. Repeated at 5, 10, 15 us; given up at 20 us; then the neighbour asks all sources (two
// messages and its own cycles), grants: 20 us + rtg + rtg. The first REQUEST to it and the GRANT at the end are one rtg,
// INQUIRE and CLEAR another.
TEST(OddlTiming, TakingOverTakesTheSilencesAndTwoRoundTrips) {
  OddlControlOptions options = eight();
  options.dead_arbiter = OddlControlOptions::Death{1, Time()};
  OddlFloor floor(options);
  const auto lone = floor.flow(us(1), 0, 5, 125'000);
  floor.run();
  EXPECT_EQ(floor.first_byte(lone), us(1) + us(20) + 2 * kRtg + kDark);
}

// Nor does it wait for what its predecessor granted: that goes over. Source 1 sends 100 us to receiver 4 when the arbiter dies;
// receiver 5 is nobody's. Source 2, who wants receiver 4, is granted it for the end of that flow, as by any arbiter.
TEST(OddlTiming, AStandInGrantsWhatNobodyHoldsAndInheritsTheRest) {
  OddlControlOptions options = eight();
  options.dead_arbiter = OddlControlOptions::Death{1, us(1)};
  OddlFloor floor(options);
  const auto running = floor.flow(Time(), 1, 4, 1'250'000);
  const auto lone = floor.flow(us(2), 0, 5, 125'000), after = floor.flow(us(3), 2, 4, 125'000);
  floor.run();
  EXPECT_TRUE(about(floor.end(running), kRtg + kDark + us(100)));
  EXPECT_EQ(floor.first_byte(lone), us(2) + us(20) + 2 * kRtg + kDark);
  EXPECT_TRUE(about(floor.first_byte(after), floor.end(running) + kDark));
  EXPECT_EQ(floor.collision(), "");
}

}  // namespace
}  // namespace helio::fabric
