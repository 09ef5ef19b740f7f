// SPDX-License-Identifier: Apache-2.0
// Averages as a cascade of optical switches gives them on chips that err (photonics/onn_chip.h): every level has the network that is built
// for such chips (thermometers, onn_thermometer.h), one chip of it that is drawn once and calibrated, and noise that is drawn for every element.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulate/code_averager.h"

namespace helio::emulate {

// Networks on chips of this name, in the order of `networks`, drawn from `seed`.
std::vector<photonics::Onn> on_chips(std::span<const photonics::Onn> networks, std::string_view chip,
                                     std::uint64_t seed);

// Networks that are built for chips; all switches of a level are the same chip. Throws Error(kInfeasible) where there is no such network.
CodeAverager chip_averager(const AveragingCascade& cascade, std::string_view chip, std::uint64_t seed = 1);

}  // namespace helio::emulate
