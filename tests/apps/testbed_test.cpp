// SPDX-License-Identifier: Apache-2.0
// `helio testbed` as a person runs it: bytes, sums, messages and exit codes. How long it takes is nobody's business here.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

using Json = nlohmann::json;

const std::string kSmall = "testbed oddl --bytes 80kB --steps 2 --set 'fabric.rate=1 Gb/s' ";

// Four nodes by halving-doubling send 2 · 3/4 of their gradient each, in each of two steps: 4 · 2 · 1.5 · 80 kB = 960 kB. Of its four rounds the second and third
// have the same partner, as have the last and the first of the next step: 3 + 2 changes on each node. 16 flows a step.
// On a busy machine a node may ask so late that its lease of the light has ended, and then the flow makes its circuit anew: at most one each.
TEST(TestbedCommand, MovesRealBytes) {
  for (const char* form : {"", "--loopback "}) {
    const Said said = run(kSmall + form + "--algorithm halving-doubling --json");
    ASSERT_EQ(said.code, 0) << said.err;
    const Json json = Json::parse(said.out);
    EXPECT_EQ(json["exact"], true);
    EXPECT_EQ(json["carried_bytes"], 960'000);
    EXPECT_GE(json["circuits"], 20);
    EXPECT_LE(json["circuits"], 32);
    EXPECT_EQ(json["flows"].size(), 32u);
    EXPECT_EQ(json["control_messages_lost"], 0);
    EXPECT_EQ(json["modelled"]["rate_bps"], 1e12);
    if (*form != '\0') {
      EXPECT_EQ(json["transport"], "loopback: namespaces were not asked for");
    }
  }
}

// By hand, in the simulator: a ring holds its circuits, so that of six rounds of 20 kB at 1 Gb/s (160 us) the first alone asks (1 ms there, 1 ms to decide, 1 ms back) and is
// dark (3 ms). The second step pays nothing: 6 · 160 us.
TEST(TestbedCommand, PredictsWhatTheFabricDoes) {
  const Json json = Json::parse(run(kSmall + "--loopback --json").out);
  EXPECT_NEAR(json["steps"][0]["predicted_s"], 6e-3 + 6 * 160e-6, 1e-9);
  EXPECT_NEAR(json["steps"][1]["predicted_s"], 6 * 160e-6, 1e-9);
  EXPECT_NEAR(json["predicted_step_s"], 3e-3 + 6 * 160e-6, 1e-9);
}

TEST(TestbedCommand, SaysWhoWasKilled) {
  expect_refused(kSmall + "--kill 2", 4, {"node 2 was killed by signal 9 in step 1", "the other nodes were ended"});
  expect_refused(kSmall + "--kill 9", 3, {"no node 9", "--kill"});
}

TEST(TestbedCommand, RefusesWhatItCannotBe) {
  expect_refused("testbed fred --bytes 1MB", 3, {"'fred'", "oddl"});
  expect_refused("testbed oddl --bytes 1MB --nodes 17", 4, {"2 to 16 nodes", "--nodes"});
  expect_refused("testbed oddl --bytes 6B", 3, {"whole number of floats", "--bytes"});
  expect_refused("testbed oddl --bytes 1MB --steps 0", 3, {"--steps"});
  expect_refused("testbed oddl --bytes 1MB --set fabric.quantum=1MB", 4, {"fabric.quantum", "cut"});
  expect_refused("testbed oddl --bytes 1MB --algorithm auto", 3, {"auto"});
}

}  // namespace
}  // namespace helio::apps
