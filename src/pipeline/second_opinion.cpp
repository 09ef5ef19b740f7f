// SPDX-License-Identifier: Apache-2.0
#include "pipeline/second_opinion.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "flow/program_file.h"
#include "pipeline/companion.h"

namespace helio::pipeline {
namespace {

constexpr const char* kName = "helio-simgrid";
constexpr int kCannotRun = 127;  // as a shell says it

// A file without a name, in memory.
class Scratch {
 public:
  Scratch() : file_(memfd_create(kName, MFD_CLOEXEC)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { close(file_); }

  int file() const { return file_; }
  void fill(std::string_view text) {
    while (!text.empty()) {
      const ssize_t done = write(file_, text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) throw std::system_error(errno, std::generic_category(), "writing the flow program");
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    lseek(file_, 0, SEEK_SET);
  }
  std::string text() const {
    std::string all(static_cast<std::size_t>(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
    const ssize_t got = pread(file_, all.data(), all.size(), 0);
    all.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return all;
  }

 private:
  int file_;
};

struct Said {
  int code = -1;  // -1: it did not end by itself
  std::string out, err;
};

Said converse(const std::string& command, std::string_view input) {
  Scratch in, out, err;
  in.fill(input);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    if (dup2(in.file(), STDIN_FILENO) >= 0 && dup2(out.file(), STDOUT_FILENO) >= 0 &&
        dup2(err.file(), STDERR_FILENO) >= 0)
      execl(command.c_str(), command.c_str(), static_cast<char*>(nullptr));
    _exit(kCannotRun);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.text(), err.text()};
}

// Its one paragraph, without its name and the end of the line.
std::string reason_in(std::string_view err) {
  const std::string prefix = std::string(kName) + ": ";
  if (err.starts_with(prefix)) err.remove_prefix(prefix.size());
  while (!err.empty() && (err.back() == '\n' || err.back() == '.')) err.remove_suffix(1);
  return std::string(err);
}

}  // namespace

std::string find_simgrid(const std::string& place) {
  if (std::string found = find_companion(kName, "HELIO_SIMGRID", place); !found.empty()) return found;
  throw Error(ErrorKind::kInfeasible, fmt::format("engine 'simgrid' needs the program {}, which is not there", kName),
              place, "install libsimgrid-dev and build again, or use engine 'helio'");
}

SecondOpinion ask_simgrid(const flow::Program& program, const std::string& command, const std::string& place) {
  const Said said = converse(command, flow::to_text(program));
  if (said.code == exit_code(ErrorKind::kInfeasible)) throw Error(ErrorKind::kInfeasible, reason_in(said.err), place);
  if (said.code == kCannotRun) throw Error(ErrorKind::kInfeasible, fmt::format("'{}' cannot be run", command), place);
  const auto json = nlohmann::json::parse(said.out, nullptr, false);
  if (said.code != 0 || !json.is_object() || !json.contains("time_s"))
    throw std::runtime_error(fmt::format("{} gave no answer (code {}): {}", command, said.code, reason_in(said.err)));
  return {json.at("time_s").get<double>(), json.at("wall_s").get<double>(), json.at("processor_s").get<double>()};
}

}  // namespace helio::pipeline
