// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to a Draft. Options are kept as the text they were, so that the rooms judge them and messages
// can say which option was wrong.
#pragma once

#include <CLI/App.hpp>
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

// The options of `helio collective` that say what is asked; where the answer goes is not among them.
void declare(CLI::App& collective, CollectiveOptions& options);

// Reads the words of the command line; an exit code where they asked for help or the version, which is printed then. Throws
// Error(kUsage) for what is no command, with the nearest one, for what the command does not take, and for an option that
// may be left out and is given empty: to take it as left out would be to guess.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

// Throws Error(kUsage) for what is missing or said twice, Error(kInput) for a --set that leads nowhere.
pipeline::Draft draft_of(const CollectiveOptions& options);

// Applies `--set path=value` options to a draft that was read from a file.
void apply(pipeline::Draft& draft, const std::vector<std::string>& set);

}  // namespace helio::apps
