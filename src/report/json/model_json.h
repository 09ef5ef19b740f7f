// SPDX-License-Identifier: Apache-2.0
// A described model as JSON: what was understood of it, and what was not modelled.
#pragma once

#include "report/json/json_values.h"
#include "workload/workload.h"

namespace helio::report {

Json model_json(const workload::Workload& model);

}  // namespace helio::report
