// SPDX-License-Identifier: Apache-2.0
#include "schedule/circulant.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

#include "schedule/cases.h"
#include "schedule/lightpaths.h"

namespace helio::schedule {
namespace {

using Radices = std::vector<Position>;

Schedule walk(Kind kind, Position n, const Radices& radices, const Capabilities& capabilities = able_fabric()) {
  Settings settings;
  if (!radices.empty()) settings["radices"] = {fmt::format("{}", fmt::join(radices, "x")), "--set algorithm.radices"};
  return build("circulant", request_on_all(kind, Bytes{1e6}, n), capabilities, settings);
}

Error refusal(Kind kind, Position n, const Radices& radices, const Capabilities& capabilities) {
  try {
    walk(kind, n, radices, capabilities);
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("was not refused");
}

// Every way to write n as an ordered product of factors from 2 on.
std::vector<Radices> factorizations(Position n) {
  if (n == 1) return {{}};
  std::vector<Radices> all;
  for (Position first = 2; first <= n; ++first)
    if (n % first == 0)
      for (Radices rest : factorizations(n / first)) {
        rest.insert(rest.begin(), first);
        all.push_back(rest);
      }
  return all;
}

std::uint64_t rounds_of(const Radices& radices) {
  std::uint64_t sum = 0;
  for (const Position r : radices) sum += static_cast<std::uint64_t>(r / 2);
  return sum;
}

// floor(r/2) rounds on a level, and n-1 of n blocks leave every rank, once for each half of the all-reduce.
TEST(Circulant, RoundsBytesAndProofForEveryFactorization) {
  for (Position n = 2; n <= 64; ++n)
    for (const Radices& radices : factorizations(n))
      for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}) {
        const Schedule schedule = walk(kind, n, radices);
        const std::uint64_t halves = kind == Kind::kAllReduce ? 2 : 1;
        EXPECT_EQ(rounds(schedule), halves * rounds_of(radices));
        for (const Position p : {0, n / 2, n - 1})
          ASSERT_EQ(slots_sent(schedule, p), halves * schedule.block() * static_cast<std::uint64_t>(n - 1));
        const Verification proof = verify(schedule);
        ASSERT_TRUE(proof.verified) << describe(schedule) << " " << fmt::format("{}", radices) << ": " << proof.failure;
        if (n <= 24) {
          EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 3)) << describe(schedule);
          for (const VerifyMethod method : applicable_methods(schedule))
            EXPECT_TRUE(verify(schedule, {.method = method}).verified) << describe(schedule);
        }
      }
}

// The last level's light comes back for the all-gather: the set of (source, destination, lane) is the same.
TEST(Circulant, TheLastLevelServesBothHalves) {
  const auto lit = [](const Phase& phase) {
    std::set<std::tuple<Position, Position, int, int, int>> paths;
    for (const Move& m : phase.moves)
      paths.insert({m.source, m.destination, m.lane.direction, m.lane.wavelength, m.lane.width});
    return paths;
  };
  for (const Radices& radices : {Radices{4, 4, 4}, {8, 8}, {3, 4, 5}, {2, 2, 2, 7}}) {
    Position n = 1;
    for (const Position r : radices) n *= r;
    const Schedule schedule = walk(Kind::kAllReduce, n, radices, wdm_fabric(64));
    const std::size_t k = radices.size();
    ASSERT_EQ(schedule.phases.size(), 2 * k);
    for (std::size_t i = 0; i < k; ++i) EXPECT_EQ(lit(schedule.phases[i]), lit(schedule.phases[2 * k - 1 - i]));
  }
}

// papers/wrht.md 6.6. N = 1024, w = 64, radices 4x4x64. A lightpath of level i is striped 64/s: 64, 16, 4 ways, and
// carries in its rounds (r-1)/2 classes of d/(s r) bytes: on one wavelength d (r-1)/(2 r s) / (64/s) = d (r-1)/(2 r
// 64).
TEST(Circulant, TransmissionOfEveryLevelByHand) {
  const Radices radices = {4, 4, 64};
  const Schedule schedule = walk(Kind::kAllReduce, 1024, radices, wdm_fabric(64));
  Position span = 1;
  for (std::size_t i = 0; i < radices.size(); span *= radices[i], ++i) {
    const double r = radices[i];
    EXPECT_EQ(schedule.phases[i].repeat, radices[i] / 2);
    for (const Phase* phase : {&schedule.phases[i], &schedule.phases[5 - i]}) {
      std::map<std::pair<Position, int>, double>
          carried;  // part of the vector on one wavelength, by sender and direction
      for (const Move& move : phase->moves) {
        const Window active = window(move, *phase);
        EXPECT_EQ(move.lane.width, 64 / span);
        carried[{move.source, move.lane.direction}] +=
            1.0 * move.count * (active.last - active.first) / schedule.chunks / move.lane.width;
      }
      EXPECT_EQ(carried.size(), 2048u);
      for (const auto& [sender, part] : carried) ASSERT_NEAR(part, (r - 1) / (2 * r * 64), 1e-12);
    }
  }
  EXPECT_EQ(light_of(schedule).longest_hops, 16);
  EXPECT_EQ(schedule.facts,
            (Facts{{{"radices"}, std::string("4x4x64")}, {{"levels"}, 3.0}, {{"stripe"}, 64.0}, {{"retunes"}, 5.0}}));
}

// In a round a lightpath carries one run: no two moves of a sender go the same way.
TEST(Circulant, NoConflictOnAnySegment) {
  for (const auto& [n, w] : {std::pair<Position, int>{12, 3}, {24, 6}, {36, 7}, {60, 16}, {64, 64}, {81, 27}, {96, 10}})
    for (const Radices& radices : factorizations(n)) {
      if (n / radices.back() > w) continue;
      const Schedule schedule = walk(Kind::kAllReduce, n, radices, wdm_fabric(w));
      const Light light = light_of(schedule);
      EXPECT_EQ(light.conflict, "") << n << " " << fmt::format("{}", radices);
      EXPECT_LE(light.wavelengths, w);
      EXPECT_EQ(light.longest_hops, n / radices.back());
      EXPECT_TRUE(verify(schedule).verified);
    }
  for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather})
    EXPECT_EQ(light_of(walk(kind, 30, {}, wdm_fabric(4))).conflict, "");
}

// Ternary radices: log3 n rounds each way.
TEST(Circulant, TernaryRadicesAreTrivance) {
  EXPECT_EQ(rounds(walk(Kind::kAllReduce, 729, {3, 3, 3, 3, 3, 3})), 12u);
  EXPECT_EQ(walk(Kind::kAllReduce, 729, {3, 3, 3, 3, 3, 3}).chunks, 729u);  // nothing to halve
}

RC_GTEST_PROP(Circulant, RandomRadicesAreProven, ()) {
  Radices radices;
  Position n = 1;
  while (radices.empty() || *rc::gen::inRange(0, 4) > 0) {
    const auto r = *rc::gen::inRange<Position>(2, 14);
    if (n * r > 2000) break;
    radices.push_back(r);
    n *= r;
  }
  const Schedule schedule =
      walk(Kind::kAllReduce, n, radices, *rc::gen::arbitrary<bool>() ? wdm_fabric(2000) : able_fabric());
  const Verification proof = verify(schedule);
  if (!proof.verified) RC_FAIL(proof.failure);
}

TEST(Circulant, RadicesLeftUnset) {
  EXPECT_EQ(default_radices(1024, 64), (Radices{4, 4, 4, 16}));
  EXPECT_EQ(default_radices(1024, 0), (Radices{4, 4, 4, 4, 4}));
  EXPECT_EQ(default_radices(1024, 1), (Radices{1024}));
  EXPECT_EQ(default_radices(360, 0), (Radices{2, 3, 3, 4, 5}));
  EXPECT_EQ(default_radices(13, 64), (Radices{13}));
  EXPECT_EQ(default_radices(2, 64), (Radices{2}));
  EXPECT_EQ(default_radices(6, 2), (Radices{2, 3}));
  EXPECT_EQ(default_radices(9, 0), (Radices{3, 3}));
}

TEST(Circulant, RefusesWhatItCannotDo) {
  const Error product = refusal(Kind::kAllReduce, 1024, {4, 4}, able_fabric());
  EXPECT_EQ(product.kind(), ErrorKind::kInfeasible);
  EXPECT_EQ(product.place(), "--set algorithm.radices");
  EXPECT_NE(product.advice().find("4x4x4x4x4"), std::string::npos) << product.advice();

  const Error light = refusal(Kind::kAllReduce, 1024, {16, 16, 4}, wdm_fabric(64));
  EXPECT_EQ(light.kind(), ErrorKind::kInfeasible);
  EXPECT_NE(light.message().find("level 3 of radices 16x16x4 reaches 256 ranks far"), std::string::npos)
      << light.message();
  EXPECT_NE(light.advice().find("4x4x4x16"), std::string::npos) << light.advice();

  const Error runs = refusal(Kind::kReduceScatter, 16, {4, 4}, wdm_fabric(64));
  EXPECT_NE(runs.message().find("lie apart"), std::string::npos) << runs.message();
  EXPECT_EQ(refusal(Kind::kReduceScatter, 65536, {4, 16384}, able_fabric()).kind(), ErrorKind::kInfeasible);
}

}  // namespace
}  // namespace helio::schedule
