// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

namespace helio {
namespace {

TEST(Error, ReadsAsWhereWhatAndWhatToDo) {
  const Error error(ErrorKind::kInput, "'ten' is not a number", "--bytes", "write a size such as '1 MB'");
  EXPECT_STREQ(error.what(), "--bytes: 'ten' is not a number; write a size such as '1 MB'");
  EXPECT_EQ(error.message(), "'ten' is not a number");
  EXPECT_EQ(error.place(), "--bytes");
  EXPECT_EQ(error.advice(), "write a size such as '1 MB'");
}

TEST(Error, LeavesOutWhatIsNotKnown) { EXPECT_STREQ(Error(ErrorKind::kUsage, "no command").what(), "no command"); }

// The exit codes are the contract of DESIGN.md.
TEST(Error, KindsAreExitCodes) {
  EXPECT_EQ(exit_code(ErrorKind::kUsage), 2);
  EXPECT_EQ(exit_code(ErrorKind::kInput), 3);
  EXPECT_EQ(exit_code(ErrorKind::kInfeasible), 4);
}

TEST(Error, TakesAPlaceOnceAndKeepsTheInnerOne) {
  const Error bare(ErrorKind::kInfeasible, "no", {}, "yes");
  const Error placed = bare.at("a.toml:3:8");
  EXPECT_EQ(placed.place(), "a.toml:3:8");
  EXPECT_EQ(placed.kind(), ErrorKind::kInfeasible);
  EXPECT_EQ(placed.advice(), "yes");
  EXPECT_EQ(placed.at("outer").place(), "a.toml:3:8");
}

const std::vector<std::string> kFabrics = {"ring", "switch", "full-mesh", "mesh", "fat-tree"};

TEST(NearestName, FindsSwapsOmissionsAndSlips) {
  EXPECT_EQ(nearest_name("rign", kFabrics), "ring");         // one swap
  EXPECT_EQ(nearest_name("fattree", kFabrics), "fat-tree");  // one omission
  EXPECT_EQ(nearest_name("Switch", kFabrics), "switch");     // one substitution
  EXPECT_EQ(nearest_name("ring", kFabrics), "ring");
}

// "mesh" lies 1 from "mess", "full-mesh" lies 6 away: the nearer one is meant.
// Of a family the member with the nearest number, by their ratio; then what begins alike.
TEST(NearestName, KnowsCaseFamiliesAndBeginnings) {
  const std::vector<std::string> models = {"llama-7b",  "llama-13b", "llama-65b", "gpt2-xl",
                                           "gpt3-175b", "v100",      "h100",      "a100-40"};
  EXPECT_EQ(nearest_name("H100", models), "h100");
  EXPECT_EQ(nearest_name("LLAMA_13B", models), "llama-13b");
  EXPECT_EQ(nearest_name("llama70b", models), "llama-65b");
  EXPECT_EQ(nearest_name("llama-8b", models), "llama-7b");
  EXPECT_EQ(nearest_name("gpt3", models), "gpt3-175b");
  EXPECT_EQ(nearest_name("a100", models), "a100-40");
  EXPECT_EQ(nearest_name("A100", models), "a100-40");
  EXPECT_EQ(nearest_name("falcon-7b", models), "");
}

TEST(NearestName, PrefersTheNearest) { EXPECT_EQ(nearest_name("mess", {"full-mesh", "mesh"}), "mesh"); }

// Both are one substitution away: the first in the list, so that messages do not depend on chance.
TEST(NearestName, TakesTheFirstOfEquals) { EXPECT_EQ(nearest_name("bat", {"cat", "hat"}), "cat"); }

TEST(NearestName, GivesUpWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("dragonfly", kFabrics), "");
  EXPECT_EQ(nearest_name("", kFabrics), "");
  EXPECT_EQ(nearest_name("zz", {"ab"}), "");  // distance 2 is all of it
  EXPECT_EQ(nearest_name("ring", {}), "");
  const std::string long_name(1 << 20, 'a');
  EXPECT_EQ(nearest_name(long_name + "b", {long_name}), "");  // nobody types that, and to compare them takes 2^40 steps
}

// Nine letters allow 9/3 = 3 edits: r-e-c-u-r-s-i-v-e with three letters wrong is still meant, with four it is not.
TEST(NearestName, AllowsAThirdOfALongName) {
  EXPECT_EQ(nearest_name("recXXXive", {"recursive"}), "recursive");
  EXPECT_EQ(nearest_name("reXXXXive", {"recursive"}), "");
}

TEST(UnknownName, SaysTheNearestAndAllLegalNames) {
  const Error error = unknown_name("fabric", "rign", {"ring", "mesh"}, "--fabric");
  EXPECT_EQ(error.kind(), ErrorKind::kInput);
  EXPECT_STREQ(error.what(), "--fabric: unknown fabric 'rign'; did you mean 'ring'? Known are: ring, mesh");
  EXPECT_STREQ(unknown_name("fabric", "dragonfly", {"ring", "mesh"}).what(),
               "unknown fabric 'dragonfly'; known are: ring, mesh");
  EXPECT_STREQ(unknown_name("fabric", "ring", {}).what(), "unknown fabric 'ring'; there are none");
}

}  // namespace
}  // namespace helio
