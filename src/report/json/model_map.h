// SPDX-License-Identifier: Apache-2.0
// Plans of a model over numbers of NPUs and batches: as text, as JSON, and as a page (docs/model-plan.md).
#pragma once

#include <string>

#include "pipeline/compared/model_plan.h"
#include "report/pages/page.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_json(const pipeline::ModelMap& map);
std::string to_text(const pipeline::ModelMap& map, const Look& look = {});
Page page_of(const pipeline::ModelMap& map);

}  // namespace helio::report
