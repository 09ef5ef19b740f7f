// SPDX-License-Identifier: Apache-2.0
#include "ask/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ask/fabric_words.h"
#include "base/error.h"
#include "base/split.h"
#include "fabric/fabric.h"
#include "pipeline/assembly.h"
#include "pipeline/config_file.h"
#include "pipeline/draft.h"
#include "plan/dials.h"

namespace helio::ask {
namespace {

bool is_kind(const std::string& word) {
  return std::ranges::any_of(schedule::kAllKinds, [&](schedule::Kind kind) { return schedule::name_of(kind) == word; });
}

void refuse(const CompareQuestion& q, const std::string& field, const std::optional<std::string>& value,
            const std::string& why) {
  if (value)
    throw Error(ErrorKind::kUsage, fmt::format("{} {}", q.called(field), why), q.called(field), "Leave it out.");
}

// As if a word of it were an option of its own, at the place of the word.
void add_settings(pipeline::Draft& draft, const NamedFabric& fabric, const CompareQuestion& q) {
  for (const Assignment& setting : fabric.settings) {
    if (setting.path == "name")
      throw Error(ErrorKind::kInput, fmt::format("'{}' is named twice", fabric.name), q.called("fabric"),
                  "name it once");
    draft.fabric[setting.path] = {setting.value, q.called("fabric")};
  }
}

// The file's question with another fabric below it. What nodes take to add stays.
pipeline::Experiment on_fabric(pipeline::Draft draft, const NamedFabric& fabric, const std::string& nodes,
                               const CompareQuestion& q) {
  Settings kept;
  for (const Parameter& parameter : pipeline::endpoint_parameters())
    if (const auto found = draft.fabric.find(parameter.name); found != draft.fabric.end()) kept.insert(*found);
  draft.fabric = std::move(kept);
  draft.fabric["name"] = {fabric.name, q.called("fabric")};
  add_settings(draft, fabric, q);
  draft.fabric.try_emplace("nodes", Setting{nodes, q.called("nodes")});
  for (const Assignment& set : q.set) pipeline::set(draft, set.path, {set.value, q.called("set") + " " + set.path});
  return pipeline::interpret(draft);
}

plan::Contender contender_of(const CompareQuestion& q, const NamedFabric& fabric) {
  std::optional<std::string> nodes = q.nodes;
  for (const Assignment& setting : fabric.settings)
    if (setting.path == "nodes" && !nodes) nodes = setting.value;
  pipeline::Draft draft = draft_of({.kind = q.what,
                                    .fabric = fabric.name,
                                    .bytes = *q.bytes,
                                    .nodes = nodes,
                                    .algorithm = q.algorithm,
                                    .root = q.root,
                                    .npu = q.npu,
                                    .set = q.set,
                                    .place = q.place,
                                    .called = q.called});
  add_settings(draft, fabric, q);
  return {fabric.title(), pipeline::interpret(draft)};
}

template <class T>
std::optional<T> settled_or_own(const std::optional<std::string>& given, const char* usual, const std::string& name,
                                const Naming& called, const Parameter& parameter,
                                T (Parameters::*read)(std::string_view) const) {
  if (given && *given == kOwn) return {};
  return (Parameters("the question", {parameter}, {{name, {given.value_or(usual), called(name)}}}).*read)(name);
}

}  // namespace

std::vector<std::string> plain_fabrics() {
  std::vector<std::string> names;
  for (const auto& entry : fabric::fabrics().entries()) {
    const auto& parameters = entry.description.parameters;
    const bool more = std::ranges::any_of(
        parameters, [](const Parameter& p) { return p.name != "nodes" && p.fallback.empty() && !p.optional; });
    if (!more && std::ranges::count(parameters, "rate", &Parameter::name) > 0) names.push_back(entry.description.name);
  }
  return names;
}

fabric::Footing footing_of(const std::optional<std::string>& injection, const std::optional<std::string>& latency,
                           const std::optional<std::string>& overhead, const Naming& called) {
  fabric::Footing footing;
  const auto time = [](const char* name) {
    return Parameter{.name = name, .type = ParameterType::kTime, .minimum = "0 s", .maximum = "1000 s"};
  };
  if (injection)
    footing.injection = settled_or_own<BitRate>(injection, "", "injection", called,
                                                {.name = "injection",
                                                 .type = ParameterType::kRate,
                                                 .minimum = "0 b/s",
                                                 .maximum = "1000 Pb/s",
                                                 .minimum_exclusive = true},
                                                &Parameters::rate);
  footing.latency = settled_or_own<Time>(latency, kUsualLatency, "latency", called, time("latency"), &Parameters::time);
  footing.overhead =
      settled_or_own<Time>(overhead, kUsualOverhead, "overhead", called, time("overhead"), &Parameters::time);
  return footing;
}

std::vector<std::string> switching_named(const std::string& list, const std::vector<std::string>& legal,
                                         const std::string& place) {
  std::vector<std::string> names;
  if (without_blanks(list) == "none") return names;
  for (const std::string& word : split(without_blanks(list), ',')) {
    if (std::ranges::find(legal, word) == legal.end()) throw unknown_name("parameter", word, legal, place);
    names.push_back(word);
  }
  return names;
}

plan::CompareQuestion question_of(const CompareQuestion& q) {
  if (q.nodes)  // what no fabric can be is wrong; what some cannot be is an answer of theirs
    Parameters("the question",
               {{.name = "nodes", .type = ParameterType::kInteger, .minimum = "1", .maximum = "16777216"}},
               {{"nodes", {*q.nodes, q.called("nodes")}}});
  plan::CompareQuestion asked{.title = {},
                              .contenders = {},
                              .footing = footing_of(q.injection, q.latency, q.overhead, q.called),
                              .nodes_place = q.called("nodes"),
                              .as_it_is = q.injection == kOwn};
  if (q.error)
    asked.most_error = Parameters("the question", {{.name = "error", .type = ParameterType::kNumber, .minimum = "0"}},
                                  {{"error", {*q.error, q.called("error")}}})
                           .number("error");
  if (q.switching) {
    std::vector<std::string> legal = plan::dial_names();
    std::erase(legal, "batch");
    asked.switching = switching_named(*q.switching, legal, q.called("switching"));
  }
  const std::vector<NamedFabric> fabrics =
      fabrics_named(q.fabric.empty() ? plain_fabrics() : q.fabric, q.called("fabric"));

  if (is_kind(q.what)) {
    // One collective
    if (!q.bytes)
      throw Error(ErrorKind::kUsage, fmt::format("{} needs a number of bytes", q.what), q.called("bytes"),
                  fmt::format("Give {} SIZE.", q.called("bytes")));
    asked.title = fmt::format("{} of {}", q.what, *q.bytes);
    for (const NamedFabric& fabric : fabrics) asked.contenders.push_back(contender_of(q, fabric));
  } else {
    // A file
    if (!std::filesystem::exists(q.what) && q.what.find('.') == std::string::npos)
      schedule::kind_named(q.what, q.place);  // no file and no kind: says which kinds there are
    for (const auto& [field, value] :
         {std::pair{"bytes", &q.bytes}, {"algorithm", &q.algorithm}, {"npu", &q.npu}, {"root", &q.root}})
      refuse(q, field, *value, "belongs to a collective, and this is a file");
    const pipeline::Draft draft = pipeline::read_draft(q.what);
    asked.title = std::filesystem::path(q.what).filename().string();
    std::string nodes = q.nodes.value_or("");
    if (!q.nodes)
      nodes = fmt::format("{}", pipeline::ChosenFabric(pipeline::interpret(draft).fabric).capabilities().nodes);
    for (const NamedFabric& fabric : fabrics)
      asked.contenders.push_back({fabric.title(), on_fabric(draft, fabric, nodes, q)});
  }
  return asked;
}

pipeline::Comparison compare(const CompareQuestion& q, const Watch& watch) {
  const plan::CompareQuestion asked = question_of(q);
  return plan::compare(asked, watch.run_options(), [&](std::size_t i, const std::string& title) {
    watch.begin(i, asked.contenders.size(), title);
  });
}

pipeline::CollectiveMap map_collective(const MapQuestion& q, const Watch& watch) {
  schedule::kind_named(q.kind, q.called("kind"));
  plan::MapQuestion asked{.kind = q.kind, .nodes = {}, .sizes = {}, .at = {}, .not_searched = {}};

  // Both axes
  const auto wrong = [&](const char* field, const std::string& text) {
    return Error(ErrorKind::kInput, fmt::format("'{}' is no list of rising values", text), q.called(field),
                 std::string("Write ") + (field == std::string("nodes") ? kUsualMapNodes : kUsualMapSizes) + ".");
  };
  const auto read = [&](const char* field, const std::string& text, Parameter parameter, const auto& take) {
    parameter.name = field;
    for (const std::string& word : split(text, ','))
      take(Parameters("the map", {parameter}, {{field, {without_blanks(word), q.called(field)}}}));
  };
  read("nodes", q.nodes, {.type = ParameterType::kInteger, .minimum = "1", .maximum = "16777216"},
       [&](const Parameters& p) { asked.nodes.push_back(static_cast<std::uint64_t>(p.integer("nodes"))); });
  read("bytes", q.bytes, {.type = ParameterType::kBytes, .minimum = "0 B", .minimum_exclusive = true},
       [&](const Parameters& p) { asked.sizes.push_back(p.bytes("bytes")); });
  const auto rises = [](const auto& list) {
    return std::ranges::adjacent_find(list, [](const auto& a, const auto& b) { return !(a < b); }) == list.end();
  };
  if (!rises(asked.nodes)) throw wrong("nodes", q.nodes);
  if (!rises(asked.sizes)) throw wrong("bytes", q.bytes);

  // A cell is a comparison
  asked.at = [&](std::uint64_t nodes, Bytes bytes) {
    return question_of({.what = q.kind,
                        .fabric = q.fabric,
                        .nodes = fmt::format("{}", nodes),
                        .bytes = fmt::format("{:.17g} B", bytes.value),
                        .algorithm = q.algorithm,
                        .npu = q.npu,
                        .injection = q.injection,
                        .latency = q.latency,
                        .overhead = q.overhead,
                        .error = q.error,
                        .set = q.set,
                        .place = q.place,
                        .called = q.called});
  };
  if (q.fabric.empty()) asked.not_searched.push_back("fabrics that need a file or levels: graph, composite");
  asked.not_searched.push_back("parameters of fabrics other than those that make them alike");
  asked.not_searched.push_back(q.algorithm ? "algorithms other than " + *q.algorithm
                                           : "parameters of algorithms other than those that auto tries");
  return plan::map_collective(asked, watch.run_options(), [&](std::size_t i, const std::string& title) {
    watch.begin(i, asked.nodes.size() * asked.sizes.size(), title);
  });
}

}  // namespace helio::ask
