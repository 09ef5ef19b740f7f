// SPDX-License-Identifier: Apache-2.0
// Comparing tensors in tests: equal up to a part of their largest number.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace helio::train {

inline ::testing::AssertionResult near(const at::Tensor& ours, const at::Tensor& expected, double tolerance) {
  if (ours.sizes() != expected.sizes())
    return ::testing::AssertionFailure() << "shape " << ours.sizes() << " instead of " << expected.sizes();
  const at::Tensor a = ours.detach().to(at::kDouble), b = expected.detach().to(at::kDouble);
  const double largest = b.abs().max().item<double>(), apart = (a - b).abs().max().item<double>();
  if (apart <= tolerance * std::max(largest, 1e-6)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "apart by " << apart << " where the largest is " << largest;
}

}  // namespace helio::train
