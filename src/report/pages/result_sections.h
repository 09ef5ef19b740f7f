// SPDX-License-Identifier: Apache-2.0
// Sections of a page: one for each collective, one for each job, and an overview where there are several.
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/pages/explain.h"
#include "report/pages/page.h"

namespace helio::report {

// A result with what else was asked about it, and pictures of it.
template <class Answer>
struct Told {
  Answer answer;
  std::vector<WhatIf> asked;
  std::vector<Figure> figures;
};
using ToldResult = Told<pipeline::Result>;
using ToldJob = Told<pipeline::IterationResult>;

// `name` is that of the section, and begins those of its figures and tables.
Section section_of(const std::string& name, const ToldResult& told);
Section section_of(const std::string& name, const ToldJob& told);

// Cards, words, charts and tables of all of them; what they were asked with and their parameters are the page's own.
Page page_of(const std::string& title, const std::vector<ToldResult>& results, const std::vector<ToldJob>& jobs);

}  // namespace helio::report
