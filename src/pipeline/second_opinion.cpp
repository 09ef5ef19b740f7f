// SPDX-License-Identifier: Apache-2.0
#include "pipeline/second_opinion.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "base/budget.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/json_node.h"
#include "flow/program_file.h"
#include "pipeline/companion.h"

namespace helio::pipeline {
namespace {

constexpr const char* kName = "helio-simgrid";
constexpr int kCannotRun = 127;      // as a shell says it
constexpr double kAgreement = 1e-6;  // relative, of SimGrid and our engine: docs/simgrid.md

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

// An answer is short; who writes more than this is stopped before memory is full.
constexpr rlim_t kMostOutput = 64 << 20;

struct Said {
  bool in_time = true;
  int status = 0;  // as waitpid tells it
  std::string out, err;
};

// Waits for the end of a child for so many seconds of the clock on the wall, or without limit for 0; then it is ended.
bool ended_within(double seconds, pid_t child, int& status) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const Descriptor process(seconds > 0 ? static_cast<int>(syscall(SYS_pidfd_open, child, 0))
                                       : -1);  // none: looked at every few milliseconds
  for (;;) {
    const pid_t found = waitpid(child, &status, seconds > 0 ? WNOHANG : 0);
    if (found == child || (found < 0 && errno != EINTR)) return true;
    const double left = seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds > 0 && left <= 0) break;
    constexpr double kLook = 0.005, kLongest = 3600;
    pollfd waited{process.number(), POLLIN, 0};
    poll(&waited, 1, static_cast<int>(std::ceil(1e3 * std::min(left, process.open() ? kLongest : kLook))));
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return false;
}

Said converse(const std::string& command, std::string_view input) {
  Scratch in, out, err;
  in.fill(input);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    const rlimit output{kMostOutput, kMostOutput};
    setrlimit(RLIMIT_FSIZE, &output);
    if (dup2(in.file(), STDIN_FILENO) >= 0 && dup2(out.file(), STDOUT_FILENO) >= 0 &&
        dup2(err.file(), STDERR_FILENO) >= 0)
      execl(command.c_str(), command.c_str(), static_cast<char*>(nullptr));
    _exit(kCannotRun);
  }
  Said said;
  said.in_time = ended_within(Budget::limits().seconds, child, said.status);
  said.out = out.text();
  said.err = err.text();
  return said;
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

SecondOpinion ask_simgrid(const flow::Program& program, const std::string& command, const std::string& place,
                          double bound_s) {
  const Said said = converse(command, flow::to_text(program));
  const auto no = [&](const std::string& what) {
    return Error(
        ErrorKind::kInfeasible, fmt::format("'{}' {}", command, what), place,
        "See whether it is the right program and the same version, or use " + advised("engine", "helio") + ".");
  };

  // How it ended
  if (!said.in_time)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("'{}' did not answer within {:g} s, the budget", command, Budget::limits().seconds), place,
                "Allow more (" + advised("budget", fmt::format("{:g} s", 4 * Budget::limits().seconds)) + "), or use " +
                    advised("engine", "helio") + ".");
  if (WIFSIGNALED(said.status))
    throw no(fmt::format("was stopped by signal {} ({}) before it answered", WTERMSIG(said.status),
                         strsignal(WTERMSIG(said.status))));
  const int code = WEXITSTATUS(said.status);
  const std::string reason = reason_in(said.err);
  if (code == exit_code(ErrorKind::kInfeasible) && !reason.empty()) throw Error(ErrorKind::kInfeasible, reason, place);
  if (code == kCannotRun) throw no("cannot be run");
  if (code != 0)
    throw no(fmt::format("failed with code {}: {}", code, reason.empty() ? "it does not say why" : reason));
  if (said.out.find_first_not_of(" \n") == std::string::npos) throw no("answered nothing");

  // What it says
  SecondOpinion opinion;
  try {
    const JsonOrigin origin{"its answer"};
    const Json answer = parse_json(said.out, origin.source);
    const JsonNode root(answer, origin);
    opinion = {root.at("time_s").number(), root.at("wall_s").number(), root.at("processor_s").number()};
  } catch (const Error& error) {
    throw no(fmt::format("answered what is no answer: {} ({})", error.message(), error.place()));
  }
  if (opinion.time_s < 0 || opinion.time_s > Time::kMost)
    throw no(fmt::format("answered {:g} s, which is no time", opinion.time_s));
  if (opinion.time_s < bound_s * (1 - kAgreement))
    throw no(
        fmt::format("answered {:g} s, and nothing is faster than the lower bound, {:g} s", opinion.time_s, bound_s));
  return opinion;
}

}  // namespace helio::pipeline
