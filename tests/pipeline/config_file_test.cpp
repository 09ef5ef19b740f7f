// SPDX-License-Identifier: Apache-2.0
#include "pipeline/config_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::pipeline {
namespace {

const std::string kWhole = R"([fabric]
name = "ring"
nodes = 8
rate = "400 Gb/s"

[[collective]]
name = "first"
kind = "broadcast"
bytes = "1 MB"
algorithm = "ring"
root = 2
verify = true
remedy = ["block", "endpoint"]
groups = [[0, 1], [2, 3]]
[collective.parameters]
chunks = 16

[[collective]]
kind = "all-reduce"
bytes = "1 MB"
algorithm = "ring"
)";

Error error_of(const std::string& text) {
  try {
    interpret(parse_draft(text, "x.toml"));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return Error(ErrorKind::kUsage, "");
}

TEST(ConfigFile, AWholeFileBecomesADraftWithPlaces) {
  const Draft draft = parse_draft(kWhole, "x.toml");
  EXPECT_EQ(draft.fabric.at("nodes").text, "8");
  EXPECT_EQ(draft.fabric.at("rate").text, "400 Gb/s");
  EXPECT_EQ(draft.fabric.at("rate").place, "x.toml:4:1");
  ASSERT_EQ(draft.collectives.size(), 2u);
  const Draft::Block& first = draft.collectives[0];
  EXPECT_EQ(first.keys.at("remedy").text, "block,endpoint");
  EXPECT_EQ(first.keys.at("groups").text, "0,1;2,3");
  EXPECT_EQ(first.keys.at("verify").text, "true");
  EXPECT_EQ(first.parameters.at("chunks").text, "16");
  EXPECT_EQ(first.parameters.at("chunks").place, "x.toml:16:1");
  const Experiment experiment = interpret(draft);
  EXPECT_EQ(experiment.collectives[1].name, "collective 2");
}

// Each mistake with the line and column where it stands, and a word of the advice.
TEST(ConfigFile, MistakesAreToldWhereTheyStand) {
  struct Mistake {
    const char* text;
    const char* place;
    const char* advice;
  };
  const std::string collective = "[[collective]]\nkind=\"all-reduce\"\nbytes=\"1 MB\"\nalgorithm=\"ring\"\n";
  const Mistake mistakes[] = {
      {"[plan]\nmodel = \"gpt2-xl\"\n", "x.toml:1:2", "helio plan"},
      {"[[event]]\nadmit = \"one\"\n", "x.toml:1:3", "helio slices"},
      {"[fabirc]\nname = \"ring\"\n", "x.toml:1:2", "'fabric'"},
      {"engin = \"helio\"\n[fabric]\nname = \"ring\"\n", "x.toml:1:9", "'engine'"},
      {"engine = \"ns3\"\n[fabric]\nname = \"ring\"\n", "x.toml:1:10", "helio"},
      {"[fabric]\nname = \"ring\"\nrate = [1, 2]\n", "x.toml:3:8", "quotes"},
      {"[fabric]\nname = \"ring\"\nrate = 1979-05-27\n", "x.toml:3:8", "quotes"},
      {"fabric = \"ring\"\n", "x.toml:1:10", "[fabric]"},
      {"collective = 3\n[fabric]\nname = \"ring\"\n", "x.toml:1:14", "[[collective]]"},
      {"[fabric]\nname = \"ring\"\n[[collective]]\nkynd = \"all-reduce\"\n", "x.toml:4:1", "'kind'"},
      {"[fabric]\nname = \"ring\"\n[[collective]]\nremedy = []\n", "x.toml:4:10", "Leave"},
      {"[fabric]\nname = \"ring\"\n[[collective]]\nparameters = 3\n", "x.toml:4:14", "[collective.parameters]"},
  };
  for (const Mistake& mistake : mistakes) {
    const Error error = error_of(mistake.text);
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << mistake.text;
    EXPECT_EQ(error.place(), mistake.place) << mistake.text << error.message();
    EXPECT_NE(error.advice().find(mistake.advice), std::string::npos) << mistake.text << error.advice();
  }
}

// Cut anywhere, the file is refused or is a shorter whole; it never crashes.
TEST(ConfigFile, ATruncatedFileIsRefusedOrWhole) {
  // Nothing is whole before the line that says how many bytes the first collective has is.
  const std::size_t whole_from = kWhole.find('\n', kWhole.find("bytes"));
  for (std::size_t length = 0; length < kWhole.size(); ++length) {
    bool refused = false;
    try {
      interpret(parse_draft(kWhole.substr(0, length), "x.toml"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_TRUE(error.place().starts_with("x.toml")) << error.place();
      refused = true;
    }
    EXPECT_TRUE(refused || length >= whole_from) << length;
  }
}

TEST(ConfigFile, FilesThatCannotBeReadAreErrors) {
  for (const char* path : {"no/such/file.toml", "."}) {
    try {
      read_draft(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_EQ(error.place(), path);
    }
  }
}

}  // namespace
}  // namespace helio::pipeline
