// SPDX-License-Identifier: Apache-2.0
#include "schedule/wrht.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "schedule/cases.h"
#include "schedule/lightpaths.h"
#include "schedule/ring_exchange.h"

namespace helio::schedule {
namespace {

Schedule tree(Position n, int wavelengths, const std::map<std::string, std::string>& texts = {}) {
  Settings settings;
  for (const auto& [name, text] : texts) settings[name] = {text, "--set algorithm." + name};
  return build("wrht", request_on_all(Kind::kAllReduce, Bytes{1e6}, n), wdm_fabric(wavelengths), settings);
}

Error refusal(Position n, int wavelengths, const std::map<std::string, std::string>& texts) {
  try {
    tree(n, wavelengths, texts);
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("was not refused");
}

double number(const Schedule& schedule, const std::string& name) {
  for (const Fact& fact : schedule.facts)
    if (fact.name == name) return std::get<double>(fact.value);
  throw std::logic_error("no fact " + name);
}

bool took_shortcut(const Schedule& schedule) {
  return std::find(schedule.facts.begin(), schedule.facts.end(), Fact{{"all_to_all"}, true}) != schedule.facts.end();
}

// papers/wrht.md 6.1, first table: w = 64, so m = 129.
TEST(Wrht, StepsOverRanks) {
  struct Row {
    Position n;
    std::uint64_t with, without;
    double smallest;
  };
  for (const Row& row : {Row{128, 2, 2, 128},
                         {256, 3, 4, 12},
                         {512, 3, 4, 24},
                         {1024, 3, 4, 47},
                         {2048, 3, 4, 94},
                         {3072, 4, 4, 56},
                         {4096, 4, 4, 64}}) {
    EXPECT_EQ(rounds(tree(row.n, 64)), row.with) << row.n;
    EXPECT_EQ(rounds(tree(row.n, 64, {{"shortcut", "false"}})), row.without) << row.n;
    const auto n = static_cast<std::uint64_t>(row.n), m = static_cast<std::uint64_t>(row.smallest);
    EXPECT_EQ(wrht_steps(n, 64, m), row.with);
    EXPECT_GT(wrht_steps(n, 64, m - 1), row.with);
  }
}

// papers/wrht.md 6.1, second table: N = 1024, m = 2w+1 or all.
TEST(Wrht, StepsOverWavelengths) {
  const std::uint64_t with[] = {13, 9, 7, 5, 4, 3, 3, 3, 3, 2}, without[] = {14, 10, 8, 6, 4, 4, 4, 4, 4, 2};
  for (int i = 0; i < 10; ++i) {
    const int w = 1 << i;
    const Schedule schedule = tree(1024, w);
    EXPECT_EQ(number(schedule, "group"), std::min(1024, 2 * w + 1));
    EXPECT_EQ(rounds(schedule), with[i]) << w;
    EXPECT_EQ(rounds(tree(1024, w, {{"shortcut", "false"}})), without[i]) << w;
  }
}

// papers/wrht.md 6.3, and 6.2 for its first row.
TEST(Wrht, StepsWavelengthsAndLongestPath) {
  struct Row {
    Position n;
    int w, m;
    bool shortcut;
    std::uint64_t steps;
    std::int32_t used;
    Position longest;
  };
  for (const Row& row : {Row{15, 2, 5, true, 3, 2, 5},
                         {9, 1, 3, false, 4, 1, 3},
                         {27, 1, 3, false, 6, 1, 9},
                         {1024, 64, 129, true, 3, 64, 516},
                         {1024, 64, 129, false, 4, 64, 516},
                         {1024, 64, 33, false, 4, 16, 528},
                         {1024, 32, 65, true, 3, 32, 520},
                         {2838, 64, 129, true, 3, 64, 1419},
                         {1000, 16, 33, true, 4, 16, 495},
                         {1024, 4, 9, true, 7, 4, 567}}) {
    const Schedule schedule =
        tree(row.n, row.w, {{"group", std::to_string(row.m)}, {"shortcut", row.shortcut ? "true" : "false"}});
    const Light light = light_of(schedule);
    EXPECT_EQ(light.conflict, "") << row.n;
    EXPECT_EQ(rounds(schedule), row.steps) << row.n;
    EXPECT_EQ(light.wavelengths, row.used) << row.n;
    EXPECT_EQ(light.longest_hops, row.longest) << row.n << " " << row.m;
    EXPECT_TRUE(verify(schedule).verified) << verify(schedule).failure;
  }
}

// Three groups of five around 2, 7 and 12; three representatives are one circle each way on wavelength 0.
TEST(Wrht, FifteenRanksByHand) {
  const Schedule schedule = tree(15, 2);
  ASSERT_EQ(schedule.phases.size(), 3u);
  EXPECT_EQ(schedule.phases[0].name, "gather 1");
  EXPECT_EQ(schedule.phases[1].name, "all-to-all");
  EXPECT_EQ(schedule.phases[2].name, "broadcast 1");
  EXPECT_EQ(schedule.phases[0].moves.size(), 12u);
  EXPECT_EQ(schedule.phases[1].moves.size(), 6u);
  EXPECT_EQ(schedule.chunks, 1u);
  const Move& first = schedule.phases[0].moves[0];  // rank 0 is second nearest on the left of 2
  EXPECT_EQ(first.source, 0);
  EXPECT_EQ(first.destination, 2);
  EXPECT_EQ(first.lane, (Lane{1, 1, 0}));
  EXPECT_EQ(first.action, Action::kReduce);
  const Move& back = schedule.phases[2].moves[0];
  EXPECT_EQ(back.source, 2);
  EXPECT_EQ(back.destination, 0);
  EXPECT_EQ(back.lane, (Lane{1, 1, 1}));
  EXPECT_EQ(back.action, Action::kStore);
  for (const Move& move : schedule.phases[1].moves) EXPECT_EQ(move.lane.wavelength, 0);
  EXPECT_TRUE(took_shortcut(schedule));
  EXPECT_EQ(number(schedule, "levels"), 1);
}

// papers/wrht.md 2.4, 6.5: 129 x 22 = 2838 ranks have 22 representatives, who need 61 of 64 wavelengths; one rank
// more makes 23, who need 66.
TEST(Wrht, TheLastRankThatThreeStepsServe) {
  EXPECT_EQ(rounds(tree(2838, 64)), 3u);
  EXPECT_EQ(rounds(tree(2839, 64)), 4u);
  EXPECT_FALSE(took_shortcut(tree(2839, 64)));
  EXPECT_EQ(rounds(tree(1024, 32)), 3u);  // 16 representatives, 32 wavelengths: first-fit would need 34
}

// papers/wrht.md 7.1: m = 33 of 64 wavelengths leaves stripes of 4; m = 3 of 64.
TEST(Wrht, StripesFillTheLight) {
  const Schedule four = tree(1024, 64, {{"group", "33"}, {"stripe", "4"}, {"shortcut", "false"}});
  EXPECT_EQ(rounds(four), 4u);
  EXPECT_EQ(light_of(four).wavelengths, 64);
  EXPECT_EQ(light_of(four).conflict, "");
  for (const Phase& phase : four.phases)
    for (const Move& move : phase.moves) ASSERT_EQ(move.lane.width, 4);
  EXPECT_EQ(rounds(tree(1024, 64, {{"group", "3"}, {"stripe", "64"}, {"shortcut", "false"}})), 14u);

  // m = 9, stripe 16: levels of 1024, 114, 13; thirteen representatives need 21 wavelengths, so they stripe
  // floor(64/21) = 3 ways
  const Schedule nine = tree(1024, 64, {{"group", "9"}, {"stripe", "16"}});
  const auto exchange =
      std::find_if(nine.phases.begin(), nine.phases.end(), [](const Phase& p) { return p.name == "all-to-all"; });
  ASSERT_NE(exchange, nine.phases.end());
  EXPECT_EQ(exchange->moves.size(), 13u * 12u);
  for (const Move& move : exchange->moves) EXPECT_EQ(move.lane.width, 3);
  EXPECT_EQ(light_of(nine).conflict, "");
}

RC_GTEST_PROP(Wrht, AnyRanksGroupsAndStripesAreProvenAndFreeOfConflicts, ()) {
  const int w = *rc::gen::inRange(1, 40);
  const auto n = *rc::gen::inRange<Position>(2, *rc::gen::element(20, 300, 3000));
  const int m = *rc::gen::inRange(2, 2 * w + 2);
  const int stripe = *rc::gen::inRange(1, w / (std::min<int>(m, n) / 2) + 1);
  const bool shortcut = *rc::gen::arbitrary<bool>();
  const Schedule schedule = tree(
      n, w,
      {{"group", std::to_string(m)}, {"stripe", std::to_string(stripe)}, {"shortcut", shortcut ? "true" : "false"}});
  const Verification proof = verify(schedule);
  if (!proof.verified) RC_FAIL(proof.failure);
  const Light light = light_of(schedule);
  RC_ASSERT(light.conflict == "");
  RC_ASSERT(light.wavelengths <= w);
  RC_ASSERT(rounds(schedule) == wrht_steps(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(w),
                                           static_cast<std::uint64_t>(std::min<int>(m, n)), shortcut));
}

TEST(Wrht, GroupsThatNeedMoreLightAreInfeasible) {
  const Error error = refusal(1024, 64, {{"group", "130"}});
  EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  EXPECT_EQ(error.place(), "--set algorithm.group");
  EXPECT_NE(error.advice().find("at most 2*64+1 = 129"), std::string::npos) << error.advice();
  EXPECT_EQ(refusal(1024, 64, {{"group", "1"}}).kind(), ErrorKind::kInput);
}

TEST(Wrht, StripesThatNeedMoreLightAreInfeasible) {
  const Error error = refusal(1024, 64, {{"group", "33"}, {"stripe", "5"}});  // 16 x 5 = 80
  EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  EXPECT_NE(error.message().find("80 wavelengths"), std::string::npos) << error.message();
  EXPECT_NE(error.advice().find("at most 4, or a group of at most 25"), std::string::npos)
      << error.advice();  // 2*(64/5)+1
}

TEST(Wrht, NeedsLight) {
  try {
    build("wrht", request_on_all(Kind::kAllReduce, Bytes{1}, 8), able_fabric());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("no wavelengths"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace helio::schedule
