// SPDX-License-Identifier: Apache-2.0
// What every fuzz target promises: a reader takes any bytes, and the only thing that may come out of it besides a value is
// helio::Error with something to say. Everything else ends the program, which is a finding.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"

namespace helio::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

[[noreturn]] inline void finding(std::string_view what) {
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// Runs `read`; whether it came to an end without an Error.
template <class Read>
bool reads(Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.message().empty()) finding("an error without a message");
    return false;
  }
}

}  // namespace helio::fuzz
