// SPDX-License-Identifier: Apache-2.0
#include "pipeline/slice_events.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "fabric/oddl/oddl_parameters.h"
#include "schedule/algorithm.h"
#include "workload/toml_text.h"

namespace helio::pipeline {
namespace {

constexpr std::array kVerbs = {SliceVerb::kAdmit, SliceVerb::kGrow, SliceVerb::kFail, SliceVerb::kLeave};
constexpr const char* kMostNodes = "16777216";
constexpr const char* kPage = "docs/oddl-slices.md";

Parameter count(const char* name, const char* fallback, const char* description) {
  return {.name = name,
          .type = ParameterType::kInteger,
          .fallback = fallback,
          .minimum = "1",
          .maximum = kMostNodes,
          .description = description};
}

// What the planner asks about.
std::vector<Parameter> shape_keys() {
  return {count("groups", "32", "of nodes on one fibre each"),
          count("nodes_per_group", "32", "nodes of a group"),
          count("planes", "1", "copies of the fabric"),
          count("channels", "96", "wavelengths of a fibre"),
          {.name = "wss",
           .type = ParameterType::kTime,
           .fallback = "50 ms",
           .minimum = "0 s",
           .maximum = "1000000 s",
           .description = "what one change of a WSS takes"}};
}

// The planner knows one transceiver with a fixed filter before its receiver; the rest is the fabric's, and matters when jobs run.
std::vector<Parameter> fabric_keys() {
  std::vector<Parameter> keys = shape_keys();
  std::vector<std::string> taken = {"nodes", "trx", "alternate", "tunable_receivers"};
  for (const Parameter& key : keys) taken.push_back(key.name);
  for (Parameter& parameter : fabric::oddl_parameters())
    if (std::ranges::count(taken, parameter.name) == 0) keys.push_back(std::move(parameter));
  return keys;
}

std::vector<Parameter> run_keys() {
  Parameter runs = count("runs", "20", "of a stretch that are simulated at most; 0: all");
  runs.minimum = "0";
  return {runs,
          {.name = "until",
           .type = ParameterType::kTime,
           .minimum = "0 s",
           .maximum = "1000000000 s",
           .description = "the end of all; when left out, whoever runs at the end has `runs` runs more",
           .optional = true}};
}

// What may stand beside a verb.
std::vector<Parameter> keys_of(SliceVerb verb) {
  const std::string name(name_of(verb));
  std::vector<Parameter> keys = {
      {.name = "at", .type = ParameterType::kTime, .minimum = "0 s", .maximum = "1000000000 s", .optional = true},
      {.name = "must", .type = ParameterType::kBoolean, .fallback = "false"}};
  if (verb == SliceVerb::kFail)
    keys.push_back({.name = name, .type = ParameterType::kInteger, .minimum = "0", .maximum = kMostNodes});
  else
    keys.push_back({.name = name, .type = ParameterType::kText});
  if (verb == SliceVerb::kAdmit) {
    keys.push_back({.name = "nodes", .description = "how many, or a list of them"});
    keys.push_back({.name = "algorithm", .fallback = "two-level"});
    keys.push_back({.name = "kind", .fallback = "all-reduce"});
    keys.push_back(
        {.name = "bytes", .type = ParameterType::kBytes, .minimum = "1 B", .maximum = "1000 TB", .optional = true});
    keys.push_back(
        {.name = "compute", .type = ParameterType::kTime, .fallback = "0 s", .minimum = "0 s", .maximum = "1000000 s"});
  }
  if (verb == SliceVerb::kGrow) keys.push_back(count("more", "", "nodes to add"));
  return keys;
}

class Reader {
 public:
  explicit Reader(std::string source) : source_(std::move(source)) {}

  SliceEvents read(const toml::table& root) const {
    SliceEvents found{.source = source_, .fabric_place = source_ + ":1:1"};
    read_fabric({}, found);
    for (const auto& [key, node] : root) {
      if (key == "fabric") {
        const toml::table* table = node.as_table();
        if (!table) throw wrong(place(node), "'fabric' must be a table", "Write [fabric] on a line of its own.");
        found.fabric_place = place(*table);
        read_fabric(settings(*table), found);
      } else if (key == "run") {
        const toml::table* table = node.as_table();
        if (!table) throw wrong(place(node), "'run' must be a table", "Write [run] on a line of its own.");
        const Parameters keys("[run]", run_keys(), settings(*table));
        found.runs = static_cast<std::uint32_t>(keys.integer("runs"));
        if (keys.has("until")) found.until = keys.time("until");
      } else if (key == "event") {
        const toml::array* blocks = node.as_array();
        if (!blocks || !blocks->is_array_of_tables())
          throw wrong(place(node), "'event' must be tables", "Write [[event]] with two brackets.");
        for (const toml::node& block : *blocks) add_event(*block.as_table(), found.events);
      } else {
        throw unknown_name("table", key.str(), {"fabric", "run", "event"}, place(key.source()));
      }
    }
    if (found.until && !found.events.empty() && *found.until < found.events.back().at)
      throw wrong(place(*root.at_path("run.until").node()),
                  fmt::format("all ends at {}, before the last event ({})", format(*found.until),
                              format(found.events.back().at)),
                  "Give a later time.");
    if (found.events.empty())
      throw wrong(source_ + ":1:1", "nothing happens in this file", "Add [[event]] tables: docs/oddl-slices.md.");
    return found;
  }

 private:
  std::string place(const toml::source_region& region) const { return workload::toml_place(source_, region); }
  std::string place(const toml::node& node) const { return place(node.source()); }

  static Error wrong(const std::string& place, std::string what, std::string advice) {
    return Error(ErrorKind::kInput, std::move(what), place, std::move(advice));
  }

  // A value as text; a list, where `listed`, as "[a,b]".
  std::string text(const toml::node& node, std::string_view key, bool listed) const {
    if (std::optional<std::string> value = workload::value_text(node)) return *std::move(value);
    const toml::array* items = node.as_array();
    if (!items || !listed)
      throw wrong(place(node), fmt::format("'{}' must be a number, a text, true or false", key),
                  "Texts stand in quotes: \"50 ms\".");
    std::string list = "[";
    for (const toml::node& item : *items) {
      if (list.size() > 1) list += ',';
      list += text(item, key, false);
    }
    return list += ']';
  }

  Settings settings(const toml::table& table) const {
    Settings found;
    for (const auto& [key, node] : table)
      found[std::string(key.str())] = {text(node, key.str(), key == "nodes"), place(key.source())};
    return found;
  }

  static void read_fabric(const Settings& settings, SliceEvents& found) {
    const Parameters keys("[fabric]", fabric_keys(), settings);
    const auto whole = [&](const char* name) { return static_cast<std::uint32_t>(keys.integer(name)); };
    found.geometry = {.groups = whole("groups"),
                      .nodes_per_group = whole("nodes_per_group"),
                      .channels = whole("channels"),
                      .planes = whole("planes")};
    found.options.wss = keys.time("wss");
    found.fabric = settings;
    for (const Parameter& key : shape_keys())
      found.fabric.try_emplace(key.name, Setting{key.fallback, found.fabric_place});
  }

  static NodeId node_number(const std::string& text) {
    const long long number = parse_integer(text);
    if (number < 0 || number > 0xfffffffell)
      throw Error(ErrorKind::kInput, fmt::format("no node can have the number {}", number), "",
                  "Nodes are numbered from 0.");
    return {static_cast<std::uint32_t>(number)};
  }

  static void read_nodes(const std::string& text, fabric::JobRequest& request) {
    if (!text.starts_with('[') || !text.ends_with(']')) {
      const long long wanted = parse_integer(text);
      if (wanted < 1 || wanted > 0xfffffffell)
        throw Error(ErrorKind::kInput, fmt::format("a job cannot have {} nodes", wanted), "", "Give one or more.");
      request.wanted = static_cast<std::uint32_t>(wanted);
      return;
    }
    if (text == "[]") throw Error(ErrorKind::kInput, "the list of nodes is empty", "", "Name nodes, or how many.");
    for (std::size_t begin = 1; begin < text.size();) {
      const std::size_t end = text.find_first_of(",]", begin);
      request.nodes.push_back(node_number(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  void add_event(const toml::table& table, std::vector<SliceEvent>& events) const {
    // Which verb
    std::optional<SliceVerb> verb;
    for (const SliceVerb each : kVerbs) {
      if (!table.contains(name_of(each))) continue;
      if (verb)
        throw wrong(place(table), fmt::format("an event has both '{}' and '{}'", name_of(*verb), name_of(each)),
                    "Write two [[event]] tables.");
      verb = each;
    }
    if (!verb)
      throw wrong(place(table), "an event says neither admit, grow, fail nor leave",
                  "Add one of them: docs/oddl-slices.md.");

    // Its keys
    const Settings given = settings(table);
    const auto owner = fmt::format("event '{}'", name_of(*verb));
    try {
      const Parameters keys(owner, keys_of(*verb), given);
      SliceEvent event;
      event.verb = *verb;
      event.place = event.detail = keys.place(name_of(*verb));
      event.must = keys.boolean("must");
      if (*verb == SliceVerb::kFail)
        event.node = {static_cast<std::uint32_t>(keys.integer("fail"))};
      else
        event.request.name = keys.text(name_of(*verb));
      if (*verb != SliceVerb::kFail && event.request.name.empty())
        throw wrong(event.place, "a job needs a name", "Write it in quotes.");
      if (*verb == SliceVerb::kGrow) {
        event.more = static_cast<std::uint32_t>(keys.integer("more"));
        event.detail = keys.place("more");
      }
      if (*verb == SliceVerb::kAdmit) {
        event.detail = keys.place("nodes");
        event.request.algorithm = keys.text("algorithm");
        schedule::algorithms().at(event.request.algorithm, keys.place("algorithm"));
        event.request.kind = schedule::kind_named(keys.text("kind"), keys.place("kind"));
        if (keys.has("bytes")) event.bytes = keys.bytes("bytes");
        event.compute = keys.time("compute");
        try {
          read_nodes(keys.text("nodes"), event.request);
        } catch (const Error& error) {
          throw error.at(event.detail);
        }
      }

      // When: not before the last one
      event.at = keys.has("at") ? keys.time("at") : events.empty() ? Time() : events.back().at;
      if (!events.empty() && event.at < events.back().at)
        throw wrong(
            keys.place("at"),
            fmt::format("it happens at {}, before the event above it ({})", format(event.at), format(events.back().at)),
            "Write events in the order in which they happen.");
      events.push_back(std::move(event));
    } catch (const Error& error) {
      throw error.at(place(table));
    }
  }

  std::string source_;
};

}  // namespace

std::string_view name_of(SliceVerb verb) {
  switch (verb) {
    case SliceVerb::kAdmit: return "admit";
    case SliceVerb::kGrow: return "grow";
    case SliceVerb::kFail: return "fail";
    case SliceVerb::kLeave: break;
  }
  return "leave";
}

SliceEvents parse_slice_events(std::string_view text, const std::string& source) {
  return Reader(source).read(workload::parse_toml(text, source, kPage));
}

SliceEvents read_slice_events(const std::string& path) {
  return parse_slice_events(read_text(path, path, "file of events", kPage), path);
}

}  // namespace helio::pipeline
