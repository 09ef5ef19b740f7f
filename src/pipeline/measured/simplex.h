// SPDX-License-Identifier: Apache-2.0
// The lowest point of a function of a few numbers that has no derivative: the simplex of Nelder and Mead 1965, with coefficients that
// depend on the dimension (Gao and Han 2012, "Implementing the Nelder-Mead simplex algorithm with adaptive parameters").
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace helio::pipeline {

// Starts at `start` and `reach` beside it along every axis; asks at most `most` times. Never worse than the start.
std::vector<double> lowest_point(const std::function<double(const std::vector<double>&)>& height,
                                 std::vector<double> start, double reach, std::uint64_t most);

}  // namespace helio::pipeline
