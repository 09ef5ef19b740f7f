// SPDX-License-Identifier: Apache-2.0
// The rules of the light, by a clock of our own: no process, no socket.
#include "testbed/lit_switch.h"

#include <gtest/gtest.h>

#include <string>

#include "testbed/plan.h"

namespace helio::testbed {
namespace {

// Four nodes in two groups of two; 8 Mb/s, so that a frame of 1000 bytes takes 1 ms; dark for 2 + 3 + 1 = 6 ms.
Plan plan(const Settings& more = {}) {
  Settings settings = more;
  for (const auto& [name, text] : {std::pair{"rate", "8 Mb/s"}, {"tune", "2 ms"}, {"lock", "3 ms"}, {"guard", "1 ms"}})
    settings.try_emplace(name, Setting{text, "test"});
  return make_plan(settings, "halving-doubling", {}, 4096);
}

// The light from one node to another.
std::uint32_t light(const Plan& plan, std::uint32_t from, std::uint32_t to) {
  for (const Flow& flow : plan.flows)
    if (flow.source.value == from && flow.destination.value == to) return flow.light;
  ADD_FAILURE() << from << " never sends to " << to;
  return 0;
}

Time ms(double t) { return Time::milliseconds(t); }
double milliseconds(const std::variant<Time, std::string>& passed) { return std::get<Time>(passed).to_seconds() * 1e3; }
LitSwitch::Lit lit(LitSwitch& s, const Plan& p, std::uint32_t from, std::uint32_t to, Time told) {
  const auto answer = s.tune({from}, light(p, from, to), told);
  if (const auto* words = std::get_if<std::string>(&answer)) ADD_FAILURE() << *words;
  return std::get<LitSwitch::Lit>(answer);
}
std::string refused(const std::variant<LitSwitch::Lit, std::string>& answer) {
  return std::holds_alternative<std::string>(answer) ? std::get<std::string>(answer) : "lit";
}
std::string refused(const std::variant<Time, std::string>& answer) {
  return std::holds_alternative<std::string>(answer) ? std::get<std::string>(answer) : "passed";
}

// Every light of the plan ends, by slice and wavelength class, at the node that its flow is for.
TEST(LitSwitch, LightEndsWhereSliceAndClassSay) {
  const Plan p = plan();
  for (const Flow& flow : p.flows) {
    LitSwitch s(p, false);
    const auto answer = s.tune(flow.source, flow.light, ms(1));
    ASSERT_EQ(refused(answer), "lit");
    EXPECT_EQ(std::get<LitSwitch::Lit>(answer).to, flow.destination);
  }
}

// Dark for 6 ms where the circuit is another one than before at any of its ends, and not at all where it is the same.
TEST(LitSwitch, ChangesAreDark) {
  const Plan p = plan();
  LitSwitch s(p, false);
  EXPECT_EQ(lit(s, p, 0, 1, ms(10)).from, ms(16));
  s.release({0}, ms(20));
  EXPECT_EQ(lit(s, p, 0, 1, ms(30)).from, ms(30));  // held
  s.release({0}, ms(31));
  EXPECT_EQ(lit(s, p, 0, 2, ms(40)).from, ms(46));
  s.release({0}, ms(47));
  EXPECT_EQ(lit(s, p, 3, 1, ms(50)).from, ms(56));  // the receiver heard node 0 last
  s.release({3}, ms(57));
  EXPECT_EQ(lit(s, p, 0, 1, ms(60)).from, ms(66));
}

TEST(LitSwitch, ACircuitThatIsNotHeldIsDarkEveryTime) {
  const Plan p = plan({{"hold", {"false", "test"}}});
  LitSwitch s(p, false);
  lit(s, p, 0, 1, ms(10));
  s.release({0}, ms(20));
  EXPECT_EQ(lit(s, p, 0, 1, ms(30)).from, ms(36));
}

// Frames follow each other at the rate from when there is light, whenever somebody asks: the third, asked for late, still ends at 19 ms.
TEST(LitSwitch, FramesPassAtTheRate) {
  const Plan p = plan();
  LitSwitch s(p, false);
  lit(s, p, 0, 1, ms(10));
  EXPECT_NEAR(milliseconds(s.pass({0}, {1}, 1000, ms(10))), 17, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({0}, {1}, 1000, ms(10))), 18, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({0}, {1}, 1000, ms(12))), 19, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({0}, {1}, 500, ms(25))), 25.5, 1e-9);  // it was not there before
}

// Over an ideal switch two that send to one node share its port, and one that sends to two its own.
TEST(LitSwitch, AnIdealSwitchHasPortsOnly) {
  const Plan p = plan();
  LitSwitch s(p, true);
  EXPECT_NEAR(milliseconds(s.pass({0}, {1}, 1000, ms(10))), 11, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({2}, {1}, 1000, ms(10))), 12, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({0}, {3}, 1000, ms(10))), 12, 1e-9);
  EXPECT_NEAR(milliseconds(s.pass({1}, {0}, 1000, ms(10))), 11, 1e-9);
}

TEST(LitSwitch, CarriesNothingElse) {
  const Plan p = plan();
  LitSwitch s(p, false);
  EXPECT_EQ(refused(s.pass({0}, {1}, 1000, ms(1))), "node 0 sends to node 1 in the dark");
  lit(s, p, 0, 1, ms(1));
  EXPECT_EQ(refused(s.pass({0}, {2}, 1000, ms(1))), "node 0 sends to node 2, and its light leads to node 1");
  EXPECT_EQ(refused(s.tune({0}, light(p, 0, 2), ms(2))), "node 0 tunes away from a flow that has not ended");
  EXPECT_EQ(refused(s.tune({3}, light(p, 3, 1), ms(2))),
            "collision: node 3 lights node 1 while node 0 holds the receiver of node 1");
  // Node 2 is of group 1, whose fibre the light of group 0 is not on; channel 7 is in no slice of two partners
  EXPECT_EQ(refused(s.tune({2}, light(p, 0, 1), ms(2))),
            "node 2 has no light " + std::to_string(light(p, 0, 1)) + " on its group's fibre");
  EXPECT_EQ(refused(s.tune({1}, 7, ms(2))), "the slice leaves channel 7 of group 0 dark");
  s.release({0}, ms(3));
  EXPECT_EQ(refused(s.tune({3}, light(p, 3, 1), ms(4))), "lit");
}

}  // namespace
}  // namespace helio::testbed
