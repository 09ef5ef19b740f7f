// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/wavelengths.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace helio::fabric {
namespace {

// The most arcs on one segment: no assignment needs fewer colours.
std::uint32_t load(const std::vector<Arc>& arcs, std::uint32_t segments) {
  std::vector<std::uint32_t> on(segments, 0);
  for (const Arc& arc : arcs)
    for (std::uint32_t h = 0; h < arc.hops; ++h) ++on[(arc.start + h) % segments];
  return *std::max_element(on.begin(), on.end());
}

// Every segment once per colour, found by walking.
bool is_proper(const std::vector<Arc>& arcs, const std::vector<std::uint32_t>& colours, std::uint32_t count,
               std::uint32_t segments) {
  std::vector<bool> taken(static_cast<std::size_t>(count) * segments, false);
  for (std::size_t i = 0; i < arcs.size(); ++i)
    for (std::uint32_t h = 0; h < arcs[i].hops; ++h) {
      const std::size_t at = static_cast<std::size_t>(colours[i]) * segments + (arcs[i].start + h) % segments;
      if (colours[i] >= count || taken[at]) return false;
      taken[at] = true;
    }
  return true;
}

// Neighbours need one colour, a circle of arcs of length L with L | N needs L: as many as lie on each segment.
TEST(Wavelengths, EqualArcsThatDivideTheRingTakeTheFewest) {
  for (const std::uint32_t length : {1u, 2u, 4u, 8u, 16u, 32u}) {
    std::vector<Arc> arcs;
    for (std::uint32_t x = 0; x < 64; ++x) arcs.push_back({x, length});
    std::vector<std::uint32_t> colours;
    const std::uint32_t count = colour_arcs(arcs, 64, colours);
    EXPECT_EQ(count, length);
    EXPECT_TRUE(is_proper(arcs, colours, count, 64));
  }
}

// Three arcs around the whole ring, each overlapping the two others: 3 colours although two on a segment suffice nowhere less.
TEST(Wavelengths, ThreeLongArcsNeedThree) {
  const std::vector<Arc> arcs = {{0, 4}, {2, 4}, {4, 4}};  // on 6 segments: 0-3, 2-5, 4-1
  std::vector<std::uint32_t> colours;
  EXPECT_EQ(colour_arcs(arcs, 6, colours), 3u);
}

// Arcs that no segment of the cut joins are intervals, and there greedy is optimal; with k across the cut at most k more.
RC_GTEST_PROP(Wavelengths, NobodySharesASegment, ()) {
  const auto segments = *rc::gen::inRange<std::uint32_t>(2, 40);
  std::vector<Arc> arcs;
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i)
    arcs.push_back({*rc::gen::inRange<std::uint32_t>(0, segments), *rc::gen::inRange<std::uint32_t>(1, segments)});
  std::vector<std::uint32_t> colours;
  const std::uint32_t count = colour_arcs(arcs, segments, colours);
  RC_ASSERT(is_proper(arcs, colours, count, segments));
  if (!arcs.empty()) RC_ASSERT(count >= load(arcs, segments) && count <= 2 * load(arcs, segments));
}

}  // namespace
}  // namespace helio::fabric
