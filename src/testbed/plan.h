// SPDX-License-Identifier: Apache-2.0
// What every process of a testbed knows before it starts: who sends what to whom in which round, by which light, and how long
// everything takes.
//
//     settings ─▶ fabric oddl ─▶ schedule, lowered in dataflow order ─▶ flows, slice, controller
//
// The fabric is the simulator's own (fabric/oddl): its routes say which light a flow takes, its program's controller decides. Times are
// the enforced ones: a microsecond of light is a millisecond here where the scale is 1000.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.h"
#include "base/id.h"
#include "fabric/oddl/oddl_parameters.h"
#include "flow/controller.h"
#include "flow/resource.h"
#include "schedule/schedule.h"

namespace helio::testbed {

inline constexpr std::uint32_t kFewestNodes = 2, kMostNodes = 16;

// One move in one round, as a node sends it.
struct Flow {
  std::uint32_t operation = 0, instance = 0;  // of the lowered program
  NodeId source, destination;
  std::uint32_t round = 0;  // over all phases
  std::uint32_t light = 0;  // of OddlGeometry
  std::uint32_t claim = 0;  // what it asks the arbiter for
  bool adds = false;        // what arrives is added, else it is stored
  // Elements of the vector, [first, first + count).
  struct Run {
    std::size_t first = 0, count = 0;
  };
  std::vector<Run> runs;
  std::size_t bytes = 0;
};

struct Plan {
  schedule::Schedule schedule;
  schedule::CollectiveRequest request;
  std::size_t elements = 0;  // floats that each node holds
  fabric::OddlOptions options;
  std::shared_ptr<const flow::Controller> controller;
  flow::ResourceTable resources;  // of the fabric alone: transmitters, receivers, lights
  flow::ResourceId transmitters, receivers, lights;
  std::vector<Flow> flows;  // round after round, in each round in the order in which what arrives is added
  std::uint32_t rounds = 0;
  std::vector<std::optional<std::uint32_t>> wss;  // by light: the group that the slice leads it to; none: dark

  std::uint32_t nodes() const { return options.nodes; }
};

// Settings of fabric oddl for a user-space switch, where none were given: rates and times that it keeps up with.
Settings with_defaults(Settings settings);

// The all-reduce of a vector of `elements` floats on fabric oddl. Throws Error: what the fabric and the algorithm throw, and
// kInfeasible for what a testbed does not have (several transceivers, slots, quanta, grants by the clock, moves through scratch).
Plan make_plan(const Settings& fabric, const std::string& algorithm, const Settings& algorithm_settings,
               std::size_t elements);

}  // namespace helio::testbed
