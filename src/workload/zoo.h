// SPDX-License-Identifier: Apache-2.0
// Where workloads come from: the zoo by name, a user's own layer table (TOML), or a Hugging Face config.json.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/catalogue.h"
#include "workload/workload.h"

namespace helio::workload {

using Factory = std::function<Workload(const Parameters&)>;

const Catalogue<Factory>& models();

// `source` is a name of the zoo, or a path that ends in .toml or .json (config.json of a known family). `settings` are the
// model's own parameters ("sequence" for transformers, …). Throws Error(kInput) with the place: an unknown name with the
// nearest, file:line:column for a table, the file and key for a config.json.
Workload load(std::string_view source, const Settings& settings, std::string_view place);

}  // namespace helio::workload
