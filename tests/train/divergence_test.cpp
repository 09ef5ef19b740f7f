// SPDX-License-Identifier: Apache-2.0
#include "train/divergence.h"

#include <gtest/gtest.h>

namespace helio::train {
namespace {

TEST(Divergence, SaysWhatIsLeft) {
  const Divergence bare("the loss is not a number", "--rate", "Start anew");
  EXPECT_EQ(bare.kind(), ErrorKind::kInfeasible);
  EXPECT_EQ(bare.keeping("", "").advice(), "Start anew. No checkpoint was asked for");
  EXPECT_EQ(bare.keeping("run", "").advice(), "Start anew. No checkpoint was written to 'run' yet");
  const Divergence kept = bare.keeping("run", "step 16");
  EXPECT_EQ(kept.advice(), "Start anew. The last good checkpoint, of step 16, is in 'run'");
  EXPECT_EQ(kept.message(), bare.message());
  EXPECT_EQ(kept.place(), "--rate");
}

}  // namespace
}  // namespace helio::train
