// SPDX-License-Identifier: Apache-2.0
#include "studies/optical_family/optical_family.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "pipeline/traffic_comparison.h"
#include "studies/optical_family/chapters.h"

namespace helio::studies::optical_family_study {
namespace {

FamilyRuns& runs() {
  static FamilyRuns all{pipeline::RunOptions{}};
  return all;
}

// Whatever it is built of, a node sends 100 Gb/s while nothing is dark.
TEST(OpticalFamily, EveryMemberHasTheSameLight) {
  std::set<std::string_view> names;
  for (const Member& one : members()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    for (const Build& build : one.builds) {
      pipeline::Choice choice{build.fabric, "test", {{"nodes", {"64", "test"}}}};
      for (const auto& [name, value] : settings_of(one, build, 64, kRate, one.change))
        choice.settings[name] = {value, "test"};
      EXPECT_NEAR(pipeline::node_rate(choice).value / kRate, 1, 1e-9) << one.name << " " << build.fabric;
    }
  }
}

// What formulas say is met to 1 %, but where a calendar's slots are not filled: an all-reduce of halves over 16 nodes has 8 steps, each of
// which waits a cycle of 12.6 ms. What is bounded is not below its bound.
TEST(OpticalFamily, FormulasAndBoundsHold) {
  for (const report::Row& row : same_phases(runs())) {
    if (row.bounded) {
      EXPECT_GE(row.ours, row.beside() * (1 - 1e-9)) << row.quantity;
    } else if (row.quantity.find("16 of 64 nodes: RotorNet") == std::string::npos) {
      EXPECT_LE(row.within(), 0.01) << row.quantity;
    }
    EXPECT_EQ(row.label(), "ours") << row.quantity;
  }
}

// Two cells by hand. 100 MB are 8 ms: at changes of 10 ns ODDL's 45 flows in a row are as good as an ideal switch's (360 ms), a torus of 4x4
// takes 30 + 32. 1 kB is 80 ns: at changes of 100 ms ODDL waits for 16 of them, and a mesh, which never changes, for nothing.
TEST(OpticalFamily, PathsThatChangeWinWhereFlowsAreLong) {
  const auto seconds = [](const char* name, double bytes, double change) {
    return runs().seconds(member(name), {{"all-reduce", kMapJob.nodes * bytes}, {"all-to-all", kMapJob.nodes * bytes}},
                          kMapJob, change);
  };
  EXPECT_NEAR(seconds("ODDL", 1e8, 1e-8), 45 * 8e-3, 1e-4);
  EXPECT_NEAR(seconds("TopoOpt-like", 1e8, 1e-8), 62 * 8e-3, 1e-4);
  EXPECT_GT(seconds("ODDL", 1e3, 0.1), 1.5);
  // 30 pieces over 15 lights of a 63rd are an all-reduce of 2 rounds, and one more round to everyone
  EXPECT_NEAR(seconds("mesh", 1e3, 0.1), 3 * 63 * 80e-9, 1e-9);
}

// Who never changes does not depend on how long it would take; a job's own network only by its share.
TEST(OpticalFamily, OnlyWhoChangesPaysForIt) {
  const std::vector<Phase> phases = {{"all-to-all", 64e6}};
  const Job job{64, 64};
  EXPECT_EQ(runs().seconds(member("mesh"), phases, job, 1e-8), runs().seconds(member("mesh"), phases, job, 1.0));
  EXPECT_NEAR(runs().seconds(member("TopoOpt-like"), phases, job, 1.0) -
                  runs().seconds(member("TopoOpt-like"), phases, job, 0.0),
              1 / kIterations, 1e-9);
}

TEST(OpticalFamily, MapsHaveAWinnerInEveryCell) {
  const Map phases = phases_map(runs()), flows = flows_map(runs());
  for (const Map* map : {&phases, &flows}) {
    EXPECT_EQ(map->cells.size(), std::size(kMapSizes) * std::size(kMapChanges));
    for (const Cell& cell : map->cells) {
      ASSERT_NE(cell.winner, nullptr);
      for (const double seconds : cell.all) EXPECT_GE(kTie * seconds, cell.seconds);
    }
  }
  const auto drawn = charts(phases, flows);
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_EQ(drawn.front().series.size(), members().size());
}

}  // namespace
}  // namespace helio::studies::optical_family_study
