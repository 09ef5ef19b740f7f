// SPDX-License-Identifier: Apache-2.0
// A Hugging Face config.json as a transformer. Which families there are, which keys each is made of, and what a missing one means
// in the transformers library, is the table in config_families.cpp. What a file says besides is listed in `not_modelled`.
#pragma once

#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "workload/workload.h"

namespace helio::workload {

// `settings`: `sequence` (default: the longest that the model was made for). Throws Error(kInput): malformed JSON at
// file:line:column; an unknown family, a missing, ill-typed or senseless key at the file, with the key. Pure: any bytes.
Workload parse_config(std::string_view text, const std::string& source, const Settings& settings);

}  // namespace helio::workload
