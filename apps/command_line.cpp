// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "fabric/fabric.h"
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

}  // namespace

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
    if (head != "fabric" && head != "algorithm")
      throw unknown_path(draft, assignment.path);
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
