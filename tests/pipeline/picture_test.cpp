// SPDX-License-Identifier: Apache-2.0
// The picture that a result carries of the light on a ring: fabric/wdm/lit_ring.h.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <optional>
#include <set>
#include <tuple>
#include <variant>

#include "pipeline/config_file.h"
#include "pipeline/run.h"

namespace helio::pipeline {
namespace {

using fabric::hops_of;
using fabric::Lightpath;
using fabric::LitRing;
using fabric::LitStep;

std::optional<LitRing> light(const std::string& fabric, const std::string& collective) {
  const auto experiment = interpret(parse_draft(
      fmt::format("[fabric]\n{}\n[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\n{}\n", fabric, collective),
      "test.toml"));
  const Result result = run(experiment, experiment.collectives.front(), {.picture = true});
  const auto* ring = std::get_if<LitRing>(&result.picture);
  return ring && !ring->steps.empty() ? std::optional(*ring) : std::nullopt;
}

// Source, destination, direction, first wavelength, width.
using Path = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
std::set<Path> paths_of(const LitStep& step) {
  std::set<Path> paths;
  for (const Lightpath& p : step.paths) paths.insert({p.source, p.destination, p.direction, p.first, p.width});
  return paths;
}

constexpr const char* kFifteen = "name = \"wdm-ring\"\nnodes = 15\nwavelengths = 2\nrate = \"40 Gb/s\"";

// The example of papers/wrht.md 2.2: groups of five around 2, 7 and 12; the nearest on λ0, the next on λ1; left clockwise, right
// counter-clockwise. Whole vectors. Then all-to-all among three, both ways round on λ0 (W(3) = 1), and the first step backwards.
TEST(LitRing, WrhtOnFifteenNodes) {
  const LitRing ring = *light(kFifteen, "algorithm = \"wrht\"");
  EXPECT_EQ(ring.nodes, 15u);
  EXPECT_EQ(ring.wavelengths, 2u);
  EXPECT_TRUE(ring.numbered);
  ASSERT_EQ(ring.steps.size(), 3u);
  std::set<Path> gather, spread;
  for (const std::uint32_t middle : {2u, 7u, 12u})
    for (const std::uint32_t k : {1u, 2u}) {
      gather.insert({middle - k, middle, 0, k - 1, 1});
      gather.insert({middle + k, middle, 1, k - 1, 1});
      spread.insert({middle, middle - k, 1, k - 1, 1});
      spread.insert({middle, middle + k, 0, k - 1, 1});
    }
  EXPECT_EQ(paths_of(ring.steps[0]), gather);
  EXPECT_EQ(paths_of(ring.steps[2]), spread);
  EXPECT_EQ(
      paths_of(ring.steps[1]),
      (std::set<Path>{
          {2, 7, 0, 0, 1}, {7, 12, 0, 0, 1}, {12, 2, 0, 0, 1}, {7, 2, 1, 0, 1}, {12, 7, 1, 0, 1}, {2, 12, 1, 0, 1}}));
  EXPECT_EQ(ring.steps[0].name, "gather 1");
  for (const LitStep& step : ring.steps)
    for (const Lightpath& path : step.paths) EXPECT_DOUBLE_EQ(path.bytes, 1e6);
  EXPECT_EQ(hops_of({.source = 12, .destination = 2, .direction = 0}, 15), 5u);
  EXPECT_EQ(hops_of({.source = 2, .destination = 12, .direction = 1}, 15), 5u);
}

// Sub-trees are numbered by their smallest node; the representative is whom all lightpaths of one share. All-to-all has none.
TEST(LitRing, SubTreesAndRepresentatives) {
  const LitRing ring = *light(kFifteen, "algorithm = \"wrht\"");
  for (const std::size_t s : {0u, 2u}) {
    EXPECT_EQ(ring.steps[s].representatives, (std::vector<std::uint32_t>{2, 7, 12}));
    for (const Lightpath& path : ring.steps[s].paths) EXPECT_EQ(path.tree, path.source / 5);
  }
  EXPECT_TRUE(ring.steps[1].representatives.empty());
  for (const Lightpath& path : ring.steps[1].paths) EXPECT_EQ(path.tree, 0u);
}

// A single lightpath shares both its ends with itself: it goes with the rest of its step.
TEST(LitRing, ASingleLightpathGoesWithTheOthers) {
  LitStep gather{
      .name = "gather",
      .paths = {{.source = 0, .destination = 1}, {.source = 2, .destination = 1}, {.source = 5, .destination = 6}}};
  fabric::settle_trees(gather);
  EXPECT_EQ(gather.representatives, (std::vector<std::uint32_t>{1, 6}));
  LitStep spread{
      .name = "spread",
      .paths = {{.source = 1, .destination = 0}, {.source = 1, .destination = 2}, {.source = 6, .destination = 5}}};
  fabric::settle_trees(spread);
  EXPECT_EQ(spread.representatives, (std::vector<std::uint32_t>{1, 6}));
  LitStep alone{.name = "pairs", .paths = {{.source = 0, .destination = 1}, {.source = 2, .destination = 3}}};
  fabric::settle_trees(alone);
  EXPECT_TRUE(alone.representatives.empty());
  EXPECT_EQ(alone.paths[1].tree, 1u);
}

// A ring all-reduce on four nodes: two phases of three equal rounds, a quarter of the vector over one segment each. It is one picture.
TEST(LitRing, EqualRoundsAreOneStep) {
  const LitRing ring = *light("name = \"wdm-ring\"\nnodes = 4\nwavelengths = 3", "algorithm = \"ring\"");
  ASSERT_EQ(ring.steps.size(), 1u);
  EXPECT_EQ(ring.steps[0].rounds, 6u);
  EXPECT_EQ(paths_of(ring.steps[0]),
            (std::set<Path>{{0, 1, 0, 0, 1}, {1, 2, 0, 0, 1}, {2, 3, 0, 0, 1}, {3, 0, 0, 0, 1}}));
  EXPECT_DOUBLE_EQ(ring.steps[0].paths[0].bytes, 250e3);
}

// Stripes: with four wavelengths and groups of three every move takes two of the four (fabric/wdm/wdm_ring.h): still the whole vector together.
TEST(LitRing, StripesAreWide) {
  const LitRing ring = *light("name = \"wdm-ring\"\nnodes = 9\nwavelengths = 4",
                              "algorithm = \"wrht\"\nparameters = {group = 3, stripe = 2}");
  EXPECT_TRUE(paths_of(ring.steps[0]).contains({0, 1, 0, 0, 2}));
  EXPECT_TRUE(paths_of(ring.steps[0]).contains({5, 4, 1, 0, 2}));
  EXPECT_DOUBLE_EQ(ring.steps[0].paths[0].bytes, 1e6);
}

// SiP-Ring gives transfers to neighbours all wavelengths of that direction, here 2 of 4 (fabric/wdm/sip_allocation.h): counted, not numbered.
TEST(LitRing, SipRingCounts) {
  const LitRing ring = *light("name = \"sip-ring\"\nnodes = 4\nwavelengths = 4", "algorithm = \"ring\"");
  EXPECT_FALSE(ring.numbered);
  EXPECT_EQ(ring.wavelengths, 2u);
  ASSERT_EQ(ring.steps.size(), 1u);
  ASSERT_EQ(ring.steps[0].paths.size(), 4u);
  for (const Lightpath& path : ring.steps[0].paths) {
    EXPECT_EQ(path.destination, (path.source + 1) % 4);
    EXPECT_EQ(path.direction, 0u);
    EXPECT_EQ(path.width, 2u);
    EXPECT_DOUBLE_EQ(path.bytes, 250e3);
  }
}

// Other fabrics have no such light, in dataflow order there are no steps, and one node sends nothing.
TEST(LitRing, NoneWhereThereIsNone) {
  EXPECT_FALSE(light("name = \"ring\"\nnodes = 4", "algorithm = \"ring\""));
  EXPECT_FALSE(light("name = \"wdm-ring\"\nnodes = 4\nwavelengths = 3", "algorithm = \"ring\"\nsync = \"dataflow\""));
  EXPECT_FALSE(light("name = \"wdm-ring\"\nnodes = 1\nwavelengths = 3", "algorithm = \"ring\""));
}

}  // namespace
}  // namespace helio::pipeline
