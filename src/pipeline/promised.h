// SPDX-License-Identifier: Apache-2.0
// Names that the interface contract promises and this version does not have yet: asking for one is not a typing mistake.
//
// Whoever builds one removes its line from the table in promised.cpp; a test fails until it is gone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::pipeline {

struct Promise {
  std::string_view what;  // "fabric", "algorithm", "study", "command"
  std::string_view name;
};

std::span<const Promise> promises();

// Throws Error(kInfeasible) at `place`, with the names that are `built` as advice, when `name` is promised as a `what`
// and not among them.
void refuse_promised(std::string_view what, std::string_view name, const std::vector<std::string>& built,
                     const std::string& place);

}  // namespace helio::pipeline
