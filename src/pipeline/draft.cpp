// SPDX-License-Identifier: Apache-2.0
#include "pipeline/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/split.h"
#include "base/units.h"
#include "fabric/electrical/cluster_sets.h"
#include "fabric/fabric.h"
#include "placement/npu.h"
#include "placement/strategy_phase.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::string name_of(const Draft::Block& block, std::size_t index) {
  const auto name = block.keys.find("name");
  return name == block.keys.end() ? fmt::format("collective {}", index + 1) : name->second.text;
}

// "0,1;2,3" as groups of nodes.
std::vector<std::vector<NodeId>> groups_in(const Setting& setting) {
  std::vector<std::vector<NodeId>> groups;
  for (const std::string& group : split(setting.text, ';')) {
    groups.emplace_back();
    for (const std::string& node : split(group, ',')) {
      const long long id = [&] {
        try {
          return parse_integer(node);
        } catch (const Error& error) {
          throw error.at(setting.place);
        }
      }();
      if (id < 0 || id >= NodeId::kNone)
        throw Error(ErrorKind::kInput, fmt::format("no node can have the number {}", id), setting.place,
                    "Nodes are numbered from 0.");
      groups.back().push_back(NodeId{static_cast<std::uint32_t>(id)});
    }
  }
  return groups;
}

Collective interpret(const Draft::Block& block, std::size_t index) {
  const std::string name = name_of(block, index);
  Parameters keys;
  try {
    keys = Parameters("collective '" + name + "'", collective_parameters(), block.keys);
  } catch (const Error& error) {
    throw error.at(block.place);
  }

  Collective collective;
  collective.name = name;
  collective.kind = schedule::kind_named(keys.text("kind"), keys.place("kind"));
  collective.bytes = {keys.bytes("bytes"), keys.place("bytes")};
  collective.algorithm = {keys.text("algorithm"), keys.place("algorithm"), block.parameters};
  if (block.keys.contains("root") && !schedule::has_root(collective.kind))
    throw Error(
        ErrorKind::kInput,
        fmt::format("root belongs to broadcast and reduce, and '{}' is {}", name, schedule::name_of(collective.kind)),
        keys.place("root"), "leave it out");
  collective.root = {keys.integer("root"), keys.place("root")};
  if (keys.has("sync"))
    collective.sync = {keys.text("sync") == "step" ? schedule::Order::kStep : schedule::Order::kDataflow,
                       keys.place("sync")};
  collective.verify = keys.boolean("verify");
  if (keys.has("remedy"))
    collective.remedies = {remedies_named(keys.text("remedy"), keys.place("remedy")), keys.place("remedy")};
  if (keys.has("strategy") != keys.has("phase"))
    throw Error(ErrorKind::kInput, "strategy and phase belong together",
                keys.place(keys.has("strategy") ? "strategy" : "phase"),
                "Write strategy = \"2-5-2\" and phase = \"dp\".");
  if (keys.has("strategy")) {
    const Setting strategy{keys.text("strategy"), keys.place("strategy")},
        phase{keys.text("phase"), keys.place("phase")};
    if (keys.has("groups"))
      throw Error(ErrorKind::kInput, "groups are given twice: by strategy and by groups", keys.place("groups"),
                  "Leave one of them out.");
    if (block.keys.contains("root"))
      throw Error(ErrorKind::kInput, "the groups of a strategy have no root to choose", keys.place("root"),
                  "leave it out");
    collective.strategy = {placement::strategy_phase(strategy, phase), strategy.place};
    collective.kind = placement::kind_of_phase(*collective.strategy.value, collective.kind, keys.place("kind"));
  }
  if (keys.has("npu")) collective.npu = {keys.text("npu"), keys.place("npu")};
  if (keys.has("groups")) collective.groups = {groups_in(block.keys.find("groups")->second), keys.place("groups")};
  return collective;
}

// A cluster is made of the NPUs that its jobs, or its collectives, name; one that names none goes along.
void bring_cluster(const Draft& draft, Experiment& experiment) {
  Settings& settings = experiment.fabric.settings;
  if (experiment.fabric.name != "cluster" || settings.contains("npu")) return;
  std::optional<Setting> named;
  const auto name = [&](const std::string& npu, const std::string& place) {
    if (npu.empty()) return;
    if (named && named->text != npu)
      throw Error(ErrorKind::kInput, fmt::format("a cluster is made of {} or of {}", named->text, npu), place,
                  "say which with fabric.npu");
    named = Setting{npu, place};
  };
  for (std::size_t i = 0; i < experiment.jobs.size(); ++i)
    if (draft.jobs[i].keys.contains("npu")) name(experiment.jobs[i].npu.name, experiment.jobs[i].npu.place);
  for (const Collective& collective : experiment.collectives) name(collective.npu.value, collective.npu.place);
  if (!named || named->text == fabric::kUsualNpu || !placement::npus().find(named->text)) return;
  if (std::ranges::find(fabric::cluster_sets(), named->text, &fabric::ClusterSet::npu) == fabric::cluster_sets().end())
    throw Error(ErrorKind::kInput, fmt::format("no cluster of {} is known", named->text), named->place,
                "say with fabric.npu whose links and NICs it has, or take another fabric");
  settings.emplace("npu", *named);
}

}  // namespace

const std::vector<Parameter>& run_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "engine",
       .type = ParameterType::kChoice,
       .fallback = "helio",
       .description = "who simulates: our engine, or SimGrid as a second opinion",
       .choices = {"helio", "simgrid"}},
  };
  return parameters;
}

const std::vector<Parameter>& collective_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "name", .type = ParameterType::kText, .description = "what the result is called", .optional = true},
      {.name = "kind",
       .type = ParameterType::kText,
       .description = "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all"},
      {.name = "bytes",
       .type = ParameterType::kBytes,
       .minimum = "1 B",
       .maximum = "1000 PB",
       .description = "the full vector"},
      {.name = "algorithm",
       .type = ParameterType::kText,
       .fallback = "auto",
       .description =
           "a name that `helio list algorithms` prints, auto: the fastest of them, or usual: what libraries take"},
      {.name = "root",
       .type = ParameterType::kInteger,
       .fallback = "0",
       .minimum = "0",
       .description = "the position in its group that broadcasts or receives the reduction; other kinds have none"},
      {.name = "sync",
       .type = ParameterType::kChoice,
       .description = "how rounds wait for each other; unset: as the schedule says",
       .choices = {"step", "dataflow"},
       .optional = true},
      {.name = "verify",
       .type = ParameterType::kBoolean,
       .fallback = "false",
       .description = "prove the schedule before it runs"},
      {.name = "remedy",
       .type = ParameterType::kText,
       .description = "what to try, in order, when the fabric refuses: block, middle, endpoint, replace, split",
       .optional = true},
      {.name = "groups",
       .type = ParameterType::kText,
       .description = "nodes of each group; unset: one group of all nodes",
       .optional = true},
      {.name = "strategy",
       .type = ParameterType::kText,
       .description = "MP-DP-PP of 3D-parallel training, such as 2-5-2: the groups of one of its phases, all at once",
       .optional = true},
      {.name = "phase",
       .type = ParameterType::kText,
       .description = "which phase of the strategy: mp, dp (any kind), or pp (broadcast from stage to stage)",
       .optional = true},
      {.name = "npu",
       .type = ParameterType::kText,
       .description = "what stands at the nodes, of `helio list npus`: its memory adds what is reduced; unset: adding "
                      "takes no time",
       .optional = true},
  };
  return parameters;
}

const std::vector<Parameter>& endpoint_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "endpoint",
       .type = ParameterType::kChoice,
       .fallback = "npu",
       .description =
           "what adding at a node takes: accesses to the memory of the NPU that a job or a collective names, or "
           "nothing",
       .choices = {"npu", "free"}},
      {.name = "endpoint_accesses",
       .type = ParameterType::kNumber,
       .fallback = "3",
       .minimum = "0",
       .maximum = "1000000",
       .minimum_exclusive = true,
       .description = "to memory for each byte that is added: two are read and one is written",
       .matters = {}},
  };
  return parameters;
}

std::vector<std::string> paths_ending_in(const Draft& draft, std::string_view name) {
  // Every path of two parts that this draft's fabric, algorithms and collectives know
  std::vector<std::string> paths, ends;
  const auto add = [&](const std::string& head, const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) {
      const std::string path = head + parameter.name;
      if (std::find(paths.begin(), paths.end(), path) != paths.end()) continue;
      paths.push_back(path);
      ends.push_back(parameter.name);
    }
  };
  if (const auto named = draft.fabric.find("name"); named != draft.fabric.end())
    if (const auto* entry = fabric::fabrics().find(named->second.text)) {
      add("fabric.", entry->description.parameters);
      add("fabric.", endpoint_parameters());
    }
  for (const Draft::Block& block : draft.collectives)
    if (const auto named = block.keys.find("algorithm"); named != block.keys.end())
      if (const auto* entry = schedule::algorithms().find(named->second.text))
        add("algorithm.", entry->description.parameters);
  if (!draft.collectives.empty()) add("collective.", collective_parameters());
  if (!draft.jobs.empty()) add("job.", job_parameters());

  // Those that end so
  std::vector<std::string> meant;
  const std::string nearest = nearest_name(name, ends);
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!nearest.empty() && ends[i] == nearest) meant.push_back(paths[i]);
  return meant;
}

void set(Draft& draft, std::string_view path, Setting setting) {
  const std::vector<std::string> parts = split(path, '.');
  const std::string& head = parts.front();
  const auto no_such_path = [&](std::string_view what, std::string_view name, const std::vector<std::string>& legal) {
    return unknown_name(what, name, legal, setting.place);
  };

  if (parts.size() == 1) {
    if (const auto meant = paths_ending_in(draft, head); head != "engine" && !meant.empty())
      throw Error(ErrorKind::kInput, fmt::format("unknown path '{}'", head), setting.place,
                  fmt::format("did you mean '{}'?", fmt::join(meant, "' or '")));
    if (head != "engine")
      throw no_such_path("path", head, {"engine", "fabric", "part", "algorithm", "collective", "job"});
    draft.run["engine"] = std::move(setting);
    return;
  }
  if (head == "fabric" && parts.size() == 2) {
    if (setting.text.empty() && parts[1] != "name") {
      if (draft.fabric.erase(parts[1]) == 0)
        throw Error(ErrorKind::kInput, fmt::format("{} is not set, so that it cannot be unset", path), setting.place,
                    "Give it a value, or leave it out.");
    } else
      draft.fabric[parts[1]] = std::move(setting);
    return;
  }
  if (head == "algorithm" && parts.size() == 2) {
    for (Draft::Block& block : draft.collectives) block.parameters[parts[1]] = setting;
    return;
  }
  if (head == "part" && parts.size() == 3) {
    draft.parts[parts[1] + "." + parts[2]] = std::move(setting);
    return;
  }
  if (head == "job") return set(draft.jobs, parts, setting);
  if (head != "collective")
    throw no_such_path(
        "path", path,
        {"engine", "fabric." + parts[1], "algorithm." + parts[1], "collective." + parts[1], "job." + parts[1]});

  // One key of all collectives
  const std::vector<std::string> keys = names_of(collective_parameters());
  const auto is_key = [&](const std::string& name) { return std::find(keys.begin(), keys.end(), name) != keys.end(); };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < draft.collectives.size(); ++i) names.push_back(name_of(draft.collectives[i], i));
  if (parts.size() == 2) {
    if (!is_key(parts[1])) throw no_such_path("key of a collective", parts[1], keys);
    for (Draft::Block& block : draft.collectives) block.keys[parts[1]] = setting;
    return;
  }

  // One key or parameter of the collective of that name
  const auto found = std::find(names.begin(), names.end(), parts[1]);
  if (found == names.end()) throw no_such_path("collective", parts[1], names);
  Draft::Block& block = draft.collectives[static_cast<std::size_t>(found - names.begin())];
  if (parts.size() == 3 && is_key(parts[2]))
    block.keys[parts[2]] = std::move(setting);
  else if (parts.size() == 4 && parts[2] == "parameters")
    block.parameters[parts[3]] = std::move(setting);
  else
    throw no_such_path("key of a collective", parts[2], keys);
}

Experiment interpret(const Draft& draft) {
  const Parameters run("experiment", run_parameters(), draft.run);
  Experiment experiment;
  experiment.source = draft.source;
  experiment.engine = {run.text("engine"), run.place("engine")};

  const auto name = draft.fabric.find("name");
  if (name == draft.fabric.end())
    throw Error(ErrorKind::kInput, "no fabric is named", draft.source,
                "Write name = \"ring\" under [fabric]; `helio list fabrics` knows the names.");
  experiment.fabric = {name->second.text, name->second.place, draft.fabric};
  experiment.fabric.settings.erase("name");
  for (const Parameter& parameter : endpoint_parameters())
    if (auto of_endpoint = experiment.fabric.settings.extract(parameter.name))
      experiment.endpoint.insert(std::move(of_endpoint));
  experiment.parts = draft.parts;

  if (draft.collectives.empty() && draft.jobs.empty())
    throw Error(ErrorKind::kInput, "there is no collective and no job to run", draft.source,
                "Write one or more [[collective]] or [[job]] tables.");
  std::set<std::string> names;
  const auto check_name = [&](const std::string& called, const std::string& place) {
    if (!names.insert(called).second)
      throw Error(ErrorKind::kInput, fmt::format("two collectives or jobs are called '{}'", called), place,
                  "give each a name of its own");
  };
  for (std::size_t i = 0; i < draft.collectives.size(); ++i) {
    experiment.collectives.push_back(interpret(draft.collectives[i], i));
    check_name(experiment.collectives.back().name, draft.collectives[i].place);
  }
  for (std::size_t i = 0; i < draft.jobs.size(); ++i) {
    experiment.jobs.push_back(interpret(draft.jobs[i], i));
    check_name(experiment.jobs.back().name, draft.jobs[i].place);
  }
  bring_cluster(draft, experiment);
  return experiment;
}

}  // namespace helio::pipeline
