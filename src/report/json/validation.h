// SPDX-License-Identifier: Apache-2.0
// Predictions against measurements, as text and as JSON.
#pragma once

#include <string>

#include "pipeline/validate.h"

namespace helio::report {

std::string to_text(const pipeline::Validation& validation);
// {"file","kind","rows","mape_percent","bias_percent","worst":[{"line","what","measured_s","predicted_s","error_percent"}…],
//  "predictions":[…the same for every row]}
std::string to_json(const pipeline::Validation& validation);

}  // namespace helio::report
