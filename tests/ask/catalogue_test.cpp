// SPDX-License-Identifier: Apache-2.0
#include "ask/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ask/reference.h"
#include "ask/refusal.h"
#include "ask/reproduce.h"
#include "ask/starter.h"
#include "fabric/fabric.h"
#include "source_dir.h"

namespace helio::ask {
namespace {

TEST(Catalogue, ListsWhatTheRoomsHave) {
  const std::vector<ListedRoom> all = rooms();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].name, "fabrics");
  EXPECT_EQ(all[0].entries.size(), fabric::fabrics().entries().size());
  for (const ListedRoom& room : all)
    for (const Listed& entry : room.entries)
      EXPECT_NE(list(room.name).find("  " + entry.name + " "), std::string::npos) << entry.name;
  EXPECT_EQ(refusal([] { list("pieces", {}, "here"); })->place(), "here");
  EXPECT_EQ(refusal([] { describe("rign", {}, "here"); })->place(), "here");
}

TEST(Catalogue, DescribesAFabricWithItsParts) {
  const DescribeQuestion ring{.name = "ring", .nodes = "8", .set = {{"part.serdes.pj_per_bit", "1"}}};
  EXPECT_NE(describe(ring, {}).find("parts of ring with 8 nodes"), std::string::npos);
  EXPECT_EQ(describe(DescribeQuestion{.name = "ring"}, {}).find("parts of"), std::string::npos);
  // 16 ends let 2 x 400 Gb/s pass, at 1 pJ each: 12.8 W
  const auto json = nlohmann::json::parse(describe_in_json(ring));
  EXPECT_EQ(json["nodes"], 8);
  EXPECT_EQ(json["parts"][0]["part"], "serdes");
  EXPECT_EQ(json["parts"][0]["count"], 16);
  EXPECT_NEAR(json["parts"][0]["watts_high"].get<double>(), 12.8, 1e-9);
  EXPECT_EQ(nlohmann::json::parse(describe_in_json({.name = "wss"}))["part"], "wss");
  EXPECT_EQ(nlohmann::json::parse(describe_in_json({.name = "vgg16"}))["parameters"],
            138357544);  // Simonyan & Zisserman 2015
  EXPECT_EQ(refusal([] { describe(DescribeQuestion{.name = "wss", .nodes = "8"}, {}); })->kind(), ErrorKind::kUsage);
  EXPECT_EQ(refusal([] { describe_in_json({.name = "columns"}); })->kind(), ErrorKind::kUsage);
  EXPECT_EQ(refusal([] { describe_in_json({.name = "rign"}); })->kind(), ErrorKind::kInput);
}

TEST(Catalogue, TellsScriptsWhatItTellsPeople) {
  const auto all = nlohmann::json::parse(list_in_json(""));
  for (const ListedRoom& room : rooms()) EXPECT_EQ(all[room.name].size(), room.entries.size()) << room.name;
  EXPECT_EQ(nlohmann::json::parse(list_in_json("npus")).size(), 1u);
  EXPECT_EQ(refusal([] { list_in_json("gpus", "here"); })->advice().text().substr(0, 20), "did you mean 'npus'?");
  // NVIDIA H100 data sheet: 989.5 TFLOP/s of bf16 without sparsity, 3.35 TB/s
  const auto h100 = nlohmann::json::parse(describe_in_json({.name = "h100"}));
  EXPECT_EQ(h100["flops"]["bf16"], 989.5e12);
  EXPECT_EQ(h100["memory_bandwidth_bps"], 8 * 3.35e12);
  EXPECT_EQ(nlohmann::json::parse(describe_in_json({.name = "direct"}))["kinds"].size(), 6u);
  EXPECT_EQ(nlohmann::json::parse(describe_in_json({.name = "job"}))["parameters"][0]["name"], "name");
}

// Starters are TOML with a command above it; the apps' tests run them.
TEST(Starter, SaysWhatRunsIt) {
  ASSERT_EQ(starters().size(), 5u);
  EXPECT_NE(starter("job", "mine.toml", "here").find("#     helio simulate mine.toml\n"), std::string::npos);
  EXPECT_NE(starter("sweep", "s.toml", "here").find("#     helio sweep s.toml --out results.db\n"), std::string::npos);
  EXPECT_EQ(refusal([] { starter("jobs", "j.toml", "here"); })->place(), "here");
}

// What a file says is told with what is not modelled, in words and in JSON.
TEST(Catalogue, DescribesAModelOfAFile) {
  const DescribeQuestion file{.name = HELIO_SOURCE_DIR "/examples/models/llama-7b/config.json"};
  EXPECT_NE(describe(file, {}).find("shape: 32 blocks of 4096; 32 heads of 128; gated feed-forward of 11008"),
            std::string::npos);
  const auto json = nlohmann::json::parse(describe_in_json(file));
  EXPECT_EQ(json["parameters"], 6'738'415'616);
  EXPECT_EQ(json["layers"].size(), 3u);
  EXPECT_TRUE(json["not_modelled"].empty());
}

TEST(Reference, HasAPageForEachRoom) {
  std::vector<std::string> names;
  for (const ReferencePage& page : reference_pages()) names.push_back(page.name);
  for (const ListedRoom& room : rooms()) EXPECT_EQ(std::ranges::count(names, room.name), 1) << room.name;
}

TEST(Reproduce, IsTheStudyAndTellsHowFarItIs) {
  std::size_t told = 0;
  const auto found = reproduce("closed-forms", {.part = [&](std::size_t, std::size_t parts, std::string_view) {
                                 ++told;
                                 EXPECT_EQ(parts, 1u);
                               }});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rows.size(), studies::reproduce("closed-forms").rows.size());
  EXPECT_EQ(told, 2u);  // begins, ends
  EXPECT_EQ(refusal([] { reproduce("nothing"); })->kind(), ErrorKind::kInput);
}

}  // namespace
}  // namespace helio::ask
