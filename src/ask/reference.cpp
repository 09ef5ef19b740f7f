// SPDX-License-Identifier: Apache-2.0
#include "ask/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "fabric/fabric.h"
#include "fabric/part.h"
#include "pipeline/job.h"
#include "placement/compute.h"
#include "placement/npu.h"
#include "placement/software.h"
#include "plan/auto.h"
#include "plan/wdm_planned.h"
#include "report/json/json_keys.h"
#include "report/text/table_text.h"
#include "schedule/algorithm.h"
#include "studies/catalogue.h"
#include "workload/zoo.h"

namespace helio::ask {
namespace {

// A cell of a Markdown table: a bar would end it, and what looks like a tag would vanish.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|')
      safe += "\\|";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '*' || c == '_')
      (safe += '\\') += c;
    else
      safe += c;
  }
  return safe;
}

std::string_view unit_of(ParameterType type) {
  switch (type) {
    case ParameterType::kTime: return "s";
    case ParameterType::kBytes: return "B";
    case ParameterType::kRate: return "b/s";
    case ParameterType::kDecibel: return "dB";
    case ParameterType::kPower: return "W, dBm";
    default: return "-";
  }
}

std::string table(const std::vector<Parameter>& parameters, std::string_view prefix) {
  if (parameters.empty()) return "It has no parameters.\n";
  std::string text = "| parameter | type | unit | default | bounds | meaning |\n|---|---|---|---|---|---|\n";
  for (const Parameter& parameter : parameters)
    text += fmt::format("| `{}{}` | {} | {} | {} | {} | {}{} |\n", prefix, parameter.name, name_of(parameter.type),
                        unit_of(parameter.type), cell(report::default_of(parameter)),
                        cell(report::bounds_of(parameter)), cell(parameter.description),
                        parameter.fitted ? "; the default was fitted to measured numbers" : "");
  return text;
}

std::string entry(const Description& description, std::string_view prefix, const std::string& more = "") {
  return fmt::format("\n## {}\n\n{}.\n\nReference: {}.{}\n\n{}", description.name, cell(description.summary),
                     cell(description.reference), more, table(description.parameters, prefix));
}

template <class Factory>
std::string all_of(const Catalogue<Factory>& catalogue, std::string_view prefix) {
  std::string text;
  for (const auto& one : catalogue.entries()) text += entry(one.description, prefix);
  return text;
}

std::string algorithms() {
  std::string text =
      "# Algorithms\n\nWhich moves: `--algorithm NAME`, and `--set algorithm.NAME=VALUE` for its parameters. Two names "
      "search among the others: `auto`, the fastest of all that have the kind, and `wdm-planned` on `wdm-ring` "
      "([how](../plan.md)).\n";
  for (const auto& one : schedule::algorithms().entries()) {
    std::vector<std::string_view> kinds;
    for (const schedule::Kind kind : one.factory.kinds) kinds.push_back(schedule::name_of(kind));
    text += entry(one.description, "algorithm.", fmt::format(" Kinds: {}.", fmt::join(kinds, ", ")));
  }
  return text;
}

std::string parts() {
  std::string text;
  for (const auto& one : fabric::parts().entries())
    text += fmt::format("\n## {}\n\n{}.\n\nReference: {}.\n", one.description.name, cell(one.description.summary),
                        cell(one.description.reference));
  return text + "\n## Keys of each\n\n" + table(fabric::parts().entries().front().description.parameters, "part.NAME.");
}

std::string keys() {
  std::string text =
      "# Keys of JSON\n\nWhat `--json` prints, object by object; `helio describe keys` is the same table. A path such "
      "as "
      "`rows[].study` is the key `study` of every element of the list `rows`. Of an object that is *open* the keys are "
      "names from elsewhere: parameters, facts, numbers. What each means for a result: [results](../results.md).\n";
  std::string_view shown;
  for (const report::JsonKey& key : report::json_keys()) {
    if (key.printed_by != shown)
      text += fmt::format("\n## {}\n\n| key | unit | meaning |\n|---|---|---|\n", key.printed_by);
    shown = key.printed_by;
    text += fmt::format("| `{}` | {} | {}{} |\n", key.path, key.unit.empty() ? "-" : key.unit, cell(key.meaning),
                        key.open ? "; *open*" : "");
  }
  return text;
}

}  // namespace

std::vector<ReferencePage> reference_pages() {
  return {
      {"fabrics", "# Fabrics\n\nWho carries it: `--fabric NAME`, and `--set fabric.NAME=VALUE` for its parameters.\n" +
                      all_of(fabric::fabrics(), "fabric.")},
      {"algorithms", algorithms()},
      {"models", "# Models\n\nWhat is trained: `model` of a `[[job]]`. `helio describe NAME` lists its layers.\n" +
                     all_of(workload::models(), "job.model_parameters.")},
      {"npus", "# NPUs\n\nOn what: `npu` of a `[[job]]`. `helio describe NAME` tells its peaks.\n" +
                   all_of(placement::npus(), "job.npu_parameters.")},
      {"parts",
       "# Parts\n\nOf what: what parts of networks take and cost ([how they are counted](../parts.md)). `helio "
       "describe "
       "NAME` tells the values; `--set part.NAME.KEY=VALUE` is for those who know better.\n" +
           parts()},
      {"jobs", "# Jobs\n\nThe keys of a `[[job]]` of an [experiment file](../experiment-file.md).\n\n" +
                   table(pipeline::job_parameters(), "job.") +
                   "\n## The compute model\n\n`[job.compute]`: its constants ([how](../compute-model.md)).\n\n" +
                   table(placement::software_parameters(placement::all_software().front()), "job.compute.")},
      {"studies",
       "# Studies\n\nPublished numbers beside ours: `helio reproduce NAME`.\n" + all_of(studies::studies(), "")},
      {"keys", keys()},
  };
}

}  // namespace helio::ask
