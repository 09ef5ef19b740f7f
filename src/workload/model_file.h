// SPDX-License-Identifier: Apache-2.0
// A user's own model as a TOML file (docs/model-file.md), by the shape of a transformer or layer by layer:
//
//     kind = "transformer"                   kind = "layers"
//     layers = 12                            [[layer]]
//     hidden = 768                           name = "conv1"
//     heads = 12                             parameters = 9_408
//     vocabulary = 50257                     forward_flops = 2.36e8
//     sequence = 1024                        output_elements = 802_816
#pragma once

#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "workload/workload.h"

namespace helio::workload {

// `source` names the file in places and gives a model without a name its own. `settings`: `sequence`, of a transformer.
// Throws Error(kInput) at file:line:column, or at a setting's place. Pure: any bytes may be given.
Workload parse_model(std::string_view text, const std::string& source, const Settings& settings);

}  // namespace helio::workload
