// SPDX-License-Identifier: Apache-2.0
// What a question needs of the front end that asks it: how it calls the fields, for messages, and whom to tell how far the work is.
//
//     field          command line      Python
//     bytes          --bytes           bytes
//     phase_error    --phase-error     phase_error
//
// Nothing in this room prints, parses a command line or knows how an option is spelt.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "pipeline/run.h"

namespace helio::ask {

using Naming = std::function<std::string(std::string_view field)>;
inline std::string as_it_is(std::string_view field) { return std::string(field); }

struct Watch {
  std::function<void(std::string_view stage)> stage = {};
  // Part `part`, from 0, of `parts` begins.
  std::function<void(std::size_t part, std::size_t parts, std::string_view name)> part = {};

  void begin(std::size_t at, std::size_t parts, std::string_view name) const {
    if (part) part(at, parts, name);
  }
  // `shown`: with all that traces and pages show.
  pipeline::RunOptions run_options(bool shown = false) const {
    return {.trace = shown, .picture = shown, .progress = stage};
  }
};

}  // namespace helio::ask
