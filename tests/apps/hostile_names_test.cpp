// SPDX-License-Identifier: Apache-2.0
// Names in files are anybody's. Whatever they hold goes through text, JSON, pages, CSV, traces and messages: shown, never obeyed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "apps/refused.h"
#include "apps/running.h"
#include "base/visible.h"
#include "report/xml_parts.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

// As they are, and as TOML writes them.
struct Name {
  std::string text, written;
};

std::vector<Name> names() {
  const std::string long_name(1 << 20, 'x');
  return {{"\x1b[2J\x07\x7f\xc2\x9b"
           "31m",
           "\\u001b[2J\\u0007\\u007f\\u009b31m"},
          {"=1+1", "=1+1"},
          {"@SUM(A1)", "@SUM(A1)"},
          {"-1-1", "-1-1"},
          {"\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"},
          {"\"'<script>&]]>,\\", "\\\"'<script>&]]>,\\\\"},
          {"one\ntime         0 s\ttwo\r", "one\\ntime         0 s\\ttwo\\r"},
          {long_name, long_name}};
}

std::string experiment(const std::vector<Name>& all) {
  std::string text = "[fabric]\nname = \"ring\"\nnodes = 4\n";
  for (const Name& name : all)
    text += "[[collective]]\nname = \"" + name.written +
            "\"\nkind = \"all-reduce\"\nbytes = \"1 MB\"\nalgorithm = \"ring\"\n";
  return text;
}

std::string jobs(const std::vector<Name>& all) {
  std::string text = "[fabric]\nname = \"switch\"\nnodes = " + std::to_string(2 * all.size()) + "\n";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += "[[job]]\nname = \"" + all[i].written + "\"\nmodel = \"alexnet\"\nnpus = 2\nranks = [\"" +
            std::to_string(2 * i) + "-" + std::to_string(2 * i + 1) + "\"]\n";
  return text;
}

// Characters that steer a terminal or turn the order of others.
void expect_shown(const std::string& text, const std::string& where) {
  EXPECT_TRUE(visible_lines(text) == text) << where;
}

// Rows of a file that was written by csv_line.
std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.push_back({""});
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted)
        rows.back().emplace_back();
      else
        rows.back().back() += c;
    }
    EXPECT_FALSE(quoted) << line.substr(0, 200);
  }
  return rows;
}

bool is_number(const std::string& text) {
  std::istringstream words(text);
  double value = 0;
  return (words >> value) && words.eof();
}

void expect_no_formula(const std::string& csv, const std::string& where) {
  const auto rows = rows_of(csv);
  for (const auto& row : rows) {
    EXPECT_EQ(row.size(), rows.front().size()) << where;
    for (std::string cell : row) {
      if (cell.starts_with('"')) cell.erase(0, 1);
      const bool computed = !cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos;
      EXPECT_TRUE(!computed || is_number(cell)) << where << ": " << cell.substr(0, 100);
    }
  }
}

class HostileNames : public testing::Test {
 protected:
  HostileNames() {
    fs::create_directories(folder_);
    std::ofstream(folder_ + "/collectives.toml") << experiment(names());
    std::ofstream(folder_ + "/jobs.toml") << jobs(names());
  }
  ~HostileNames() override { fs::remove_all(folder_); }

  const std::string folder_ = scratch_file("hostile_names");
};

// A line for each line that we write, none of a name, and a long one is cut.
TEST_F(HostileNames, Text) {
  for (const char* file : {"collectives.toml", "jobs.toml"}) {
    const Said said = run("simulate " + folder_ + "/" + file);
    ASSERT_EQ(said.code, 0) << said.err;
    expect_shown(said.out, file);
    EXPECT_LT(said.out.size(), 100'000u);
    EXPECT_EQ(said.out.find("\ntime         0 s"), std::string::npos);
    for (const char* words : {"\\x1b[2J\\x07\\u007f\\u009b31m", "\\u202egnp.exe\\u2066", "one\\x0atime"})
      EXPECT_NE(said.out.find(words), std::string::npos) << file << ": " << words;
  }
}

// The true names, and no character that a terminal would obey.
TEST_F(HostileNames, Json) {
  for (const auto& [file, key] : {std::pair{"collectives.toml", "results"}, {"jobs.toml", "jobs"}}) {
    const Said said = run("simulate " + folder_ + "/" + file + " --json");
    ASSERT_EQ(said.code, 0) << said.err;
    expect_shown(said.out, file);
    const nlohmann::json answer = nlohmann::json::parse(said.out);
    const std::vector<Name> all = names();
    ASSERT_EQ(answer[key].size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(answer[key][i]["name"] == all[i].text) << file << " " << i;
  }
}

TEST_F(HostileNames, Trace) {
  const std::string trace = folder_ + "/trace.json";
  ASSERT_EQ(run("simulate " + folder_ + "/collectives.toml --trace " + trace).code, 0);
  const nlohmann::json written = nlohmann::json::parse(contents(trace));
  const std::vector<Name> all = names();
  std::size_t found = 0;
  for (const auto& event : written["traceEvents"])
    for (const Name& name : all) found += event["args"].value("name", "") == name.text + ", level 0" ? 1 : 0;
  EXPECT_EQ(found, all.size());
}

// Pages show names, CSV holds no formula, pictures are XML, data has the true names.
TEST_F(HostileNames, Report) {
  for (const char* file : {"collectives.toml", "jobs.toml"}) {
    const std::string report = folder_ + "/report";
    const Said said = run("simulate " + folder_ + "/" + file + " --report " + report);
    ASSERT_EQ(said.code, 0) << said.err;
    const std::string page = contents(report + "/index.html");
    expect_shown(page, file);
    EXPECT_LT(page.size(), 2'000'000u);  // long names are cut on it
    EXPECT_EQ(page.find("<script>&"), std::string::npos);
    EXPECT_NE(page.find("\\u202egnp.exe"), std::string::npos);
    for (std::size_t at = page.find("<svg "); at != std::string::npos; at = page.find("<svg ", at + 1)) {
      const std::string svg = page.substr(at, page.find("</svg>", at) + 6 - at);
      EXPECT_NO_THROW(report::XmlReader{svg}) << svg.substr(0, 300);
    }
    std::size_t tables = 0;
    for (const auto& entry : fs::directory_iterator(report))
      if (entry.path().extension() == ".csv") {
        ++tables;
        expect_no_formula(contents(entry.path().string()), entry.path().string());
        expect_shown(contents(entry.path().string()), entry.path().string());
      }
    EXPECT_GT(tables, 0u);
    EXPECT_NE(nlohmann::json::parse(contents(report + "/results.json")).dump().find("=1+1"), std::string::npos);
    EXPECT_EQ(run("report " + report).code, 0);
    EXPECT_EQ(contents(report + "/index.html"), page);  // the same from what was saved
    fs::remove_all(report);
  }
}

TEST_F(HostileNames, Slices) {
  const std::string file = folder_ + "/slices.toml";
  std::string text = contents(std::string(HELIO_SOURCE_DIR) + "/examples/oddl_slices.toml");
  for (std::size_t at = 0; (at = text.find("\"a\"", at)) != std::string::npos; ++at)
    text.replace(at, 3, "\"=1+1\\u001b\\u202e\\n" + std::string(1 << 16, 'x') + "\"");
  std::ofstream(file) << text;
  const Said said = run("slices " + file + " --report " + folder_ + "/sliced");
  ASSERT_EQ(said.code, 0) << said.err;
  expect_shown(said.out, "slices");
  EXPECT_LT(said.out.size(), 100'000u);
  expect_shown(contents(folder_ + "/sliced/index.html"), "slices");
  for (const auto& entry : fs::directory_iterator(folder_ + "/sliced"))
    if (entry.path().extension() == ".csv") expect_no_formula(contents(entry.path().string()), entry.path().string());
}

// One paragraph of a length that can be read, with place and advice, however long what is wrong is.
TEST_F(HostileNames, Messages) {
  const std::string file = folder_ + "/wrong.toml", long_name(1 << 20, 'x');
  for (const std::string& wrong : {"\"" + long_name + "\"", std::string("\"\\u202e\\u001b[2J\""),
                                   "\"" + std::string(1 << 19, '\'') + "\"", "\"a 'b " + long_name + "' 'c\""}) {
    for (const char* key : {"algorithm = ", "bytes = ", "kind = "}) {
      std::ofstream(file, std::ios::trunc) << "[fabric]\nname = \"ring\"\nnodes = 4\n[[collective]]\n"
                                           << key << wrong << "\n";
      const Said said = run("simulate " + file);
      EXPECT_TRUE(said.code == 3 || said.code == 2) << said.code;
      expect_shown(said.err, key);
      EXPECT_LT(said.err.size(), 6000u) << key << said.err.substr(0, 400);
      EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1);
      EXPECT_NE(said.err.find("wrong.toml"), std::string::npos) << said.err;
    }
  }
  // Place and advice stay whole where a value is cut
  std::ofstream(file, std::ios::trunc) << "[fabric]\nname = \"" << long_name
                                       << "\"\nnodes = 4\n[[collective]]\nkind = \"all-reduce\"\nbytes = \"1 MB\"\n";
  expect_refused("simulate " + file, 3,
                 {"unknown fabric 'xxx", "more)", "xxx'", "wrong.toml:2:", "full-mesh", "optinc"});
  expect_refused("collective all-reduce --fabric ring --nodes 4 --bytes " + std::string(100'000, '9') + "kg", 3,
                 {"--bytes", "unknown unit 'kg'", "Write a size such as"});
}

}  // namespace
}  // namespace helio::apps
