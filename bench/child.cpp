// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

namespace helio::bench {
namespace {

constexpr int kCannotRun = 127;  // as a shell says it

[[noreturn]] void become(char* const* words, int output, unsigned most_seconds) {
  const rlimit limit{most_seconds, most_seconds};
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(nowhere, STDERR_FILENO) >= 0 && setrlimit(RLIMIT_CPU, &limit) == 0)
    execv(words[0], words);
  _exit(kCannotRun);
}

std::string all_of(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(file, 0, SEEK_END), 0)), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

std::string failure_of(int status, unsigned most_seconds) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL)
      return fmt::format("ended by signal {} (limit {} s)", signal, most_seconds);
    return fmt::format("ended by signal {}", signal);
  }
  const int code = WEXITSTATUS(status);
  if (code == kCannotRun) return "cannot be run";
  return code == 0 ? "" : fmt::format("exit code {}", code);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ChildRun run_child(const std::vector<std::string>& words, unsigned most_seconds) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int output = memfd_create("output", MFD_CLOEXEC);
  if (output < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");

  // Start to end, as the kernel counts it
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), output, most_seconds);
  int status = 0;
  rusage used{};
  while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) continue;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (child < 0) {
    const int reason = errno;
    close(output);
    throw std::system_error(reason, std::generic_category(), "fork");
  }

  ChildRun run{wall.count(), seconds(used.ru_utime) + seconds(used.ru_stime),
               1024.0 * static_cast<double>(used.ru_maxrss), all_of(output), failure_of(status, most_seconds)};
  close(output);
  return run;
}

ChildRun best_of(unsigned times, const std::vector<std::string>& words) {
  ChildRun best = run_child(words);
  for (unsigned i = 1; i < times && best.failure.empty(); ++i) {
    const ChildRun run = run_child(words);
    best.wall_seconds = std::min(best.wall_seconds, run.wall_seconds);
    best.processor_seconds = std::min(best.processor_seconds, run.processor_seconds);
    best.peak_bytes = std::max(best.peak_bytes, run.peak_bytes);
    best.failure = run.failure;
  }
  return best;
}

}  // namespace helio::bench
