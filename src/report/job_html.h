// SPDX-License-Identifier: Apache-2.0
// A job's section of the page: summary, exposed time and memory as stacked bars, links.
#pragma once

#include <string>

#include "pipeline/iteration.h"

namespace helio::report {

// Colours of the bars, for the page's style sheet: .part0, .part1, …
std::string bar_style();

std::string section_of(const pipeline::IterationResult& job);

}  // namespace helio::report
