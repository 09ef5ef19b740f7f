// SPDX-License-Identifier: Apache-2.0
// Predictions against measurements as a page: the scatter with its diagonal, the errors, every row.
#pragma once

#include "pipeline/validate.h"
#include "report/pages/page.h"

namespace helio::report {

Page page_of(const pipeline::Validation& validation);

}  // namespace helio::report
