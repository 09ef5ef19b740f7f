// SPDX-License-Identifier: Apache-2.0
// helio-train as people run it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "photonics/onn_file.h"
#include "train/safe_file.h"

namespace helio::train {
namespace {

struct Ran {
  int code = 0;
  std::string text;  // stdout and stderr
};

Ran run(const std::string& options, const std::string& what = "onn") {
  const std::string command = std::string(HELIO_TRAIN_BINARY) + " " + what + " " + options + " 2>&1";
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

TEST(HelioTrain, FilesOfANetworkAreThree) {
  const Ran ran = run(kTiny + "--epochs 1 --metrics " + file("one") + " --out " + file("one"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.text.find("name one file"), std::string::npos) << ran.text;
}

// Of a model, quick.
const std::string kQuick = "mlp --made-images 256 --made-classes 4 --width 32 --epochs 1 --batch 8 ";

struct Mistake {
  std::string options, place, words;
  int code;
};

void expect(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const Ran ran = run(mistake.options, "model");
    EXPECT_EQ(ran.code, mistake.code) << mistake.options << "\n" << ran.text;
    EXPECT_NE(ran.text.find(mistake.place), std::string::npos) << mistake.options << "\n" << ran.text;
    EXPECT_NE(ran.text.find(mistake.words), std::string::npos) << mistake.options << "\n" << ran.text;
    EXPECT_EQ(std::count(ran.text.begin(), ran.text.end(), '\n'), 1) << "one message: " << ran.text;
  }
}

// What cannot be printed is not lost without a word.
TEST(HelioTrain, AFullStandardOutputIsNoticed) {
  for (const std::string& options : {kQuick + "--json", kQuick, std::string("--help")})
    EXPECT_EQ(run(options + " >/dev/full", "model").code, 3) << options;
}

TEST(HelioTrain, AnUnknownFormatIsNamedFirst) {
  expect({{"mlp --data bogus --made-images 9", "unknown data format", "bogus", 3}});
}

// "--minutes 3" as a message names it.
std::string named(const std::string& option) { return "(" + option.substr(0, option.find(' ')) + ")"; }

// Each option where nothing reads it: exit 2, its name, and what would read it.
TEST(HelioTrain, OptionsThatNothingReadsAreRefused) {
  const std::string images = "--data cifar10 --train a --test b ", words = "llama --data tokens --train a --test b ";
  expect({{"mlp --heads 2", "(--heads)", "by llama only", 2},
          {"resnet18 --heads 2", "(--heads)", "by llama only", 2},
          {"mlp --context 9", "(--context)", "by llama only", 2},
          {"resnet50 --layers 3", "(--layers)", "by mlp and llama only", 2},
          {"mlp " + images + "--made-images 9", "(--made-images)", "with --data made only", 2},
          {"mlp " + images + "--made-classes 9", "(--made-classes)", "with --data made only", 2},
          {"mlp " + images + "--vocabulary 9", "(--vocabulary)", "with --data tokens only", 2},
          {words + "--no-augmentation", "(--no-augmentation)", "with images only", 2},
          {"mlp --train a", "(--train)", "with --data cifar10", 2},
          {"mlp --test a", "(--test)", "with --data cifar10", 2},
          {"mlp --second 0.9", "(--second)", "with --optimiser adamw only", 2},
          {"mlp --checkpoint-every 2", "(--checkpoint-every)", "with --checkpoint FILE only", 2}});
  for (const char* option : {"--resume", "--go-on", "--minutes 3"})
    expect({{"mlp " + std::string(option), named(option), "with --checkpoint FILE only", 2}});
  for (const char* option : {"--checkpoint a", "--metrics a", "--csv a", "--evaluate-every 2"})
    expect({{"mlp --time-steps 2 " + std::string(option), named(option), "without --time-steps only", 2}});
}

// adamw reads --momentum: it is the weight of its first mean.
TEST(HelioTrain, OptionsThatAreReadAreTaken) {
  EXPECT_EQ(run(kQuick + "--optimiser adamw --momentum 0.8 --second 0.9", "model").code, 0);
}

TEST(HelioTrain, BoundsAreSaidInOneMessage) {
  expect({{"mlp --seed -1", "--seed", "whole number from 0", 2},
          {"mlp --seed 1.5", "--seed", "whole number from 0", 2},
          {"mlp --minutes -1 --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --minutes nan --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --minutes inf --checkpoint a", "--minutes", "above 0", 2},
          {"mlp --time-steps -1", "--time-steps", "whole number from 1", 2},
          {"mlp --time-steps 0", "--time-steps", "whole number from 1", 2},
          {"mlp --time-steps 99999999999", "--time-steps", "whole number from 1", 2},
          {"mlp --width -3", "--width", "whole number from 1", 2},
          {"mlp --width 0", "--width", "whole number from 1", 2},
          {"mlp --epochs 1e300", "(--epochs)", "never end", 3},
          {"mlp --epochs -1", "(--epochs)", "are none", 3},
          {"mlp --epochs 2 --warmup 3", "(--warmup)", "does not fit", 3},
          {"mlp --rate -0.1", "(--rate)", "moves nothing", 3},
          {"mlp --batch 9000000000000000000", "(--batch)", "fits no memory", 3},
          {"mlp --width 1000000000", "GiB", "parameters on 4 servers need", 4}});
}

TEST(HelioTrain, EveryFileHasOneOption) {
  expect({{kQuick + "--metrics a --csv a", "(--csv)", "name one file", 2},
          {kQuick + "--checkpoint a --metrics ./a", "(--metrics)", "name one file", 2},
          {"mlp --data cifar10 --train a --test b --checkpoint a", "(--checkpoint)", "--train and --checkpoint", 2},
          {"mlp --data cifar10 --train a --test a", "(--test)", "--train and --test", 2}});
}

TEST(HelioTrain, GoOnIsBlamedByItsOwnName) {
  const std::string kept = file("no_checkpoint");
  replace_file(kept, "hello", "");
  const Ran ran = run(kQuick + "--go-on --checkpoint " + kept, "model");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.text.find("(--go-on)"), std::string::npos) << ran.text;
  EXPECT_EQ(ran.text.find("--resume"), std::string::npos) << ran.text;
}

TEST(HelioTrain, AFinishedModelSaysSo) {
  const std::string kept = " --checkpoint " + file("finished");
  ASSERT_EQ(run(kQuick + kept, "model").code, 0);
  const Ran text = run(kQuick + "--resume" + kept, "model");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.text.find("nothing was left to do"), std::string::npos) << text.text;
  EXPECT_EQ(text.text.find("loss 0.0000;"), std::string::npos) << text.text;
  const nlohmann::json result = nlohmann::json::parse(run(kQuick + "--resume --json" + kept, "model").text);
  EXPECT_EQ(result.at("steps_before"), result.at("steps"));
  EXPECT_GT(result.at("loss"), 0);
}

// The default recipe at its full rate for 8 epochs; at 0.1, which suits models with norms, the numbers are gone in the third.
TEST(HelioTrain, TheDefaultMlpLearns) {
  const Ran ran = run("mlp --epochs 8 --floor 1 --json", "model");
  ASSERT_EQ(ran.code, 0) << ran.text;
  EXPECT_GT(nlohmann::json::parse(ran.text).at("accuracy"), 0.9);
}

// helio hands over what people typed as the first word.
TEST(HelioTrain, CallsItselfAsItWasCalled) {
  Ran ran;
  std::FILE* pipe =
      popen(("bash -c \"exec -a 'helio train' " + std::string(HELIO_TRAIN_BINARY) + " model --help\"").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.text += static_cast<char>(c);
  ran.code = WEXITSTATUS(pclose(pipe));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.text.find("Usage: helio train [OPTIONS] MODEL"), std::string::npos) << ran.text;
  EXPECT_EQ(ran.text.find("helio-train"), std::string::npos) << ran.text;
}

}  // namespace
}  // namespace helio::train
