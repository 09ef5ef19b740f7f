// SPDX-License-Identifier: Apache-2.0
#include "train/device.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::train {
namespace {

TEST(Device, TheProcessorRunsOneThread) {
  EXPECT_TRUE(device_named("cpu", "").is_cpu());
  EXPECT_EQ(at::get_num_threads(), 1);
  EXPECT_EQ(describe(at::kCPU).substr(0, 13), "cpu, libtorch");
}

TEST(Device, AnUnknownNameIsTheUsersMistake) {
  try {
    device_named("gpu", "--device");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "--device");
  }
}

TEST(Device, AStepOnTheProcessorRunsEveryTime) {
  int runs = 0;
  RecordedStep step(at::kCPU, [&] { ++runs; });
  for (int i = 0; i < 7; ++i) step.run();
  EXPECT_EQ(runs, 7);
}

}  // namespace
}  // namespace helio::train
