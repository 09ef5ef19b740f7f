// SPDX-License-Identifier: Apache-2.0
// A configured FRED switch as one SVG picture: which way every flow takes, where it is added and where it is copied
// (arXiv 2406.19580, section 5; the switch in fabric/fred/fred_switch.h, the setting in fabric/fred/fred_router.h).
//
//            R                     R      RD       D                     D         columns, from inputs to outputs
//                     ┌ middle 0 ────────────────────────────┐
//    0 a ─┤    ├──────┼─┤    ├──────┤    ├──────┤    ├───────┼──────┤    ├─ a 0    a flow: a colour, a dash pattern and a letter
//    1 b ─┤    ├╌╌╌╌╮ │ ┤ +  ├   ╭──┤    ├      ┤  < ├       │ ╭╌╌╌╌┤    ├─ b 1    + where two vectors are added
//         ⋮         ╎ └──────────────────────────────────────┘ ╎    ⋮              < where one is copied
//                   ╰▶┌ middle 1 ────                                              thin and grey: idle
//
// A middle switch is a frame with its number, and has the frames of its own middle switches inside: "middle 0.2" is the third of
// the first. The innermost are the RDs, which have no frame of their own unless there is nothing outside them.
//
// A picture needs no script and no network, has its own paper in light and in dark, and says in words what it shows
// (<title>, <desc>). Every wire knows its number (data-wire) and is in the group of its flow or in that of the idle.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"

namespace helio::report {

inline constexpr std::size_t kMostDrawnElements = 4096;  // Fred_3(64) has 1,087 micro-switches, Fred_4(64) 3,008

// One <svg> element, same input, same bytes. Requires: `configuration` carries `flows` (fabric::check_collective passed).
// Throws Error(kInput) past kMostDrawnElements.
std::string fred_svg(const fabric::FredSwitch& fred, const fabric::FredConfiguration& configuration,
                     std::span<const fabric::Flow> flows);

}  // namespace helio::report
