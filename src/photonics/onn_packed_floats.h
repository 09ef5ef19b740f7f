// SPDX-License-Identifier: Apache-2.0
// Numbers as base64 of float32, little-endian (RFC 4648, with padding): how network files keep large matrices small.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace helio::photonics {

std::string packed_floats(std::span<const double> numbers);
// Fills `numbers`. Returns what is wrong with the text (length, a letter that is none of base64, a number that is not finite), or "".
std::string unpack_floats(std::string_view packed, std::span<double> numbers);

}  // namespace helio::photonics
