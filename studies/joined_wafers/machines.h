// SPDX-License-Identifier: Apache-2.0
// The machines of the study: 64 wafers of 20 NPUs, all with the same injection per wafer into what joins them.
//
//     between    fat-tree      64 ports of the injection                     sprayed over equal ways
//                wdm-ring      2 directions x 64 wavelengths of 1/128 each   WRHT, or what wdm-planned chooses
//                oddl          one transceiver of the injection
//                optinc        one port of the injection, codes of 8 bits    a cascade of averaging switches
//        │  every NPU is a gateway: all 20 share the injection
//     inside     mesh          4x5 links of 750 GB/s                         the wafer that FRED is compared with
//                fred          variant D: switches that add and copy
//        │  18 channels of 128 GB/s: from here weights stream in
//     memory     one outside each wafer, with the whole model
#pragma once

#include <compare>
#include <span>
#include <string>

namespace helio::studies::one_system_study {

enum class Inside { kMesh, kFredD };
enum class Between { kFatTree, kWrht, kWrhtPublished, kPlanned, kOddl, kOptinc };

struct System {
  Inside inside = Inside::kFredD;
  Between between = Between::kFatTree;
  auto operator<=>(const System&) const = default;
};

// In the order in which they are told.
std::span<const System> systems();
std::string name_of(const System& system);  // "FRED-D + ODDL"
std::string name_of(Between between);       // "ODDL"

inline constexpr int kWafers = 64, kNpusOfAWafer = 20, kWavelengths = 64;
inline constexpr double kInjection =
    5.12e12;  // bits per second of a wafer, one direction: 2 x 64 wavelengths of 40 Gb/s

// What `levels` of a composite is set to. `injection`: bits per second of a wafer.
std::string levels_of(const System& system, double injection);

// What carries gradients over the levels, for one exchange of so many bytes: "auto/circulant:radices=64,stripe=64".
std::string algorithms_of(const System& system, double injection, double bytes);

// Bytes of every byte of 16-bit gradients that a wafer must hand to its network at least: 2 (n-1)/n without help, and once, as codes of
// 8 bits, where the network averages.
double least_sent(const System& system);

}  // namespace helio::studies::one_system_study
