// SPDX-License-Identifier: Apache-2.0
#include "workload/dlrm.h"

#include <gtest/gtest.h>

namespace helio::workload {
namespace {

// 187,767,399 rows of 128 (96 GB in fp32), perceptrons 7,168 + 131,328 + 32,896 and 491,520 + 1,049,600 + 524,800 + 131,328 + 257.
TEST(Dlrm, Parameters) {
  const Workload workload = dlrm();
  EXPECT_EQ(workload.parameters(), 187'767'399u * 128ull + 171'392 + 2'197'505);
  EXPECT_EQ(workload.layers[0].expert_parameters, 187'767'399u * 128ull);
  EXPECT_EQ(workload.layers[0].experts, 26u * 128);
}

// 13·512 + 512·256 + 256·128 = 170,496; 479·1024 + 1024² + 1024·512 + 512·256 + 256 = 2,194,688; pairs 27² · 128 = 93,312.
TEST(Dlrm, Flops) { EXPECT_EQ(dlrm().forward_flops(), 2.0 * (170'496 + 2'194'688 + 93'312)); }

// 26 vectors of 128 go to the rank that has the sample; 27 · 26 / 2 pairs and 128 numbers enter the second perceptron.
TEST(Dlrm, TablesAreDispatched) {
  const Workload workload = dlrm();
  const Kernel& look_up = workload.layers[0].kernels[0];
  EXPECT_EQ(look_up.exchange, Exchange::kDispatch);
  EXPECT_EQ(look_up.exchange_elements, 26 * 128);
  EXPECT_EQ(workload.layers[4].name, "interaction");
  EXPECT_EQ(workload.layers[4].output_elements, 479);
}

}  // namespace
}  // namespace helio::workload
