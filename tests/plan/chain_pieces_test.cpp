// SPDX-License-Identifier: Apache-2.0
#include "plan/chain_pieces.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/asking.h"
#include "plan/auto.h"
#include "schedule/algorithm.h"
#include "schedule/fact_kinds.h"

namespace helio::plan {
namespace {

using pipeline::asking;
using pipeline::Result;
using pipeline::Texts;

double pieces_of(const Result& result) {
  for (const Fact& fact : result.facts)
    if (fact.name == schedule::kChunksFact.name) return std::get<double>(fact.value);
  return 0;
}

Result told(const Texts& fabric, const Texts& keys, const Texts& parameters = {}) {
  return answer(asking(fabric, keys, parameters)).front();
}

// Retuning costs 25 us and more of every step on sip-ring, and 1 ms on a ring that retunes always: few pieces, where latency and
// overhead alone, which are nothing here, would ask for as many as there may be (51 ms and 1.04 s).
TEST(ChainPieces, SetupIsCounted) {
  const Texts sip = {{"name", "sip-ring"}, {"nodes", "15"}, {"rate", "400 Gb/s"}};
  const Texts broadcast = {{"kind", "broadcast"}, {"bytes", "123457 B"}, {"algorithm", "double-binary-tree"}};
  EXPECT_LE(told(sip, broadcast).time, told(sip, broadcast, {{"chunks", "1"}}).time);
  const Texts wdm = {{"name", "wdm-ring"}, {"nodes", "16"}, {"retune_rule", "every-step"}, {"retune", "1 ms"}};
  const Texts ring = {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "ring"}};
  // One piece, fifteen steps of 1 ms and of 1 MB at 5 GB/s
  EXPECT_LE(told(wdm, ring).time_s, 15 * (1e-3 + 1e6 / 5e9) * 1.0001);
}

// The closed form, K = sqrt((n-2) t/a), sees the setup even where nobody tries: n = 18, t = 1 ms, a = 10 + 30 us and 60 us of setup.
TEST(ChainPieces, TheClosedFormSeesSetup) {
  schedule::Capabilities fabric;
  fabric.link_rate = BitRate{8e9};
  fabric.nearest_latency = Time::microseconds(10);
  fabric.step_overhead = Time::microseconds(30);
  fabric.step_setup = Time::microseconds(60);
  const auto request = schedule::request_on_all(schedule::Kind::kBroadcast, Bytes{1e6}, 18);
  EXPECT_EQ(schedule::build("ring", request, fabric).chunks, 13u);  // sqrt(160) = 12.6
}

// Every fabric with a broadcast over a chain or trees, at random rates and delays: what is taken when nobody says is as fast as
// 1, 2, 8 and 64 pieces, and is what one gets who asks for it by number.
RC_GTEST_PROP(ChainPieces, NoneIsFasterThanTheDefault, ()) {
  const auto pick = [](std::initializer_list<const char*> texts) {
    return std::string(*rc::gen::elementOf(std::vector<const char*>(texts)));
  };
  Texts fabric = {
      {"name", pick({"ring", "switch", "torus", "fat-tree", "cluster", "wdm-ring", "sip-ring", "oddl", "full-mesh"})},
      {"nodes", std::to_string(*rc::gen::inRange(3, 25))}};
  const std::string& name = fabric["name"];
  if (name == "cluster") fabric["nodes"] = std::to_string(8 * *rc::gen::inRange(1, 4));
  if (*rc::gen::arbitrary<bool>()) fabric["rate"] = pick({"10 Gb/s", "100 Gb/s", "400 Gb/s", "3 Tb/s"});
  if (name == "cluster") fabric.erase("rate");
  if (*rc::gen::arbitrary<bool>()) fabric["step_overhead"] = pick({"0 s", "1 us", "30 us", "1 ms"});
  if (name == "wdm-ring") fabric["retune_rule"] = pick({"changed", "every-step"});
  if (name == "wdm-ring" || name == "sip-ring") fabric["retune"] = pick({"100 ns", "25 us", "1 ms"});
  const Texts keys = {{"kind", pick({"broadcast", "reduce"})},
                      {"bytes", pick({"1 B", "777 B", "123457 B", "1 MB", "100 MB"})},
                      {"algorithm", pick({"ring", "bidirectional-ring", "double-binary-tree"})}};
  std::optional<Result> found;
  try {
    found = told(fabric, keys);
  } catch (const Error& error) {
    RC_DISCARD(error.what());
  }
  RC_ASSERT(pieces_of(*found) >= 1);
  for (const double pieces : {1.0, 2.0, 8.0, 64.0, pieces_of(*found)}) {
    std::optional<Result> other;
    try {
      other = told(fabric, keys, {{"chunks", std::to_string(static_cast<int>(pieces))}});
    } catch (const Error&) {
      continue;  // so many are refused
    }
    RC_ASSERT(found->time <= other->time);
    if (pieces == pieces_of(*found)) RC_ASSERT(found->time == other->time);
  }
}

// Whoever asks for a number gets it, and whoever proves or traces gets the same answer.
TEST(ChainPieces, ProofsAndPicturesDoNotChangeTheAnswer) {
  const Texts sip = {{"name", "sip-ring"}, {"nodes", "9"}};
  Texts keys = {{"kind", "reduce"}, {"bytes", "10 MB"}, {"algorithm", "ring"}};
  const Result plain = told(sip, keys);
  keys["verify"] = "true";
  const Result proven = answer(asking(sip, keys), {.trace = true, .picture = true}).front();
  EXPECT_EQ(proven.time, plain.time);
  EXPECT_EQ(pieces_of(proven), pieces_of(plain));
  EXPECT_TRUE(proven.verified);
  EXPECT_FALSE(proven.trace.empty());
  EXPECT_EQ(pieces_of(told(sip, keys, {{"chunks", "5"}})), 5);
}

}  // namespace
}  // namespace helio::plan
