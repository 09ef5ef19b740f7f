// SPDX-License-Identifier: Apache-2.0
// Runs the built command as a person would, and keeps what it said.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace helio::apps {

struct Said {
  int code = -1;  // the exit code; -1: it did not end by itself
  std::string out, err;
};

inline std::string scratch_file(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("helio_test_" + std::to_string(getpid()) + "_" + name)).string();
}

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `arguments` are read by a shell, in `folder`: quote what has spaces.
inline Said run(const std::string& arguments, const std::string& folder = ".") {
  Said said;
  const std::string err = scratch_file("stderr");
  FILE* pipe = popen(("cd " + folder + " && " + HELIO_BINARY + " " + arguments + " 2>" + err).c_str(), "r");
  if (!pipe) return said;
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.out.append(buffer, got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) said.code = WEXITSTATUS(status);
  said.err = contents(err);
  std::filesystem::remove(err);
  return said;
}

}  // namespace helio::apps
