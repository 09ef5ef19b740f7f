// SPDX-License-Identifier: Apache-2.0
// What answers about optical networks have in common: a task and a cost as keys of an object, and that object in words.
#pragma once

#include <string>

#include "photonics/mesh_cost.h"
#include "photonics/onn_compile.h"
#include "report/json/json_values.h"

namespace helio::report {

Json task_in_json(const AveragingTask& task);

// layers, compilation, mzis, mzis_by_svd, depth, loss_db (of the deepest layer), …
void add_cost(Json& json, const photonics::CompiledOnn& compiled, const photonics::MziParameters& mzi = {});

// "constructed lsb: the average of 4 codes of 8 bits", the lines of the cost in `json`, and `more`.
std::string in_words(const photonics::Onn& onn, const Json& json, const std::string& more);

}  // namespace helio::report
