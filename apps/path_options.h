// SPDX-License-Identifier: Apache-2.0
// Options that name files and folders, each with what the command does to them. The word for it stands in help, man pages and
// `helio reference commands`, and decides what is declared (base/file_ledger.h) before the command begins:
//
//     add_path(command, "--trace", output.trace, PathUse::kWritten, "write a trace");      ─▶      --trace OUTFILE     write a trace
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/file_ledger.h"

namespace helio::apps {

enum class PathUse { kRead, kWritten, kUpdated, kWrittenFolder, kUpdatedFolder };

struct PathWord {
  PathUse use;
  std::string_view word, meaning;
};
inline constexpr PathWord kPathWords[] = {
    {PathUse::kRead, "INFILE", "a file that is read"},
    {PathUse::kWritten, "OUTFILE", "a file that is made, or replaced as a whole"},
    {PathUse::kUpdated, "INOUTFILE", "a file that is read where it is there, and written again"},
    {PathUse::kWrittenFolder, "OUTDIR", "a folder that files are written into"},
    {PathUse::kUpdatedFolder, "INOUTDIR", "a folder whose files are read, and some written again"}};

template <class Value>
CLI::Option* add_path(CLI::App& app, const std::string& name, Value& value, PathUse use, const std::string& words) {
  CLI::Option* option = app.add_option(name, value, words);
  for (const PathWord& known : kPathWords)
    if (known.use == use) option->type_name(std::string(known.word));
  return option;
}

inline std::optional<PathWord> path_word(const CLI::Option& option) {
  for (const PathWord& known : kPathWords)
    if (option.get_type_name() == known.word) return known;
  return std::nullopt;
}

// Of the options that were given, those that name outputs. Throws Error(kUsage) for two that name one file, Error(kInput) for what may
// not be written.
inline void declare_outputs(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->count() > 0; })) {
    const std::optional<PathWord> word = path_word(*option);
    if (!word || word->use == PathUse::kRead) continue;
    const bool folder = word->use == PathUse::kWrittenFolder || word->use == PathUse::kUpdatedFolder;
    for (const std::string& path : option->results()) {
      if (!folder) refuse_unwritable(path, option->get_name());
      declare_output(path, option->get_name(),
                     folder                           ? OutputUse::kFolder
                     : word->use == PathUse::kUpdated ? OutputUse::kUpdated
                                                      : OutputUse::kReplaced);
    }
  }
  for (const CLI::App* within : app.get_subcommands()) declare_outputs(*within);
}

}  // namespace helio::apps
