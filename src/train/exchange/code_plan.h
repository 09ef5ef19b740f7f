// SPDX-License-Identifier: Apache-2.0
// A cascade of switches as plain data for kernels (code_arithmetic.h).
#pragma once

#include <cstddef>
#include <functional>

#include "emulate/optical_exchange.h"
#include "train/exchange/code_arithmetic.h"

namespace helio::train {

// Brings tables to where they are read (a copy on the device, or the place itself) and keeps them as long as the plan is used.
using PlaceTable = std::function<const void*(const void* table, std::size_t bytes)>;

// Throws Error(kInfeasible) for more levels than a plan has, and for networks that are asked point by point.
CodePlan plan_of(const emulate::CodeAverager& averager, const emulate::ExchangeOptions& options, std::uint64_t length,
                 const PlaceTable& place);

}  // namespace helio::train
