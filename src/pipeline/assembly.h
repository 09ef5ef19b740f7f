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
#include <string>
#include <string_view>
#include <vector>

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
  // "fitted" where a default in use was, else "ours".
  std::string label() const { return parameters_.fitted().empty() ? "ours" : "fitted"; }
  // Adds the defaults that were fitted and are in use.
  void note_fitted(std::vector<std::string>& assumptions) const;

 private:
  std::string name_, place_;
  Parameters parameters_;
  std::shared_ptr<const fabric::Fabric> fabric_;
};

class Assembly {
 public:
  using Progress = std::function<void(std::string_view stage)>;

  // Requires: whoever lowers into `program` by other means keeps it consistent.
  explicit Assembly(ChosenFabric fabric) : fabric_(std::move(fabric)), carrier_(fabric_.fabric().install(program)) {}

  Assembly(const Assembly&) = delete;  // the carrier knows where the program is
  Assembly& operator=(const Assembly&) = delete;

  flow::Program program;

  const ChosenFabric& fabric() const { return fabric_; }
  const schedule::Capabilities& capabilities() const { return fabric_.capabilities(); }
  fabric::Carrier& carrier() { return *carrier_; }

  // As lower_with_remedies (remedy.h).
  Carried lower(const std::string& algorithm, const Planned& planned, const schedule::CollectiveRequest& request,
                const fabric::LowerOptions& options, const Placed<std::vector<Remedy>>& remedies);
  // Checks the program and runs it. `progress` is called now and then.
  simulate::Timeline simulate(simulate::Options options, const Progress& progress) const;
  // Adds how many messages controllers sent, if there are any.
  void note_control(const simulate::Timeline& timeline, Facts& facts) const;

 private:
  ChosenFabric fabric_;
  std::unique_ptr<fabric::Carrier> carrier_;
};

}  // namespace helio::pipeline
