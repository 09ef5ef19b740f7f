// SPDX-License-Identifier: Apache-2.0
// What the commands on optical networks have in common: a task and a cost in JSON and in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "photonics/mesh_cost.h"
#include "photonics/onn_compile.h"

namespace helio::apps {

using Json = nlohmann::ordered_json;

Json task_in_json(const AveragingTask& task);

// As blocks where layers are made of them, else as few MZIs as each matrix needs; unless `named` says which ("--compile").
photonics::Compilation compilation_for(const photonics::Onn& onn, const std::string& named);

// layers, compilation, mzis, mzis_by_svd, depth, loss_db (of the deepest layer), …
void add_cost(Json& json, const photonics::CompiledOnn& compiled, const photonics::MziParameters& mzi = {});

// "constructed lsb: the average of 4 codes of 8 bits", the lines of the cost in `json`, and `more`.
std::string in_words(const photonics::Onn& onn, const Json& json, const std::string& more);

}  // namespace helio::apps
