// SPDX-License-Identifier: Apache-2.0
// What a training must keep whatever the model computes, held against what the device has, before anything is asked of it:
//
//     values, decays, λ·decays, momentum, average      5 · P
//     gradients                                        N · P     floats of 4 bytes
//
// Activations come on top, so this is a bound from below: what it refuses could never have run.
#pragma once

#include <c10/core/Device.h>

namespace helio::train {

// Bytes for P parameters (gaps counted in) and N servers.
double least_bytes(double parameters, int servers);

// Of the device, or of this machine.
double memory_of(const at::Device& device);

// Throws Error(kInfeasible) that says how much is needed and how much there is.
void check_memory(double parameters, int servers, const at::Device& device);

}  // namespace helio::train
