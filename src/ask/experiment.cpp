// SPDX-License-Identifier: Apache-2.0
#include "ask/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>
#include <utility>

#include "ask/fabric_words.h"
#include "base/budget.h"
#include "base/error.h"
#include "fabric/fabric.h"
#include "pipeline/config_file.h"
#include "plan/auto.h"
#include "plan/growth.h"
#include "plan/job_choice.h"
#include "report/json/json.h"
#include "report/text/job_text.h"
#include "report/text/text.h"
#include "schedule/algorithm.h"

namespace helio::ask {
namespace {

void refuse_paths_set_twice(const std::vector<Assignment>& set, const Naming& called) {
  std::set<std::string> seen;
  for (const Assignment& assignment : set)
    if (!seen.insert(assignment.path).second)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is set twice", assignment.path), called("set"), "set it once");
}

void set_path(pipeline::Draft& draft, const Assignment& assignment, const Naming& called) {
  pipeline::set(draft, assignment.path, {assignment.value, called("set") + " " + assignment.path});
}

// The whole fabric of a draft replaced: nothing but its number of nodes stays, where the new one has such.
void replace_fabric(pipeline::Draft& draft, const std::string& text, const std::string& place) {
  const NamedFabric named = fabric_named(text, place);
  const Settings before = std::exchange(draft.fabric, {{"name", {named.name, place}}});
  for (const Assignment& setting : named.settings) draft.fabric[setting.path] = {setting.value, place};
  const auto* entry = fabric::fabrics().find(named.name);
  const auto nodes = before.find("nodes");
  const bool sized = std::ranges::any_of(named.settings, [](const Assignment& setting) {
    return setting.path == "nodes" || setting.path == "dimensions" || setting.path == "levels";
  });
  if (entry && nodes != before.end() && !sized &&
      std::ranges::find(entry->description.parameters, "nodes", &Parameter::name) !=
          entry->description.parameters.end())
    draft.fabric.emplace(*nodes);
}

// A fabric that nobody knows needs nothing: the run will say so.
bool needs_nodes(const std::string& fabric) {
  const auto* entry = fabric::fabrics().find(fabric);
  return entry && std::ranges::any_of(entry->description.parameters, [](const Parameter& p) {
           return p.name == "nodes" && p.fallback.empty() && !p.optional;
         });
}

// "rate" lacks its owner; what has neither owner nor likeness is told the two owners.
Error unknown_path(const pipeline::Draft& draft, const std::string& path, const std::string& place) {
  std::vector<std::string> meant = pipeline::paths_ending_in(draft, path);
  std::erase_if(meant, [](const std::string& full) { return full.starts_with("collective."); });
  if (meant.empty())
    return unknown_name("path", path, {"fabric.PARAMETER", "algorithm.PARAMETER", "part.NAME.KEY"}, place);
  return Error(ErrorKind::kInput, fmt::format("unknown path '{}'", path), place,
               fmt::format("did you mean '{}'?", fmt::join(meant, "' or '")));
}

// An answer, or what it would have taken.
pipeline::Result answered(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                          const pipeline::RunOptions& options) {
  BudgetSpent spent;
  try {
    return plan::answer(experiment, collective, options);
  } catch (const BudgetSpent& known) {
    spent = known;
  } catch (const std::bad_alloc&) {
    if (Budget::limits().bytes == 0) throw;  // nobody asked to be told
    spent = {.limits = Budget::limits(), .memory = true};
  }
  plan::tell_growth(spent, experiment, collective, options);
  throw spent;
}

}  // namespace

pipeline::Draft draft_of(const CollectiveQuestion& q) {
  const Naming& called = q.called;
  pipeline::Draft draft;
  draft.source = q.place;
  pipeline::Draft::Block block{.place = q.place};
  block.keys["kind"] = block.keys["name"] = {q.kind, called("kind")};
  block.keys["bytes"] = {q.bytes, called("bytes")};
  if (q.root && !schedule::has_root(schedule::kind_named(q.kind, called("kind"))))
    throw Error(ErrorKind::kUsage,
                fmt::format("{} belongs to broadcast and reduce, and this is {}", called("root"), q.kind),
                called("root"), "leave it out");
  const auto add = [&](Settings& keys, const char* name, const std::optional<std::string>& value) {
    if (value) keys[name] = {*value, called(name)};
  };
  add(block.keys, "sync", q.sync);
  add(block.keys, "root", q.root);
  add(block.keys, "remedy", q.remedy);
  add(block.keys, "groups", q.groups);
  add(block.keys, "strategy", q.strategy);
  add(block.keys, "phase", q.phase);
  add(block.keys, "npu", q.npu);
  if (q.verify) block.keys["verify"] = {"true", called("verify")};
  add(draft.run, "engine", q.engine);
  draft.fabric["name"] = {q.fabric, called("fabric")};
  if (!q.levels.empty()) {
    if (q.fabric != "composite")
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} belongs to fabric 'composite', and this is '{}'", called("level"), q.fabric),
                  called("level"), "leave it out, or ask for fabric composite");
    draft.fabric["levels"] = {fmt::format("{}", fmt::join(q.levels, "/")), called("level")};
  }
  add(draft.fabric, "nodes", q.nodes);
  block.keys["algorithm"] = {q.algorithm.value_or(std::string(plan::kAuto)), called("algorithm")};
  draft.collectives.push_back(std::move(block));

  // Paths lead to the fabric and the algorithm here; everything else has a field of its own
  refuse_paths_set_twice(q.set, called);
  for (const Assignment& assignment : q.set) {
    const std::string head = assignment.path.substr(0, assignment.path.find('.'));
    if (head != "fabric" && head != "algorithm" && head != "part")
      throw unknown_path(draft, assignment.path, called("set"));
    if (assignment.path == "fabric.nodes" && q.nodes && *q.nodes != assignment.value)
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} says {} and {} says {}", called("nodes"), *q.nodes, called("set"), assignment.value),
                  called("nodes"), "say it once");
    if (assignment.path == "fabric.levels" && !q.levels.empty())
      throw Error(ErrorKind::kUsage, "the levels are given twice", called("level"), "give them once");
    if (assignment.path == "fabric.name")
      throw Error(ErrorKind::kUsage, "the fabric is named twice", called("set") + " fabric.name",
                  "name it with " + called("fabric"));
    set_path(draft, assignment, called);
  }
  if (needs_nodes(q.fabric) && !draft.fabric.contains("nodes"))
    throw Error(ErrorKind::kUsage, fmt::format("fabric '{}' needs a number of nodes", q.fabric), called("nodes"),
                fmt::format("give {} N", called("nodes")));
  return draft;
}

Answer collective(const CollectiveQuestion& question, bool trace, const Watch& watch) {
  Answer answer{.title = fmt::format("{} of {} on {}", question.kind, question.bytes, question.fabric),
                .experiment = pipeline::interpret(draft_of(question))};
  pipeline::RunOptions options = watch.run_options(trace);
  options.jump = question.leap;
  answer.results.push_back(answered(answer.experiment, answer.experiment.collectives.front(), options));
  return answer;
}

Answer simulate(const FileQuestion& question, bool trace, const Watch& watch) {
  pipeline::Draft draft =
      question.text ? pipeline::parse_draft(*question.text, question.file) : pipeline::read_draft(question.file);
  refuse_paths_set_twice(question.set, question.called);
  if (question.fabric) replace_fabric(draft, *question.fabric, question.called("fabric"));
  for (const Assignment& assignment : question.set) set_path(draft, assignment, question.called);
  Answer answer{.title = std::filesystem::path(question.file).filename().string(),
                .source = question.file,
                .experiment = pipeline::interpret(draft)};
  const pipeline::Experiment& experiment = answer.experiment;
  pipeline::RunOptions options = watch.run_options(trace);
  options.jump = question.leap;
  const std::size_t parts = experiment.collectives.size() + (experiment.jobs.empty() ? 0 : 1);
  for (const pipeline::Collective& one : experiment.collectives) {
    watch.begin(answer.results.size(), parts, one.name);
    Budget::renew();  // each part has one of its own
    answer.results.push_back(answered(experiment, one, options));
  }
  if (experiment.jobs.empty()) return answer;
  watch.begin(parts - 1, parts, "jobs");
  Budget::renew();
  answer.jobs = plan::answer_jobs(experiment, options);
  return answer;
}

std::string to_json(const Answer& answer) {
  return answer.source.empty() ? report::to_json(answer.results.front())
                               : report::to_json(answer.results, answer.jobs, answer.source);
}

std::string to_text(const Answer& answer, const report::Look& look) {
  if (answer.source.empty()) return report::to_text(answer.results.front(), look);
  const std::string results = answer.results.empty() ? "" : report::to_text(answer.results, look);
  return results + (results.empty() || answer.jobs.empty() ? "" : "\n") + report::to_text(answer.jobs, look);
}

}  // namespace helio::ask
