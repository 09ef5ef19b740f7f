// SPDX-License-Identifier: Apache-2.0
// A page that needs nothing but a browser: charts, study rows and results as tables, jobs with bars, light or dark as the
// reader's system is.
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/chart.h"
#include "report/row.h"

namespace helio::report {

struct Page {
  std::string title;
  std::vector<Row> rows;
  std::vector<pipeline::Result> results;
  std::vector<pipeline::IterationResult> jobs = {};
  std::vector<Chart> charts = {};  // with their data in files beside the page (folder.h)
};

std::string to_html(const Page& page);

}  // namespace helio::report
