// SPDX-License-Identifier: Apache-2.0
// An equal footing for fabrics that are compared: every node injects the same, every link delays a message by the same, every step costs
// its ends the same.
//
//     what `rate` means         ring  one of 2 links          torus  one of 2 links in each dimension      full-mesh  one of n - 1
//                               switch, fat-tree, optinc, fred  the port       wdm-ring, sip-ring  a wavelength     oddl  a transceiver
//     so a node injects I       rate = I / links                rate = I       so many of the usual rate as I takes, then rate = I / many
//
// `rate` is scaled until what a node can send while nothing is dark is I; a mesh is judged by the nodes inside, which have most links.
// Fabrics of which that is not all say what else (their own file pairs, table in footing.cpp):
//
//     wdm-ring, sip-ring, oddl   as many wavelengths, or transceivers, of the usual rate as it takes: light is not made faster than it is
//     cluster                    I is the port into the server's switch; NICs keep their part of it. NCCL's own latencies give way to
//                                those that all have
//     composite                  I is that of the lowest level; what joins its instances stays as it was written
//     graph                      its links are those of the file
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "base/quantity.h"
#include "base/time.h"

namespace helio::fabric {

struct Footing {
  std::optional<BitRate> injection = {};  // of a node, all that it can send at once, gross; none: as the fabric has it
  std::optional<Time> latency = {};       // of a message on each link that it crosses
  std::optional<Time> overhead = {};      // of each dependent step, at its ends
};

// Where what was set by it came from, for messages.
inline constexpr std::string_view kFootingPlace = "equal footing";

// The settings with all that puts the fabric on the footing. What somebody gave stays, but for a rate of its own: Error(kInput) at its
// place. Throws as `make` for a fabric that cannot be measured, at `place` where there is no other.
Settings on_footing(std::string_view fabric, Settings given, const Footing& footing, const std::string& place);

// For what fabrics say of themselves.
// The settings with the `rate` at which each node injects so much in all while nothing is dark.
Settings at_injection(std::string_view fabric, Settings given, BitRate injection, const std::string& place);
// And before that with as many `lanes` of the usual rate as it takes, in steps of `step`; unless somebody said how many.
Settings with_lanes(std::string_view fabric, Settings given, BitRate injection, const std::string& lanes,
                    long long step = 1);
void set_unless_given(Settings& settings, const std::string& name, const std::string& text);
std::string exactly(Time time);  // as a setting
std::string exactly(BitRate rate);

}  // namespace helio::fabric
