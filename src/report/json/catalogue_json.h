// SPDX-License-Identifier: Apache-2.0
// Entries of the catalogues as JSON: what `helio list --json`, `helio describe --json` and Python tell of them.
#pragma once

#include "base/catalogue.h"
#include "placement/npu.h"
#include "report/json/json_values.h"

namespace helio::report {

// Each with its type, default, bounds and meaning; null where there is none.
Json parameters_json(const std::vector<Parameter>& parameters);

// Name, summary, reference, parameters.
Json description_json(const Description& entry);

// The same with its peaks, memory and power.
Json npu_json(const Catalogue<placement::NpuFactory>::Entry& entry);

// The table of json_keys.h.
Json keys_json();

}  // namespace helio::report
