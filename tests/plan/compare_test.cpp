// SPDX-License-Identifier: Apache-2.0
#include "plan/compare.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/config_file.h"

namespace helio::plan {
namespace {

Contender on(const std::string& fabric, const std::string& question) {
  return {fabric, pipeline::interpret(pipeline::parse_draft("[fabric]\n" + fabric + "\n" + question, "test.toml"))};
}

const std::string kAllReduce = "[[collective]]\nkind = \"all-reduce\"\nbytes = \"8 MB\"\nalgorithm = \"auto\"\n";
const std::string kSwitch = "name = \"switch\"\nnodes = 8", kRing = "name = \"ring\"\nnodes = 8";

CompareQuestion asking(std::vector<Contender> contenders) {
  return {.title = "test",
          .contenders = std::move(contenders),
          .footing = {.injection = {}, .latency = Time{}, .overhead = Time{}},
          .nodes_place = {}};
}

// Without an injection it is that of the first: 400 Gb/s of a switch's port, and 200 Gb/s of each of a ring's links.
TEST(Compare, TheFirstFabricGivesTheInjection) {
  const pipeline::Comparison found = compare(asking({on(kSwitch, kAllReduce), on(kRing, kAllReduce)}), {});
  EXPECT_NEAR(found.footing.injection->value, 400e9, 1);
  EXPECT_EQ(found.nodes, 8u);
  for (const pipeline::Candidate& one : found.candidates)
    EXPECT_NEAR(one.time_s, 1.75 * 8e6 * 8 / 400e9, 1e-12) << one.title;
}

// The two take the same time here, and the ring has no switch to feed.
TEST(Compare, TiesGoToFewerWatts) {
  const pipeline::Comparison found = compare(asking({on(kSwitch, kAllReduce), on(kRing, kAllReduce)}), {});
  ASSERT_LT(found.candidates[1].watts.middle(), found.candidates[0].watts.middle());
  if (found.candidates[0].time_s != found.candidates[1].time_s) return;  // but for rounding
  EXPECT_EQ(found.winner, 1u);
}

// Collectives run one after the other: 1.75 ms of each 8 MB at 64 Gb/s.
TEST(Compare, SeveralCollectivesAreSummed) {
  CompareQuestion question = asking({on(kSwitch, kAllReduce + "name = \"a\"\n" + kAllReduce + "name = \"b\"\n")});
  question.footing.injection = BitRate{64e9};
  const pipeline::Candidate one = compare(question, {}).candidates.front();
  EXPECT_NEAR(one.time_s, 2 * 1.75e-3, 1e-11);
  EXPECT_TRUE(one.factors.empty());
}

TEST(Compare, FabricsOfOtherSizesAreRefused) {
  try {
    compare(asking({on(kSwitch, kAllReduce), on("name = \"ring\"\nnodes = 9", kAllReduce)}), {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("9 nodes"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace helio::plan
