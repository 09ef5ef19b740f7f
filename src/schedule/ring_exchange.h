// SPDX-License-Identifier: Apache-2.0
// All-to-all among r ranks on a bidirectional WDM ring in one step: who sends which way on which wavelength.
//
// A lightpath holds its wavelength on every segment from source to destination. Peel two ranks A and B off the list,
// half of it apart. For u between A and B and v between B and A the arcs A>u>B>v>A close exactly one circle, so one
// wavelength carries all four; their mirror image is another in the other direction.
//
//            A                  r = 6: A, B with (u,v), (u',v')       2 clockwise, 2 counter-clockwise, and A>B>A: 1
//        v'     u               then u, v' … of the four that are left
//        v      u'
//            B                  r = 5, an odd list: the last v has no u, and A>B>v>A is a circle too
//
// An even list leaves A>B>A, one circle that takes either direction: the directions take turns. Together they need
// ceil(floor(r^2/4)/2) wavelengths, and no assignment needs fewer: the shortest ways already load the 2r directed
// segments that much ("Uniform multi-hop all-to-all optical routings in rings"; papers/wrht.md 2.3, whose peeling
// this is). First-fit needs more: 34 instead of 32 for r = 16.
#pragma once

#include <cstdint>
#include <vector>

namespace helio::schedule {

// From one of r ranks in ring order to another; direction as in Lane: 0 towards increasing index.
struct Lightpath {
  std::uint32_t source = 0, destination = 0;
  std::uint32_t wavelength = 0;
  std::uint8_t direction = 0;
  friend bool operator==(const Lightpath&, const Lightpath&) = default;
};

// The fewest wavelengths per direction: ceil(floor(r^2/4)/2).
std::uint64_t exchange_wavelengths(std::uint64_t ranks);

// Every ordered pair once, on exactly that many wavelengths.
std::vector<Lightpath> exchange_on_ring(std::uint32_t ranks);

}  // namespace helio::schedule
