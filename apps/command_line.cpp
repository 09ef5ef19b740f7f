// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/error.h"
#include "fabric/fabric.h"
#include "pipeline/promised.h"
#include "schedule/algorithm.h"

namespace helio::apps {
namespace {

struct Assignment {
  std::string path, value, place;
};

// The parts of "path=value", no path twice.
std::vector<Assignment> assignments(const std::vector<std::string>& texts) {
  std::vector<Assignment> found;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not of the form path=value", text), "--set",
                  "write for example --set \"fabric.rate=400 Gb/s\"");
    Assignment assignment{text.substr(0, equals), text.substr(equals + 1), "--set " + text.substr(0, equals)};
    if (!seen.insert(assignment.path).second)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is set twice", assignment.path), "--set", "set it once");
    found.push_back(std::move(assignment));
  }
  return found;
}

// A fabric that nobody knows needs nothing: the run will say so.
bool needs_nodes(const std::string& fabric) {
  const auto* entry = fabric::fabrics().find(fabric);
  return entry && std::ranges::any_of(entry->description.parameters, [](const Parameter& p) {
           return p.name == "nodes" && p.fallback.empty() && !p.optional;
         });
}

// "rate" lacks its owner; what has neither owner nor likeness is told the two owners.
Error unknown_path(const pipeline::Draft& draft, const std::string& path) {
  std::vector<std::string> meant = pipeline::paths_ending_in(draft, path);
  std::erase_if(meant, [](const std::string& full) { return full.starts_with("collective."); });
  if (meant.empty()) return unknown_name("path", path, {"fabric.PARAMETER", "algorithm.PARAMETER"}, "--set");
  return Error(ErrorKind::kInput, fmt::format("unknown path '{}'", path), "--set",
               fmt::format("did you mean '{}'?", fmt::join(meant, "' or '")));
}

// A first word that is no command gets the nearest one as advice.
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  pipeline::refuse_promised("command", argv[1], names, "");
  const Error unknown = unknown_name("command", argv[1], names);
  throw Error(ErrorKind::kUsage, unknown.message(), "", unknown.advice());
}

// Of the command that was given, and of those within it. What must be there is judged by the room that reads it.
void refuse_empty_options(const CLI::App& app) {
  const auto may_be_left_out = [](const CLI::Option* o) { return !o->get_required() && !o->get_positional(); };
  for (const CLI::Option* option : app.get_options(may_be_left_out))
    if (std::ranges::count(option->results(), "") > 0)
      throw Error(ErrorKind::kUsage, "an option is given empty", option->get_name(), "say what it is, or leave it out");
  for (const CLI::App* within : app.get_subcommands()) refuse_empty_options(*within);
}

}  // namespace

void declare(CLI::App& collective, CollectiveOptions& options) {
  collective.add_option("KIND", options.kind, "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all")
      ->required();
  collective.add_option("--fabric", options.fabric, "who carries it: helio list fabrics")->required();
  collective.add_option("--nodes", options.nodes, "how many nodes; the same as --set fabric.nodes=N");
  collective.add_option("--bytes", options.bytes, "the full vector, such as \"100 MB\"")->required();
  collective.add_option("--algorithm", options.algorithm,
                        "which moves: helio list algorithms; auto, the default, is the fastest of them");
  collective.add_option("--set", options.set, "fabric.NAME=VALUE or algorithm.NAME=VALUE, as often as needed")
      ->allow_extra_args(false);
  collective.add_option("--sync", options.sync, "step or dataflow: how rounds wait for each other");
  collective.add_option("--engine", options.engine, "helio or simgrid");
  collective.add_option("--root", options.root, "broadcast and reduce: the rank that sends, or receives the sum");
  collective.add_option("--remedy", options.remedy,
                        "what to try when the fabric refuses: block,middle,endpoint,replace,split");
  collective.add_option("--groups", options.groups,
                        "several groups at once, such as \"0,1;2,3\"; unset: one of all nodes");
  collective.add_option("--strategy", options.strategy,
                        "MP-DP-PP, such as 2-5-2: the groups of one phase of it, all at once");
  collective.add_option("--phase", options.phase, "of the strategy: mp, dp or pp");
  collective.add_flag("--verify", options.verify, "prove the schedule first");
}

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  check_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, error.what(), "", "see helio --help, or --help after a command");
  }
  refuse_empty_options(app);
  return std::nullopt;
}

pipeline::Draft draft_of(const CollectiveOptions& options) {
  pipeline::Draft draft;
  draft.source = "command line";
  pipeline::Draft::Block block{.place = "command line"};
  block.keys["kind"] = {options.kind, "KIND"};
  block.keys["name"] = {options.kind, "KIND"};
  block.keys["bytes"] = {options.bytes, "--bytes"};
  if (options.root && !schedule::has_root(schedule::kind_named(options.kind, "KIND")))
    throw Error(ErrorKind::kUsage, fmt::format("--root belongs to broadcast and reduce, and this is {}", options.kind),
                "--root", "leave it out");
  if (options.sync) block.keys["sync"] = {*options.sync, "--sync"};
  if (options.root) block.keys["root"] = {*options.root, "--root"};
  if (options.remedy) block.keys["remedy"] = {*options.remedy, "--remedy"};
  if (options.groups) block.keys["groups"] = {*options.groups, "--groups"};
  if (options.strategy) block.keys["strategy"] = {*options.strategy, "--strategy"};
  if (options.phase) block.keys["phase"] = {*options.phase, "--phase"};
  if (options.verify) block.keys["verify"] = {"true", "--verify"};
  if (options.engine) draft.run["engine"] = {*options.engine, "--engine"};
  draft.fabric["name"] = {options.fabric, "--fabric"};
  if (options.nodes) draft.fabric["nodes"] = {*options.nodes, "--nodes"};
  block.keys["algorithm"] = {options.algorithm.value_or("auto"), "--algorithm"};
  draft.collectives.push_back(std::move(block));

  // --set knows the fabric and the algorithm here; everything else has an option of its own
  for (const Assignment& assignment : assignments(options.set)) {
    const std::string head = assignment.path.substr(0, assignment.path.find('.'));
    if (head != "fabric" && head != "algorithm") throw unknown_path(draft, assignment.path);
    if (assignment.path == "fabric.nodes" && options.nodes && *options.nodes != assignment.value)
      throw Error(ErrorKind::kUsage, fmt::format("--nodes says {} and --set says {}", *options.nodes, assignment.value),
                  "--nodes", "say it once");
    if (assignment.path == "fabric.name")
      throw Error(ErrorKind::kUsage, "the fabric is named twice", assignment.place, "name it with --fabric");
    pipeline::set(draft, assignment.path, {assignment.value, assignment.place});
  }
  if (needs_nodes(options.fabric) && !draft.fabric.contains("nodes"))
    throw Error(ErrorKind::kUsage, fmt::format("fabric '{}' needs a number of nodes", options.fabric), "--nodes",
                "give --nodes N");
  return draft;
}

void apply(pipeline::Draft& draft, const std::vector<std::string>& set) {
  for (const Assignment& assignment : assignments(set))
    pipeline::set(draft, assignment.path, {assignment.value, assignment.place});
}

}  // namespace helio::apps
