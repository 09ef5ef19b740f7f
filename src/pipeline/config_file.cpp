// SPDX-License-Identifier: Apache-2.0
#include "pipeline/config_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "workload/toml_text.h"

namespace helio::pipeline {
namespace {

// Tables that other questions are written in.
constexpr std::pair<std::string_view, std::string_view> kOtherFiles[] = {
    {"plan", "ask helio plan: docs/model-plan.md"},
    {"event", "ask helio slices: docs/oddl-slices.md"},
    {"run", "ask helio slices: docs/oddl-slices.md"},
    {"vary", "ask helio sweep: docs/sweep.md"}};

constexpr const char* kPage = "docs/experiment-file.md";

class Reader {
 public:
  explicit Reader(std::string source) : source_(std::move(source)) {}

  Draft read(const toml::table& root) const {
    Draft draft;
    draft.source = source_;
    for (const auto& [key, node] : root) {
      if (key == "fabric") {
        draft.fabric = fabric(table(node, "fabric"));
      } else if (key == "part") {
        add_flat(table(node, "part"), "", draft.parts);
      } else if (key == "collective") {
        const toml::array* blocks = node.as_array();
        if (!blocks || !blocks->is_array_of_tables())
          throw wrong(node, "'collective' must be tables", "Write [[collective]] with two brackets.");
        for (const toml::node& block : *blocks) draft.collectives.push_back(collective(*block.as_table()));
      } else if (key == "job") {
        const toml::array* blocks = node.as_array();
        if (!blocks || !blocks->is_array_of_tables())
          throw wrong(node, "'job' must be tables", "Write [[job]] with two brackets.");
        for (const toml::node& block : *blocks) draft.jobs.push_back(job(*block.as_table()));
      } else if (node.is_value()) {
        draft.run[std::string(key.str())] = {scalar(node, key.str()), place(node)};
      } else {
        for (const auto& [table, question] : kOtherFiles)
          if (key == table)
            throw Error(ErrorKind::kInput, fmt::format("a file with [{}] is no experiment", table), place(key.source()),
                        std::string(question));
        throw unknown_name("table", key.str(), {"fabric", "part", "collective", "job"}, place(key.source()));
      }
    }
    return draft;
  }

 private:
  std::string place(const toml::source_region& region) const { return workload::toml_place(source_, region); }
  std::string place(const toml::node& node) const { return place(node.source()); }

  Error wrong(const toml::node& node, std::string what, std::string advice) const {
    return Error(ErrorKind::kInput, std::move(what), place(node), std::move(advice));
  }

  const toml::table& table(const toml::node& node, std::string_view name) const {
    if (const toml::table* found = node.as_table()) return *found;
    throw wrong(node, fmt::format("'{}' must be a table", name), fmt::format("Write [{}] on a line of its own.", name));
  }

  // A single value as text.
  std::string scalar(const toml::node& node, std::string_view key) const {
    if (std::optional<std::string> text = workload::value_text(node)) return *std::move(text);
    throw wrong(node, fmt::format("'{}' must be a number, a text, true or false", key),
                "Texts stand in quotes: \"400 Gb/s\".");
  }

  Settings scalars(const toml::table& table) const {
    Settings settings;
    for (const auto& [key, node] : table)
      settings[std::string(key.str())] = {scalar(node, key.str()), place(key.source())};
    return settings;
  }

  // [[fabric.level]] tables are what `levels` of a composite says in one text: "fred:variant=D/wdm-ring:nodes=64,gateways=0+5".
  Settings fabric(const toml::table& table) const {
    Settings settings;
    std::string levels;
    for (const auto& [key, node] : table) {
      if (key != "level") {
        settings[std::string(key.str())] = {scalar(node, key.str()), place(key.source())};
        continue;
      }
      const toml::array* blocks = node.as_array();
      if (!blocks || !blocks->is_array_of_tables())
        throw wrong(node, "'fabric.level' must be tables", "Write [[fabric.level]] with two brackets.");
      for (const toml::node& block : *blocks) levels += (levels.empty() ? "" : "/") + level(*block.as_table());
      if (table.contains("levels"))
        throw wrong(node, "the levels are given twice", "Write [[fabric.level]] tables, or levels = \"...\".");
      settings["levels"] = {levels, place(node)};
    }
    return settings;
  }
  std::string level(const toml::table& table) const {
    const toml::node* named = table.get("fabric");
    if (!named) throw Error(ErrorKind::kInput, "a level names no fabric", place(table), "Write fabric = \"switch\".");
    std::string text = scalar(*named, "fabric") + ":";
    bool first = true;
    for (const auto& [key, node] : table) {
      if (key == "fabric") continue;
      std::string value;
      if (const toml::array* items = node.as_array()) {
        for (const toml::node& item : *items) value += (value.empty() ? "" : "+") + scalar(item, key.str());
        if (items->size() == 1) value += "+";
      } else {
        value = scalar(node, key.str());
      }
      if (value.find_first_of(",") != std::string::npos)
        throw wrong(node, fmt::format("'{}' of a level has a comma", key.str()),
                    "Write lists with '+' between their parts.");
      text += fmt::format("{}{}={}", std::exchange(first, false) ? "" : ",", key.str(), value);
    }
    return text;
  }

  // A list of values as "a,b"; a list of lists as "a,b;c,d".
  std::string list(const toml::node& node, std::string_view key) const {
    const toml::array* items = node.as_array();
    if (!items) return scalar(node, key);
    if (items->empty()) throw wrong(node, fmt::format("'{}' is an empty list", key), "Leave the key out instead.");
    std::string text;
    for (const toml::node& item : *items) {
      if (!text.empty()) text += item.is_array() ? ';' : ',';
      text += item.is_array() ? list(item, key) : scalar(item, key);
    }
    return text;
  }

  Draft::Block collective(const toml::table& table) const {
    Draft::Block block;
    block.place = place(table);
    for (const auto& [key, node] : table) {
      if (key == "parameters") {
        block.parameters = scalars(this->table(node, "collective.parameters"));
      } else {
        const bool lists = key == "remedy" || key == "groups";
        block.keys[std::string(key.str())] = {lists ? list(node, key.str()) : scalar(node, key.str()),
                                              place(key.source())};
      }
    }
    return block;
  }

  JobBlock job(const toml::table& table) const {
    JobBlock block;
    block.place = place(table);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::ranges::count(kJobTables, name) > 0 && (node.is_table() || name != kAlgorithmTable)) {
        add_flat(this->table(node, "job." + name), "", block.tables[name]);
      } else if (node.is_table()) {
        throw unknown_name("table of a job", name, {kJobTables.begin(), kJobTables.end()}, place(key.source()));
      } else {
        const bool lists = name == "priorities" || name == "shares" || name == "ranks" || name == "rank_order" ||
                           name == "speed" || name == "remedy";
        block.keys[name] = {lists ? list(node, name) : scalar(node, name), place(key.source())};
      }
    }
    return block;
  }

  // Nested tables with dots between their names; a table's own "name" is the table.
  void add_flat(const toml::table& table, const std::string& prefix, Settings& settings) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (const toml::table* inner = node.as_table(); inner && prefix.empty()) {
        add_flat(*inner, name, settings);
        continue;
      }
      const std::string path = prefix.empty() ? name : name == "name" ? prefix : prefix + "." + name;
      settings[path] = {scalar(node, name), place(key.source())};
    }
  }

  std::string source_;
};

}  // namespace

Draft parse_draft(std::string_view text, const std::string& source) {
  return Reader(source).read(workload::parse_toml(text, source, kPage));
}

Draft read_draft(const std::string& path) { return parse_draft(read_text(path, path, "experiment file", kPage), path); }

}  // namespace helio::pipeline
