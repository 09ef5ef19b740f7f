// SPDX-License-Identifier: Apache-2.0
// A command run as people run it: a process of its own, with its wall time, its processor time and its peak memory.
//
// The kernel counts into a child's peak what its parent held before the exec, so children are measured while this
// process is still small: before anything is timed inside it.
#pragma once

#include <string>
#include <vector>

namespace helio::bench {

struct ChildRun {
  double wall_seconds = 0;
  double processor_seconds = 0;  // user and system
  double peak_bytes = 0;         // resident
  std::string output;            // standard output
  std::string failure;           // "" when it ended with code 0
};

// Runs `words[0]` with the other words as arguments; standard error goes nowhere. Past `most_seconds` of processor time
// the child is ended. Throws std::system_error when no process can be made.
ChildRun run_child(const std::vector<std::string>& words, unsigned most_seconds = 120);

// The least wall and processor time and the largest memory of `times` runs; the first failure, where one failed.
ChildRun best_of(unsigned times, const std::vector<std::string>& words);

}  // namespace helio::bench
