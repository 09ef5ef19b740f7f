// SPDX-License-Identifier: Apache-2.0
#include "pipeline/iteration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "pipeline/bandwidth.h"
#include "pipeline/bottleneck.h"
#include "pipeline/bound.h"
#include "pipeline/critical_path.h"
#include "pipeline/endpoint.h"
#include "pipeline/energy.h"
#include "pipeline/job.h"
#include "pipeline/job_schedules.h"
#include "pipeline/level_meter.h"
#include "pipeline/link_use.h"
#include "pipeline/lower_jobs.h"
#include "pipeline/rack_groups.h"
#include "pipeline/version.h"
#include "placement/place.h"
#include "placement/rank_map.h"
#include "placement/software.h"
#include "simulate/simulate.h"
#include "workload/zoo.h"

namespace helio::pipeline {
namespace {

// A job on its way, with what its result will say.
struct Prepared {
  PlacedJob placed;
  IterationResult result;
  double peak = 0;                   // of one NPU
  Power power;                       // of one NPU; 0: not known
  std::uint64_t tokens = 1;          // per sample
  std::vector<std::uint32_t> nodes;  // in ascending order
  std::optional<Endpoint> endpoint;  // none: adding takes no time
};

Parameters resolved(std::string owner, const std::vector<Parameter>& declared, const Settings& settings,
                    const std::string& place) {
  try {
    return Parameters(owner, declared, settings);
  } catch (const Error& error) {
    throw error.at(place);
  }
}

// Whether it is no algorithm but a search for one.
bool is_search(const std::string& name) { return name == "auto" || name == "wdm-planned"; }

Transport transport_of(const Job& job) {
  Transport transport;
  const auto meant = [](const std::string& name) { return is_search(name) ? name : std::string(); };
  transport.search.fill(meant(job.algorithm.value));
  for (const auto& [name, choice] : job.algorithms) {
    const std::size_t activity = class_named(name, choice.place);
    const bool open = is_search(choice.name) || choice.name == "usual";
    if (open && !choice.settings.empty())
      throw Error(ErrorKind::kInput,
                  fmt::format("'{}' is a parameter of one algorithm, and '{}' is none", choice.settings.begin()->first,
                              choice.name),
                  choice.settings.begin()->second.place, "name the algorithm that it belongs to");
    transport.search[activity] = meant(choice.name);
    if (!open) transport.algorithm[activity] = choice;
  }
  divide_links(job, transport);
  transport.remedies = job.remedies;
  return transport;
}

std::vector<std::uint32_t> nodes_of(const placement::Strategy& strategy) {
  const placement::RankMap ranks(strategy);
  std::vector<std::uint32_t> nodes;
  for (int stage = 0; stage < strategy.pp; ++stage)
    for (int replica = 0; replica < strategy.replicas(); ++replica)
      for (int tensor = 0; tensor < strategy.tp; ++tensor) nodes.push_back(ranks.node(stage, replica, tensor).value);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

const placement::Software& software_of(const Job& job) {
  const auto asked = job.compute.find("software");
  return asked == job.compute.end() ? placement::usual_software(job.npu.name)
                                    : placement::software_named(asked->second.text, asked->second.place);
}

Parameters npu_parameters_of(const Job& job) {
  const auto& entry = placement::npus().at(job.npu.name, job.npu.place);
  return resolved("npu '" + job.npu.name + "'", entry.description.parameters, job.npu.settings, job.npu.place);
}

Parameters compute_parameters_of(const Job& job) {
  return resolved("compute model", placement::software_parameters(software_of(job)), job.compute, job.place);
}

}  // namespace

placement::Machine machine_of(const Job& job) {
  return {placement::npus().at(job.npu.name, job.npu.place).factory(npu_parameters_of(job)),
          placement::constants_from(compute_parameters_of(job))};
}

int expert_groups(const placement::Strategy& strategy, const schedule::Capabilities& capabilities) {
  if (capabilities.parts.empty()) return strategy.ep;
  const auto server = static_cast<int>(capabilities.parts.front().capabilities.nodes);
  const int servers = (strategy.expert_ranks() + server - 1) / std::max(server, 1);
  return servers > 1 ? servers : strategy.ep;
}

namespace {

Prepared prepare(const Job& job, const Experiment& experiment, const ChosenFabric& fabric) {
  const schedule::Capabilities& capabilities = fabric.capabilities();
  const std::uint64_t nodes = capabilities.nodes;
  const workload::Workload workload =
      workload::load(model_source(job, experiment.source), job.model_settings, job.model.place);
  const Parameters strategy_parameters =
      resolved("job '" + job.name + "'", placement::strategy_parameters(), job.strategy, job.place);
  const Parameters npu_parameters = npu_parameters_of(job), compute_parameters = compute_parameters_of(job);
  const placement::Machine machine = machine_of(job);
  placement::Strategy strategy =
      placement::strategy_from(strategy_parameters, nodes, capabilities.io_rate > BitRate{0});
  strategy.own_memories = strategy.fabric_io && !capabilities.parts.empty() && capabilities.parts.front().unit > 0;
  if (machine.constants.dispatch_once > 0) strategy.expert_groups = expert_groups(strategy, capabilities);
  Prepared prepared;
  prepared.peak = machine.npu.peak(strategy.precision);
  if (!(prepared.peak > 0))
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} has no {} matrix units", machine.npu.name, placement::name_of(strategy.precision)),
                job.npu.place, "Choose another precision.");
  prepared.power = machine.npu.power;
  prepared.endpoint = endpoint_of(experiment, machine.npu);
  prepared.tokens = workload.tokens;
  prepared.nodes = nodes_of(strategy);
  prepared.placed = {job.name, placement::place(workload, strategy, machine, job.place), transport_of(job),
                     job.iterations};

  IterationResult& result = prepared.result;
  const placement::Program& program = prepared.placed.program;
  result.name = job.name;
  result.model = workload.title;
  result.npu = machine.npu.name;
  result.fabric = experiment.fabric.name;
  result.version = kVersion;
  result.nodes = nodes;
  result.npus = program.npus;
  result.iterations = job.iterations;
  result.model_flops = program.model_flops;
  result.memory = program.memory;
  result.configuration = {{"job", strategy_parameters.described()},
                          {"npu", npu_parameters.described()},
                          {"compute", compute_parameters.described()}};
  result.configuration.push_back(fabric.configuration());
  result.bound_s = program.busiest.to_seconds();
  result.bound = "what the busiest NPU computes, with nothing between its kernels";
  result.assumptions = {"the constants of the compute model were fitted on measured clusters (docs/compute-model.md)",
                        "ranks that share layers run in lock-step, at the pace of the slowest",
                        machine.constants.contention > 0
                            ? "products beside an exchange of their own layer are slowed by compute.contention"
                            : "communication takes nothing from computation that runs beside it",
                        "energy: NPUs at their data sheet's power and the parts of the fabric (docs/parts.md) for the "
                        "whole iteration"};
  const bool by_utilisation = compute_parameters.has("utilisation");
  if (by_utilisation)
    result.assumptions.front() = "computation is operations over peak x utilisation, and nothing else takes time";
  if (prepared.endpoint && may_hold_up(*prepared.endpoint, capabilities))
    result.assumptions.push_back(in_words(*prepared.endpoint, capabilities));
  if (strategy.uneven)
    result.assumptions.push_back("tensor-parallel work is counted as if tp divided the attention heads");
  if (strategy.fabric_io && (strategy.streaming || strategy.sample_bytes > Bytes{0}))
    result.assumptions.push_back(
        strategy.own_memories
            ? "each unit of the lowest level streams from a memory of its own, over all channels of its I/O, copied on "
              "the way; replicas add up their gradients before they go out"
            : "what streams through I/O is spread over all channels, copied and added on its way");
  if (workload.family == "recommendation")
    result.assumptions.push_back("embedding tables are reduced and updated densely, every row in every iteration");
  if (const auto k = k_for_groups(experiment.fabric, strategy.tp))
    result.assumptions.push_back(
        fmt::format("groups of {} lie across racks of the smallest fat-tree: fabric.k = {} has "
                    "racks of {}",
                    strategy.tp, *k, *k / 2));
  fabric.note_fitted(result.assumptions);

  // Of computing and of the fabric, the weaker decides
  result.assumptions.insert(result.assumptions.end(), capabilities.assumptions.begin(), capabilities.assumptions.end());
  const Assumption computing{result.assumptions.front(), by_utilisation ? Grade::kOurs : Grade::kFitted};
  result.label = label_of(Assumptions{computing} + fabric.rests_on());
  return prepared;
}

// What adding takes at the nodes of each job, where it can hold up anything.
void add_memories(const std::vector<Prepared>& jobs, Assembly& assembly) {
  const auto holds_up = [&](const Prepared& job) {
    return job.endpoint && may_hold_up(*job.endpoint, assembly.capabilities());
  };
  const auto first = std::ranges::find_if(jobs, holds_up);
  if (first == jobs.end()) return;
  assembly.add_memories(first->endpoint->adding());
  for (const Prepared& job : jobs)
    if (job.endpoint && job.endpoint->adding() != first->endpoint->adding())
      for (const std::uint32_t node : job.nodes) assembly.set_memory({node}, job.endpoint->adding());
}

// No node may serve two jobs.
void check_disjoint(const std::vector<Prepared>& jobs, const Experiment& experiment) {
  std::map<std::uint32_t, std::size_t> owner;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    for (const std::uint32_t node : jobs[j].nodes)
      if (const auto [at, fresh] = owner.emplace(node, j); !fresh)
        throw Error(
            ErrorKind::kInput,
            fmt::format("node {} serves both '{}' and '{}'", node, jobs[at->second].placed.name, jobs[j].placed.name),
            experiment.jobs[j].place, "Give each job nodes of its own: first_node or ranks.");
  }
}

std::vector<Prepared> prepare_all(const Experiment& experiment, const ChosenFabric& fabric) {
  std::vector<Prepared> prepared;
  for (const Job& job : experiment.jobs) prepared.push_back(prepare(job, experiment, fabric));
  if (prepared.size() > 1) check_disjoint(prepared, experiment);
  return prepared;
}

// Of bodies of jobs on a composite: the levels that each task goes over, a bit each; by template.
using LevelsOfTasks = std::map<std::uint32_t, std::vector<std::uint32_t>>;

LevelsOfTasks levels_of_tasks(const LevelMeter& meter, const flow::Program& program, const LoweredJobs& lowered) {
  LevelsOfTasks levels;
  if (!meter.has_levels()) return levels;
  const std::vector<std::uint32_t> of_templates = meter.levels_of_templates(program);
  for (std::uint32_t t = 0; t < program.templates.size(); ++t) {
    if (!lowered.origin[t].valid) continue;
    for (const flow::Operation& operation : program.templates[t].operations)
      levels[t].push_back(meter.levels_of(program, operation, of_templates));
  }
  return levels;
}

// The bars of one job: every task of its iteration on the row where it ran.
void fill_trace(const simulate::Timeline& timeline, const LoweredJobs& lowered, std::uint32_t job,
                const placement::Program& program, std::size_t limit, const LevelsOfTasks& levels,
                IterationResult& result) {
  result.trace_rows = program.rows;
  for (const simulate::Span& span : timeline.spans) {
    const LoweredJobs::Origin& origin = lowered.origin[span.where.value];
    if (!origin.valid || origin.job != job || origin.body != program.entry) continue;
    if (result.trace.size() == limit) {
      result.trace_cut = true;
      break;
    }
    const LoweredJobs::Told& task = lowered.told[job][origin.body][span.operation];
    const bool exchanged = task.activity == placement::Activity::kPp;  // beside the cell's own work
    result.trace.push_back({fmt::format("{} {}", placement::name_of(task.verb), task.number), exchanged ? 1u : 0u,
                            task.row, span.start, span.end - span.start, span.rounds});
    if (const auto known = levels.find(span.where.value); known != levels.end())
      result.trace.back().levels = known->second[span.operation];
  }
  result.trace_cut = result.trace_cut || timeline.spans_cut;
}

}  // namespace

std::vector<PlacedJob> place_jobs(const Experiment& experiment, const ChosenFabric& fabric) {
  std::vector<PlacedJob> jobs;
  for (Prepared& job : prepare_all(experiment, fabric)) jobs.push_back(std::move(job.placed));
  return jobs;
}

std::vector<IterationResult> run_jobs(const Experiment& experiment, const RunOptions& options,
                                      const JobChoices& choices) {
  const auto progress = [&](std::string_view stage) {
    if (options.progress) options.progress(stage);
  };
  if (experiment.engine.value != "helio")
    throw Error(ErrorKind::kInfeasible, "jobs run on our own engine only", experiment.engine.place,
                "Leave engine out; single collectives can ask SimGrid.");

  // Who computes what, and which collectives that takes
  progress("placing the jobs");
  const ChosenFabric fabric(experiment.fabric);
  std::vector<Prepared> prepared = prepare_all(experiment, fabric);

  // By which algorithms, how carried, and when
  progress("lowering the collectives");
  std::vector<PlacedJob> jobs;
  for (Prepared& job : prepared) jobs.push_back(std::move(job.placed));
  for (std::size_t j = 0; j < jobs.size() && j < choices.size(); ++j) jobs[j].chosen = choices[j];
  std::optional<JobSchedules> schedules(fabric.capabilities());
  const bool remedied =
      std::ranges::any_of(jobs, [](const PlacedJob& j) { return !j.transport.remedies.value.empty(); });
  Assembly assembly{fabric, remedied ? std::vector<const schedule::Schedule*>() : schedules->all(jobs)};
  add_memories(prepared, assembly);
  const LoweredJobs lowered = lower_jobs(assembly, jobs, *schedules);
  schedules.reset();
  for (PlacedJob& job : jobs)  // who waits for whom is in the flow program now
    std::vector<placement::Body>().swap(job.program.bodies);
  double expected = 0;
  for (const Prepared& job : prepared)
    expected = std::max(expected, job.result.bound_s * static_cast<double>(job.result.iterations));
  const std::vector<double> carried = flow::traffic(assembly.program);
  const Bytes traffic = traffic_over_links(assembly.program, carried);
  const std::vector<double> bits = bits_passed(assembly);
  double all_npus = 0;
  for (const Prepared& job : prepared) all_npus += static_cast<double>(job.result.npus);

  // Of an iteration of one job: its NPUs' share of the bits and of the network
  const auto network_energy_of = [&](const IterationResult& result, double share) {
    std::vector<double> own = bits;
    for (double& each : own) each /= static_cast<double>(result.iterations);
    NetworkEnergy energy = network_energy(assembly.fabric().fabric(), own, result.time_s, experiment.parts);
    for (Energy* part : {&energy.moving, &energy.being_on, &energy.low, &energy.high}) part->value *= share;
    return energy;
  };
  std::optional<LevelMeter> meter;
  LevelsOfTasks levels_of_each;
  if (options.picture) {
    meter.emplace(assembly.carrier().fabric());
    std::vector<std::string> classes;
    for (int a = 0; a < placement::kActivities; ++a)
      classes.emplace_back(placement::name_of(static_cast<placement::Activity>(a)));
    meter->count(assembly.program, std::move(classes),
                 [&](flow::TemplateId where, std::size_t operation) -> std::optional<std::size_t> {
                   const LoweredJobs::Origin& origin = lowered.origin[where.value];
                   if (!origin.valid) return std::nullopt;
                   return static_cast<std::size_t>(lowered.told[origin.job][origin.body][operation].activity);
                 });
    levels_of_each = levels_of_tasks(*meter, assembly.program, lowered);
  }
  const simulate::Timeline timeline = assembly.simulate_last(
      {.jump = options.jump,
       .fold = options.jump && jobs.size() == 1,  // each job has a path of its own, also one like another
       .span_limit = options.trace ? jobs.size() * (options.trace_limit + 1) : 0,
       .span_depth = 1,
       .expected = Time::seconds(expected)},
      options.progress, jobs.size() == 1 ? options.beat : std::nullopt);
  const std::vector<LevelResult> levels = level_results(assembly, timeline, carried, bits, experiment.parts);

  // Why
  std::vector<IterationResult> results;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    IterationResult& result = prepared[j].result;
    const placement::Program& program = jobs[j].program;
    const PathShares shares = shares_of(timeline, lowered, j);
    for (const simulate::Link& link : timeline.links)
      if (link.where == lowered.entry && link.operation == j)
        result.time = Time::zeptoseconds((link.end - link.start).count() / static_cast<Time::Count>(result.iterations));
    result.time_s = result.time.to_seconds();
    result.bound_s = kept_bound(result.bound_s, result.time_s);
    for (std::size_t a = 0; a < shares.seconds.size(); ++a)
      result.exposed_s[a] = shares.seconds[a] / static_cast<double>(result.iterations);
    result.critical_path = in_words(shares, program);
    const std::string exchanges = jobs.size() == 1 ? exchanges_in_words(timeline.critical) : "";
    if (!exchanges.empty()) result.critical_path += "; exchanges were " + exchanges;
    result.samples_per_s = result.time_s > 0 ? program.samples / result.time_s : 0;
    result.tokens_per_s = result.samples_per_s * static_cast<double>(prepared[j].tokens);
    result.model_utilisation =
        result.time_s > 0 ? program.model_flops / result.time_s / prepared[j].peak / static_cast<double>(program.npus)
                          : 0;
    result.npu_utilisation = result.time_s > 0 ? program.computing.to_seconds() / result.time_s : 0;
    result.traffic = traffic;
    result.links = link_classes(timeline, assembly.program);
    result.levels = levels;
    for (const auto& [level, seconds] : shares.levels)
      for (std::size_t a = 0; a < seconds.size(); ++a)
        result.levels[level].exposed_s[a] = seconds[a] / static_cast<double>(result.iterations);
    for (LevelResult& level : result.levels)
      level.energy = Energy{level.energy.value / static_cast<double>(result.iterations)};
    result.configuration.push_back(described(jobs[j].transport, lowered.shares[j], program));
    result.npu_energy = Energy{prepared[j].power.value * static_cast<double>(program.npus) * result.time_s};
    result.network_energy = network_energy_of(result, static_cast<double>(program.npus) / all_npus);
    if (lowered.other_hardware[j])
      result.assumptions.push_back("energy: of the fabric as it was asked for, before the remedy");
    result.attempts = lowered.attempts[j];
    result.facts = lowered.facts[j];
    assembly.note_control(timeline, result.facts);
    result.wavelengths_used = lowered.wavelengths_used[j];
    result.events = timeline.events;
    std::map<std::string, std::set<std::string>> used;
    for (std::size_t r = 0; r < program.requests.size(); ++r)
      used[std::string(placement::name_of(program.requests[r].activity))].insert(lowered.algorithms[j][r]);
    for (const auto& [activity, names] : used)
      result.algorithms.emplace_back(activity, fmt::format("{}", fmt::join(names, ", ")));
    if (options.trace) fill_trace(timeline, lowered, j, program, options.trace_limit, levels_of_each, result);
    if (meter) {
      result.composite = meter->picture();
      result.level_uses = meter->read(assembly.program, timeline);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace helio::pipeline
