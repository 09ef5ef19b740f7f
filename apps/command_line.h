// SPDX-License-Identifier: Apache-2.0
// The words of a command line: how they are parsed, typed again, and what the library's fields are called in them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ask/experiment.h"

namespace helio::apps {

// As parse_words (program.h); what is no command is refused with the nearest one.
bool parse(CLI::App& app, const std::vector<std::string>& words);

// The command line as one may type it, without what says where output goes (--report, --trace) and without --json.
std::string command_of(int argc, const char* const* argv);

// "phase_error" is --phase-error here, and the kind of a collective KIND.
std::string option(std::string_view field);

// The parts of each "path=value". Throws Error(kUsage) for what is none.
std::vector<ask::Assignment> assignments(const std::vector<std::string>& texts);

}  // namespace helio::apps
