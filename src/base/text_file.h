// SPDX-License-Identifier: Apache-2.0
// A text file as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace helio {

inline constexpr std::size_t kMiB = std::size_t{1} << 20;

// `what` names the kind of file ("graph file") and `page` the document of its format, for messages. `place` is where the path was
// given: a folder, a file that cannot be read or that is larger than `largest` bytes is reported there as Error(kInput).
std::string read_text(const std::string& path, std::string_view place, std::string_view what, std::string_view page,
                      std::size_t largest = 16 * kMiB);

}  // namespace helio
