// SPDX-License-Identifier: Apache-2.0
// Runs the built command on a terminal of its own, and keeps all that appears on it.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "source_dir.h"

namespace helio::apps {

struct Shown {
  int code = -1;     // the exit code; -1: it did not end by itself
  std::string text;  // standard output and error, lines ended by \r\n
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// `arguments` are read by a shell in the folder of the sources. Without `environment`: TERM=xterm, a UTF-8 locale, no NO_COLOR.
inline Shown run_on_terminal(const std::string& arguments, const Environment& environment = {},
                             unsigned short columns = 120) {
  winsize size{.ws_row = 40, .ws_col = columns};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) return {};
  if (child == 0) {
    unsetenv("NO_COLOR");
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) setenv(name, "C.UTF-8", 1);
    setenv("TERM", "xterm", 1);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    const std::string command = std::string("cd ") + HELIO_SOURCE_DIR + " && exec " + HELIO_BINARY + " " + arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  Shown shown;
  char buffer[4096];
  for (ssize_t got; (got = read(terminal, buffer, sizeof buffer)) > 0;)  // ends in EIO when the child has gone
    shown.text.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  if (WIFEXITED(status)) shown.code = WEXITSTATUS(status);
  return shown;
}

}  // namespace helio::apps
