// SPDX-License-Identifier: Apache-2.0
#include "pipeline/promised.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/fabric.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

// Commands and studies are held to the table by tests/apps and tests/studies.
TEST(Promised, WhatIsBuiltIsNotInTheTable) {
  for (const Promise& promise : promises()) {
    if (promise.what == "fabric") {
      EXPECT_EQ(fabric::fabrics().find(promise.name), nullptr) << promise.name;
    }
    if (promise.what == "algorithm") {
      EXPECT_EQ(schedule::algorithms().find(promise.name), nullptr) << promise.name;
    }
  }
}

TEST(Promised, ANameIsRefusedOnlyAsWhatItIs) {
  EXPECT_NO_THROW(refuse_promised("command", "fitted", {}, ""));
  EXPECT_NO_THROW(refuse_promised("fabric", "ring", {}, ""));
  try {
    refuse_promised("algorithm", "fitted", {"ring", "direct"}, "a.toml:2:1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_STREQ(error.what(),
                 "a.toml:2:1: algorithm 'fitted' is not part of this version yet; name one of: ring, direct");
  }
}

}  // namespace
}  // namespace helio::pipeline
