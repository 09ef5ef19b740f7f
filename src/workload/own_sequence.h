// SPDX-License-Identifier: Apache-2.0
// What a model that comes from a file has as parameters: a transformer's `sequence`, in place of the file's.
#pragma once

#include <string>

#include "base/catalogue.h"
#include "workload/transformer.h"

namespace helio::workload {

// Throws Error(kInput) for a setting of another name, or a value that is no legal length.
inline Parameters own_parameters(const std::string& source, const Settings& settings) {
  const Parameter sequence{.name = "sequence",
                           .type = ParameterType::kInteger,
                           .minimum = "1",
                           .maximum = std::to_string(std::uint64_t{ShapeBounds::kSequence}),
                           .description = "tokens per sample, in place of those of the file",
                           .optional = true};
  return Parameters("model '" + source + "'", {sequence}, settings);
}

}  // namespace helio::workload
