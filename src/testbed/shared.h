// SPDX-License-Identifier: Apache-2.0
// What the processes of a testbed write down and whoever started them reads: gradients, and when everything happened. Memory that is mapped
// before the first of them is started; each field has one writer, and is read when the step has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "testbed/plan.h"

namespace helio::testbed {

// Of a flow in one step, by the clock of the testbed.
struct FlowTimes {
  Time ready, started;  // at its source: it may go; the controller lets it go
  Time lit, passed;     // at the switch: its light is there; its last bit is due
  Time ended;           // at its destination: all of it is there
};

// A light that was lit, as the switch saw it.
struct LitTimes {
  std::uint32_t flow = 0, light = 0;
  bool changed = false;  // it was dark from `told` to `lit`
  std::uint64_t step = 0;
  Time told, lit, until;
};

struct StepTimes {
  Time begun, finished;  // told to begin; the last node has its sums
};

// Counted by the switch.
struct Counts {
  std::uint64_t messages = 0, lost = 0;  // of control
  std::uint64_t frames = 0, bytes = 0, circuits = 0;
  Time late;  // of all frames together: handed on after they were due
};

class Shared {
 public:
  // Keeps the times of the last `steps` steps. Throws std::bad_alloc.
  Shared(const Plan& plan, std::size_t steps);
  ~Shared();
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::span<float> row(std::uint32_t node) { return rows_.subspan(node * elements_, elements_); }
  FlowTimes& flow(std::uint64_t step, std::uint32_t flow) { return flows_[step % steps_.size() * each_ + flow]; }
  LitTimes& lit(std::uint64_t step, std::uint32_t flow) { return lit_[step % steps_.size() * each_ + flow]; }
  StepTimes& step(std::uint64_t step) { return steps_[step % steps_.size()]; }
  Counts& counts() { return *counts_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0, elements_, each_;
  std::span<float> rows_;
  std::span<FlowTimes> flows_;
  std::span<LitTimes> lit_;
  std::span<StepTimes> steps_;
  Counts* counts_ = nullptr;
};

}  // namespace helio::testbed
