// SPDX-License-Identifier: Apache-2.0
#include "ask/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/json_dump.h"
#include "base/other_words.h"
#include "fabric/fabric.h"
#include "pipeline/assembly.h"
#include "pipeline/draft.h"
#include "pipeline/job.h"
#include "plan/auto.h"
#include "plan/wdm_planned.h"
#include "report/json/bill_json.h"
#include "report/json/catalogue_json.h"
#include "report/json/json_keys.h"
#include "report/json/model_json.h"
#include "report/json/validation.h"
#include "report/text/bill_text.h"
#include "report/text/parts_text.h"
#include "report/text/table_text.h"
#include "schedule/algorithm.h"
#include "studies/catalogue.h"

namespace helio::ask {
namespace {

using report::Ink;
using report::Look;

template <class Factory, class Numbers>
std::vector<Listed> listed(const Catalogue<Factory>& catalogue, const Numbers& numbers) {
  std::vector<Listed> entries;
  for (const auto& entry : catalogue.entries())
    entries.push_back({entry.description.name, entry.description.summary, numbers(entry), &entry.description});
  return entries;
}

// Defaults of those of these parameters that it has.
std::string defaults_of(const Description& description, std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(description.parameters, name, &Parameter::name);
    if (found != description.parameters.end() && !found->fallback.empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, found->fallback);
  }
  return text;
}

std::string size_of(const workload::Workload& model) {
  constexpr double kGiga = 1e9, kMega = 1e6, kTera = 1e12;
  const auto parameters = static_cast<double>(model.parameters());
  const double flops = model.forward_flops();
  const std::string count =
      parameters >= kGiga ? fmt::format("{:.4g} G", parameters / kGiga) : fmt::format("{:.4g} M", parameters / kMega);
  const std::string work =
      flops >= kTera ? fmt::format("{:.4g} T", flops / kTera) : fmt::format("{:.3g} G", flops / kGiga);
  const std::string sample = model.sample.substr(0, model.sample.find(' '));
  return fmt::format("{} parameters, {}FLOP forward {} {}", count, work, sample.starts_with('i') ? "an" : "a", sample);
}

std::string in_lines(const ListedRoom& room, const Look& look) {
  std::size_t width = 0;
  for (const Listed& entry : room.entries) width = std::max(width, entry.name.size());
  std::string text;
  for (const Listed& entry : room.entries)
    text += fmt::format("  {}  {}\n", paint(look, Ink::kName, fmt::format("{:<{}}", entry.name, width)),
                        wrapped(look, entry.summary + (entry.numbers.empty() ? "" : ": " + entry.numbers), width + 4));
  return text;
}

std::string described(std::string_view what, const Description& description, std::string_view prefix, const Look& look,
                      const std::string& more = "") {
  return fmt::format("{}\n  {}\n  reference: {}\n{}{}",
                     paint(look, Ink::kTitle, fmt::format("{} {}", what, description.name)),
                     wrapped(look, description.summary, 2), wrapped(look, description.reference, 13), more,
                     table_of(description.parameters, prefix, look));
}

// All keys, in the order in which they are printed; what is part of another object stands under its path.
std::string described_keys(const Look& look) {
  std::string text, shown;
  std::vector<std::vector<std::string>> rows;
  const auto end = [&] {
    if (!rows.empty()) text += table_of(rows, {}, look);
    rows = {{"key", "unit", "meaning"}};
  };
  for (const report::JsonKey& key : report::json_keys()) {
    if (key.printed_by != shown) {
      end();
      shown = key.printed_by;
      text += (text.empty() ? "" : "\n") + paint(look, Ink::kTitle, "JSON of " + shown) + "\n";
    }
    rows.push_back({std::string(key.path), std::string(key.unit.empty() ? "-" : key.unit), std::string(key.meaning)});
  }
  end();
  return text;
}

std::vector<std::string_view> kinds_of(const schedule::Algorithm& algorithm) {
  std::vector<std::string_view> kinds;
  for (const schedule::Kind kind : algorithm.kinds) kinds.push_back(schedule::name_of(kind));
  return kinds;
}

// A fabric as the question has it, with its parts.
struct Billed {
  pipeline::ChosenFabric fabric;
  fabric::Priced bill;
};
Billed billed(const DescribeQuestion& q) {
  pipeline::Draft draft;
  draft.fabric["name"] = {q.name, q.place};
  if (q.nodes) draft.fabric["nodes"] = {*q.nodes, q.called("nodes")};
  for (const Assignment& each : q.set) {
    if (!each.path.starts_with("fabric.") && !each.path.starts_with("part."))
      throw unknown_name("path", each.path, {"fabric.PARAMETER", "part.NAME.KEY"}, q.called("set"));
    pipeline::set(draft, each.path, {each.value, q.called("set") + " " + each.path});
  }
  draft.fabric.erase("name");
  pipeline::ChosenFabric fabric({q.name, q.place, draft.fabric});
  fabric::Priced bill = fabric::bill(fabric.fabric(), draft.parts);
  return {std::move(fabric), std::move(bill)};
}

// Sizes and settings are of a fabric.
void refuse_without_fabric(const DescribeQuestion& q) {
  if (fabric::fabrics().find(q.name) || (!q.nodes && q.set.empty())) return;
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is no fabric", q.name), q.called(q.nodes ? "nodes" : "set"),
              "leave it out, or name one of: " + fmt::format("{}", fmt::join(fabric::fabrics().names(), ", ")));
}

std::vector<std::string> algorithms_with(schedule::Kind kind) {
  std::vector<std::string> names;
  for (const auto& entry : schedule::algorithms().entries())
    if (std::ranges::count(entry.factory.kinds, kind)) names.push_back(entry.description.name);
  return names;
}

report::Json listed_json(const ListedRoom& room) {
  report::Json entries = report::Json::array();
  for (const Listed& one : room.entries) {
    report::Json entry = one.description ? report::description_json(*one.description)
                                         : report::Json{{"name", one.name}, {"summary", one.summary}};
    entry["numbers"] = one.numbers;
    if (const auto* known = room.name == "algorithms" ? schedule::algorithms().find(one.name) : nullptr)
      entry["kinds"] = kinds_of(known->factory);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::vector<ListedRoom> rooms() {
  std::vector<Listed> algorithms = listed(schedule::algorithms(), [](const auto& entry) {
    return fmt::format("{}", fmt::join(kinds_of(entry.factory), ", "));
  });
  // Those that search among the others
  algorithms.push_back(
      {std::string(plan::kAuto),
       "the fastest of all that have the kind, each with its defaults; what is taken when none is named"});
  algorithms.push_back({std::string(plan::kWdmPlanned),
                        "on wdm-ring: the fastest all-reduce found among circulants, trees and rings of any width"});
  const auto of_fabric = [](const auto& entry) {
    return defaults_of(entry.description, {"rate", "nvlink_rate", "network_rate", "latency", "wavelengths"});
  };
  const auto of_model = [](const auto& entry) { return size_of(entry.factory(workload::models().resolve(entry, {}))); };
  const auto of_npu = [](const auto& entry) {
    return report::numbers_of(entry.factory(placement::npus().resolve(entry, {})));
  };
  const auto of_part = [](const auto& entry) {
    constexpr double kPico = 1e-12;
    const fabric::Part part = entry.factory(fabric::parts().resolve(entry, {}));
    if (part.watts.high > 0) return fmt::format("{:.3g} to {:.3g} W", part.watts.low, part.watts.high);
    if (part.joules_per_bit.high > 0)
      return fmt::format("{:.3g} to {:.3g} pJ/b", part.joules_per_bit.low / kPico, part.joules_per_bit.high / kPico);
    return std::string();
  };
  const auto none = [](const auto&) { return std::string(); };
  return {{"fabrics", listed(fabric::fabrics(), of_fabric)}, {"algorithms", std::move(algorithms)},
          {"models", listed(workload::models(), of_model)},  {"npus", listed(placement::npus(), of_npu)},
          {"parts", listed(fabric::parts(), of_part)},       {"studies", listed(studies::studies(), none)}};
}

std::string list(const std::string& room, const Look& look, const std::string& place) {
  std::string text;
  std::vector<std::string> names;
  for (const ListedRoom& each : rooms()) {
    names.push_back(each.name);
    if (room.empty()) text += paint(look, Ink::kTitle, each.name) + "\n" + in_lines(each, look);
    if (room == each.name) return in_lines(each, look);
  }
  if (!room.empty()) throw unknown_name("list", room, names, place);
  return text;
}

std::string list_in_json(const std::string& room, const std::string& place) {
  report::Json found = report::Json::object();
  std::vector<std::string> names;
  for (const ListedRoom& each : rooms()) {
    names.push_back(each.name);
    if (room.empty() || room == each.name) found[each.name] = listed_json(each);
  }
  if (found.empty()) throw unknown_name("list", room, names, place);
  return json_dump(found, 2) + "\n";
}

std::string describe(const DescribeQuestion& q, const Look& look) {
  refuse_without_fabric(q);
  std::string text = describe(q.name, look, q.place);
  if (!q.nodes && q.set.empty()) return text;
  const Billed made = billed(q);
  return text + fmt::format("\n{}\n{}",
                            paint(look, Ink::kTitle,
                                  fmt::format("parts of {} with {} nodes", q.name, made.fabric.capabilities().nodes)),
                            report::bill_text(made.bill, look));
}

std::string describe_in_json(const DescribeQuestion& q) {
  refuse_without_fabric(q);
  if (fabric::fabrics().find(q.name)) {
    const Billed made = billed(q);
    return json_dump(report::bill_json(q.name, made.fabric.capabilities().nodes, made.bill), 2) + "\n";
  }
  if (const auto* entry = fabric::parts().find(q.name)) return json_dump(report::part_json(*entry), 2) + "\n";
  if (report::names_a_model(q.name)) {
    const workload::Workload model = workload::load(q.name, {}, q.place);
    return json_dump(report::model_json(model), 2) + "\n";
  }
  const auto printed = [](const report::Json& json) { return json_dump(json, 2) + "\n"; };
  if (const auto* entry = placement::npus().find(q.name)) return printed(report::npu_json(*entry));
  if (q.name == report::kJob)
    return printed({{"name", q.name}, {"parameters", report::parameters_json(pipeline::job_parameters())}});
  if (q.name == kKeys) return printed(report::keys_json());
  for (const schedule::Kind kind : schedule::kAllKinds)
    if (q.name == schedule::name_of(kind)) return printed({{"name", q.name}, {"algorithms", algorithms_with(kind)}});
  for (const ListedRoom& room : rooms())
    for (const report::Json& entry : listed_json(room))
      if (entry["name"] == q.name) return printed(entry);
  describe(q.name, {}, q.place);  // complains about what does not exist
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is described in words only", q.name), q.called("json"),
              "leave it out");
}

std::string describe(const std::string& name, const Look& look, const std::string& place) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "\n") + more; };
  if (const auto* entry = fabric::fabrics().find(name))
    add(described("fabric", entry->description, "fabric.", look) + "\n  of its nodes:\n" +
        table_of(pipeline::endpoint_parameters(), "fabric.", look));
  if (const auto* entry = schedule::algorithms().find(name))
    add(described("algorithm", entry->description, "algorithm.", look,
                  fmt::format("  kinds: {}\n", fmt::join(kinds_of(entry->factory), ", "))));
  if (name == plan::kAuto)
    add("algorithm auto\n  the fastest of those that have the kind, each with its defaults; the default of helio "
        "collective\n");
  if (name == plan::kWdmPlanned)
    add("algorithm wdm-planned\n  on wdm-ring: the fastest all-reduce found among circulant chains, WRHT of every "
        "group and "
        "stripe, rings and trees: docs/plan.md\n  reference: ours; papers/wrht.md 6.6\n  kinds: all-reduce\n  no "
        "parameters\n");
  if (report::names_a_model(name)) add(report::describe_model(name, place));
  if (const auto* entry = placement::npus().find(name)) add(report::describe_npu(*entry));
  if (const auto* entry = fabric::parts().find(name)) add(report::describe_part(*entry, look));
  if (name == report::kJob) add(report::describe_job());
  if (name == kKeys) add(described_keys(look));
  if (name == kColumns) add(report::column_help());
  if (const auto* entry = studies::studies().find(name)) add(described("study", entry->description, "", look));
  for (const schedule::Kind kind : schedule::kAllKinds)
    if (name == schedule::name_of(kind))
      add(fmt::format("collective {}\n  algorithms: {}\n", name, fmt::join(algorithms_with(kind), ", ")));
  if (!text.empty()) return text;

  std::vector<std::string> legal = fabric::fabrics().names();
  for (const auto& more : {schedule::algorithms().names(), workload::models().names(), placement::npus().names(),
                           fabric::parts().names(), studies::studies().names(),
                           std::vector{std::string(report::kJob), std::string(kKeys), std::string(kColumns),
                                       std::string(plan::kAuto), std::string(plan::kWdmPlanned)}})
    for (const std::string& other : more)
      if (std::ranges::count(legal, other) == 0) legal.push_back(other);
  for (const schedule::Kind kind : schedule::kAllKinds) legal.emplace_back(schedule::name_of(kind));
  std::string nearest = name_for(name, legal);
  if (nearest.empty()) nearest = nearest_name(name, legal);
  throw Error(ErrorKind::kInput, fmt::format("unknown name '{}'", name), place,
              (nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest)) +
                  "the names there are: helio list; a model of your own is a file that ends in .json or .toml, "
                  "such as its "
                  "config.json (docs/model-file.md)");
}

}  // namespace helio::ask
