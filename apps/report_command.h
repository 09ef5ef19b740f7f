// SPDX-License-Identifier: Apache-2.0
// `--report DIR` of every command that has results, and `helio report DIR`, which makes the pages again from what was saved.
//
//     results ─▶ what if (what_if.h) ─▶ pictures ─▶ pages ─▶ DIR
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/run.h"
#include "pipeline/validate.h"
#include "report/pages/study_page.h"

namespace helio::apps {

// Where a report goes and what was asked for it.
struct ReportRequest {
  std::string folder;
  std::string command;  // to type again
};

// The command line as one may type it, without what says where output goes (--report, --trace) and without --json.
std::string command_of(int argc, const char* const* argv);

// `json` is what --json prints, which lies beside the page as results.json. Requires: results and jobs are the answers to `experiment`, in order, run with tracing.
void report_results(const ReportRequest& request, const std::string& title, const pipeline::Experiment& experiment,
                    const std::vector<pipeline::Result>& results, const std::vector<pipeline::IterationResult>& jobs,
                    const std::string& json, const pipeline::RunOptions& options);

void report_studies(const ReportRequest& request, const std::vector<report::Study>& studies);

void report_validation(const ReportRequest& request, const pipeline::Validation& validation);

// What is printed: the files written. Throws Error(kInput) where there is no saved report.
std::string rebuild(const std::string& folder);

}  // namespace helio::apps
