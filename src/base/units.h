// SPDX-License-Identifier: Apache-2.0
// Quantities as people write them: "40 Gb/s", "25 us", "249.2 MB", "100 GiB".
//
// k/M/G/T are decimal, Ki/Mi/Gi/Ti binary; b is a bit, B a byte. A missing or unknown unit is an error, so that
// nobody mistakes bits for bytes; a plain number is accepted only where zero ("0") makes the unit irrelevant.
// Every parser throws Error(kInput) with the offending text; NaN, infinities and overflow are refused.
#pragma once

#include <string>
#include <string_view>

#include "base/quantity.h"
#include "base/time.h"

namespace helio {

Time parse_time(std::string_view text);          // "500 ns", "25us", "1.5 ms", "2 s", "3 fs"
Bytes parse_bytes(std::string_view text);        // "100 MB", "574668960B", "1 GiB", "8 Gb" (bits)
BitRate parse_rate(std::string_view text);       // "400 Gb/s", "40Gbps", "50 GB/s"
Decibel parse_decibel(std::string_view text);    // "0.32 dB"
Power parse_power(std::string_view text);        // "3.75 W", "10 mW", "0 dBm"
double parse_number(std::string_view text);      // "0.5", "1e-9"; no unit
long long parse_integer(std::string_view text);  // "1024"; no unit

// For people: four significant digits and the unit that keeps the number between 1 and 1000.
std::string format(Time time);
std::string format(Bytes bytes);
std::string format(BitRate rate);
std::string format(Decibel level);
std::string format(Power power);
std::string format(Energy energy);

}  // namespace helio
