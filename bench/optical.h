// SPDX-License-Identifier: Apache-2.0
// Pieces of OptINC, each timed alone: an all-reduce of real float32 gradients through emulated optical switches, and meshes.
#pragma once

#include <cstdint>
#include <vector>

namespace helio::bench {

// Seconds for one gigabyte of float32 gradients, those of all servers counted, through a cascade of switches with these ports, 8 bits, by
// table.
double seconds_per_exchanged_gigabyte(const std::vector<std::uint32_t>& ports);
// The same gradients only read and a result written back to every server.
double seconds_per_copied_gigabyte(std::uint32_t servers);

// Seconds to decompose a random unitary, or orthogonal, matrix.
double seconds_to_decompose(int modes, bool real);

}  // namespace helio::bench
