// SPDX-License-Identifier: Apache-2.0
// `helio sweep`: the example, points that are refused, files that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

class SweepCommand : public testing::Test {
 protected:
  SweepCommand() { std::filesystem::create_directories(folder_); }
  ~SweepCommand() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& text) const {
    std::ofstream(folder_ + "/s.toml") << text;
    return folder_ + "/s.toml";
  }
  const std::string folder_ = scratch_file("sweep"), out_ = folder_ + "/s.db";
};

// 3 algorithms, 4 sizes, 3 numbers of wavelengths; each value is what the command itself answers.
TEST_F(SweepCommand, EachPointIsWhatTheCommandSays) {
  const Said said = run("sweep examples/sweep.toml --json --out " + out_, HELIO_SOURCE_DIR);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["points"], 36);
  EXPECT_EQ(json["codes"]["0"], 36);
  const Said best = run(json["best"]["command"].get<std::string>() + " --json");
  EXPECT_EQ(nlohmann::json::parse(best.out)["time_s"], json["best"]["value"]);
  // Everything is there already
  const Said again = run("sweep examples/sweep.toml --json --out " + out_, HELIO_SOURCE_DIR);
  EXPECT_EQ(nlohmann::json::parse(again.out)["found"], 36);
  const Said shown = run("sweep show " + out_ + " --best 36 --json --csv " + folder_ + "/s.csv");
  ASSERT_EQ(shown.code, 0) << shown.err;
  double before = 0;
  for (const auto& row : nlohmann::json::parse(shown.out)["rows"]) {
    EXPECT_GE(row["value"], before);
    before = row["value"];
  }
  const std::string table = contents(folder_ + "/s.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 37);
}

// Three axes of numbers and names: a line chart for each of numbers, three pairs, the front; a page for each of 36 points. The cell of a map is
// the best of its place, so the least of all cells is the best of all points.
TEST_F(SweepCommand, ShowsItsPages) {
  ASSERT_EQ(run("sweep examples/sweep.toml --out " + out_, HELIO_SOURCE_DIR).code, 0);
  const std::string pages = folder_ + "/pages";
  const Said said = run("sweep show " + out_ + " --json --report " + pages + " --against energy_j");
  ASSERT_EQ(said.code, 0) << said.err;
  const auto best = nlohmann::json::parse(said.out)["best"];
  const auto page = nlohmann::json::parse(contents(pages + "/page.json"));
  std::map<std::string, int> kinds;
  double least = 1e9;
  for (const auto& section : page["sections"])
    for (const auto& figure : section["figures"]) {
      ++kinds[figure["kind"]];
      if (figure["kind"] == "heatmap")
        for (const auto& row : figure["data"]["cells"])
          for (const auto& cell : row) least = std::min(least, cell.get<double>());
    }
  EXPECT_EQ(kinds, (std::map<std::string, int>{{"heatmap", 3}, {"sweep", 3}}));
  EXPECT_EQ(least, best["value"]);
  EXPECT_EQ(page["further"].size(), 36u);
  const auto own = contents(pages + "/point-" + best["point"].dump() + ".html");
  EXPECT_NE(own.find(best["command"].get<std::string>()), std::string::npos);
  EXPECT_EQ(run("sweep show " + out_ + " --against energy_j").code, 2);
  for (const char* none : {"no.such", "label"})  // nothing, and a text
    expect_refused("sweep show " + out_ + " --report " + pages + " --against " + none, 3, {none, "--against"});
}

TEST_F(SweepCommand, WhatIsRefusedIsARow) {
  const std::string sweep = file(
      "command = \"collective all-reduce --fabric switch --bytes 1MB\"\n[vary]\nnodes = [0, 4, 16]\n"
      "algorithm = [\"ring\", \"wrht\"]\n");
  const Said said = run("sweep " + sweep + " --json --out " + out_);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto codes = nlohmann::json::parse(said.out)["codes"];
  EXPECT_EQ(codes["0"], 2);                                     // ring on 4 and 16
  EXPECT_EQ(codes["3"].get<int>() + codes["4"].get<int>(), 4);  // no nodes, no light
}

// Seven points in three jobs are 3, 2 and 2; together they are the sweep.
TEST_F(SweepCommand, JobsDoTheirParts) {
  const std::string sweep = file("command = \"describe ring\"\n[vary]\nnodes = {from = 2, to = 8, step = 1}\n");
  std::string parts;
  for (const auto& [part, count] : {std::pair("1/3", 3), {"2/3", 2}, {"3/3", 2}}) {
    const std::string out = folder_ + "/part" + part[0] + ".db";
    const Said said = run("sweep " + sweep + " --json --part " + part + " --out " + out);
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(nlohmann::json::parse(said.out)["finished"], count);
    parts += " " + out;
  }
  const Said all = run("sweep join" + parts + " --json --out " + out_);
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(nlohmann::json::parse(all.out)["finished"], 7);
  EXPECT_EQ(nlohmann::json::parse(run("sweep " + sweep + " --json --out " + out_).out)["found"], 7);
  expect_refused("sweep " + sweep + " --part 4/3 --out " + out_, 2, {"--part", "3/16"});
  const std::string other = file("command = \"describe ring\"\n[vary]\nnodes = [2]\n");
  ASSERT_EQ(run("sweep " + other + " --out " + folder_ + "/other.db").code, 0);
  expect_refused("sweep join" + parts + " " + folder_ + "/other.db --out " + folder_ + "/two.db", 3, {"another sweep"});
}

TEST_F(SweepCommand, SaysWhatIsWrong) {
  const std::string head = "command = \"collective all-reduce --fabric switch --nodes 4 --bytes 1MB\"\n[vary]\n";
  expect_refused("sweep " + file(head + "fabric.rat = [\"1 Gb/s\"]\n") + " --out " + out_, 3, {"s.toml", "rat"});
  EXPECT_FALSE(std::filesystem::exists(out_));
  expect_refused("sweep " + file("command = \"colective\"\n[vary]\na = [1]\n") + " --out " + out_, 3, {"collective"});
  expect_refused("sweep " + file(head + "report = [\"" + folder_ + "/r\"]\n") + " --out " + out_, 3,
                 {"writes no file"});
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/r"));
  expect_refused("sweep " + file(head + "nodes = [4]\n"), 2, {"--out"});
  std::ofstream(out_) << "this is not a database, and it is somebody's";
  expect_refused("sweep " +
                     file("command = \"collective all-reduce --fabric switch --bytes 1MB\"\n[vary]\nnodes = [4]\n") +
                     " --out " + out_,
                 3, {"no database of a sweep"});
  EXPECT_EQ(contents(out_), "this is not a database, and it is somebody's");
  expect_refused("sweep show " + folder_ + "/gone.db", 3, {"gone.db"});
}

}  // namespace
}  // namespace helio::apps
