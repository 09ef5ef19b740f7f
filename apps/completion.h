// SPDX-License-Identifier: Apache-2.0
// What a shell offers after the Tab key, written from the command line's own definitions: commands, options, and the names of the
// catalogues where an option or an argument takes one.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace helio::apps {

// `shell` is bash, zsh or fish. Throws Error(kInput) at `place` for another.
std::string completion(const CLI::App& app, const std::string& shell, const std::string& place);

}  // namespace helio::apps
