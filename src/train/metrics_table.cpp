// SPDX-License-Identifier: Apache-2.0
#include "train/metrics_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace helio::train {
namespace {

std::string cell(const nlohmann::ordered_json& value) {
  if (!value.is_string()) return value.is_null() ? "" : value.dump();
  std::string quoted = "\"";
  for (const char c : value.get<std::string>()) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string table_of_lines(const std::string& json_lines, std::vector<std::string> keys) {
  std::vector<nlohmann::ordered_json> entries;
  std::istringstream lines(json_lines);
  for (std::string line; std::getline(lines, line);) {
    nlohmann::ordered_json entry = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    for (const auto& [key, value] : entry.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    entries.push_back(std::move(entry));
  }
  std::string table;
  for (const std::string& key : keys) table += (table.empty() ? "" : ",") + key;
  if (!keys.empty()) table += "\n";
  for (const nlohmann::ordered_json& entry : entries)
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (entry.contains(keys[k])) table += cell(entry[keys[k]]);
      table += k + 1 == keys.size() ? '\n' : ',';
    }
  return table;
}

}  // namespace helio::train
