// SPDX-License-Identifier: Apache-2.0
// Parameters of optical paths: losses and gains in decibel, powers in dBm, described once.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>

#include "base/catalogue.h"

namespace helio::photonics {

// From 0 dB to `maximum`.
inline Parameter level_parameter(const std::string& name, const std::string& fallback, const std::string& maximum,
                                 const std::string& meaning, const Situation& matters) {
  return {.name = name,
          .type = ParameterType::kDecibel,
          .fallback = fallback,
          .minimum = "0 dB",
          .maximum = maximum,
          .description = meaning,
          .matters = matters};
}

// Between -100 and 60 dBm.
inline Parameter power_parameter(const std::string& name, const std::string& fallback, const std::string& meaning,
                                 const Situation& matters) {
  return {.name = name,
          .type = ParameterType::kPower,
          .fallback = fallback,
          .minimum = "-100 dBm",
          .maximum = "60 dBm",
          .description = meaning,
          .matters = matters};
}

// Something that may stay unset: then the reading of the light decides.
inline Parameter by_light(Parameter parameter) {
  parameter.fallback.clear();
  parameter.optional = true;
  return parameter;
}

// Throws Error(kInput) at the first of `names` that was set, and would change nothing.
inline void refuse_idle(const Parameters& parameters, std::initializer_list<const char*> names, const char* because) {
  for (const char* name : names)
    if (parameters.has(name) && parameters.place(name) != "default")
      throw Error(ErrorKind::kInput, fmt::format("{} means nothing {}", name, because), parameters.place(name),
                  "Leave it out.");
}

// A width in GHz.
inline Parameter width_parameter(const std::string& name, const std::string& fallback, const std::string& meaning,
                                 const Situation& matters) {
  return {.name = name,
          .type = ParameterType::kNumber,
          .fallback = fallback,
          .minimum = "0",
          .maximum = "1000000",
          .minimum_exclusive = true,
          .description = "GHz: " + meaning,
          .matters = matters};
}

}  // namespace helio::photonics
