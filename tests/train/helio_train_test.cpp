// SPDX-License-Identifier: Apache-2.0
// helio-train as people run it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "photonics/onn_file.h"

namespace helio::train {
namespace {

struct Ran {
  int code = 0;
  std::string text;  // stdout and stderr
};

Ran run(const std::string& options) {
  const std::string command = std::string(HELIO_TRAIN_BINARY) + " onn " + options + " 2>&1";
  Ran ran;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.text += static_cast<char>(c);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

std::string file(const std::string& name) { return testing::TempDir() + "helio_train_" + name; }

const std::string kTiny =
    "--servers 2 --bits 4 --activation saturating --layers 2,16,32,16,2 --rate 5e-3 --batch 16 --stop-margin 0.1 ";

TEST(HelioTrain, TrainsSavesAndCounts) {
  const Ran ran = run(kTiny + "--structure ud --epochs 2000 --json --out " + file("net.json"));
  ASSERT_EQ(ran.code, 0) << ran.text;
  const nlohmann::json result = nlohmann::json::parse(ran.text);
  EXPECT_EQ(result.at("points"), 49);
  EXPECT_EQ(result.at("wrong"), 0);
  // 2→16, 32→… in blocks: 8 of side 2, 2 of side 16 twice, 8 of side 2, each s(s−1)/2 + s (papers/optinc.md 2.3).
  EXPECT_EQ(result.at("mzis"), 2 * (8 * 3 + 2 * (16 * 15 / 2 + 16)));
  const photonics::Onn saved = photonics::load_onn(file("net.json"));
  EXPECT_NE(saved.provenance.command.find("helio-train onn --servers 2"), std::string::npos);
  EXPECT_EQ(saved.provenance.seed, 1u);
}

TEST(HelioTrain, BadInputHasItsCode) {
  // The command line: 2.
  EXPECT_EQ(run("--servers 2").code, 2);
  EXPECT_EQ(run(kTiny + "--resume --out " + file("x.json")).code, 2);
  // Values: 3, naming the option.
  const Ran blocks = run("--servers 2 --bits 4 --structure ud --layers 2,15,2 --out " + file("x.json"));
  EXPECT_EQ(blocks.code, 3);
  EXPECT_NE(blocks.text.find("does not fit layer 0"), std::string::npos) << blocks.text;
  EXPECT_EQ(run("--servers 0 --bits 4 --out " + file("x.json")).code, 3);
  EXPECT_EQ(run(kTiny + "--structure oblong --out " + file("x.json")).code, 3);
  EXPECT_EQ(run(kTiny + "--epochs 1 --out /nowhere/at/all/x.json").code, 3);
  EXPECT_EQ(run(kTiny + "--resume --checkpoint " + file("none") + " --out " + file("x.json")).code, 3);
  // What cannot be done: 4.
  EXPECT_EQ(run("--servers 16 --bits 16 --out " + file("x.json")).code, 4);
}

TEST(HelioTrain, CheckpointOfAnotherShapeIsRefused) {
  const std::string kept = " --checkpoint " + file("kept") + " --out " + file("y.json");
  ASSERT_EQ(run(kTiny + "--epochs 2" + kept).code, 0);
  const Ran other = run("--servers 2 --bits 4 --layers 2,8,2 --resume --epochs 4" + kept);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.text.find("another shape"), std::string::npos) << other.text;
}

}  // namespace
}  // namespace helio::train
