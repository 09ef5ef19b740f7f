// SPDX-License-Identifier: Apache-2.0
// Which machine for a model, and how to run it there: as text, as JSON, and as a page (docs/model-plan.md).
#pragma once

#include <string>

#include "pipeline/compared/model_plan.h"
#include "report/pages/page.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_json(const pipeline::ModelPlan& plan);
std::string to_text(const pipeline::ModelPlan& plan, const Look& look = {});
Page page_of(const pipeline::ModelPlan& plan);

}  // namespace helio::report
