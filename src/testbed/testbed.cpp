// SPDX-License-Identifier: Apache-2.0
#include "testbed/testbed.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "base/error.h"
#include "testbed/switch_daemon.h"

namespace helio::testbed {
namespace {

// A process that ends when `parent`, which started it, does.
void hang_on(pid_t parent, const std::string& name) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  prctl(PR_SET_NAME, name.c_str());
}

// Waits until a process that was told to end has done so; one that does not is killed.
void reap(pid_t process) {
  for (int i = 0; i < 2000; ++i, usleep(1000))
    if (waitpid(process, nullptr, WNOHANG) != 0) return;
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace

Testbed::Testbed(Plan plan, const TestbedOptions& options) : plan_(std::move(plan)), shared_(plan_, options.logged) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::kInfeasible, fmt::format("the testbed cannot {}: {}", what, std::strerror(errno)));
  };
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) refuse("talk to its switch");
  const pid_t self = getpid();
  switch_ = fork();
  if (switch_ == 0) {
    ::close(ends[0]);
    hang_on(self, "helio-switch");
    serve(ends[1], options);
  }
  ::close(ends[1]);
  words_ = ends[0];
  if (switch_ < 0) {
    ::close(words_);
    refuse("start its switch");
  }
  Word word;
  const bool heard = hear(words_, word);
  if (!heard || word.kind != Word::Kind::kReady) {
    end();
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the testbed did not start: {}", heard ? word.text : "its switch is gone"));
  }
  isolation_ = word.text;
}

Testbed::~Testbed() { end(); }

void Testbed::end() {
  if (words_ < 0) return;
  ::close(words_);
  words_ = -1;
  reap(switch_);
}

// The switch: makes the wires and the nodes, then carries.
void Testbed::serve(int starter, const TestbedOptions& options) {
  std::vector<Wires> ports;
  std::vector<pid_t> nodes;
  try {
    std::string shared_loopback = options.namespaces ? "" : "namespaces were not asked for";
    const pid_t self = getpid();
    for (std::uint32_t n = 0; n < plan_.nodes(); ++n) {
      if (shared_loopback.empty()) shared_loopback = enter_namespace();
      const WirePair wires = make_wires();
      ports.push_back(wires.port);
      nodes.push_back(fork());
      if (nodes.back() < 0) throw std::runtime_error(std::string("cannot start a node: ") + std::strerror(errno));
      if (nodes.back() == 0) {
        hang_on(self, fmt::format("helio-node-{}", n));
        for (Wires& port : ports) port.close();
        ::close(starter);
        _exit(Node(plan_, shared_, clock_, {n}, wires.node, options.ideal, options.death).run());
      }
      Wires(wires.node).close();
    }
    if (shared_loopback.empty()) enter_namespace();
    say(starter, Word::Kind::kReady, 0,
        shared_loopback.empty() ? "namespaces" : fmt::format("loopback: {}", shared_loopback));
    SwitchDaemon(plan_, shared_, clock_, std::move(ports), nodes, starter, options.ideal).run();
  } catch (const std::exception& problem) {
    say(starter, Word::Kind::kFailed, 0, problem.what());
  }
  for (const pid_t node : nodes) reap(node);
  _exit(0);
}

Time Testbed::exchange() {
  Word word;
  if (words_ < 0) throw Error(ErrorKind::kInfeasible, "the testbed has ended");
  // A switch that has ended meanwhile left its last word
  say(words_, Word::Kind::kStep, steps_);
  const bool heard = hear(words_, word);
  if (!heard || word.kind != Word::Kind::kDone) {
    end();
    throw Error(ErrorKind::kInfeasible, fmt::format("the testbed ended: {}", heard ? word.text : "its switch is gone"));
  }
  const StepTimes& times = shared_.step(steps_++);
  return times.finished - times.begun;
}

}  // namespace helio::testbed
