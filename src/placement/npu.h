// SPDX-License-Identifier: Apache-2.0
// The NPU catalogue: what one accelerator can do at best, from its data sheet. How near a kernel comes to it is the compute
// model's business (compute.h).
//
// Invariant: peaks are dense (a data sheet's figure "with sparsity" halved), and 0 where the accelerator has no matrix units for
// a precision.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "base/quantity.h"

namespace helio::placement {

enum class Precision { kFp32, kTf32, kFp16, kBf16, kFp8 };

std::string_view name_of(Precision precision);                                  // "bf16"
Precision precision_named(std::string_view name, std::string_view place = {});  // throws Error(kInput)
double bytes_of(Precision precision);                                           // of one element in memory

struct Npu {
  std::string name, reference;
  double fp32 = 0, tf32 = 0, fp16 = 0, bf16 = 0, fp8 = 0;  // dense matrix peak, operations per second; 0: not supported
  double memory_bandwidth = 0;                             // bytes per second
  Bytes memory;
  Power power;  // at full load

  double peak(Precision precision) const;
};

// Factory: Parameters → Npu. The parameters override the data sheet ("peak" in every precision, "memory_bandwidth", "memory",
// "power"), so that a user's own accelerator is one line.
using NpuFactory = std::function<Npu(const Parameters&)>;
const Catalogue<NpuFactory>& npus();

}  // namespace helio::placement
