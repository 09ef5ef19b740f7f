// SPDX-License-Identifier: Apache-2.0
// Pictures of the designs on the pages of their studies.
#include <gtest/gtest.h>

#include <set>

#include "studies/fred/chapters.h"
#include "studies/oddl/chapters.h"
#include "studies/optinc/chapters.h"
#include "studies/wrht/chapters.h"

namespace helio::studies {
namespace {

// 15 nodes and 2 wavelengths: three steps around 2, 7, 12 (papers/wrht.md 2.2). 1024 nodes and 64: groups of 129, so ⌈1024/129⌉ = 8
// representatives, which exchange all-to-all on W(8) = 8 wavelengths: three steps again.
TEST(Pictures, WrhtOnFifteenAndOnAThousandNodes) {
  const std::vector<report::Figure> figures = wrht_study::pictures();
  ASSERT_EQ(figures.size(), 4u);
  for (const report::Figure& figure : figures) EXPECT_EQ(figure.data["steps"].size(), 3u) << figure.name;
  EXPECT_EQ(figures[0].data["steps"][0]["hubs"], nlohmann::ordered_json::parse("[2, 7, 12]"));
  EXPECT_EQ(figures[2].data["steps"][0]["hubs"].size(), 8u);
  EXPECT_NE(figures[3].words.find("Step 2, all-to-all: 56 lightpaths on 8 of 64 wavelengths"), std::string::npos);
}

// The three phases of 2-2-2 on eight ports: dp and mp have four flows of two, pp has two multicasts (fabric/fred/fred_phases.h).
TEST(Pictures, FredInThreePhases) {
  const std::vector<report::Figure> figures = fred_study::pictures();
  ASSERT_EQ(figures.size(), 1u);
  const auto& switches = figures[0].data["switches"];
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_EQ(switches[0]["flows"].size(), 4u);
  EXPECT_EQ(switches[1]["flows"].size(), 4u);
  EXPECT_EQ(switches[2]["flows"].size(), 2u);
}

// What examples/oddl_slices.toml says of its twelve events: giant is refused once and fits later, the node that fails is replaced.
TEST(Pictures, OddlTellsTheExample) {
  const std::vector<report::Figure> figures = oddl_study::pictures();
  ASSERT_EQ(figures.size(), 1u);
  const auto& data = figures[0].data;
  ASSERT_EQ(data["events"].size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(data["events"][i]["done"].get<bool>(), i != 8) << i;
  const auto& last = data["stretches"].back();
  EXPECT_EQ(data["jobs"][last["job"].get<std::size_t>()], "giant");
  EXPECT_EQ(last["nodes"].size(), 24u);
}

// The cheapest network has 54 MZIs (docs/onn.md); names are unique.
TEST(Pictures, OptincShowsItsMeshes) {
  const std::vector<report::Figure> figures = optinc_study::pictures();
  ASSERT_FALSE(figures.empty());
  EXPECT_NE(figures[0].title.find("54 MZIs"), std::string::npos);
  std::set<std::string> names;
  for (const report::Figure& figure : figures) EXPECT_TRUE(names.insert(figure.name).second);
}

}  // namespace
}  // namespace helio::studies
