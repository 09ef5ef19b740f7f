// SPDX-License-Identifier: Apache-2.0
// Striping: a move on several wavelengths at once. It changes no algorithm, so every one that does not fix lanes itself gets it
// here: the parameter `stripe`, which is the width of every lane.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry striped(AlgorithmEntry entry);

}  // namespace helio::schedule
