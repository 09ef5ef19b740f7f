// SPDX-License-Identifier: Apache-2.0
#include "schedule/dimension_ordered.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

using Grid = std::vector<long long>;

Position nodes(const Grid& grid) {
  return static_cast<Position>(std::accumulate(grid.begin(), grid.end(), 1ll, std::multiplies<>()));
}

Schedule on_grid(Kind kind, const Grid& grid, bool wraps, const Settings& settings = {}) {
  return build("dimension-ordered", request_on_all(kind, Bytes{1e6}, nodes(grid)), grid_fabric(grid, wraps), settings);
}

const std::vector<Grid> kGrids = {{2},       {5},          {7, 1},    {2, 2},      {4, 4},    {2, 8},
                                  {3, 5},    {5, 2},       {8, 3},    {1, 6},      {2, 2, 2}, {2, 3, 4},
                                  {4, 2, 3}, {3, 1, 5, 2}, {3, 3, 3}, {2, 3, 2, 3}};

TEST(DimensionOrdered, EveryGridIsProvenByEveryMethodAndByRealNumbers) {
  for (const Grid& grid : kGrids)
    for (const bool wraps : {false, true})
      for (const char* both : {"", "true", "false"})
        for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}) {
          Settings settings;
          if (*both) settings["bidirectional"] = {both, "test"};
          const Schedule schedule = on_grid(kind, grid, wraps, settings);
          const std::string what =
              fmt::format("{} {} wraps {} both '{}'", describe(schedule), fmt::join(grid, "x"), wraps, both);
          for (const VerifyMethod method : applicable_methods(schedule)) {
            const Verification proof = verify(schedule, {.method = method});
            EXPECT_TRUE(proof.verified) << what << ": " << proof.method << ": " << proof.failure;
          }
          EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 11)) << what;
        }
}

TEST(DimensionOrdered, RoundsAndBytes) {
  // A share spends X-1 rounds in each dimension, whenever that is, and gives away (n-1)/n of itself.
  for (const Grid& grid : kGrids)
    for (const bool wraps : {false, true})
      for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}) {
        const Schedule schedule = on_grid(kind, grid, wraps);
        const Position n = nodes(grid);
        const std::uint64_t walks = kind == Kind::kAllReduce ? 2 : 1;
        std::uint64_t expected = 0;
        for (const long long extent : grid) expected += static_cast<std::uint64_t>(extent - 1);
        EXPECT_EQ(rounds(schedule), walks * expected);
        for (Position p = 0; p < n; ++p)
          ASSERT_EQ(slots_sent(schedule, p),
                    walks * schedule.chunks / static_cast<std::uint32_t>(n) * static_cast<std::uint64_t>(n - 1));
      }
}

// Slots on each directed link, link by link: a move to the next rank of its dimension is one hop.
std::map<std::pair<Position, Position>, std::uint64_t> load_of_round(const Schedule& schedule, std::size_t phase_index,
                                                                     std::uint32_t round) {
  std::map<std::pair<Position, Position>, std::uint64_t> load;
  const Phase& phase = schedule.phases[phase_index];
  for (const Move& move : phase.moves)
    if (const Window active = window(move, phase); active.first <= round && round < active.last)
      load[{move.source, move.destination}] += move.count;
  return load;
}

TEST(DimensionOrdered, OnATorusEveryLinkCarriesTheSameInEveryRound) {
  // 4x4, 2 dimensions and 2 directions: 4 shares of 16 slots. In the first three rounds a share moves a quarter of its
  // slots, then a quarter of a quarter; 64 directed links each time.
  const Schedule schedule = on_grid(Kind::kAllReduce, {4, 4}, true);
  ASSERT_EQ(schedule.phases.size(), 4u);
  const std::uint64_t expected[] = {4, 1, 1, 4};
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(schedule.phases[f].repeat, 3u);
    for (std::uint32_t round = 0; round < 3; ++round) {
      const auto load = load_of_round(schedule, f, round);
      EXPECT_EQ(load.size(), 64u);
      for (const auto& [link, slots] : load) EXPECT_EQ(slots, expected[f]);
    }
  }
}

TEST(DimensionOrdered, AlongALineNobodyIsFartherThanTwoHopsAndEveryLinkIsUsedOnce) {
  // A mesh of one dimension: 0 → 2 → 4 → 5 → 3 → 1 → 0 crosses every link once in each direction.
  const Schedule schedule = on_grid(Kind::kAllReduce, {6}, false);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::uint32_t round = 0; round < 5; ++round) {
      std::map<std::pair<Position, Position>, int> links;
      for (const auto& [ends, slots] : load_of_round(schedule, f, round)) {
        const Position d = ends.first < ends.second ? 1 : -1;
        EXPECT_LE(std::abs(ends.first - ends.second), 2);
        for (Position at = ends.first; at != ends.second; at += d) EXPECT_EQ(links[std::pair(at, at + d)]++, 0);
      }
      EXPECT_EQ(links.size(), 10u);
    }
}

TEST(DimensionOrdered, PhasesAreCutWhereAShareChangesDimension) {
  // 4x3: share 0 changes after 3 rounds, share 1 after 2; on the way back after 2 and 3. In the third round both are in
  // dimension 0.
  const Schedule schedule = on_grid(Kind::kAllReduce, {4, 3}, true);
  std::vector<std::uint32_t> repeats;
  for (const Phase& phase : schedule.phases) repeats.push_back(phase.repeat);
  EXPECT_EQ(repeats, (std::vector<std::uint32_t>{2, 1, 2, 2, 1, 2}));
  EXPECT_EQ(schedule.phases[0].name, "reduce-scatter, dimension 0 and dimension 1");
  EXPECT_EQ(schedule.phases[1].name, "reduce-scatter, dimension 0");
}

TEST(DimensionOrdered, OneDimensionThatClosesIsASymmetricRing) {
  EXPECT_EQ(on_grid(Kind::kAllReduce, {12}, true).symmetry, Symmetry::kRotation);
  EXPECT_EQ(on_grid(Kind::kAllReduce, {1, 12}, true).phases[0].moves.size(), 24u);
  EXPECT_EQ(on_grid(Kind::kAllReduce, {12}, false).symmetry, Symmetry::kNone);
}

TEST(DimensionOrdered, RowsAndPlanesAreGridsOfTheirOwn) {
  // The rows of a 4x3 torus close, its columns cut to two do not: a line of two.
  const Capabilities torus = grid_fabric({4, 3}, true);
  const auto group = [](const std::vector<std::uint32_t>& numbers) {
    std::vector<NodeId> members;
    for (const std::uint32_t node : numbers) members.push_back(NodeId{node});
    return members;
  };
  CollectiveRequest rows{
      .kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {group({0, 1, 2, 3}), group({8, 9, 10, 11})}};
  const Schedule row = build("dimension-ordered", rows, torus);
  EXPECT_EQ(row.chunks, 8u);  // one dimension, both ways
  EXPECT_TRUE(verify(row).verified);
  CollectiveRequest box{.kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {group({1, 2, 5, 6}), group({3, 7})}};
  EXPECT_THROW(build("dimension-ordered", box, torus), Error);  // of two shapes
  box.groups.pop_back();
  EXPECT_EQ(build("dimension-ordered", box, torus).chunks, 8u);  // two dimensions, one way
  for (const auto& numbers : {std::vector<std::uint32_t>{0, 1, 4, 6}, {1, 0, 2, 3}, {0, 2}, {0, 1, 4}}) {
    box.groups = {group(numbers)};
    EXPECT_THROW(build("dimension-ordered", box, torus), Error);
  }
}

TEST(DimensionOrdered, WithoutAGridItIsInfeasibleAndSaysWhatWouldWork) {
  try {
    build("dimension-ordered", request_on_all(Kind::kAllReduce, Bytes{8}, 16), able_fabric());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("able"), std::string::npos);
    EXPECT_NE(error.advice().find("torus"), std::string::npos);
  }
}

TEST(DimensionOrdered, ManyNodesAreProven) {
  const Verification proof = verify(on_grid(Kind::kAllReduce, {16, 24}, true));
  EXPECT_TRUE(proof.verified) << proof.failure;
  EXPECT_TRUE(verify(on_grid(Kind::kReduceScatter, {16, 16}, true)).verified);
}

Settings split(const char* text) { return {{"split", {text, "here"}}}; }

TEST(DimensionOrdered, UnequalSharesAreProvenByEveryMethodAndByRealNumbers) {
  struct Row {
    Grid grid;
    const char* split;
    std::uint32_t slots;  // of a rank's block, in one direction
  };
  const Row rows[] = {{{5, 4}, "11:13", 24}, {{5, 4}, "13:11", 24}, {{4, 4}, "2:6", 4},     {{2, 3, 4}, "1:2:3", 6},
                      {{3, 1, 5}, "3:1", 4}, {{7}, "5", 1},         {{3, 3, 3}, "7:7:7", 3}};
  for (const Row& row : rows)
    for (const bool wraps : {false, true})
      for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}) {
        const Schedule schedule = on_grid(kind, row.grid, wraps, split(row.split));
        const std::string what = fmt::format("{} {} {}", describe(schedule), fmt::join(row.grid, "x"), row.split);
        EXPECT_EQ(schedule.block(), row.slots * (wraps ? 2 : 1)) << what;
        for (const VerifyMethod method : applicable_methods(schedule)) {
          const Verification proof = verify(schedule, {.method = method});
          EXPECT_TRUE(proof.verified) << what << ": " << proof.method << ": " << proof.failure;
        }
        EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 11)) << what;
      }
}

// Over all rounds, the largest part of the vector on a link of each dimension of a grid that does not wrap: a move goes
// along one dimension, over every link between its ends.
std::vector<double> largest_loads(const Schedule& schedule, const Grid& grid) {
  std::vector<double> largest(grid.size(), 0);
  std::map<std::pair<Position, Position>, double> load;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves) {
      Position step = 1;
      std::size_t d = 0;
      while (move.source / (step * grid[d]) != move.destination / (step * grid[d]) ||
             move.source % step != move.destination % step || (move.destination - move.source) % step != 0)
        step *= static_cast<Position>(grid[d++]);
      const Window active = window(move, phase);
      const Position way = move.destination > move.source ? step : -step;
      for (Position at = move.source; at != move.destination; at += way) {
        double& carried = load[{at, at + way}];
        carried += 1.0 * move.count * (active.last - active.first) / schedule.chunks;
        largest[d] = std::max(largest[d], carried);
      }
    }
  return largest;
}

// 5x4, rows are dimension 0. A share x of the vector that begins along rows of 5 moves (4/5) x there in each half of the
// all-reduce, and (3/4) x/5 along columns of 4; the other share (3/4)(1-x) along columns, then (4/5)(1-x)/4 along rows:
// 2 (4/5)(x + (1-x)/4) on a link of a row and 2 (3/4)((1-x) + x/5) on one of a column. The folded ring puts all of it on every
// link once. x = 1/2: 1 and 0.9; 11/24: 0.95 and 0.95; 13/24: 1.05 and 0.85.
TEST(DimensionOrdered, ASplitMovesLoadFromRowsToColumns) {
  const auto expect = [](const Settings& settings, double rows, double columns) {
    const std::vector<double> loads = largest_loads(on_grid(Kind::kAllReduce, {5, 4}, false, settings), {5, 4});
    EXPECT_NEAR(loads[0], rows, 1e-12);
    EXPECT_NEAR(loads[1], columns, 1e-12);
  };
  expect({}, 1.0, 0.9);
  expect(split("3:3"), 1.0, 0.9);
  expect(split("11:13"), 0.95, 0.95);
  expect(split("13:11"), 1.05, 0.85);
}

TEST(DimensionOrdered, EqualWeightsAreNoSplit) {
  EXPECT_EQ(on_grid(Kind::kAllReduce, {5, 4}, false, split("4:4")).chunks, 40u);
  EXPECT_TRUE(on_grid(Kind::kAllReduce, {5, 4}, false, split("4:4")).facts.empty());
  EXPECT_EQ(on_grid(Kind::kAllReduce, {5, 4}, false, split("22:26")).facts.back(), (Fact{{"split"}, "11:13"}));
}

TEST(DimensionOrdered, AWrongSplitIsAnErrorAtItsPlace) {
  for (const char* text : {"11", "1:2:3", "0:1", "1:0", "-1:2", "1:", ":1", "1:2:", "1 :2", "1:2x", "1.5:2", "a:b",
                           "1001:1", "99999999999:1"})
    try {
      on_grid(Kind::kAllReduce, {5, 4}, false, split(text));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput) << text;
      EXPECT_EQ(error.place(), "here") << text;
    }
}

}  // namespace
}  // namespace helio::schedule
