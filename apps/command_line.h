// SPDX-License-Identifier: Apache-2.0
// From options to a Draft. Options are kept as the text they were, so that the rooms judge them and messages can say
// which option was wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/draft.h"

namespace helio::apps {

struct CollectiveOptions {
  std::string kind, fabric, bytes;
  std::optional<std::string> nodes, algorithm, sync, engine, root, remedy, groups, strategy, phase;
  std::vector<std::string> set;  // "fabric.rate=400 Gb/s"
  bool verify = false;
};

// Throws Error(kUsage) for what is missing or said twice, Error(kInput) for a --set that leads nowhere.
pipeline::Draft draft_of(const CollectiveOptions& options);

// Applies `--set path=value` options to a draft that was read from a file.
void apply(pipeline::Draft& draft, const std::vector<std::string>& set);

}  // namespace helio::apps
