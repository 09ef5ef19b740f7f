// SPDX-License-Identifier: Apache-2.0
// The catalogue of studies: what others published (or what a formula says), and the runs that meet it.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue.h"
#include "pipeline/run.h"
#include "report/figures/chart.h"
#include "report/pages/study_page.h"
#include "report/row.h"

namespace helio::studies {

using Rows = std::vector<report::Row>;

// What a study found: every number beside its counterpart, and its sweeps as charts, where it has any.
struct Findings {
  Rows rows;
  std::vector<report::Chart> charts = {};
  std::vector<report::Headline> headlines = {};  // the rows that the design is known for
  std::vector<report::Figure> figures = {};      // further pictures: curves of training, drawings of the design
  std::vector<std::string> words = {};           // what was found and why, paragraphs of its page
};

// One after the other.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>> parts) {
  std::vector<T> all;
  for (std::vector<T>& part : parts) std::ranges::move(part, std::back_inserter(all));
  return all;
}

struct StudyOptions : pipeline::RunOptions {
  std::string job_log = {};  // a cluster's log of jobs for studies of jobs; "": they are generated

  StudyOptions(const pipeline::RunOptions& options = {}, std::string log = {})  // NOLINT: options of a run are options
      : pipeline::RunOptions(options), job_log(std::move(log)) {}
};

// Runs a study. Requires: nothing; studies bring their own parameters.
using Study = std::function<Findings(const StudyOptions&)>;

const Catalogue<Study>& studies();

// The findings of the named study, or of all that this version has.
// Throws Error(kInfeasible) for a study that is planned but not built, Error(kInput) for a name nobody knows.
Findings reproduce(std::string_view name, const StudyOptions& options = {});

// The same, study by study, ready for pages. Throws as reproduce does.
std::vector<report::Study> reproduce_each(std::string_view name, const StudyOptions& options = {});

}  // namespace helio::studies
