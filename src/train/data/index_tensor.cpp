// SPDX-License-Identifier: Apache-2.0
#include "train/data/index_tensor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cassert>

namespace helio::train {

at::Tensor index_tensor(const std::vector<std::vector<std::int64_t>>& rows, const at::Device& device) {
  const auto count = static_cast<std::int64_t>(rows.front().size());
  // Pinned pages are copied while the host goes on; their allocator keeps them until the copy has ended.
  const at::Tensor host = at::empty({static_cast<std::int64_t>(rows.size()), count},
                                    at::TensorOptions(at::kLong).pinned_memory(device.is_cuda()));
  std::int64_t* out = host.data_ptr<std::int64_t>();
  for (const std::vector<std::int64_t>& row : rows) {
    assert(static_cast<std::int64_t>(row.size()) == count && "rows of one length");
    out = std::copy(row.begin(), row.end(), out);
  }
  return host.to(device, at::kLong, /*non_blocking=*/true);
}

}  // namespace helio::train
