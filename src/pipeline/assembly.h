// SPDX-License-Identifier: Apache-2.0
// The door that every question walks through: a fabric that was chosen, a program that it is installed in, schedules lowered into it
// with whatever remedies are allowed, and the engine.
//
//     Choice ─▶ ChosenFabric ─▶ Assembly ─▶ lower, lower, … ─▶ simulate
//               made once       one program, its carrier
//
// Collectives (run.h), iterations of jobs (iteration.h), traffic (traffic.h) and slices (slice_runs.h) differ in what they lower and in
// what they read off the timeline; searches (plan/) share one ChosenFabric.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.h"
#include "fabric/carrier.h"
#include "fabric/fabric.h"
#include "flow/program.h"
#include "pipeline/experiment.h"
#include "pipeline/remedy.h"
#include "pipeline/result.h"
#include "simulate/simulate.h"

namespace helio::pipeline {

// A fabric as it was chosen, with its parameters resolved. Never changes; copies share it, and threads may.
class ChosenFabric {
 public:
  // Throws Error at the choice's place.
  explicit ChosenFabric(const Choice& choice);

  const fabric::Fabric& fabric() const { return *fabric_; }
  const schedule::Capabilities& capabilities() const { return fabric_->capabilities(); }
  const Parameters& parameters() const { return parameters_; }
  const std::string& name() const { return name_; }
  const std::string& place() const { return place_; }

  // Every parameter as it is used.
  Configuration configuration() const { return {"fabric", parameters_.described()}; }
  // What a result on it rests on, and the label that follows. Defaults fitted on measurements were fitted together with what the engine
  // leaves out; other rates and delays are ours, and so is what stands behind a fabric's own model.
  Assumptions rests_on() const;
  std::string label() const { return label_of(rests_on()); }
  // Adds the defaults that were fitted and are in use.
  void note_fitted(std::vector<std::string>& assumptions) const;

 private:
  std::string name_, place_;
  Parameters parameters_;
  std::shared_ptr<const fabric::Fabric> fabric_;
};

// Thrown where a run is sure to take longer than what it is to beat.
struct Beaten {
  double least_s = 0;    // that it takes at least
  bool started = false;  // the engine ran until its clock said so
};

// Throws Beaten where `least_s` is more, and not by rounding.
void check_can_beat(Time beat, double least_s);

class Assembly {
 public:
  using Progress = std::function<void(std::string_view stage)>;

  // Requires: whoever lowers into `program` by other means keeps it consistent.
  // `only`: all that will be lowered, so that resources which it does not tell apart may stand as one.
  explicit Assembly(ChosenFabric fabric, std::span<const schedule::Schedule* const> only = {})
      : fabric_(std::move(fabric)),
        simplified_(only.empty() ? nullptr : fabric_.fabric().simplified_for(only)),
        carrier_((simplified_ ? *simplified_ : fabric_.fabric()).install(program)) {}

  Assembly(const Assembly&) = delete;  // the carrier knows where the program is
  Assembly& operator=(const Assembly&) = delete;

  flow::Program program;

  const ChosenFabric& fabric() const { return fabric_; }
  const schedule::Capabilities& capabilities() const { return fabric_.capabilities(); }
  fabric::Carrier& carrier() { return *carrier_; }

  // From here on what is added at nodes takes its part of `adding`, each node its own; of some nodes, another.
  void add_memories(BitRate adding);
  void set_memory(NodeId node, BitRate adding);

  // As lower_with_remedies (remedy.h).
  Carried lower(const std::string& algorithm, const Planned& planned, const schedule::CollectiveRequest& request,
                const fabric::LowerOptions& options, const Placed<std::vector<Remedy>>& remedies);
  // Checks the program and runs it. `progress` is called now and then. Throws Beaten when it is sure to end after `beat`.
  simulate::Timeline simulate(simulate::Options options, const Progress& progress, std::optional<Time> beat = {}) const;
  // The same for the last time: templates and routes of the program may be gone then, and their memory with them.
  simulate::Timeline simulate_last(simulate::Options options, const Progress& progress, std::optional<Time> beat = {});
  // Adds how many messages controllers sent, if there are any.
  void note_control(const simulate::Timeline& timeline, Facts& facts) const;

 private:
  void prepare(simulate::Options& options, const Progress& progress, std::optional<Time> beat) const;

  ChosenFabric fabric_;
  std::unique_ptr<const fabric::Fabric> simplified_;
  std::unique_ptr<fabric::Carrier> carrier_;
  std::optional<fabric::Memories> memories_;
};

}  // namespace helio::pipeline
