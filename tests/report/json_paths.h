// SPDX-License-Identifier: Apache-2.0
// The keys of a JSON text as paths ("rows[].study"), and the same of the table of keys, to hold one against the other.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "report/json/json_keys.h"

namespace helio::report {

using Paths = std::set<std::string>;

// What `command` prints by the table; `open` fills those whose keys come from elsewhere.
inline Paths table_paths(std::string_view command, Paths* open = nullptr) {
  Paths paths;
  for (const JsonKey& key : json_keys()) {
    if (key.printed_by != command) continue;
    paths.insert(std::string(key.path));
    if (open && key.open) open->insert(std::string(key.path));
  }
  return paths;
}

inline void add_paths(const nlohmann::json& json, const std::string& before, const Paths& open, Paths& found) {
  if (json.is_array())
    for (const auto& element : json) add_paths(element, before + "[]", open, found);
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    const std::string path = before.empty() ? key : before + "." + key;
    found.insert(path);
    if (!open.contains(path)) add_paths(value, path, open, found);
  }
}

// All paths of what was printed, but those inside open objects.
inline Paths printed_paths(const std::string& text, const Paths& open) {
  Paths found;
  add_paths(nlohmann::json::parse(text), "", open, found);
  return found;
}

}  // namespace helio::report
