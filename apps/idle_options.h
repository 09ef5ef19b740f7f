// SPDX-License-Identifier: Apache-2.0
// A flag that changes nothing is a mistake. A command lists its options that not every command line reads, once and in one table:
//
//     option           read here?                  by whom
//     --heads          model == "llama"            "by llama"
//     --second         optimiser == "adamw"        "by --optimiser adamw"
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/error.h"

namespace helio::apps {

struct OptionReader {
  const char* option;
  bool read;            // by this command line
  std::string by_whom;  // "by llama", "with --checkpoint FILE"
};

// Throws Error(kUsage) at the first option that was given and is not read. An option may have several rows.
inline void refuse_idle_options(const CLI::App& app, const std::vector<OptionReader>& rows) {
  for (const OptionReader& row : rows)
    if (!row.read && app.count(row.option) > 0)
      throw Error(ErrorKind::kUsage, fmt::format("nothing reads this option here: it is read {} only", row.by_whom),
                  row.option, "Leave it out, or ask for what reads it");
}

}  // namespace helio::apps
