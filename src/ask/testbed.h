// SPDX-License-Identifier: Apache-2.0
// A testbed of ODDL: real bytes between processes, along light that a switch in user space enforces (docs/testbed.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/testbed.h"

namespace helio::ask {

struct TestbedQuestion {
  std::string fabric;  // "oddl"
  std::string bytes, algorithm;
  std::optional<std::string> nodes = {}, steps = {}, scale = {}, kill = {};
  bool loopback = false;             // no namespaces, also where they are permitted
  std::vector<Assignment> set = {};  // "fabric.tune", "algorithm.…"
  std::string place = "question";
  Naming called = as_it_is;
};

// Throws Error at what is wrong; Error(kInfeasible) when a node is gone.
pipeline::TestbedResult testbed(const TestbedQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
