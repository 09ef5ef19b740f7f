// SPDX-License-Identifier: Apache-2.0
// FRED's switch in pictures: Fred_3(8) set for each phase of the strategy 2-2-2.
#pragma once

#include <vector>

#include "report/figures/figure.h"

namespace helio::studies::fred_study {

std::vector<report::Figure> pictures();

}  // namespace helio::studies::fred_study
