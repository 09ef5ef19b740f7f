// SPDX-License-Identifier: Apache-2.0
// `--report` of `helio slices` and `helio onn`: a page with a picture.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "running.h"

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
  EXPECT_EQ(pictures_after("onn decompose --modes 8"), std::vector<std::string>{"mesh"});
  EXPECT_EQ(pictures_after("onn describe studies/optinc/n4b8_ud.json --layer 1"), std::vector<std::string>{"mesh"});
}

// A mesh of 256 modes has 32,640 MZIs, more than a page shows: wrong input, and no page.
TEST(PicturesCommand, TooManyMzisAreRefused) {
  EXPECT_TRUE(pictures_after("onn decompose --modes 256", 3).empty());
}

}  // namespace
}  // namespace helio::apps
