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

// Of matrix products. Those below 16 bits are kinds of mixed precision: products of large layers take numbers of so few bits, and
// all else (what is kept, exchanged and stored; attention, norms, the head) stays in 16.
enum class Precision { kFp32, kTf32, kFp16, kBf16, kFp8, kMxfp8, kNvfp4 };

std::string_view name_of(Precision precision);                                  // "bf16"
Precision precision_named(std::string_view name, std::string_view place = {});  // throws Error(kInput)
std::vector<std::string> precision_names();
double bytes_of(Precision precision);         // of one element of that many bits, with its share of scales
double stored_bytes_of(Precision precision);  // of a parameter or an activation in memory and on links: at least 2
inline bool below_16_bits(Precision precision) { return bytes_of(precision) < 2; }

struct Npu {
  std::string name, reference;
  double fp32 = 0, tf32 = 0, fp16 = 0, bf16 = 0, fp8 = 0, fp4 = 0;  // dense matrix peak, operations/s; 0: not supported
  double memory_bandwidth = 0;                                      // bytes per second
  Bytes memory;
  Power power;  // at full load

  // Of the peak, for a very large product: fitted on measured steps of training where there are any (docs/compute-model.md).
  // Today's software (software.h) computes with it; a share that users set stands in its place.
  double reached_16 = 0.68, reached_8 = 0.64, reached_mx8 = 0.7, reached_4 = 0.6;

  double peak(Precision precision) const;
  double reached(Precision precision) const;
  double peak_16() const { return bf16 > 0 ? bf16 : fp16; }  // of what stays in 16 bits
};

// Factory: Parameters → Npu. The parameters override the data sheet ("peak" in every precision, "memory_bandwidth", "memory",
// "power"), so that a user's own accelerator is one line.
using NpuFactory = std::function<Npu(const Parameters&)>;
const Catalogue<NpuFactory>& npus();

}  // namespace helio::placement
