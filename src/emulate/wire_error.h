// SPDX-License-Identifier: Apache-2.0
// How far a schedule's result is from the exact one when ports compress or the fabric averages codes: the schedule run twice on the
// same numbers, plainly and through a codec or an optical switch.
#pragma once

#include <cstdint>
#include <optional>

#include "emulate/code_averager.h"
#include "emulate/codec.h"
#include "schedule/schedule.h"

namespace helio::emulate {

// Root of the mean square of the error over that of the exact result, on independent normal deviates at every rank, in
// messages of `width` elements per slot. None: more than `limit` elements would be touched.
std::optional<double> wire_error(const schedule::Schedule& schedule, const Codec& codec, std::uint64_t seed = 1,
                                 std::uint32_t width = 256, double limit = 1e7);
// The same for in-fabric sums by averaged codes (optical_exchange.h). Requires: no more ranks than the averager has servers.
std::optional<double> wire_error(const schedule::Schedule& schedule, const CodeAverager& averager,
                                 std::uint64_t seed = 1, std::uint32_t width = 4096, double limit = 1e7);

}  // namespace helio::emulate
