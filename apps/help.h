// SPDX-License-Identifier: Apache-2.0
// How the help of each command ends: two or three examples of its own, and the page to read. Examples run from a checkout as they stand
// (tests/apps/help_test.cpp runs them).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace helio::apps {

struct Ending {
  std::string_view command;  // "plan collective"; "": helio itself
  std::string_view page;     // in docs/
  std::vector<std::string_view> examples;
};
const std::vector<Ending>& endings();

// Gives the command and all within it their endings.
void end_help(CLI::App& app);

// `helio help onn build` as `helio onn build --help`; other lines as they are.
std::vector<std::string> without_help_word(int argc, const char* const* argv);

// Options and arguments that take such names take them in any case.
void take_names_in_any_case(CLI::App& app);

// A name of a fabric, algorithm, model or NPU in the letters that the catalogue has, whatever case it was typed in; others as they are.
// Of "FABRIC:parameter=value,…" the part before the colon; of a list with commas each.
std::string in_known_case(const std::string& word);

}  // namespace helio::apps
