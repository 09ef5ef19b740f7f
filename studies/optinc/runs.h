// SPDX-License-Identifier: Apache-2.0
// The questions of the study.
//
//     gradients of P parameters     optinc: 4P bytes of float32 are asked for, P·B/8 bytes of codes are sent
//                                   ring:   P·w/8 bytes, w the bits that a number of the baseline has
#pragma once

#include "studies/asking.h"

namespace helio::studies::optinc_study {

inline constexpr int kBits = 8;           // B
inline constexpr double kFloatBytes = 4;  // of a gradient as `optinc` takes it

// Ports of 8 x 800 Gb/s [secondary] and links without latency: serialisation alone.
Question on_optinc(double parameters, int servers);
Question on_ring(double parameters, int servers, int bits);  // ring all-reduce through an ideal electrical switch

double resnet50_parameters();  // of the product's zoo

}  // namespace helio::studies::optinc_study
