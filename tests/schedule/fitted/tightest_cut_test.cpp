// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/tightest_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "schedule/fitted/networks.h"

namespace helio::schedule {
namespace {

std::vector<std::uint32_t> nodes_of(const Network& network) {
  std::vector<std::uint32_t> nodes(network.nodes);
  std::iota(nodes.begin(), nodes.end(), 0u);
  return nodes;
}

// Every set that leaves out a node, one by one.
double least_quotient(const Network& network) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 1; set < 1u << network.vertices; ++set) {
    double rate = 0;
    const auto inside = [&](std::uint32_t v) { return (set >> v & 1) != 0; };
    std::uint32_t nodes = 0;
    for (std::uint32_t v = 0; v < network.nodes; ++v) nodes += inside(v);
    if (nodes == 0 || nodes == network.nodes) continue;
    for (const Network::Arc& arc : network.arcs)
      if (inside(arc.from) && !inside(arc.to)) rate += arc.rate.value;
    least = std::min(least, rate / nodes);
  }
  return least;
}

TEST(TightestCut, ALineIsCutBeforeItsEnd) {
  // 0 - 1 - 2, 8 b/s each way: node 2 wants to hear of two others over one link, 4 b/s for each
  Network line{.nodes = 3, .vertices = 3, .arcs = {}};
  std::uint32_t link = 0;
  for (const auto& [from, to] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}})
    line.arcs.push_back({from, to, BitRate{8}, Time(), link++});
  const TightCut cut = tightest_cut(line, nodes_of(line), nodes_of(line));
  EXPECT_EQ(cut.per_source(), BitRate{4});
  EXPECT_EQ(cut.sources, 2u);
  EXPECT_EQ(cut.links, 1u);
}

TEST(TightestCut, IsTheLeastOfAllSets) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Network network = random_network(seed, 8, 2);
    const TightCut cut = tightest_cut(network, nodes_of(network), nodes_of(network));
    const double least = least_quotient(network);
    EXPECT_NEAR(cut.per_source().value, least, 1e-6 * least) << "seed " << seed;
  }
}

TEST(TightestCut, WhoCannotBeReachedIsNamed) {
  Network apart{.nodes = 2, .vertices = 2, .arcs = {{0, 1, BitRate{8}, Time(), 0}}, .names = {"a", "b"}};
  try {
    tightest_cut(apart, nodes_of(apart), nodes_of(apart));
    FAIL() << "a cut of rate 0";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.message(), "a cannot be reached from b");
  }
}

}  // namespace
}  // namespace helio::schedule
