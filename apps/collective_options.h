// SPDX-License-Identifier: Apache-2.0
// The options that ask for one collective on one fabric: of helio collective, helio export schedule and helio execute alike.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "ask/experiment.h"

namespace helio::apps {

// KIND, --fabric, --nodes, --level, --bytes, --algorithm, --set, --root, --groups. What must be given is for the caller to say.
struct CollectiveOptions {
  CLI::Option *kind, *fabric, *bytes;
};
CollectiveOptions add_collective_options(CLI::App& command, ask::CollectiveQuestion& question,
                                         std::vector<std::string>& set);

}  // namespace helio::apps
