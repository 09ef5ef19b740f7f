// SPDX-License-Identifier: Apache-2.0
// Predictions against measurements, as text and as JSON.
#pragma once

#include <string>

#include "pipeline/measured/fit.h"
#include "pipeline/validate.h"

namespace helio::report {

std::string to_text(const pipeline::Validation& validation);
// Keys: docs/results.md.
std::string to_json(const pipeline::Validation& validation);
std::string to_text(const pipeline::Fit& fit);  // with constants as options that can be pasted
std::string to_json(const pipeline::Fit& fit);
// The columns of every kind of file, for help.
std::string column_help();

}  // namespace helio::report
