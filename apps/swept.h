// SPDX-License-Identifier: Apache-2.0
// A sweep from its file to its database, in one process with its pool or with others beside it (sweep_on_ranks.h).
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <functional>
#include <string>

#include "base/json_reader.h"
#include "sweep/run.h"

namespace helio::apps {

struct SweepQuestion {
  std::string file, out;
  std::size_t workers = 0;  // 0: as many as is usual
  std::string part = {};    // "3/16": the third of sixteen jobs; empty: all points
};
void add_sweep_options(CLI::App& command, SweepQuestion& question);

// Throws Error(kUsage) where the file or the database is missing.
void check(const SweepQuestion& question);

// What is printed. `serve`: how a process answers points of this sweep. `others`: who else does, once the file is known to be right.
std::string swept(const SweepQuestion& question, bool json, std::size_t workers,
                  const std::function<sweep::Serve(const sweep::Space&)>& serve, const sweep::Others& others = {});

// What a database holds, for people and programs.
Json facts_of(const sweep::Store& store, const sweep::Space& space);
std::string words_of(const Json& facts);

}  // namespace helio::apps
