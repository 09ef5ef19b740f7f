// SPDX-License-Identifier: Apache-2.0
// A testbed beside its simulation: the same collective as real bytes over ODDL's light, over an ideal switch at the same rate, and on fabric
// `oddl` with the testbed's parameters.
//
//     settings ─┬─▶ testbed (testbed/testbed.h), everything enforced ─┐
//               ├─▶ the same, everything lit ─────────────────────────┼─▶ step by step and flow by flow
//               └─▶ Assembly ─▶ engine ───────────────────────────────┘
//
// A step is one exchange of gradients. Steps of the two testbeds take turns, so that whatever else the machine does falls on both. Times are
// the enforced ones; over `scale` they are those of the hardware that is modelled, whose rates are as much higher.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "fabric/oddl/oddl_parameters.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "testbed/node.h"

namespace helio::pipeline {

struct TestbedQuestion {
  Choice fabric, algorithm;
  Placed<Bytes> bytes;  // of the gradient, in floats of 4 bytes
  std::uint32_t steps = 5;
  double scale = 1000;
  bool namespaces = true;                         // where they are permitted
  Placed<std::optional<testbed::Death>> death{};  // to see what happens then
};

// Names, defaults and bounds of steps, scale and kill.
const std::vector<Parameter>& testbed_parameters();
// Requires: of testbed_parameters().
void read_testbed(const Parameters& parameters, TestbedQuestion& question);

// Times since its step began.
struct TestbedFlow {
  std::uint32_t step = 0, round = 0;
  NodeId source, destination;
  Bytes bytes;
  std::string light;           // its name
  Time ready, started, ended;  // at its source; the controller let it go; all of it was there
  Time told, lit;              // its transmitter was told the light; bytes may pass
  bool dark = false;           // in between
  Time simulated_ready, simulated_ended;
  Time ideal_ready, ideal_ended;
};

struct TestbedStep {
  Time measured, ideal, predicted;
};

struct TestbedResult {
  std::string version, label;
  TestbedQuestion asked;
  fabric::OddlOptions options;
  Configuration configuration;            // of the fabric
  std::string isolation;                  // "namespaces", or "loopback" and why
  Time step, ideal_step, predicted_step;  // the median of all
  std::vector<TestbedStep> steps;
  std::vector<TestbedFlow> flows;  // of all steps
  std::uint64_t messages = 0, messages_lost = 0, predicted_messages = 0;
  std::uint64_t bytes = 0, frames = 0, circuits = 0;  // that the switch carried; changes of circuits
  Time late;                                          // that a frame was, on average, behind the rules
  bool exact = false;                                 // every node had the sum, in every step over both switches

  // Frames were not late by more than a hundredth of a step, or what a scheduler takes to wake somebody.
  bool kept_up() const { return late <= Time::milliseconds(1) || late.to_seconds() <= 0.01 * step.to_seconds(); }
  double slowdown() const { return step.to_seconds() / ideal_step.to_seconds(); }
  double prediction_error() const { return predicted_step.to_seconds() / step.to_seconds() - 1; }
};

// Throws Error as testbed::make_plan and Testbed do. `progress` is told what it is at.
TestbedResult run_testbed(const TestbedQuestion& question, const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
