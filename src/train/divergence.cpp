// SPDX-License-Identifier: Apache-2.0
#include "train/divergence.h"

#include <fmt/format.h>

namespace helio::train {

Divergence Divergence::keeping(const std::string& file, const std::string& kept) const {
  std::string left = "No checkpoint was asked for";
  if (!file.empty()) left = fmt::format("No checkpoint was written to '{}' yet", file);
  if (!file.empty() && !kept.empty()) left = fmt::format("The last good checkpoint, of {}, is in '{}'", kept, file);
  return {message(), place(), advice() + ". " + left};
}

}  // namespace helio::train
