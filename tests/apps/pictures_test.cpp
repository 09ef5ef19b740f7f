// SPDX-License-Identifier: Apache-2.0
// `--report` of `helio slices` and `helio onn`: a page with a picture.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "running.h"
#include "source_dir.h"

namespace helio::apps {
namespace {

namespace fs = std::filesystem;

// Kinds of the figures on the first page that a command wrote.
std::vector<std::string> pictures_after(const std::string& arguments, int code = 0) {
  const std::string folder = scratch_file("pictures");
  const Said said = run(arguments + " --report " + folder, HELIO_SOURCE_DIR);
  EXPECT_EQ(said.code, code) << said.err;
  std::vector<std::string> kinds;
  if (!fs::exists(folder)) return kinds;
  EXPECT_TRUE(fs::exists(folder + "/index.html"));
  const auto page = nlohmann::json::parse(contents(folder + "/page.json"));
  for (const auto& section : page["sections"])
    for (const auto& figure : section["figures"]) kinds.push_back(figure["kind"]);
  fs::remove_all(folder);
  return kinds;
}

TEST(PicturesCommand, SlicesAndMeshes) {
  EXPECT_EQ(pictures_after("slices examples/oddl_slices.toml"), std::vector<std::string>{"slices"});
  EXPECT_EQ(pictures_after("slices examples/oddl_slices.toml --run --json"), std::vector<std::string>{"slices"});
  EXPECT_EQ(pictures_after("testbed oddl --bytes 40kB --steps 2"), std::vector<std::string>{"timeline"});
  EXPECT_EQ(pictures_after("onn decompose --modes 8"), std::vector<std::string>{"mesh"});
  EXPECT_EQ(pictures_after("onn describe studies/optinc/n4b8_ud.json --layer 1"), std::vector<std::string>{"mesh"});
}

// What --prove says on the terminal is on the page too, job by job, and the flows that moved are a card. `giant` of the example has all
// nodes, so that all others are its heirs.
TEST(PicturesCommand, TheProofOfIsolationIsOnThePage) {
  const std::string folder = scratch_file("pictures"),
                    asked = "slices examples/oddl_slices.toml --run --report " + folder;
  const auto page_after = [&](const std::string& arguments, std::string& out) {
    const Said said = run(arguments, HELIO_SOURCE_DIR);
    EXPECT_EQ(said.code, 0) << said.err;
    out = said.out;
    return nlohmann::json::parse(contents(folder + "/page.json"))["sections"][0];
  };
  std::string text;
  const auto bare = page_after(asked, text);
  EXPECT_EQ(bare["tables"].size(), 2u);
  const auto section = page_after(asked + " --prove", text);
  ASSERT_EQ(section["tables"].size(), 3u);
  const auto& proof = section["tables"][2];
  EXPECT_EQ(proof["name"], "isolation");
  ASSERT_EQ(proof["rows"].size(), 5u);
  std::size_t alone = 0;
  for (const auto& row : proof["rows"]) {
    std::string words = row.back();
    words.resize(std::min(words.find(", which shows little"), words.size()));  // a line of its own on the terminal
    EXPECT_NE(text.find("isolation   " + words), std::string::npos) << words;
    EXPECT_EQ(row[3]["text"], "0");
    alone += words.find("nobody else") != std::string::npos && row[0] == "giant";
  }
  EXPECT_EQ(alone, 1u);
  ASSERT_EQ(section["cards"].size(), bare["cards"].size() + 1);
  EXPECT_EQ(section["cards"].back()["value"], "0");
  fs::remove_all(folder);
}

// What the card counts and what the figure draws differ by the MZIs that set amplitudes (photonics/onn_compile.h: one per amplitude), which
// have no place in a mesh; both say so.
TEST(PicturesCommand, CardAndFigureSayWhichMzisTheyCount) {
  const std::string folder = scratch_file("pictures"), network = scratch_file("network.json");
  ASSERT_EQ(run("onn build --servers 2 --bits 4 --out " + network).code, 0);
  ASSERT_EQ(run("onn describe " + network + " --report " + folder).code, 0);
  const auto section = nlohmann::json::parse(contents(folder + "/page.json"))["sections"][0];
  const std::string note = section["cards"][0]["note"], words = section["words"][0];
  int in_meshes = 0, amplitudes = 0;
  ASSERT_EQ(std::sscanf(note.c_str(), "%d in meshes, %d that set an amplitude", &in_meshes, &amplitudes), 2) << note;
  std::size_t drawn = 0;
  for (const auto& mesh : section["figures"][0]["data"]["meshes"]) drawn += mesh["mode"].size();
  EXPECT_EQ(static_cast<std::size_t>(in_meshes), drawn);
  EXPECT_GT(amplitudes, 0);
  EXPECT_EQ(section["cards"][0]["value"], std::to_string(in_meshes + amplitudes));
  EXPECT_NE(words.find("counted but not drawn"), std::string::npos) << words;
  fs::remove_all(folder);
  fs::remove(network);
}

// A mesh of 256 modes has 32,640 MZIs, more than a page shows: wrong input, and no page.
TEST(PicturesCommand, TooManyMzisAreRefused) { EXPECT_TRUE(pictures_after("onn decompose --modes 256", 3).empty()); }

}  // namespace
}  // namespace helio::apps
