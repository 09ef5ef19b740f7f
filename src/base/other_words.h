// SPDX-License-Identifier: Apache-2.0
// Words that people use for what is called otherwise here: "bandwidth" is a rate, "infiniband" lies between the servers of a cluster. They are
// understood in advice only: what was written is never replaced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

// The first of the legal names that such a word stands for, whatever its case, hyphens and underscores; "" where none does.
std::string name_for(std::string_view word, const std::vector<std::string>& legal);

// Letters and digits in small: "Fat_Tree" and "fat-tree" are "fattree".
std::string plain_name(std::string_view name);

}  // namespace helio
