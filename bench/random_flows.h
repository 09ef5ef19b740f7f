// SPDX-License-Identifier: Apache-2.0
// Random flows between nodes, for the cost of one flow: the same arrivals, sizes and pairs, carried in two ways.
//
//     every source:   gap ─▶ flow ─▶ gap ─▶ flow ─▶ …      gaps and sizes exponential, receivers busy half of the time
//
//     controlled      transmitter and receiver are channels; ODDL's sources and arbiters decide by srpt (fabric/oddl/oddl_control.h)
//     switch          the two are links that flows share, and nobody is asked
#pragma once

#include <cstdint>

#include "flow/program.h"

namespace helio::bench {

enum class Carriage { kControlled, kSwitch };

flow::Program random_flows(std::uint32_t nodes, std::uint32_t per_source, Carriage carriage);

// Processor time of the simulation of one such program, run once, divided by its flows.
double seconds_per_random_flow(std::uint32_t nodes, std::uint32_t per_source, Carriage carriage);

}  // namespace helio::bench
