// SPDX-License-Identifier: Apache-2.0
// Options of a program as its own help lists them, so that a test visits those, too, that somebody adds later.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/visible.h"

namespace helio::apps {

struct Answered {
  int code = -1;  // -1: killed
  std::string out, err;
};

// `line` is read by a shell.
inline Answered answered(const std::string& line) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("helio_listed_" + std::to_string(getpid()))).string();
  Answered found;
  FILE* pipe = popen((line + " 2>" + file).c_str(), "r");
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) found.out += static_cast<char>(c);
  const int status = pipe ? pclose(pipe) : -1;
  if (WIFEXITED(status)) found.code = WEXITSTATUS(status);
  std::ifstream err(file, std::ios::binary);
  found.err.assign(std::istreambuf_iterator<char>(err), {});
  std::filesystem::remove(file);
  return found;
}

struct ListedOption {
  std::string command, name, type;  // "onn build", "--out" or "FILE", "OUTFILE"
};

// Those of these types, of the command and of all within it. `elsewhere`: commands that another program answers.
inline std::vector<ListedOption> listed_options(const std::string& program, const std::set<std::string>& types,
                                                const std::set<std::string>& elsewhere = {},
                                                const std::string& command = "") {
  std::vector<ListedOption> found;
  const Answered help = answered(program + " " + command + " --help");
  EXPECT_EQ(help.code, 0) << command << help.err;
  std::istringstream lines(help.out);
  bool commands = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) commands = line == "Subcommands:";
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    if (!line.starts_with("  ") || name.empty()) continue;
    if (commands) {
      const std::string within = command.empty() ? name : command + " " + name;
      if (elsewhere.contains(within)) continue;
      for (ListedOption& option : listed_options(program, types, elsewhere, within)) found.push_back(std::move(option));
    } else if (type = type.substr(0, type.find('=')); types.contains(type)) {  // INT=4: with its default
      found.push_back({command, name.substr(name.find(',') + 1), type});
    }
  }
  return found;
}

// A question that is in order: its command, what else stands there, and options with their values.
struct InOrder {
  std::string words;
  std::map<std::string, std::string> options = {};

  std::string with(const std::string& option, const std::string& value) const {
    std::string line = words;
    for (const auto& [name, usual] : options)
      if (name != option) line += " " + name + " " + usual;
    return line + " " + option + " " + value;
  }
};

// No option that is a whole number takes what is none, or one that nothing can count to: exit 2 or 3, one line that names the option.
inline void expect_integers_are_read(const std::string& program, const std::map<std::string, InOrder>& asked,
                                     const std::set<std::string>& elsewhere = {},
                                     const std::vector<std::string>& wrong = {"99999999999999999999999",
                                                                              "-99999999999999999999999", "-1", "1e3",
                                                                              "0x10", "''", "1.5"}) {
  std::size_t visited = 0;
  for (const auto& [command, name, type] : listed_options(program, {"INT", "UINT"}, elsewhere)) {
    ASSERT_TRUE(asked.contains(command)) << "say here how to ask for " << command << ", which has " << name;
    for (const std::string& value : wrong) {
      const std::string line = asked.at(command).with(name, value);
      const Answered said = answered(program + " " + line);
      EXPECT_TRUE(said.code == 2 || said.code == 3) << line << ": " << said.code << "\n" << said.err;
      EXPECT_NE(said.err.find(name), std::string::npos) << line << "\n" << said.err;
      EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << line << "\n" << said.err;
      EXPECT_EQ(said.out, "") << line;
    }
    ++visited;
  }
  EXPECT_GT(visited, 0u);
}

// Bytes that are no UTF-8, as the name of a file may hold them.
inline const char* const kNoUtf8 = "n\xff\xfe\x80name";

// A command line whose `option` names a file or folder called `path`.
struct PathAsked {
  std::string command, option, line;
  std::string copied = {};  // what is there under that name before
};

// Each option that names a path works once with such a name: done, what is made has its true name, what is said is UTF-8.
inline void expect_any_path(const std::string& program, const std::string& folder, const std::vector<PathAsked>& asked,
                            const std::set<std::string>& elsewhere = {}) {
  namespace fs = std::filesystem;
  const std::string path = folder + "/" + kNoUtf8;
  const auto is_asked = [&](const ListedOption& option) {
    return std::ranges::any_of(
        asked, [&](const PathAsked& one) { return one.command == option.command && one.option == option.name; });
  };
  const std::set<std::string> types = {"INFILE", "OUTFILE", "INOUTFILE", "OUTDIR", "INOUTDIR"};
  for (const ListedOption& option : listed_options(program, types, elsewhere))
    EXPECT_TRUE(is_asked(option)) << "say here how to ask for " << option.command << " with " << option.name;
  for (const PathAsked& one : asked) {
    fs::remove_all(path);
    if (!one.copied.empty()) fs::copy(one.copied, path, fs::copy_options::recursive);
    const Answered said = answered(program + " " + one.line);
    EXPECT_EQ(said.code, 0) << one.line << "\n" << said.err;
    EXPECT_TRUE(fs::exists(path)) << one.line;
    EXPECT_EQ(valid_utf8(said.out + said.err), said.out + said.err) << one.line;
  }
  fs::remove_all(path);
}

}  // namespace helio::apps
