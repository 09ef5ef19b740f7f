// SPDX-License-Identifier: Apache-2.0
// A text in parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

// What stands between the separators, empty parts too: "a,,b" has three, "" has one.
std::vector<std::string> split(std::string_view text, char separator);

std::string without_blanks(std::string_view text);

}  // namespace helio
