// SPDX-License-Identifier: Apache-2.0
#include "execution.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <cmath>
#include <memory>
#include <new>
#include <optional>

#include "ask/drawn.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_node.h"
#include "base/units.h"
#include "collective_options.h"
#include "command_line.h"
#include "complaint.h"
#include "emulate/optical_exchange.h"
#include "execute/calibrate.h"
#include "execute/measure.h"
#include "fabric/fabric.h"
#include "option_bounds.h"
#include "path_options.h"
#include "report/json/execution.h"
#include "schedule/schedule_file.h"

namespace helio::apps {
namespace {

constexpr const char* kExamples = R"(
Examples:
  mpirun -n 4 helio execute all-reduce --algorithm ring --bytes 64MB
  mpirun -n 4 helio execute all-to-all --algorithm file:out/exchange.json --bytes 16MB --dtype int32 --json
  mpirun -n 4 helio execute --calibrate --out out/machine.graph
  mpirun -n 4 helio execute all-reduce --algorithm ring --bytes 64MB --fabric graph --set fabric.file=out/machine.graph
)";

constexpr const char* kAnyPair = "switch";  // where no fabric is named: every rank is as far from every other
constexpr double kSearching = 60;           // seconds that rank 0 may take to find a schedule

Error wrong(const std::string& what, const std::string& place, const std::string& advice) {
  return Error(ErrorKind::kInput, what, place, advice);
}

// As many nodes as ranks, in the order that messages need.
ask::CollectiveQuestion asked_of(const ExecutionQuestion& question, int ranks) {
  ask::CollectiveQuestion q = question.collective;
  q.called = option;
  q.set = assignments(question.set);
  q.sync = "dataflow";
  if (q.fabric.empty()) q.fabric = kAnyPair;
  const auto* entry = fabric::fabrics().find(q.fabric);
  const bool counted = entry && std::ranges::any_of(entry->description.parameters, [](const Parameter& p) {
                         return p.name == "nodes" && p.fallback.empty() && !p.optional;
                       });
  const bool said = q.nodes || std::ranges::any_of(q.set, [](const auto& one) { return one.path == "fabric.nodes"; });
  if (counted && !said) q.nodes = fmt::format("{}", ranks);
  return q;
}

// What every rank finds out by itself.
struct Prepared {
  execute::Task task;
  std::optional<emulate::CodeAverager> averager;
  std::unique_ptr<emulate::OpticalCombiner> combiner;
  double bytes = 0;
};

void prepare(const ExecutionQuestion& question, const ask::CollectiveQuestion& q, int ranks, Prepared& made) {
  if (q.kind.empty()) throw Error(ErrorKind::kUsage, "which collective?", "KIND", "such as all-reduce");
  if (q.bytes.empty()) throw Error(ErrorKind::kUsage, "how much?", "--bytes", "such as --bytes 64MB");
  const pipeline::Experiment experiment = pipeline::interpret(ask::draft_of(q));
  const pipeline::Collective& collective = experiment.collectives.front();
  execute::Task& task = made.task;
  task.element = execute::element_named(question.element, "--dtype");
  task.repeat = question.repeat;

  // Numbers
  made.bytes = collective.bytes.value.value;
  const auto each = static_cast<double>(execute::bytes_of(task.element));
  const double elements = made.bytes / each;
  if (elements != std::floor(elements))
    throw wrong(fmt::format("{} bytes are no whole number of {}", made.bytes, question.element), "--bytes",
                fmt::format("give a multiple of {:.0f} bytes", each));
  if (elements > INT_MAX)
    throw wrong(fmt::format("MPI counts up to {} numbers, and this is {:.4g}", INT_MAX, elements), "--bytes",
                "give fewer bytes");
  task.elements = static_cast<std::size_t>(elements);
  const double piece = parse_bytes(question.piece).value / each;
  if (!(piece >= 1) || piece > INT_MAX / each)
    throw wrong(fmt::format("'{}' is no size of a message", question.piece), "--piece", "such as 256 KiB");
  task.piece = static_cast<std::size_t>(piece);
  if (question.op != "sum" && question.op != "average")
    throw unknown_name("operation", question.op, {"sum", "average"}, "--op");
  task.average = question.op == "average";
  const schedule::Kind kind = collective.kind;
  if (task.average && kind != schedule::Kind::kAllReduce && kind != schedule::Kind::kReduceScatter &&
      kind != schedule::Kind::kReduce)
    throw Error(ErrorKind::kUsage, fmt::format("{} adds nothing", schedule::name_of(kind)), "--op", "leave it out");

  // The fabric that shapes the moves, and what it does to numbers
  const pipeline::ChosenFabric fabric(experiment.fabric);
  const schedule::Capabilities& capabilities = fabric.capabilities();
  if (capabilities.nodes != static_cast<std::uint64_t>(ranks))
    throw wrong(fmt::format("the fabric has {} nodes, and there are {} ranks", capabilities.nodes, ranks), "--fabric",
                fmt::format("start as many: mpirun -n {}", capabilities.nodes));
  if (capabilities.wire_format != schedule::WireFormat::kPlain)
    throw Error(ErrorKind::kInfeasible, "ports that compress are simulated, not run", "--fabric",
                "take plain ports, or ask helio collective what they do to values");
  if (!capabilities.averaging) return;
  if (task.element != execute::Element::kFloat32)
    throw Error(ErrorKind::kInfeasible, fmt::format("'{}' averages codes of float32", fabric.name()), "--dtype",
                "leave it out");
  made.averager.emplace(*capabilities.averaging);
  made.combiner = std::make_unique<emulate::OpticalCombiner>(*made.averager);
  task.combiner = made.combiner.get();
  // A code is half a step off when it is made, and their average up to one more: of each rank's part of the sum
  const double step = 1 / (std::ldexp(1.0, made.averager->bits() - 1) - 1);
  task.most_apart = 2 * ranks * step * (task.average ? 1.0 / ranks : 1);
}

// What rank 0 tells of its schedule.
void share(const ask::DrawnSchedule& drawn, Json& facts) {
  facts = {{"predicted_s", drawn.result.time_s}, {"method", drawn.proof.method}, {"algorithm", drawn.result.algorithm}};
  facts["groups"] = Json::array();
  for (const auto& group : drawn.request.groups) {
    Json members = Json::array();
    for (const NodeId node : group) members.push_back(node.value);
    facts["groups"].push_back(std::move(members));
  }
}

ExecutionAnswer calibrated(const ExecutionQuestion& question, MPI_Comm world, const execute::Progress& progress) {
  agreed(world, [&] {
    if (question.out.empty())
      throw Error(ErrorKind::kUsage, "where is the graph written?", "--out", "such as --out machine.graph");
    if (!question.collective.kind.empty())
      throw Error(ErrorKind::kUsage, "calibrating runs no collective", "KIND", "leave it out");
    if (execute::size_of(world) < 2)
      throw Error(ErrorKind::kInfeasible, "one rank has nobody to send to", "mpirun", "start two or more: mpirun -n 2");
  });
  const execute::Calibration found = execute::calibrate(world, progress);
  const std::string text = execute::graph_text(found);
  progress(0);
  agreed(world, [&] {
    if (execute::rank_in(world) == 0) write_file(question.out, text, "--out", Parents::kMade);
  });
  const double together = found.together.fastest() * static_cast<double>(std::ranges::count(found.host, 0));
  if (question.json) {
    const Json json = {{"ranks", found.host.size()},
                       {"hosts", *std::ranges::max_element(found.host) + 1},
                       {"latency_s", found.together.latency_s},
                       {"memory_bps", 8 * together},
                       {"port_bps", 8 * found.alone.fastest()},
                       {"spread", std::max(found.together.spread, found.between.spread)}};
    return {json_dump(json, 2) + "\n"};
  }
  return {fmt::format(
      "{} ranks on {} hosts, {} of a step\n  together     {}\n  one alone    {}\n  spread       {:.3g}: the slowest "
      "pass over the fastest\n  graph        {}\n",
      found.host.size(), *std::ranges::max_element(found.host) + 1, format(Time::seconds(found.together.latency_s)),
      format(BitRate{8 * together}), format(BitRate{8 * found.alone.fastest()}),
      std::max(found.together.spread, found.between.spread), question.out)};
}

}  // namespace

void agreed(MPI_Comm world, const std::function<void()>& work) {
  std::optional<execute::Failure> mine;
  try {
    work();
  } catch (const Error& error) {
    mine = {exit_code(error.kind()), complaint(error.message(), error.place(), error.advice())};
  } catch (const std::bad_alloc&) {
    mine = {exit_code(ErrorKind::kInfeasible), "this needs more memory than there is."};
  } catch (const std::exception& error) {
    mine = {1, std::string("our fault, not yours: ") + error.what()};
  }
  if (auto failure = execute::first_failure(world, mine)) throw AgreedFailure{*std::move(failure)};
}

void add_execution_options(CLI::App& app, ExecutionQuestion& q) {
  app.footer(kExamples);
  add_collective_options(app, q.collective, q.set);
  app.add_option("--dtype", q.element, "of numbers: float32, float64, int32 or bf16")->capture_default_str();
  app.add_option("--op", q.op, "what becomes of what is added: sum or average")->capture_default_str();
  add_integer(app, "--repeat", q.repeat,
              "times that it is run and timed, beside MPI's own; left out: as many as take a second, 5 to 101",
              {.least = 1, .most = 10'000});
  app.add_option("--piece", q.piece, "bytes of a message: what follows begins with a part of what came before")
      ->capture_default_str();
  app.add_option("--patience", q.patience, "seconds without a message after which a rank gives up")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 86'400.0));
  app.add_flag("--calibrate", q.calibrate, "measure this machine instead, and write it as a graph to simulate on");
  add_path(app, "--out", q.out, PathUse::kWritten, "of --calibrate: the graph file");
  app.add_flag("--json", q.json, "one JSON object on standard output");
}

ExecutionAnswer execution(ExecutionQuestion question, const std::string& typed, MPI_Comm world,
                          RankPatience& patience) {
  const int rank = execute::rank_in(world), ranks = execute::size_of(world);
  const execute::Progress progress = [&](double allowed_s) { patience.progress(allowed_s); };
  patience.set_seconds(question.patience);

  // All were asked the same, and read the same files
  std::string known = typed;
  agreed(world, [&] {
    const std::string path(schedule::schedule_path(question.collective.algorithm.value_or("")));
    if (!path.empty()) known += read_bytes(path, "--algorithm");
  });
  if (const std::optional<int> other = execute::first_other(world, known))
    throw AgreedFailure{
        {exit_code(ErrorKind::kInput),
         complaint(fmt::format("rank {} was asked something else than rank 0, or has another schedule file", *other),
                   "mpirun", "start all ranks with the same words and files")}};
  if (question.calibrate) return calibrated(question, world, progress);

  // One schedule
  Prepared made;
  ask::CollectiveQuestion q;
  std::string text, facts;
  progress(kSearching);
  agreed(world, [&] {
    if (!question.out.empty())
      throw Error(ErrorKind::kUsage, "only --calibrate writes a file", "--out", "leave it out");
    q = asked_of(question, ranks);
    prepare(question, q, ranks, made);
    if (rank != 0) return;
    const ask::DrawnSchedule drawn = ask::drawn(q);
    Json told;
    share(drawn, told);
    facts = json_dump(told);
    text = schedule::schedule_text(drawn.schedule);
  });
  text = execute::broadcast(world, std::move(text));
  facts = execute::broadcast(world, std::move(facts));
  const JsonOrigin origin{"rank 0"};
  const Json told = parse_json(facts, origin.source);
  const JsonNode node(told, origin);
  made.task.schedule = schedule::schedule_from_text(text, origin.source, schedule::Trust::kProven);
  for (std::size_t g = 0; g < node.at("groups").size(); ++g) {
    made.task.groups.emplace_back();
    for (const double member : node.at("groups").at(g).numbers())
      made.task.groups.back().push_back(static_cast<std::uint32_t>(member));
  }
  agreed(world, [&] { execute::check(made.task); });

  // On real ranks
  progress(0);
  const execute::Outcome outcome = execute::measure(made.task, world, progress);
  report::Execution told_of{.kind = std::string(schedule::name_of(made.task.schedule.kind)),
                            .algorithm = node.at("algorithm").text(),
                            .fabric = question.collective.fabric,
                            .ranks = made.task.groups.front().size(),
                            .groups = made.task.groups.size(),
                            .bytes = made.bytes,
                            .element = question.element,
                            .op = question.op,
                            .repeat = outcome.repeat,
                            .rounds = schedule::rounds(made.task.schedule),
                            .verify_method = node.at("method").text(),
                            .verified = outcome.verified,
                            .fault = outcome.fault,
                            .time_s = outcome.time_s,
                            .mpi_time_s = outcome.mpi_time_s};
  if (!question.collective.fabric.empty()) told_of.predicted_s = node.at("predicted_s").number();
  if (made.combiner) told_of.value_error = outcome.value_error;
  return {question.json ? report::to_json(told_of) : report::to_text(told_of), outcome.verified};
}

}  // namespace helio::apps
