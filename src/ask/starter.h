// SPDX-License-Identifier: Apache-2.0
// Files to start from: small, commented, and they run as they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio::ask {

struct Starter {
  std::string_view kind;     // "collective", "job", "slices", "sweep", "plan"
  std::string_view command;  // what runs it, before the name of the file
  std::string_view text;     // "{}" where its command stands
};
const std::vector<Starter>& starters();

// The text with the command that runs it from `file`. Throws Error(kInput) at `place` for another kind.
std::string starter(const std::string& kind, const std::string& file, const std::string& place);

}  // namespace helio::ask
