// SPDX-License-Identifier: Apache-2.0
// Parameters of optical paths: losses and gains in decibel, powers in dBm, described once.
#pragma once

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

}  // namespace helio::photonics
