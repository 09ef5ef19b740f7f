// SPDX-License-Identifier: Apache-2.0
#include "testbed/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/oddl/oddl.h"
#include "schedule/algorithm.h"
#include "schedule/verify.h"

namespace helio::testbed {
namespace {

using schedule::Buffer;
using schedule::Move;

// All of them ours: what two cores forward, and times that a scheduler's delays do not drown.
constexpr std::array<std::pair<const char*, const char*>, 17> kDefaults = {{
    {"nodes", "4"},
    {"nodes_per_group", "2"},
    {"channels", "8"},
    {"rate", "200 Mb/s"},
    {"tune", "1 ms"},
    {"lock", "1 ms"},
    {"guard", "1 ms"},
    {"fibre", "0"},
    {"message_bytes", "64"},
    {"control_rate", "512 kb/s"},  // a message takes 1 ms
    {"arbiter_cycles", "1"},
    {"clock", "1 ms"},
    {"clock_error", "1 s"},  // nobody knows in advance when a process will have sent its bytes: grants mean "now"
    {"grant_timeout", "20 ms"},
    {"silences", "10"},
    {"aging", "1 s"},
    {"min_hold", "10 ms"},
}};

[[noreturn]] void refuse(const Parameters& parameters, const char* name, const std::string& what,
                         const std::string& advice) {
  throw Error(ErrorKind::kInfeasible, "a testbed has " + what, parameters.place(name), advice);
}

void check(const Parameters& parameters, const fabric::OddlOptions& options) {
  if (options.nodes < kFewestNodes || options.nodes > kMostNodes)
    refuse(parameters, "nodes", fmt::format("{} to {} nodes, and not {}", kFewestNodes, kMostNodes, options.nodes),
           "Give a number in between.");
  if (options.trx != 1) refuse(parameters, "trx", "one transceiver at each node", "Leave fabric.trx out.");
  if (options.tunable_receivers)
    refuse(parameters, "tunable_receivers", "receivers of one wavelength class", "Leave fabric.tunable_receivers out.");
  if (options.control.quantum_bytes > 0)
    refuse(parameters, "quantum", "no way to cut a flow that is under way", "Leave fabric.quantum out.");
  if (options.control.mode == fabric::OddlControlMode::kSlotted)
    refuse(parameters, "control", "no common slots", "Use distributed or central control.");
  if (options.control.policy == fabric::OddlPolicy::kPlanned)
    refuse(parameters, "policy", "no schedule that is known to the nanosecond", "Use a policy that asks.");
  if (options.control.timed())
    refuse(parameters, "clock_error", "no processes that end a flow at a time known in advance",
           "Leave fabric.clock_error out, or give more than a round trip of control messages takes.");
}

// The elements that `count` slots from `slot` on hold; those that follow each other are one run.
std::vector<Flow::Run> runs_of(const schedule::Schedule& schedule, std::size_t elements, std::uint32_t slot,
                               std::uint32_t count) {
  std::vector<Flow::Run> runs;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::size_t s = (slot + k) % schedule.chunks;
    const std::size_t first = s * elements / schedule.chunks, last = (s + 1) * elements / schedule.chunks;
    if (!runs.empty() && runs.back().first + runs.back().count == first)
      runs.back().count += last - first;
    else
      runs.push_back({first, last - first});
  }
  return runs;
}

void add_flows(Plan& plan, const flow::Program& program, const flow::Template& body) {
  const fabric::OddlGeometry& g = plan.options.geometry;
  std::uint32_t operation = 0;
  for (const schedule::Phase& phase : plan.schedule.phases) {
    for (const Move move : phase.moves) {
      const flow::Operation& op = body.operations[operation];
      const schedule::Window active = schedule::window(move, phase);
      for (std::uint32_t round = active.first; round < active.last; ++round) {
        const std::uint32_t from = schedule::slot_in_round(move, move.source_slot, round, plan.schedule.chunks);
        const std::uint32_t to = schedule::slot_in_round(move, move.destination_slot, round, plan.schedule.chunks);
        if (move.source < 0 || move.destination < 0 || move.source_buffer != Buffer::kData ||
            move.destination_buffer != Buffer::kData || plan.schedule.result != Buffer::kData || from != to)
          throw Error(
              ErrorKind::kInfeasible,
              fmt::format("'{}' does not add in place between two nodes, as a testbed does", plan.schedule.algorithm),
              "", "Use an algorithm such as ring or halving-doubling.");
        Flow flow{.operation = operation,
                  .instance = round - active.first,
                  .source = plan.request.groups.front()[static_cast<std::size_t>(move.source)],
                  .destination = plan.request.groups.front()[static_cast<std::size_t>(move.destination)],
                  .round = plan.rounds + round,
                  .claim = op.claim,
                  .adds = move.action == schedule::Action::kReduce,
                  .runs = runs_of(plan.schedule, plan.elements, from, move.count)};
        for (const flow::ResourceId id : program.routes.channels(op.route))
          if (id >= plan.lights) flow.light = id.value - plan.lights.value;
        for (const Flow::Run& run : flow.runs) flow.bytes += run.count * sizeof(float);
        plan.wss[flow.light] = g.group_of(flow.destination);
        plan.flows.push_back(std::move(flow));
      }
      ++operation;
    }
    plan.rounds += phase.repeat;
  }
  std::ranges::stable_sort(plan.flows, {}, &Flow::round);
}

}  // namespace

Settings with_defaults(Settings settings) {
  for (const auto& [name, text] : kDefaults) settings.try_emplace(name, Setting{text, "default"});
  return settings;
}

Plan make_plan(const Settings& fabric, const std::string& algorithm, const Settings& algorithm_settings,
               std::size_t elements) {
  if (elements == 0) throw Error(ErrorKind::kInput, "a gradient without elements", "", "Give 4 bytes or more.");
  const auto& entry = fabric::fabrics().at("oddl");
  const Parameters parameters = fabric::fabrics().resolve(entry, with_defaults(fabric));
  const std::unique_ptr<fabric::OddlFabric> oddl = fabric::make_oddl(parameters);
  Plan plan;
  plan.options = fabric::oddl_options(parameters);
  check(parameters, plan.options);
  plan.elements = elements;
  plan.request = schedule::request_on_all(schedule::Kind::kAllReduce, Bytes{4.0 * static_cast<double>(elements)},
                                          static_cast<schedule::Position>(plan.nodes()));
  plan.schedule = schedule::build(algorithm, plan.request, oddl->capabilities(), algorithm_settings);
  if (const schedule::Verification proof = schedule::verify(plan.schedule); !proof.verified)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the schedule of '{}' is not proven: {}", algorithm, proof.failure));

  // The way of each flow, as the fabric gives it
  flow::Program program;
  const std::unique_ptr<fabric::Carrier> carrier = oddl->install(program);
  const fabric::LowerResult lowered =
      carrier->lower(plan.schedule, plan.request, {.order = schedule::Order::kDataflow});
  if (const auto* refusal = std::get_if<fabric::Refusal>(&lowered))
    throw Error(ErrorKind::kInfeasible, refusal->reason, "", refusal->advice);
  plan.controller = program.controls.front().controller;
  plan.resources = oddl->resources();
  plan.transmitters = {0};
  plan.receivers = {plan.nodes()};
  plan.lights = oddl->first_light();
  plan.wss.resize(plan.options.geometry.lights());
  add_flows(plan, program, program.templates[std::get<fabric::Lowered>(lowered).entry.value]);
  return plan;
}

}  // namespace helio::testbed
