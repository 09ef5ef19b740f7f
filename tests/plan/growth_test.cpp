// SPDX-License-Identifier: Apache-2.0
#include "plan/growth.h"

#include <gtest/gtest.h>

#include "pipeline/asking.h"

namespace helio::plan {
namespace {

using pipeline::asking;
using pipeline::Experiment;
using pipeline::Texts;

BudgetSpent told(const Texts& fabric, const Texts& keys, const BudgetLimits& limits) {
  BudgetSpent spent{.limits = limits};
  const Experiment experiment = asking(fabric, keys);
  tell_growth(spent, experiment, experiment.collectives.front(), {});
  return spent;
}

// In dataflow order, since of a round of steps that loads all links alike one transfer is left (flow/condense.h).
const Texts kDirect = {{"kind", "all-to-all"}, {"bytes", "1 GB"}, {"algorithm", "direct"}, {"sync", "dataflow"}};

// Every rank sends to every other: moves grow with n², so memory does, at least; a fabric of fewer nodes than asked fits.
TEST(Growth, DenseExchangesGrowWithTheSquare) {
  const BudgetSpent spent = told({{"name", "switch"}, {"nodes", "4096"}}, kDirect, {.seconds = 1, .bytes = 1e8});
  const BudgetSpent half = told({{"name", "switch"}, {"nodes", "2048"}}, kDirect, {.seconds = 1, .bytes = 1e8});
  EXPECT_NEAR(spent.needed.bytes / half.needed.bytes, 4, 1);
  EXPECT_GT(spent.needed.seconds, 0);
  EXPECT_TRUE(spent.fits.starts_with("about ")) << spent.fits;
  const int nodes = std::stoi(spent.fits.substr(6));
  EXPECT_LT(nodes, 4096);
  EXPECT_GE(nodes, 8);
}

// By what it really needs: the estimate is of the right size. A run of 1,024 nodes is counted and foretold.
TEST(Growth, MemoryIsForetoldWithinAFactorOfTwo) {
  const Texts ring = {{"name", "ring"}, {"nodes", "1024"}};
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "halving-doubling"}};
  const double real = pipeline::answer(ring, keys).memory.value;
  const double foretold = told(ring, keys, {.seconds = 1}).needed.bytes;
  EXPECT_GT(foretold, real / 2);
  EXPECT_LT(foretold, real * 2);
}

TEST(Growth, NothingIsSaidOfWhatHasAShapeOfItsOwn) {
  EXPECT_EQ(told({{"name", "torus"}, {"dimensions", "8x8x8"}}, kDirect, {.seconds = 1}).needed.seconds, 0);
  Texts groups = kDirect;
  groups["groups"] = "0,1;2,3";
  EXPECT_EQ(told({{"name", "switch"}, {"nodes", "64"}}, groups, {.seconds = 1}).needed.seconds, 0);
}

}  // namespace
}  // namespace helio::plan
