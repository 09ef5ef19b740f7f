// SPDX-License-Identifier: Apache-2.0
// Indices chosen on the host, on their way to the device: one copy that the host does not wait for.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <vector>

namespace helio::train {

// rows.size() × n, long. Requires: at least one row, all of one length.
at::Tensor index_tensor(const std::vector<std::vector<std::int64_t>>& rows, const at::Device& device);

}  // namespace helio::train
