// SPDX-License-Identifier: Apache-2.0
#include "pipeline/testbed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "base/error.h"
#include "pipeline/assembly.h"
#include "pipeline/version.h"
#include "testbed/testbed.h"

namespace helio::pipeline {
namespace {

using testbed::Flow;
using testbed::Plan;
using testbed::Testbed;

// Whole numbers small enough that sixteen of them add up exactly: every order of additions gives the same, which is known.
constexpr std::size_t kPeriod = 1009;
float gradient(std::uint32_t node, std::size_t element) { return static_cast<float>((node + 1) * (element % kPeriod)); }
float sum(std::uint32_t nodes, std::size_t element) {
  return static_cast<float>(nodes * (nodes + 1) / 2 * (element % kPeriod));
}

// One step on fresh gradients; whether all nodes have the sum then.
bool step(Testbed& testbed, Time& time) {
  const std::uint32_t nodes = testbed.plan().nodes();
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::span<float> row = testbed.row(n);
    for (std::size_t e = 0; e < row.size(); ++e) row[e] = gradient(n, e);
  }
  time = testbed.exchange();
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::span<const float> row = testbed.row(n);
    for (std::size_t e = 0; e < row.size(); ++e)
      if (row[e] != sum(nodes, e)) return false;
  }
  return true;
}

Time median(std::vector<Time> times) {
  std::ranges::sort(times);
  const std::size_t half = times.size() / 2;
  if (times.size() % 2 == 1) return times[half];
  return Time::zeptoseconds((times[half - 1] + times[half]).count() / 2);
}

Time median(const std::vector<TestbedStep>& steps, Time TestbedStep::*of) {
  std::vector<Time> times;
  for (const TestbedStep& one : steps) times.push_back(one.*of);
  return median(std::move(times));
}

// The same steps in the engine: each begins when the one before has ended everywhere.
void predict(const Plan& plan, const Choice& fabric, const TestbedQuestion& question,
             const Assembly::Progress& progress, TestbedResult& result) {
  Assembly assembly{ChosenFabric(fabric)};
  result.configuration = assembly.fabric().configuration();
  result.label = assembly.fabric().label();
  const Carried carried = assembly.lower(question.algorithm.name, plan.schedule, plan.request,
                                         {.order = schedule::Order::kDataflow}, {{}, question.algorithm.place});
  flow::Operation call;
  call.kind = flow::OperationKind::kCall;
  call.callee = carried.lowered.entry;
  call.rounds = question.steps;
  assembly.program.entry = assembly.program.add({"steps", {call}, {}});
  const simulate::Timeline timeline = assembly.simulate({.jump = false, .record = true}, progress);
  result.predicted_messages = timeline.control_messages;

  // Instances of an operation follow each other, over all steps
  std::map<std::uint32_t, std::vector<simulate::Span>> spans;
  for (const simulate::Span& span : timeline.spans)
    if (span.where == call.callee) spans[span.operation].push_back(span);
  for (auto& [operation, of] : spans) std::ranges::stable_sort(of, {}, &simulate::Span::start);
  const flow::Template& body = assembly.program.templates[call.callee.value];
  Time begun;
  for (std::uint32_t s = 0; s < question.steps; ++s) {
    Time ended = begun;
    for (std::size_t f = 0; f < plan.flows.size(); ++f) {
      const Flow& flow = plan.flows[f];
      const simulate::Span& span =
          spans.at(flow.operation).at(s * body.operations[flow.operation].repeat + flow.instance);
      TestbedFlow& told = result.flows[s * plan.flows.size() + f];
      told.simulated_ready = span.start - begun;
      told.simulated_ended = span.end - begun;
      ended = std::max(ended, span.end);
    }
    result.steps[s].predicted = ended - begun;
    begun = ended;
  }
}

void note_flows(Testbed& lit, Testbed& ideal, std::uint32_t step, TestbedResult& result) {
  const Plan& plan = lit.plan();
  const Time begun = lit.shared().step(step).begun, ideal_begun = ideal.shared().step(step).begun;
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    const Flow& flow = plan.flows[f];
    const testbed::FlowTimes &times = lit.shared().flow(step, f), &beside = ideal.shared().flow(step, f);
    const testbed::LitTimes& light = lit.shared().lit(step, f);
    result.flows.push_back({.step = step,
                            .round = flow.round,
                            .source = flow.source,
                            .destination = flow.destination,
                            .bytes = Bytes{static_cast<double>(flow.bytes)},
                            .light = plan.resources.name({plan.lights.value + flow.light}),
                            .ready = times.ready - begun,
                            .started = times.started - begun,
                            .ended = times.ended - begun,
                            .told = light.told - begun,
                            .lit = light.lit - begun,
                            .dark = light.changed,
                            .ideal_ready = beside.ready - ideal_begun,
                            .ideal_ended = beside.ended - ideal_begun});
  }
}

}  // namespace

const std::vector<Parameter>& testbed_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "steps",
       .type = ParameterType::kInteger,
       .fallback = "5",
       .minimum = "1",
       .maximum = "1000",
       .description = "exchanges of gradients, over light and over the ideal switch"},
      {.name = "scale",
       .type = ParameterType::kNumber,
       .fallback = "1000",
       .minimum = "0",
       .maximum = "1e9",
       .minimum_exclusive = true,
       .description = "by how much the testbed is slower than what it models"},
      {.name = "kill",
       .type = ParameterType::kInteger,
       .minimum = "0",
       .maximum = "15",
       .description = "a node that is killed amid the last step over light",
       .optional = true},
  };
  return parameters;
}

void read_testbed(const Parameters& parameters, TestbedQuestion& question) {
  question.steps = static_cast<std::uint32_t>(parameters.integer("steps"));
  question.scale = parameters.number("scale");
  if (parameters.has("kill"))
    question.death = {testbed::Death{static_cast<std::uint32_t>(parameters.integer("kill")), question.steps - 1},
                      parameters.place("kill")};
}

TestbedResult run_testbed(const TestbedQuestion& question, const std::function<void(std::string_view)>& progress) {
  const double elements = std::floor(question.bytes.value.value / sizeof(float));
  if (elements < 1 || elements * sizeof(float) != question.bytes.value.value)
    throw Error(ErrorKind::kInput, "a gradient is a whole number of floats, 4 bytes each", question.bytes.place,
                "Give a multiple of 4 bytes, such as 10 MB.");
  Choice fabric = question.fabric;
  fabric.settings = testbed::with_defaults(fabric.settings);
  const Plan plan = [&] {
    try {
      return testbed::make_plan(fabric.settings, question.algorithm.name, question.algorithm.settings,
                                static_cast<std::size_t>(elements));
    } catch (const Error& error) {
      throw error.at(question.algorithm.place);
    }
  }();
  const std::optional<testbed::Death>& death = question.death.value;
  if (death && death->node >= plan.nodes())
    throw Error(ErrorKind::kInput, fmt::format("there is no node {} to kill", death->node), question.death.place,
                fmt::format("Nodes are 0 to {}.", plan.nodes() - 1));
  TestbedResult result{.version = std::string(kVersion), .asked = question, .options = plan.options};

  // Both switches stand by; their steps take turns
  Testbed ideal(plan, {.ideal = true, .namespaces = question.namespaces, .logged = question.steps});
  Testbed lit(plan, {.namespaces = question.namespaces, .logged = question.steps, .death = death});
  result.isolation = lit.isolation();
  result.exact = true;
  for (std::uint32_t s = 0; s < question.steps; ++s) {
    if (progress) progress(fmt::format("step {} of {}", s + 1, question.steps));
    TestbedStep& times = result.steps.emplace_back();
    result.exact &= step(ideal, times.ideal);
    result.exact &= step(lit, times.measured);
    note_flows(lit, ideal, s, result);
  }
  const testbed::Counts& counts = lit.shared().counts();
  result.messages = counts.messages;
  result.messages_lost = counts.lost;
  result.bytes = counts.bytes;
  result.frames = counts.frames;
  result.circuits = counts.circuits;
  result.late = Time::seconds(counts.late.to_seconds() / static_cast<double>(counts.frames));
  predict(plan, fabric, question, progress, result);
  result.step = median(result.steps, &TestbedStep::measured);
  result.ideal_step = median(result.steps, &TestbedStep::ideal);
  result.predicted_step = median(result.steps, &TestbedStep::predicted);
  return result;
}

}  // namespace helio::pipeline
