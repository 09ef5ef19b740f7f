// SPDX-License-Identifier: Apache-2.0
#include "second_opinion/frontier.h"

#include <gtest/gtest.h>

#include <vector>

#include "flow/program_file.h"

namespace helio::second_opinion {
namespace {

using Tokens = std::vector<Frontier::Token>;

// Two rounds of a delay inside a call, then another delay: three things run, one after the other.
TEST(Frontier, RoundsFollowEachOtherAndThenTheCaller) {
  const flow::Program program = flow::parse_program(
      "heliograph-flow 1\ntemplate inner\ndelay duration=1\ntemplate outer\ncall callee=0 rounds=2\ndelay "
      "duration=2\nedge 0 1 0 0 1\nentry 1\n",
      "test");
  Frontier frontier(program);
  Tokens ready;
  frontier.open(ready);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(ready.size(), 1u);
    const auto token = ready[0];
    EXPECT_EQ(frontier.operation(token).duration, Time::zeptoseconds(1));
    ready.clear();
    frontier.end(token, round + 1, ready);
  }
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(frontier.operation(ready[0]).duration, Time::zeptoseconds(2));
  EXPECT_EQ(frontier.entry_ends(), (std::vector<double>{2, -1}));
  const auto token = ready[0];
  ready.clear();
  frontier.end(token, 5, ready);
  EXPECT_TRUE(ready.empty());
  EXPECT_TRUE(frontier.finished());
  EXPECT_EQ(frontier.entry_ends(), (std::vector<double>{2, 5}));
}

// Instance i of the second waits for instance i + 1 of the first, which has three: the second's two instances wait for
// the ends 1 and 2 of the first.
TEST(Frontier, AnEdgeNamesInstances) {
  const flow::Program program = flow::parse_program(
      "heliograph-flow 1\ntemplate t\ndelay repeat=3\ndelay repeat=2\nedge 0 1 1 0 2\nentry 0\n", "test");
  Frontier frontier(program);
  Tokens ready;
  frontier.open(ready);
  ASSERT_EQ(ready, (Tokens{0}));
  ready.clear();
  frontier.end(0, 1, ready);
  ASSERT_EQ(ready, (Tokens{0}));
  ready.clear();
  frontier.end(0, 2, ready);
  EXPECT_EQ(ready.size(), 2u);  // the first's third instance and the second's first
  ready.clear();
  frontier.end(1, 3, ready);
  EXPECT_TRUE(ready.empty());  // instance 1 waits for the third
  frontier.end(0, 4, ready);
  EXPECT_EQ(ready, (Tokens{1}));
}

// A call of nothing, or zero times, is over at once; a billion rounds cost no memory before they run.
TEST(Frontier, EmptyCallsEndAtOnce) {
  const flow::Program program = flow::parse_program(
      "heliograph-flow 1\ntemplate nothing\ntemplate one\ndelay\ntemplate all\ncall callee=0 "
      "rounds=1000000000000\ncall callee=1 rounds=0\nentry 2\n",
      "test");
  Frontier frontier(program);
  Tokens ready;
  frontier.open(ready);
  EXPECT_TRUE(ready.empty());
  EXPECT_TRUE(frontier.finished());
}

}  // namespace
}  // namespace helio::second_opinion
