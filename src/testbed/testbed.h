// SPDX-License-Identifier: Apache-2.0
// A testbed: a process for each node and one for the switch between them, real bytes, real sockets.
//
//     this process ──▶ switch daemon ──▶ node 0, node 1, …      each node in a network namespace of its own, without a name: its loopback
//                  words             wires                       device leads to the switch and nowhere else. Where namespaces are not
//                  gradients, times: shared memory               permitted all share the machine's loopback, which is said.
//
// Namespaces end with their processes. The switch ends with this process, nodes end with the switch (PR_SET_PDEATHSIG, and hung-up sockets):
// whoever is killed, nobody is left.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "testbed/node.h"
#include "testbed/shared.h"

namespace helio::testbed {

struct TestbedOptions {
  bool ideal = false;      // everything is lit, nobody asks: a plain switch at the same rate
  bool namespaces = true;  // where they are permitted
  std::size_t logged = 1;  // steps whose times are kept, the last ones
  std::optional<Death> death = {};
};

class Testbed {
 public:
  // Starts all processes. Throws Error(kInfeasible) where the machine does not allow that.
  Testbed(Plan plan, const TestbedOptions& options);
  ~Testbed();
  Testbed(const Testbed&) = delete;
  Testbed& operator=(const Testbed&) = delete;

  const Plan& plan() const { return plan_; }
  // "namespaces", or "loopback" and why.
  const std::string& isolation() const { return isolation_; }
  std::uint64_t steps() const { return steps_; }
  Shared& shared() { return shared_; }
  pid_t switch_process() const { return switch_; }

  std::span<float> row(std::uint32_t node) { return shared_.row(node); }
  // Rows become their sum, all of them. Throws Error(kInfeasible) in the words of the switch; then there is no testbed any more.
  Time exchange();

 private:
  [[noreturn]] void serve(int starter, const TestbedOptions& options);
  void end();

  Plan plan_;
  Shared shared_;
  Clock clock_;
  pid_t switch_ = -1;
  int words_ = -1;
  std::string isolation_;
  std::uint64_t steps_ = 0;
};

}  // namespace helio::testbed
