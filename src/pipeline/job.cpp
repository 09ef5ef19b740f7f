// SPDX-License-Identifier: Apache-2.0
#include "pipeline/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "pipeline/bandwidth.h"
#include "placement/compute.h"
#include "placement/npu.h"
#include "placement/strategy.h"

namespace helio::pipeline {
namespace {

std::vector<Parameter> declared() {
  std::vector<Parameter> parameters = {
      {.name = "name", .type = ParameterType::kText, .description = "what the result is called", .optional = true},
      {.name = "model",
       .type = ParameterType::kText,
       .description = "a name that `helio list models` prints, a .toml table or a config.json"},
      {.name = "npu",
       .type = ParameterType::kText,
       .fallback = "a100-80",
       .description = "a name that `helio list npus` prints"},
      {.name = "iterations",
       .type = ParameterType::kInteger,
       .fallback = "1",
       .minimum = "1",
       .maximum = "1000000000",
       .description = "iterations one after the other; the result is the mean of one"},
      {.name = "algorithm",
       .type = ParameterType::kChoice,
       .fallback = "auto",
       .description =
           "what carries classes of traffic that [job.algorithm] does not name: the fastest for their groups "
           "and sizes, or what communication libraries usually take",
       .choices = {"auto", "usual"}},
      {.name = "bandwidth",
       .type = ParameterType::kChoice,
       .fallback = "strict",
       .description = "how classes of traffic divide a link: by priorities, by shares, or by what they move",
       .choices = {"strict", "weighted", "demand"}},
      {.name = "priorities",
       .type = ParameterType::kText,
       .description = "strict: classes of traffic, the most urgent first: tp,pp,dp; unset: all alike",
       .optional = true},
      {.name = "shares",
       .type = ParameterType::kText,
       .description = "weighted: what each class of traffic is worth: tp=4,pp=2,dp=1; not named: 1",
       .optional = true},
      {.name = "remedy",
       .type = ParameterType::kText,
       .description =
           "what may be done with collectives that the fabric refuses, in order: block,middle,endpoint,split",
       .optional = true},
  };
  const auto& strategy = placement::strategy_parameters();
  parameters.insert(parameters.end(), strategy.begin(), strategy.end());
  return parameters;
}

bool is_table(std::string_view name) { return std::ranges::count(kJobTables, name) > 0; }

void put(JobBlock& block, std::string_view table, const std::string& key, const Setting& setting) {
  (table.empty() ? block.keys : block.tables[std::string(table)])[key] = setting;
}

const Settings& table_of(const JobBlock& block, std::string_view name) {
  static const Settings none;
  const auto found = block.tables.find(name);
  return found == block.tables.end() ? none : found->second;
}

}  // namespace

const std::vector<Parameter>& job_parameters() {
  static const std::vector<Parameter> parameters = declared();
  return parameters;
}

std::string name_of(const JobBlock& block, std::size_t index) {
  const auto name = block.keys.find("name");
  return name == block.keys.end() ? fmt::format("job {}", index + 1) : name->second.text;
}

void set(std::vector<JobBlock>& jobs, const std::vector<std::string>& parts, const Setting& setting) {
  std::vector<std::string> names, keys;
  for (std::size_t i = 0; i < jobs.size(); ++i) names.push_back(name_of(jobs[i], i));
  for (const Parameter& parameter : job_parameters()) keys.push_back(parameter.name);

  // Which jobs, and what is left of the path
  std::size_t at = 1;
  const auto named = std::find(names.begin(), names.end(), parts[1]);
  if (named != names.end() && parts.size() > 2) ++at;
  if (named == names.end() && parts.size() > 2 && !is_table(parts[1]))
    throw unknown_name("job", parts[1], names, setting.place);
  const auto each = [&](auto change) {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (at == 1 || names[i] == parts[1]) change(jobs[i]);
  };

  // A key, or a key of a table; algorithm.dp.group keeps its dots
  if (at + 1 == parts.size()) {
    if (std::ranges::count(keys, parts[at]) == 0) throw unknown_name("key of a job", parts[at], keys, setting.place);
    return each([&](JobBlock& block) { put(block, "", parts[at], setting); });
  }
  if (!is_table(parts[at]))
    throw unknown_name("table of a job", parts[at], {kJobTables.begin(), kJobTables.end()}, setting.place);
  std::string key = parts[at + 1];
  for (std::size_t i = at + 2; i < parts.size(); ++i) key += "." + parts[i];
  each([&](JobBlock& block) { put(block, parts[at], key, setting); });
}

Job interpret(const JobBlock& block, std::size_t index) {
  Job job;
  job.name = name_of(block, index);
  job.place = block.place;
  Parameters keys;
  try {
    keys = Parameters("job '" + job.name + "'", job_parameters(), block.keys);
  } catch (const Error& error) {
    throw error.at(block.place);
  }
  job.model = {keys.text("model"), keys.place("model")};
  job.model_settings = table_of(block, "model_parameters");
  const std::string npu_place = keys.place("npu") == "default" ? block.place : keys.place("npu");
  job.npu = {keys.text("npu"), npu_place, table_of(block, "npu_parameters")};
  job.compute = table_of(block, "compute");
  job.iterations = static_cast<std::uint64_t>(keys.integer("iterations"));
  job.algorithm = {keys.text("algorithm"), keys.place("algorithm")};
  read_bandwidth(keys, job);
  if (keys.has("remedy"))
    job.remedies = {remedies_named(keys.text("remedy"), keys.place("remedy")), keys.place("remedy")};
  if (std::ranges::count(job.remedies.value, Remedy::kReplace) > 0)
    throw Error(ErrorKind::kInput,
                "a collective of a job cannot be moved to other nodes: its ranks compute where they are",
                job.remedies.place, "Leave replace out; ranks places a job elsewhere.");
  for (const Parameter& parameter : placement::strategy_parameters())
    if (const auto found = block.keys.find(parameter.name); found != block.keys.end()) job.strategy.insert(*found);

  // "dp" names the algorithm, "dp.group" is one of its parameters
  for (const auto& [key, setting] : table_of(block, "algorithm")) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      job.algorithms[key].name = setting.text;
      job.algorithms[key].place = setting.place;
    } else {
      job.algorithms[key.substr(0, dot)].settings[key.substr(dot + 1)] = setting;
    }
  }
  for (const auto& [activity, choice] : job.algorithms)
    if (choice.name.empty())
      throw Error(ErrorKind::kInput,
                  fmt::format("a parameter of an algorithm for {} traffic, but no algorithm", activity),
                  choice.settings.begin()->second.place,
                  fmt::format("Write {} = {{ name = \"ring\", … }} under [job.algorithm].", activity));
  return job;
}

std::string model_source(const Job& job, const std::string& source) {
  namespace fs = std::filesystem;
  const fs::path path(job.model.value);
  std::error_code ignored;
  if ((path.extension() != ".toml" && path.extension() != ".json") || path.is_absolute() || fs::exists(path, ignored))
    return job.model.value;
  const fs::path beside = fs::path(source).parent_path() / path;
  return fs::exists(beside, ignored) ? beside.string() : job.model.value;
}

}  // namespace helio::pipeline
