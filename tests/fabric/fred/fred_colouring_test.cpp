// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_colouring.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace helio::fabric {
namespace {

Colouring colour_with(const ColouringProblem& problem, std::uint32_t colours) {
  std::uint64_t work = 1'000'000;
  return colour(problem, colours, work);
}

bool fits(const ColouringProblem& problem, const std::vector<std::uint32_t>& colours) {
  return std::ranges::none_of(problem.edges,
                              [&](const auto& edge) { return colours[edge.first] == colours[edge.second]; }) &&
         std::ranges::none_of(problem.sets, [&](const auto& set) {
           return std::ranges::all_of(set, [&](std::uint32_t node) { return colours[node] == colours[set.front()]; });
         });
}

// Every one of colours^nodes assignments.
bool colourable(const ColouringProblem& problem, std::uint32_t colours) {
  std::vector<std::uint32_t> assignment(problem.nodes, 0);
  for (;;) {
    if (fits(problem, assignment)) return true;
    std::size_t i = 0;
    while (i < assignment.size() && ++assignment[i] == colours) assignment[i++] = 0;
    if (i == assignment.size()) return false;
  }
}

// The problem that is left with some nodes and, of the sets inside, only those named.
ColouringProblem part(const ColouringProblem& problem, const std::vector<std::uint32_t>& nodes,
                      const std::vector<std::uint32_t>& sets) {
  ColouringProblem left{.nodes = static_cast<std::uint32_t>(nodes.size())};
  const auto number = [&](std::uint32_t node) {
    return static_cast<std::uint32_t>(std::ranges::find(nodes, node) - nodes.begin());
  };
  for (const auto& [a, b] : problem.edges)
    if (number(a) < nodes.size() && number(b) < nodes.size()) left.edges.emplace_back(number(a), number(b));
  for (const std::uint32_t s : sets) {
    std::vector<std::uint32_t> set;
    for (const std::uint32_t node : problem.sets[s]) set.push_back(number(node));
    if (std::ranges::all_of(set, [&](std::uint32_t node) { return node < nodes.size(); })) left.sets.push_back(set);
  }
  return left;
}

TEST(FredColouring, ATriangleWithATailNeedsThree) {
  const ColouringProblem problem{.nodes = 4, .edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}}};
  const Colouring two = colour_with(problem, 2);
  EXPECT_EQ(two.outcome, ColouringOutcome::kImpossible);
  EXPECT_EQ(two.core, (std::vector<std::uint32_t>{0, 1, 2}));
  const Colouring three = colour_with(problem, 3);
  ASSERT_EQ(three.outcome, ColouringOutcome::kFound);
  EXPECT_TRUE(fits(problem, three.colours));
}

// The Grötzsch graph (Mycielski of a 5-cycle: 11 nodes, 20 edges) has no triangle and yet needs four colours, and is
// critical: without any node three suffice. So the core is all of it.
TEST(FredColouring, NoCliqueIsNeededToBeImpossible) {
  ColouringProblem problem{.nodes = 11};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t next = (i + 1) % 5, before = (i + 4) % 5;
    problem.edges.insert(problem.edges.end(), {{i, next}, {5 + i, next}, {5 + i, before}, {5 + i, 10}});
  }
  EXPECT_EQ(colour_with(problem, 4).outcome, ColouringOutcome::kFound);
  const Colouring three = colour_with(problem, 3);
  EXPECT_EQ(three.outcome, ColouringOutcome::kImpossible);
  EXPECT_EQ(three.core.size(), 11u);
}

// Three nodes, two colours, no edge: two are alike, and every pair is forbidden as a set.
TEST(FredColouring, SetsMayNotBeOfOneColour) {
  const ColouringProblem problem{.nodes = 4, .sets = {{0, 1}, {1, 2}, {0, 2}, {0, 1, 3}}};
  const Colouring two = colour_with(problem, 2);
  EXPECT_EQ(two.outcome, ColouringOutcome::kImpossible);
  EXPECT_EQ(two.core, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(two.core_sets, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(colour_with(problem, 3).outcome, ColouringOutcome::kFound);
}

// Nodes without ties fill colours by weight: 4 into one, 1 + 1 + 2 into the other.
TEST(FredColouring, ColoursAreFilledEvenly) {
  const Colouring found = colour_with({.nodes = 4, .edges = {}, .sets = {}, .weights = {4, 1, 1, 2}}, 2);
  EXPECT_EQ(found.colours, (std::vector<std::uint32_t>{0, 1, 1, 1}));
}

TEST(FredColouring, GivesUpWhenTheWorkIsSpent) {
  std::uint64_t work = 2;
  EXPECT_EQ(colour({.nodes = 3, .edges = {{0, 1}, {1, 2}}}, 2, work).outcome, ColouringOutcome::kGaveUp);
}

// Random graphs with sets against trying everything; and every core is impossible, and possible without any of its nodes or sets.
TEST(FredColouring, AgreesWithTryingEverything) {
  Random random(6);
  int impossible = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    ColouringProblem problem{.nodes = static_cast<std::uint32_t>(3 + random.below(5))};
    const auto colours = static_cast<std::uint32_t>(2 + random.below(2));
    const std::uint64_t density = 1 + random.below(4);
    for (std::uint32_t a = 0; a < problem.nodes; ++a)
      for (std::uint32_t b = a + 1; b < problem.nodes; ++b)
        if (random.below(5) < density) problem.edges.emplace_back(a, b);
    for (std::uint64_t s = random.below(5); s > 0; --s) {
      std::vector<std::uint32_t> set;
      for (std::uint32_t node = 0; node < problem.nodes; ++node)
        if (random.below(2) == 0) set.push_back(node);
      if (set.size() >= 2) problem.sets.push_back(set);
    }
    const Colouring result = colour_with(problem, colours);
    ASSERT_EQ(result.outcome == ColouringOutcome::kFound, colourable(problem, colours));
    if (result.outcome == ColouringOutcome::kFound) {
      ASSERT_TRUE(fits(problem, result.colours));
      continue;
    }
    ++impossible;
    ASSERT_FALSE(colourable(part(problem, result.core, result.core_sets), colours));
    for (std::size_t i = 0; i < result.core.size(); ++i) {
      auto fewer = result.core;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_TRUE(colourable(part(problem, fewer, result.core_sets), colours));
    }
    for (std::size_t i = 0; i < result.core_sets.size(); ++i) {
      auto fewer = result.core_sets;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_TRUE(colourable(part(problem, result.core, fewer), colours));
    }
  }
  EXPECT_GT(impossible, 200);
}

}  // namespace
}  // namespace helio::fabric
