// SPDX-License-Identifier: Apache-2.0
// Answers as reports: pages with pictures and reasons, and the data beside them.
//
//     results ─▶ what if (what_if.h) ─▶ pictures ─▶ pages ─▶ folder
//
// report::rebuild_report (report/pages/folder.h) makes the pages again from what was saved.
#pragma once

#include <string>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/compared/collective_map.h"
#include "pipeline/compared/model_plan.h"
#include "pipeline/slice_story.h"
#include "pipeline/testbed.h"
#include "pipeline/validate.h"
#include "report/pages/folder.h"
#include "report/pages/study_page.h"

namespace helio::ask {

// Files that hold an answer as --json prints it.
inline constexpr const char *kResultsFile = "results.json", *kRowsFile = "rows.json", *kSlicesFile = "slices.json",
                            *kTestbedFile = "testbed.json", *kValidationFile = "validation.json",
                            *kOnnFile = "result.json", *kPlanFile = "plan.json";

// Requires: the answer has its trace. The question is asked again with one thing changed, which takes time: `watch` is told. Without
// `reasons` it is not, and the page has none.
report::Report report_of(const Answer& answer, const Watch& watch = {}, bool reasons = true);
report::Report report_of(const std::vector<report::Study>& studies);
report::Report report_of(const pipeline::Validation& validation);
report::Report report_of(const pipeline::SliceTold& told);
report::Report report_of(const pipeline::TestbedResult& result);
report::Report report_of(const pipeline::CollectiveMap& map);
report::Report report_of(const pipeline::ModelPlan& plan);
report::Report report_of(const pipeline::ModelMap& map);

// Into a folder. `command`: how to ask again, for the foot of each page; errors are at `place`.
void write(report::Report report, const std::string& folder, const std::string& command, const std::string& place);

}  // namespace helio::ask
