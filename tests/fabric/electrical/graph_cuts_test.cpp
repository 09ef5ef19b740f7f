// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_cuts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace helio::fabric {
namespace {

using schedule::Cut;

std::vector<Cut> cuts_of(const std::string& text) { return narrow_cuts(parse_graph(text, "g.txt")); }

bool has(const std::vector<Cut>& cuts, std::uint64_t inside, double outward, double inward) {
  return std::ranges::any_of(cuts, [&](const Cut& cut) {
    return cut.inside == inside && cut.outward.value == outward && cut.inward.value == inward;
  });
}

TEST(GraphCuts, ABridgeIsFound) {
  // Two triangles joined by one slow link: 3 ranks on either side of 1 b/s.
  const auto cuts = cuts_of(
      "node a b c d e f\nlink a b 8b/s\nlink b c 8b/s\nlink c a 8b/s\nlink d e 8b/s\nlink e f 8b/s\nlink f d "
      "8b/s\nlink c d 1b/s\n");
  EXPECT_TRUE(has(cuts, 3, 1, 1));
}

TEST(GraphCuts, TheWeakestRankCountsInEachDirection) {
  // c sends at 2 and receives at 4: one link each way at its own rate.
  const auto cuts = cuts_of("node a b c\nlink a b 8b/s\nlink c a 2b/s oneway\nlink a c 4b/s oneway\n");
  EXPECT_TRUE(has(cuts, 1, 2, 4));
}

TEST(GraphCuts, ARackIsASwitchAndWhatHangsOnIt) {
  // Two racks of two under two spines: 4 b/s to hosts, uplinks 1 + 2 b/s.
  const auto cuts = cuts_of(
      "node a b c d\nswitch e f s t\nlink a e 4b/s\nlink b e 4b/s\nlink c f 4b/s\nlink d f 4b/s\n"
      "link e s 1b/s\nlink f s 1b/s\nlink e t 1b/s x2\nlink f t 1b/s x2\n");
  EXPECT_TRUE(has(cuts, 2, 3, 3));
}

TEST(GraphCuts, ALineIsHalvedForAllToAll) {
  // Six ranks in a row, all links alike: what k (n-k) pairs must cross is worst in the middle.
  EXPECT_TRUE(
      has(cuts_of("node a b c d e f\nlink a b 1b/s\nlink b c 1b/s\nlink c d 1b/s\nlink d e 1b/s\nlink e f 1b/s\n"), 3,
          1, 1));
}

// Every cut is that of some set of vertices: on small graphs all sets can be tried.
RC_GTEST_PROP(GraphCuts, EveryCutIsTrue, ()) {
  const int vertices = *rc::gen::inRange(2, 9);
  std::string text;
  for (int v = 0; v < vertices; ++v)
    text += fmt::format("{} v{}\n", v > 1 && *rc::gen::arbitrary<bool>() ? "switch" : "node", v);
  for (int v = 0; v < vertices; ++v)
    for (int w = 0; w < v; ++w)
      if (w + 1 == v || *rc::gen::inRange(0, 3) == 0)
        text += fmt::format("link v{} v{} {}b/s oneway x{}\nlink v{} v{} {}b/s oneway\n", v, w,
                            *rc::gen::inRange(1, 10), *rc::gen::inRange(1, 4), w, v, *rc::gen::inRange(1, 10));
  const Graph g = parse_graph(text, "random");
  double least = 1e18;
  std::vector<std::array<double, 3>> all;
  for (unsigned set = 1; set < 1u << vertices; ++set) {
    std::array<double, 3> cut{};
    for (const std::uint32_t rank : g.ranks) cut[0] += set >> rank & 1;
    for (const Graph::Arc& arc : g.arcs) {
      if ((set >> arc.from & 1) && !(set >> arc.to & 1)) cut[1] += arc.count * arc.rate.value;
      if (!(set >> arc.from & 1) && (set >> arc.to & 1)) cut[2] += arc.count * arc.rate.value;
    }
    all.push_back(cut);
    if (cut[0] > 0 && cut[0] < static_cast<double>(g.ranks.size())) least = std::min(least, cut[1]);
  }
  const auto cuts = narrow_cuts(g);
  RC_ASSERT(!cuts.empty());
  for (const Cut& cut : cuts) {
    RC_ASSERT(std::ranges::count(all, std::array<double, 3>{static_cast<double>(cut.inside), cut.outward.value,
                                                            cut.inward.value}) > 0);
    RC_ASSERT(cut.outward.value >= least);
  }
}

}  // namespace
}  // namespace helio::fabric
