// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <variant>

#include "base/error.h"
#include "base/units.h"
#include "emulate/chip_averager.h"
#include "emulate/wire_error.h"
#include "fabric/fabric.h"
#include "fabric/optinc/optinc_facts.h"
#include "flow/program.h"
#include "pipeline/admission.h"
#include "pipeline/bottleneck.h"
#include "pipeline/bound.h"
#include "pipeline/endpoint.h"
#include "pipeline/energy.h"
#include "pipeline/fact_kinds.h"
#include "pipeline/foretold.h"
#include "pipeline/job_schedules.h"
#include "pipeline/level_meter.h"
#include "pipeline/remedy.h"
#include "pipeline/second_opinion.h"
#include "pipeline/trace.h"
#include "pipeline/version.h"
#include "placement/strategy_phase.h"
#include "schedule/algorithm.h"
#include "schedule/schedule_file.h"
#include "schedule/verify.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

using schedule::CollectiveRequest;
using schedule::Schedule;

constexpr std::string_view kUsual = "usual";

// What is asked of the nodes that there are.
CollectiveRequest request_for(const Collective& collective, const schedule::Capabilities& capabilities) {
  const std::uint64_t nodes = capabilities.nodes;
  const bool by_strategy = collective.strategy.value.has_value();
  const auto& groups = by_strategy
                           ? placement::groups_of(*collective.strategy.value, capabilities, collective.strategy.place)
                           : collective.groups.value;
  const std::uint64_t ranks = groups.empty() ? nodes : groups.front().size();
  const auto too_far = [](const std::string& what, const std::string& place, std::uint64_t count) {
    return Error(ErrorKind::kInput, what, place, fmt::format("numbers run from 0 to {}", count - 1));
  };
  if (collective.root.value < 0 || static_cast<std::uint64_t>(collective.root.value) >= ranks)
    throw too_far(fmt::format("there is no rank {} to be the root", collective.root.value), collective.root.place,
                  ranks);

  CollectiveRequest request;
  const auto root = static_cast<schedule::Position>(collective.root.value);
  if (groups.empty()) {
    request =
        schedule::request_on_all(collective.kind, collective.bytes.value, static_cast<schedule::Position>(nodes), root);
  } else {
    for (const auto& group : groups)
      for (const NodeId node : group)
        if (node.value >= nodes)
          throw too_far(fmt::format("the fabric has no node {}", node.value), collective.groups.place, nodes);
    request = {collective.kind, collective.bytes.value, groups, root};
  }
  try {
    schedule::check(request);
  } catch (const Error& error) {
    throw error.at(by_strategy ? collective.strategy.place : collective.groups.place);
  }
  return request;
}

bool has_kind(const schedule::AlgorithmEntry& entry, schedule::Kind kind) {
  return std::ranges::count(entry.factory.kinds, kind) > 0;
}

// Its schedule is proven whether or not people ask.
bool from_file(const Choice& algorithm) { return !schedule::schedule_path(algorithm.name).empty(); }

// The schedule; or, where remedies may still help, the algorithm's "no" to this fabric.
std::variant<Schedule, fabric::Refusal> plan(const Experiment& experiment, const Collective& collective,
                                             const CollectiveRequest& request,
                                             const schedule::Capabilities& capabilities) {
  const Choice& algorithm = collective.algorithm;
  try {
    return schedule::build(algorithm.name, request, capabilities, algorithm.settings, algorithm.place);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible || from_file(algorithm) ||
        !has_kind(schedule::algorithms().at(algorithm.name), request.kind))
      throw error.at(algorithm.place);
    Advice advice = error.advice();
    if (const auto able = fabrics_that_admit(algorithm, request.kind, experiment.fabric); !able.empty())
      advice += fmt::format(". Admitted by: {}", fmt::join(able, ", "));
    if (collective.remedies.value.empty()) throw Error(error.kind(), error.message(), algorithm.place, advice);
    return fabric::Refusal{.reason = error.message(), .advice = std::move(advice)};
  }
}

// Lowers, and says where what went wrong was asked for: the order of rounds, where dataflow is too much work, the remedies,
// or else the algorithm.
Carried carry(Assembly& assembly, const Collective& collective, const Planned& planned,
              const CollectiveRequest& request, const fabric::LowerOptions& options) {
  const auto or_algorithm = [&](const std::string& place) {
    return place.empty() ? collective.algorithm.place : place;
  };
  const Placed<std::vector<Remedy>> remedies{collective.remedies.value, or_algorithm(collective.remedies.place)};
  try {
    return assembly.lower(collective.algorithm.name, planned, request, options, remedies);
  } catch (const WorkLimitError&) {
    throw;
  } catch (const Error& error) {
    throw error.at(or_algorithm(options.order == schedule::Order::kDataflow ? collective.sync.place : ""));
  }
}

// Moves, operations with what the engine keeps of each, routes and resources.
Bytes needed_by(const Schedule* schedule, const flow::Program& program) {
  constexpr double kOfEngine = 200, kOfResource = 150;
  double bytes = kOfResource * program.resources.size() + 48.0 * program.routes.size() +
                 double{sizeof(flow::LinkUse)} * static_cast<double>(program.routes.uses());
  for (const flow::Template& body : program.templates)
    bytes += (sizeof(flow::Operation) + kOfEngine) * static_cast<double>(body.operations.size());
  if (schedule)
    for (const schedule::Phase& phase : schedule->phases)
      bytes += double{sizeof(schedule::Move)} * static_cast<double>(phase.moves.listed().size());
  return Bytes{bytes};
}

std::uint64_t moves_of(const Schedule& schedule, const CollectiveRequest& request) {
  std::uint64_t moves = 0;
  for (const schedule::Phase& phase : schedule.phases) moves += phase.moves.size() * request.groups.size();
  return moves;
}

void check_nodes(std::uint64_t nodes, std::uint64_t limit) {
  if (limit != 0 && nodes > limit) throw WorkLimitError(fmt::format("{} nodes are more than {}", nodes, limit));
}

void check_moves(std::uint64_t moves, std::uint64_t limit) {
  if (limit != 0 && moves > limit)
    throw WorkLimitError(fmt::format("its schedule has {:.3g} moves, more than {:.3g}", 1.0 * moves, 1.0 * limit));
}

// The most that a rank of a group sends, counted on the moves.
Bytes largest_injection(const Schedule& schedule, Bytes full) {
  std::vector<double> slots(static_cast<std::size_t>(schedule.ranks), 0.0);
  double each = 0;  // of moves that come with their translates, one from every rank
  for (const schedule::Phase& phase : schedule.phases)
    for (const schedule::Move& move : phase.moves.listed()) {
      const schedule::Window active = schedule::window(move, phase);
      const double sent = static_cast<double>(move.count) * (active.last - active.first);
      if (phase.moves.symmetry() != schedule::Symmetry::kNone)
        each += sent;
      else
        for (const schedule::Position sender : schedule.members(move.source))
          slots[static_cast<std::size_t>(sender)] += sent * phase.moves.each();
    }
  const double most = each + (slots.empty() ? 0 : *std::max_element(slots.begin(), slots.end()));
  return most * schedule.slot_bytes(full);
}

// Proves one schedule; a wrong one must never give a time.
void prove(const Schedule& schedule, Result& result) {
  const schedule::Verification proof = schedule::verify(schedule);
  if (!proof.verified && proof.method != "work-limit")
    throw std::logic_error(fmt::format("the schedule of '{}' for {} on {} ranks is wrong: {}", schedule.algorithm,
                                       schedule::name_of(schedule.kind), schedule.ranks, proof.failure));
  result.verified = proof.verified;
  result.verify_method = proof.method;
}

// What libraries take, where the algorithm is left to them.
Collective as_usual(Collective collective, const schedule::Capabilities& capabilities) {
  if (collective.algorithm.name != kUsual) return collective;
  Choice usual = usual_algorithm(request_for(collective, capabilities), capabilities);
  usual.place = collective.algorithm.place;
  usual.settings.merge(collective.algorithm.settings);
  collective.algorithm = std::move(usual);
  return collective;
}

// An error takes few numbers, for which a large table of averages does not pay.
constexpr double kMostErrorTablePoints = 1e5;

// Elements of each rank that an error is found from; fewer where every one is a pass through an imperfect network.
std::uint32_t numbers_at(schedule::Position ranks, bool on_chip) {
  return static_cast<std::uint32_t>(on_chip ? std::clamp(262144 / ranks, 32, 4096)
                                            : std::clamp(1000000 / ranks, 64, 4096));
}

// The chip that averaging switches stand on, as they tell; empty: their optics have no flaw.
std::string chip_of(const Result& result) {
  const std::string_view key = fabric::optinc_facts::kOnnChip.name;
  const auto told = std::ranges::find_if(result.facts, [&](const Fact& fact) { return fact.name == key; });
  const std::string* chip = told == result.facts.end() ? nullptr : std::get_if<std::string>(&told->value);
  return !chip || *chip == "none" ? "" : *chip;
}

emulate::CodeAverager averager_of(const AveragingCascade& cascade, const std::string& chip) {
  return chip.empty() ? emulate::CodeAverager(cascade, kMostErrorTablePoints) : emulate::chip_averager(cascade, chip);
}

std::string words_of_chip(const std::string& chip) {
  return chip.empty() ? "the optics of averaging switches have no flaw: no loss, no error, no noise (ours)"
                      : fmt::format(
                            "averaging switches stand on chips '{}', calibrated: loss, splitting, heat, phases "
                            "and noise together; all of a level are the same chip (ours)",
                            chip);
}

// The switches that a group passes: those below the lowest one that is above all of it.
AveragingCascade up_to_meeting(const AveragingCascade& cascade, const std::vector<NodeId>& group) {
  std::uint64_t below = 1;
  for (std::size_t level = 0; level < cascade.size(); ++level) {
    below *= static_cast<std::uint64_t>(cascade[level].servers);
    const auto together = [&](NodeId node) { return node.value / below == group.front().value / below; };
    if (std::ranges::all_of(group, together)) return lower_levels(cascade, level + 1);
  }
  return cascade;
}

// What compressing ports or averaging switches do to the result, on real numbers.
void note_wire_error(const schedule::Capabilities& capabilities, const CollectiveRequest& request,
                     const Schedule* schedule, const Carried& carried, Result& result) {
  const auto codec = emulate::codec_for(capabilities.wire_format, capabilities.wire_keep);
  const std::string chip = chip_of(result);
  std::optional<emulate::CodeAverager> averager;
  if (capabilities.averaging)
    averager.emplace(averager_of(up_to_meeting(*capabilities.averaging, request.groups.front()), chip));
  std::optional<double> worst;
  for (const Schedule* ran : {carried.original ? schedule : nullptr, carried.endpoint ? &*carried.endpoint : nullptr}) {
    if (!ran) continue;
    const std::optional<double> error =
        averager ? emulate::wire_error(*ran, *averager, 1, numbers_at(ran->ranks, !chip.empty()))
                 : emulate::wire_error(*ran, *codec);
    if (error) worst = std::max(worst.value_or(0), *error);
  }
  result.assumptions.push_back(
      averager
          ? "elements are float32; servers send codes of fabric.bits with one scale, switches round averages (ours)"
          : "elements have 16 bits; ports compress what is sent, switches add exactly (ours)");
  if (averager) result.assumptions.push_back(words_of_chip(chip));
  if (worst)
    result.facts.push_back({kValueErrorFact, *worst});
  else
    result.assumptions.push_back("the error of the values was not computed: the schedule is too long to emulate");
}

// On a composite: each stage on a level that compresses or averages, by itself; errors of several that follow each other add as independent
// ones do, and the worst part of the vector counts.
void note_level_errors(const schedule::Capabilities& capabilities, const Schedule& schedule, Result& result) {
  const std::string chip = chip_of(result);
  std::map<std::uint32_t, double> squares;  // by chain
  bool lossy = false, known = true, averages = false;
  for (const schedule::LevelStage& stage : schedule.stages) {
    const schedule::Capabilities& level = capabilities.parts[stage.part].capabilities;
    std::optional<double> error;
    if (level.averaging)
      error = emulate::wire_error(*stage.schedule, averager_of(*level.averaging, chip), 1,
                                  numbers_at(stage.schedule->ranks, !chip.empty()));
    else if (level.wire_format != schedule::WireFormat::kPlain)
      error = emulate::wire_error(*stage.schedule, *emulate::codec_for(level.wire_format, level.wire_keep));
    else
      continue;
    lossy = true;
    averages = averages || level.averaging;
    known = known && error;
    if (error) squares[stage.chain] += *error * *error;
  }
  if (!lossy) return;
  result.assumptions.push_back(
      "a level that averages takes codes of float32 sums with one scale, one that compresses takes 16-bit elements; "
      "levels add exactly "
      "otherwise, and errors of several are independent (ours)");
  if (averages) result.assumptions.push_back(words_of_chip(chip));
  if (known)
    result.facts.push_back({kValueErrorFact, std::sqrt(std::ranges::max_element(squares, {}, [](const auto& chain) {
                                                         return chain.second;
                                                       })->second)});
  else
    result.assumptions.push_back("the error of the values was not computed: the schedule is too long to emulate");
}

std::vector<std::string> assumptions_of(const Result& result, const Schedule* schedule,
                                        const schedule::Capabilities& capabilities,
                                        const std::optional<Endpoint>& endpoint) {
  std::vector<std::string> assumptions = {
      endpoint ? in_words(*endpoint, capabilities) : "adding at an endpoint takes no time",
      "links are full duplex and no byte is lost", "a message is not stored whole on its way (cut-through)"};
  if (result.sync == schedule::Order::kStep)
    assumptions.push_back("a round starts when the last has ended at every rank of its group");
  else
    assumptions.push_back("a move's rounds follow each other, each after the arrival of the last");
  if (schedule && result.sync != schedule->order)
    assumptions.push_back("the order of rounds was chosen by the user, not by the algorithm");
  if (schedule && !schedule->sets.empty()) assumptions.push_back("the fabric adds and copies at line rate");
  if (capabilities.wavelengths > 0) {
    assumptions.push_back("losses are generic literature values, reported and not simulated (docs/photonics.md)");
    assumptions.push_back("retuning takes a fixed time and disturbs nobody; there is no wavelength conversion");
  }
  if (capabilities.step_overhead.is_zero()) assumptions.push_back("endpoints start a step without overhead");
  assumptions.insert(assumptions.end(), capabilities.assumptions.begin(), capabilities.assumptions.end());
  return assumptions;
}

// What every result says about what ran, before anything ran.
Result described(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
                 const CollectiveRequest& request) {
  Result result;
  result.name = collective.name;
  result.kind = collective.kind;
  result.fabric = fabric.name();
  result.algorithm = result.built_by = collective.algorithm.name;
  result.nodes = fabric.capabilities().nodes;
  result.ranks = static_cast<std::uint64_t>(request.ranks());
  result.groups = request.groups.size();
  result.bytes = collective.bytes.value;
  result.engine = experiment.engine.value;
  result.version = kVersion;
  result.verify_method = "none";
  result.label = fabric.label();
  result.configuration.push_back(fabric.configuration());
  const auto& algorithms = schedule::algorithms();
  if (from_file(collective.algorithm))
    result.configuration.push_back(
        {"algorithm", {{"file", std::string(schedule::schedule_path(collective.algorithm.name))}}});
  else
    result.configuration.push_back(
        {"algorithm",
         algorithms.resolve(algorithms.at(collective.algorithm.name), collective.algorithm.settings).described()});
  return result;
}

// The program that answers instead of our engine, found before anything is made; empty: our own.
std::string find_engine(const Experiment& experiment) {
  return experiment.engine.value == "simgrid" ? find_simgrid(experiment.engine.place) : "";
}

}  // namespace

void check_engine(const Experiment& experiment) { find_engine(experiment); }

Result run(const Experiment& experiment, const Collective& collective, const RunOptions& options) {
  check_engine(experiment);  // complains before anything is made
  return run(ChosenFabric(experiment.fabric), experiment, collective, options);
}

Result run(const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked,
           const RunOptions& options) {
  const Collective collective = as_usual(asked, fabric.capabilities());
  const auto progress = [&](std::string_view stage) {
    if (options.progress) options.progress(stage);
  };
  const std::string simgrid = find_engine(experiment);

  // Which moves
  progress("building the schedule");
  const schedule::Capabilities& capabilities = fabric.capabilities();
  const CollectiveRequest request = request_for(collective, capabilities);
  check_nodes(capabilities.nodes, options.limits.nodes);
  auto planned = plan(experiment, collective, request, capabilities);
  const Schedule* schedule = std::get_if<Schedule>(&planned);
  if (schedule) check_moves(moves_of(*schedule, request), options.limits.moves);
  Result result = described(fabric, experiment, collective, request);
  result.sync = collective.sync.value.value_or(schedule ? schedule->order : schedule::Order::kStep);
  const std::optional<Endpoint> endpoint = endpoint_of(experiment, collective);
  result.assumptions = assumptions_of(result, schedule, capabilities, endpoint);
  if (collective.strategy.value && collective.strategy.value->phase == placement::TrainingPhase::kPp)
    result.assumptions.push_back("pp phase: member 0 of a stage multicasts to all members of the next");
  fabric.note_fitted(result.assumptions);

  if (options.saw_schedule && schedule) options.saw_schedule(*schedule);

  // The proof
  const bool proving = collective.verify || from_file(collective.algorithm);
  if (proving && schedule) {
    progress("verifying");
    prove(*schedule, result);
  }
  if (request.ranks() == 1) {  // nothing moves, in no time
    result.bound = lower_bound(capabilities, request, result.sync).words;
    result.bottleneck = "nothing moves";
    return result;
  }

  // How carried, with remedies where the fabric refuses; what is clearly too much is not begun
  progress("lowering");
  const Schedule* const only[] = {schedule};
  using Only = std::span<const Schedule* const>;
  Assembly assembly(fabric, schedule && collective.remedies.value.empty() ? Only(only) : Only());
  const bool adding = endpoint && may_hold_up(*endpoint, capabilities);
  if (adding) assembly.add_memories(endpoint->adding());
  if (schedule) {
    const Foretold least = foretold(*schedule, request.groups.size(), !assembly.program.controls.empty());
    if (options.limits.moves != 0 && least.beyond_budget()) throw WorkLimitError(least.words + ", beyond the budget");
    refuse_beyond_budget(least);
  }
  const fabric::LowerOptions lowering{.order = result.sync,
                                      .condense = options.jump && !options.trace && !options.picture &&
                                                  !options.saw_timeline && simgrid.empty() &&
                                                  collective.remedies.value.empty(),
                                      .crossing_limit = options.limits.crossings};
  Carried carried =
      carry(assembly, collective, schedule ? Planned(*schedule) : Planned(std::get<fabric::Refusal>(planned)), request,
            lowering);
  flow::Program& program = assembly.program;
  program.entry = carried.lowered.entry;
  result.attempts = carried.attempts;
  result.wavelengths_used = carried.lowered.wavelengths_used;
  if (options.picture && carried.attempts.empty())
    result.picture = assembly.carrier().picture(*schedule, request, carried.lowered);
  if (schedule && carried.original) result.facts = schedule->facts;
  result.facts.insert(result.facts.end(), carried.lowered.facts.begin(), carried.lowered.facts.end());
  const Bytes on_wire = request.bytes * capabilities.least_wire_factor;  // as a sender's port makes it
  if (carried.original) result.injected = largest_injection(*schedule, on_wire);
  if (carried.endpoint) {
    result.algorithm =
        carried.original ? result.algorithm + "+" + carried.endpoint->algorithm : carried.endpoint->algorithm;
    result.injected = std::max(result.injected, largest_injection(*carried.endpoint, on_wire));
    if (proving && (result.verified || !carried.original)) prove(*carried.endpoint, result);
  }
  if (options.values && (capabilities.wire_format != schedule::WireFormat::kPlain || capabilities.averaging))
    note_wire_error(capabilities, request, schedule, carried, result);
  if (options.values && schedule) note_level_errors(capabilities, *schedule, result);

  std::optional<LevelMeter> meter;
  if (options.picture) meter.emplace(assembly.carrier().fabric());
  if (meter)
    meter->count(program, {std::string(schedule::name_of(result.kind))}, [&](flow::TemplateId where, std::size_t) {
      return where == program.entry ? std::optional<std::size_t>(0) : std::nullopt;
    });

  result.memory = needed_by(schedule, program);
  double copies_below = 1;
  if (schedule)
    for (const schedule::LevelStage& stage : schedule->stages) copies_below = std::min(copies_below, stage.wire);

  // The program stands alone now; a million moves are 100 MB
  schedule = nullptr;
  planned = fabric::Refusal{};
  carried.endpoint.reset();

  // When
  Bound bound = lower_bound(capabilities, request, result.sync, copies_below);
  if (endpoint) bound = raised_by_adding(std::move(bound), *endpoint, capabilities, request);
  const simulate::Timeline timeline =
      assembly.simulate({.jump = options.jump,
                         .record = options.trace || options.saw_timeline,
                         .span_limit = options.trace_limit,
                         .event_limit = program.controls.empty() ? 0 : options.limits.events,
                         .work_limit = options.limits.sharing,
                         .expected = Time::seconds(bound.seconds)},
                        options.progress, options.beat);
  if (options.saw_timeline) options.saw_timeline(program, timeline);
  result.time = timeline.end;
  result.time_s = timeline.end.to_seconds();
  result.steps = timeline.steps;
  result.critical = timeline.critical;
  assembly.note_control(timeline, result.facts);
  if (!simgrid.empty()) {
    progress("asking SimGrid");
    result.time_s = ask_simgrid(program, simgrid, experiment.engine.place, bound.seconds).time_s;
    result.time = Time::seconds(result.time_s);
  }
  if (options.trace) {
    result.trace = trace_of(timeline, program, meter ? &*meter : nullptr);
    result.trace_cut = timeline.spans_cut;
  }

  if (meter) {
    result.composite = meter->picture();
    result.levels = meter->read(program, timeline);
  }

  double added_s = 0;
  if (adding) {
    progress("the same without adding");
    Collective free = collective;
    free.npu = {};
    free.verify = false;
    added_s = result.time_s - run(fabric, experiment, free, {.jump = options.jump, .values = false}).time_s;
    result.facts.push_back({kAddingFact, added_s});
  }

  // Why
  result.bound_s = simgrid.empty() ? kept_bound(bound.seconds, result.time_s, timeline.steps)
                                   : std::min(bound.seconds, result.time_s);  // SimGrid's was checked
  result.bound = bound.words;
  result.bound_ratio = result.bound_s > 0 ? result.time_s / result.bound_s : 1;
  result.traffic = traffic_over_links(program);
  result.bottleneck = bottleneck_in_words(timeline, program, result.bound_ratio, capabilities.parts);
  if (added_s > 0)
    result.bottleneck += fmt::format("; adding at the nodes is {:.3g} % of the time", 100 * added_s / result.time_s);
  result.energy = network_energy(fabric.fabric(), bits_passed(assembly), result.time_s, experiment.parts);
  if (carried.other_hardware)
    result.assumptions.push_back("energy: of the fabric as it was asked for, before the remedy");
  return result;
}

Drawn schedule_of(const ChosenFabric& fabric, const Experiment& experiment, const Collective& asked) {
  const Collective collective = as_usual(asked, fabric.capabilities());
  CollectiveRequest request = request_for(collective, fabric.capabilities());
  auto planned = plan(experiment, collective, request, fabric.capabilities());
  if (const auto* refusal = std::get_if<fabric::Refusal>(&planned))
    throw Error(ErrorKind::kInfeasible, refusal->reason, collective.algorithm.place, refusal->advice);
  return {std::get<Schedule>(std::move(planned)), std::move(request)};
}

std::optional<schedule::Certificate> certificate_of(const Experiment& experiment, const Collective& collective) {
  const ChosenFabric fabric(experiment.fabric);
  return schedule::certificate_of(request_for(collective, fabric.capabilities()), fabric.capabilities());
}

Prospect prospect(const ChosenFabric& fabric, const Experiment& experiment, const Collective& collective,
                  const RunOptions& options) {
  const schedule::Capabilities& capabilities = fabric.capabilities();
  const CollectiveRequest request = request_for(collective, capabilities);
  check_nodes(capabilities.nodes, options.limits.nodes);
  const auto planned = plan(experiment, collective, request, capabilities);
  const Schedule* schedule = std::get_if<Schedule>(&planned);
  if (!schedule) return {};
  check_moves(moves_of(*schedule, request), options.limits.moves);
  const schedule::Order order = collective.sync.value.value_or(schedule->order);
  return {least_time(capabilities, request, *schedule, order),
          least_time(capabilities, request, *schedule, schedule::Order::kDataflow), moves_of(*schedule, request)};
}

std::vector<Result> run(const Experiment& experiment, const RunOptions& options) {
  std::vector<Result> results;
  for (const Collective& collective : experiment.collectives) results.push_back(run(experiment, collective, options));
  return results;
}

}  // namespace helio::pipeline
