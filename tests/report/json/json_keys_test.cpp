// SPDX-License-Identifier: Apache-2.0
// The table of keys against what the printers of this room make of values with something in every field; what commands print is held
// against it in tests/apps/reference_test.cpp.
#include "report/json/json_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "report/a_job.h"
#include "report/a_result.h"
#include "report/json/json.h"
#include "report/json_paths.h"

namespace helio::report {
namespace {

TEST(JsonKeys, EveryPathIsThereOnceAndInItsParent) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const JsonKey& key : json_keys()) {
    EXPECT_TRUE(seen.insert({key.printed_by, key.path}).second) << key.printed_by << " " << key.path;
    EXPECT_FALSE(key.meaning.empty()) << key.path;
    const std::size_t dot = key.path.rfind('.');
    if (dot == std::string_view::npos) continue;
    std::string_view parent = key.path.substr(0, dot);
    if (parent.ends_with("[]")) parent.remove_suffix(2);
    EXPECT_TRUE(seen.contains({key.printed_by, parent})) << key.path << " comes before its parent, or without one";
  }
}

// The unit that a name ends in is the unit of the table.
TEST(JsonKeys, NamesEndInTheirUnits) {
  const std::pair<std::string_view, std::string_view> endings[] = {
      {"_s", "s"},     {"_bytes", "B"}, {"_j", "J"},       {"_db", "dB"},    {"_dbm", "dBm"},
      {"_bps", "b/s"}, {"_mm2", "mm2"}, {"_percent", "%"}, {"_per_s", "1/s"}};
  for (const JsonKey& key : json_keys()) {
    std::string_view unit;
    for (const auto& [ending, meant] : endings)
      if (key.path.ends_with(ending)) unit = meant;
    if (!unit.empty()) {
      EXPECT_EQ(key.unit, unit) << key.path;
    }
  }
}

TEST(JsonKeys, ACollectiveHasTheKeysOfTheTable) {
  pipeline::Result result = a_result();
  result.asked_algorithm = "auto";
  result.alternatives = {{"ring", "slower", "why", Time::seconds(1), 1}};
  Paths open;
  const Paths table = table_paths("helio collective", &open);
  EXPECT_EQ(printed_paths(to_json(result), open), table);
}

TEST(JsonKeys, AnExperimentHasTheKeysOfTheTable) {
  Paths open;
  const Paths table = table_paths("helio simulate", &open);
  EXPECT_EQ(printed_paths(to_json({a_result()}, {a_job()}, "file.toml"), open), table);
}

TEST(JsonKeys, AStudyHasTheKeysOfTheTable) {
  const std::vector<Row> rows = {{.study = "s",
                                  .quantity = "q",
                                  .published = 1,
                                  .expected = {},
                                  .ours = 1,
                                  .assumptions = {{"a"}},
                                  .source = "x"}};
  EXPECT_EQ(printed_paths(to_json(rows), {}), table_paths("helio reproduce"));
}

}  // namespace
}  // namespace helio::report
