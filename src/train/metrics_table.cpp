// SPDX-License-Identifier: Apache-2.0
#include "train/metrics_table.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/csv_field.h"
#include "base/error.h"
#include "base/json_dump.h"

namespace helio::train {
namespace {

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return csv_field(value.is_string() ? value.get<std::string>() : json_dump(value));
}

}  // namespace

Json object_in(std::string_view line) {
  try {
    Json entry = parse_json(line, "");
    return entry.is_object() ? std::move(entry) : Json::object();
  } catch (const Error&) {
    return Json::object();
  }
}

std::string table_of_lines(const std::string& json_lines, std::vector<std::string> keys) {
  std::vector<Json> entries;
  std::istringstream lines(json_lines);
  for (std::string line; std::getline(lines, line);) {
    Json entry = object_in(line);
    if (entry.empty()) continue;
    for (const auto& [key, value] : entry.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    entries.push_back(std::move(entry));
  }
  std::string table;
  for (const std::string& key : keys) table += (table.empty() ? "" : ",") + csv_field(key);
  if (!keys.empty()) table += "\n";
  for (const Json& entry : entries)
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (entry.contains(keys[k])) table += cell(entry[keys[k]]);
      table += k + 1 == keys.size() ? '\n' : ',';
    }
  return table;
}

}  // namespace helio::train
