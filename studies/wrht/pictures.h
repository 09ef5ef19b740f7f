// SPDX-License-Identifier: Apache-2.0
// What WRHT does with light, in pictures: the map and the ring of the example of papers/wrht.md (15 nodes) and of the size that is published
// (1024 nodes).
#pragma once

#include <vector>

#include "report/figures/figure.h"

namespace helio::studies::wrht_study {

std::vector<report::Figure> pictures();

}  // namespace helio::studies::wrht_study
