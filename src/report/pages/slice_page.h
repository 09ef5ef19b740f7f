// SPDX-License-Identifier: Apache-2.0
// A story of slices as a page: a chart of who held which nodes and light, every event, how the jobs ran.
#pragma once

#include "pipeline/slice_story.h"
#include "report/figures/slice_figure.h"
#include "report/pages/page.h"

namespace helio::report {

SliceChart chart_of(const pipeline::SliceTold& told);
Page page_of(const pipeline::SliceTold& told);

}  // namespace helio::report
