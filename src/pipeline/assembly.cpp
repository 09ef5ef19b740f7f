// SPDX-License-Identifier: Apache-2.0
#include "pipeline/assembly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/units.h"
#include "fabric/electrical/cluster_sets.h"
#include "flow/least_time.h"
#include "pipeline/fact_kinds.h"

namespace helio::pipeline {
namespace {

Parameters resolved(const Choice& choice) {
  const auto& fabrics = fabric::fabrics();
  try {
    return fabrics.resolve(fabrics.at(choice.name, choice.place), fabric::with_defaults(choice.name, choice.settings));
  } catch (const Error& error) {
    throw error.at(choice.place);
  }
}

std::shared_ptr<const fabric::Fabric> made(const Choice& choice, const Parameters& parameters) {
  try {
    return fabric::fabrics().at(choice.name).factory(parameters);
  } catch (const Error& error) {
    throw error.at(choice.place);
  }
}

}  // namespace

ChosenFabric::ChosenFabric(const Choice& choice)
    : name_(choice.name), place_(choice.place), parameters_(resolved(choice)), fabric_(made(choice, parameters_)) {}

Assumptions ChosenFabric::rests_on() const {
  std::vector<std::string> fitted;
  note_fitted(fitted);
  Assumptions all;
  if (fitted.empty())
    all.push_back({"rates and delays of the fabric", Grade::kOurs});
  else
    all.push_back({fitted.front(), Grade::kFitted});
  for (const std::string& text : capabilities().assumptions) all.push_back({text, Grade::kOurs});
  return all;
}

void ChosenFabric::note_fitted(std::vector<std::string>& assumptions) const {
  std::vector<std::string> fitted = parameters_.fitted();
  for (const Parameter& parameter : fabric::fabrics().at(name_).description.parameters)  // those that an NPU brought
    if (parameter.fitted && parameters_.has(parameter.name) && parameters_.place(parameter.name).starts_with("npu "))
      fitted.push_back(parameter.name);
  if (!fitted.empty())
    assumptions.push_back(fmt::format("defaults fitted on measurements: fabric.{}", fmt::join(fitted, ", fabric.")));
}

void check_can_beat(Time beat, double least_s) {
  constexpr double kSurely = 1 + 1e-6;  // whatever rounding did
  if (least_s > kSurely * beat.to_seconds()) throw Beaten{.least_s = least_s};
}

Carried Assembly::lower(const std::string& algorithm, const Planned& planned,
                        const schedule::CollectiveRequest& request, const fabric::LowerOptions& options,
                        const Placed<std::vector<Remedy>>& remedies) {
  fabric::LowerOptions at_endpoints = options;
  if (memories_) at_endpoints.memories = &*memories_;
  return lower_with_remedies(*carrier_, algorithm, planned, request, at_endpoints, remedies);
}

void Assembly::add_memories(BitRate adding) {
  const auto name = [](std::uint32_t i) { return fmt::format("memory of node {}", i); };
  memories_ = fabric::Memories{program.resources.add_links(static_cast<std::uint32_t>(capabilities().nodes), adding,
                                                           {name, "memory of node"}, true),
                               {}};
}

void Assembly::set_memory(NodeId node, BitRate adding) {
  program.resources.set_rate({memories_->first.value + node.value}, adding);
}

void Assembly::prepare(simulate::Options& options, const Progress& progress, std::optional<Time> beat) const {
  flow::check(program);
  if (beat) check_can_beat(*beat, flow::least_time(program));
  if (progress) progress("simulating");
  if (progress || beat)
    options.progress = [&progress, beat](Time now, std::uint64_t events) {
      if (beat && now > *beat) throw Beaten{.least_s = now.to_seconds(), .started = true};
      if (progress) progress(fmt::format("simulating: {} simulated, {} events", format(now), events));
    };
}

simulate::Timeline Assembly::simulate(simulate::Options options, const Progress& progress,
                                      std::optional<Time> beat) const {
  prepare(options, progress, beat);
  return simulate::simulate(program, options);
}

simulate::Timeline Assembly::simulate_last(simulate::Options options, const Progress& progress,
                                           std::optional<Time> beat) {
  prepare(options, progress, beat);
  return simulate::simulate(std::move(program), options);
}

void Assembly::note_control(const simulate::Timeline& timeline, Facts& facts) const {
  if (program.controls.empty()) return;
  facts.push_back({kControlMessagesFact, static_cast<double>(timeline.control_messages)});
  facts.push_back({kControlMessagesLostFact, static_cast<double>(timeline.messages_lost)});
}

}  // namespace helio::pipeline
