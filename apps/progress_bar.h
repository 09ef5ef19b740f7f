// SPDX-License-Identifier: Apache-2.0
// How far long work is, as a bar of twenty characters: "[########............]".
#pragma once

#include <algorithm>
#include <string>

namespace helio::apps {

inline std::string progress_bar(double share) {
  const auto full = static_cast<std::size_t>(20 * std::clamp(share, 0.0, 1.0));
  return "[" + std::string(full, '#') + std::string(20 - full, '.') + "]";
}

}  // namespace helio::apps
