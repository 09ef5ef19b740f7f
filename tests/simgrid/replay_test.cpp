// SPDX-License-Identifier: Apache-2.0
// Expected times by hand, so that SimGrid's settings are held to the model and not only to helio's engine.
#include "second_opinion/replay.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "flow/program_file.h"
#include "simgrid/agreement.h"

namespace helio::second_opinion {
namespace {

Answer ask_text(const std::string& text) { return ask(flow::parse_program("heliograph-flow 1\n" + text, "test")); }

void expect_ends(const Answer& answer, const std::vector<double>& seconds) {
  ASSERT_EQ(answer.operations_s.size(), seconds.size());
  for (std::size_t i = 0; i < seconds.size(); ++i)
    EXPECT_NEAR(answer.operations_s[i], seconds[i], 1e-12 * seconds[i]) << "operation " << i;
}

// 1000 B/s for 100 B and 300 B: 500 B/s each for 0.2 s, then the rest of 200 B alone for 0.2 s.
TEST(Replay, TwoFlowsShareALink) {
  expect_ends(
      ask_text("link 8000 a\nroute 0 0\ntemplate t\ntransfer route=0 bytes=100\ntransfer route=0 bytes=300\nentry 0\n"),
      {0.2, 0.4});
}

// Latency is a pause before the bytes and no reason for a smaller share: the second comes 0.1 s late, with 0.1 s of overhead
// on top, and finds 800 B left of 1000 B. Both then get 500 B/s: the second's 400 B take until 1.0 s, when the first has
// 400 B left, alone.
TEST(Replay, LatencyIsAPauseOnly) {
  expect_ends(
      ask_text("link 8000 a\nroute 0 0\nroute 100000000000000000000 0\ntemplate t\ntransfer route=0 bytes=1000\n"
               "transfer route=1 bytes=400 duration=100000000000000000000\nentry 0\n"),
      {1.4, 1.0});
}

// Crossing a link twice takes twice the rate: shares of 1000/3 B/s each.
TEST(Replay, AWeightTakesMore) {
  expect_ends(ask_text("link 8000 a\nroute 0 0*2\nroute 0 0\ntemplate t\ntransfer route=0 bytes=100\ntransfer route=1 "
                       "bytes=100\nentry 0\n"),
              {0.3, 0.3});
}

// A half of it over each of two links, beside a whole one on the second: x + x/2 = 1000 B/s, 2000/3 B/s for both; the first of 100 B
// ends at 0.15 s, and the other has 200 B left, alone.
TEST(Replay, AHalfWeightTakesLess) {
  expect_ends(ask_text("link 8000 a\nlink 8000 b\nroute 0 0*0.5 1*0.5\nroute 0 1\ntemplate t\n"
                       "transfer route=0 bytes=100\ntransfer route=1 bytes=300\nentry 0\n"),
              {0.15, 0.35});
}

// Bytes need not be whole.
TEST(Replay, FractionsOfBytesCount) {
  expect_ends(ask_text("link 8 a\nroute 0 0\ntemplate t\ntransfer route=0 bytes=0.25\nentry 0\n"), {0.25});
}

// There is no way back to be shared: opposite directions are links of their own (network/crosstraffic is off).
TEST(Replay, NothingIsSentBack) {
  expect_ends(ask_text("link 8000 a\nlink 8000 b\nroute 0 0\nroute 0 1\ntemplate t\ntransfer route=0 bytes=1000\n"
                       "transfer route=1 bytes=1000\nentry 0\n"),
              {1.0, 1.0});
}

// The precision follows the clock: after 1000 s a double resolves 1e-13 s, and three thousand ends of 1/3 ms are still all seen.
TEST(Replay, EndsAreSeenLongAfterTheStart) {
  expect_ends(ask_text("link 24e6 a\nroute 0 0\ntemplate t\ndelay duration=1000000000000000000000000\n"
                       "transfer route=0 bytes=1000 repeat=3000\nedge 0 1 0 0 1\nentry 0\n"),
              {1000, 1001});
}

TEST(Replay, ACircleOfInstancesIsReported) {
  EXPECT_THROW(ask_text("template t\ndelay repeat=2\ndelay repeat=2\nedge 0 1 0 0 2\nedge 1 0 0 0 2\nentry 0\n"),
               std::runtime_error);
}

}  // namespace
}  // namespace helio::second_opinion
