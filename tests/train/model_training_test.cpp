// SPDX-License-Identifier: Apache-2.0
// Whole trainings of small models on made images: they learn, what differs in the exchange alone starts and sees the same, and a training
// that was cut goes on as if it had not been.
#include "train/model_training.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace helio::train {
namespace {

ModelRecipe small() {
  ModelRecipe recipe;
  recipe.model.name = "mlp";
  recipe.model.width = 32;
  recipe.data.made_images = 256;
  recipe.data.made_classes = 4;
  recipe.servers = 4;
  recipe.batch = 8;
  recipe.epochs = 4;
  recipe.warmup = 1;
  recipe.rate = 0.02;
  return recipe;
}

std::string file(const std::string& name) { return testing::TempDir() + "model_training_" + name; }

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Lines without what a clock decides.
std::vector<nlohmann::ordered_json> timeless(std::vector<nlohmann::ordered_json> lines) {
  for (nlohmann::ordered_json& line : lines) line.erase("seconds"), line.erase("examples_per_s");
  return lines;
}

TEST(ModelTraining, EveryExchangeLearns) {
  for (const char* exchange : {"exact", "quantised", "optinc", "ring", "wrht"}) {
    ModelRecipe recipe = small();
    recipe.exchange.name = exchange;
    const ModelOutcome outcome = train_model(recipe, at::kCPU, {});
    EXPECT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.steps, 4 * (256 / 32)) << "256 images, 4 servers of 8";
    EXPECT_GT(outcome.held_out.accuracy, 0.5) << exchange << ": chance is a quarter";
  }
}

// A constructed network makes no mistake (papers/optinc.md 2.5), so light and plain quantisation must agree to the last bit.
TEST(ModelTraining, ConstructedLightTrainsAsQuantisationDoes) {
  ModelRecipe recipe = small();
  recipe.exchange.name = "quantised";
  const ModelOutcome quantised = train_model(recipe, at::kCPU, {});
  recipe.exchange.name = "optinc";
  const ModelOutcome optinc = train_model(recipe, at::kCPU, {});
  EXPECT_EQ(timeless(quantised.lines), timeless(optinc.lines));
}

TEST(ModelTraining, ResumedTrainingIsTheSameTraining) {
  for (const char* exchange : {"exact", "quantised"}) {
    ModelRecipe recipe = small();
    recipe.exchange.name = exchange;
    recipe.exchange.error_feedback = recipe.exchange.name == "quantised";
    const ModelOutcome whole = train_model(recipe, at::kCPU, {.checkpoint = file("whole"), .checkpoint_every = 0.5});

    // Stopped after the first epoch that ends after no time at all, then gone on.
    const std::string path = file("parts");
    std::filesystem::remove(path);
    ModelFiles files{.checkpoint = path,
                     .checkpoint_every = 0.5,
                     .resume_if_there = true,
                     .metrics = file("lines"),
                     .csv = file("table"),
                     .minutes = 1e-9};
    for (int slice = 0; slice < 4; ++slice) {
      const ModelOutcome part = train_model(recipe, at::kCPU, files);
      EXPECT_EQ(part.finished, slice == 3);
      EXPECT_EQ(part.steps_done, 8 * (slice + 1));
    }
    std::vector<nlohmann::ordered_json> lines;
    std::istringstream text(content(file("lines")));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::ordered_json::parse(line));
    EXPECT_EQ(timeless(lines), timeless(whole.lines));
    EXPECT_EQ(content(file("table")).substr(0, 15), "epoch,step,loss");

    // What is kept at the end is the same, number by number.
    const Checkpoint a = load_checkpoint(file("whole"), ""), b = load_checkpoint(path, "");
    ASSERT_EQ(a.tensors.size(), b.tensors.size());
    for (const auto& [name, tensor] : a.tensors) EXPECT_TRUE(tensor.equal(b.tensors.at(name))) << name;
  }
}

TEST(ModelTraining, CheckpointOfAnotherTrainingIsRefused) {
  ModelRecipe recipe = small();
  recipe.epochs = 2;
  train_model(recipe, at::kCPU, {.checkpoint = file("other")});
  recipe.rate = 0.5;
  try {
    train_model(recipe, at::kCPU, {.checkpoint = file("other"), .resume = true});
    FAIL() << "resumed with another rate";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("its rate is"), std::string::npos) << error.message();
  }
}

// Rate 1e20: the first step leaves the finite numbers, the checkpoint of the epoch before stays.
TEST(ModelTraining, LossThatIsNoNumberStopsAndKeepsTheLastGoodCheckpoint) {
  ModelRecipe recipe = small();
  recipe.rate = 1e20;
  recipe.warmup = 0;
  std::filesystem::remove(file("nan"));
  try {
    train_model(recipe, at::kCPU, {.checkpoint = file("nan")});
    FAIL() << "trained with a rate of 1e20";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("not a number in one of steps"), std::string::npos) << error.message();
  }
  EXPECT_FALSE(std::filesystem::exists(file("nan")));
}

TEST(ModelTraining, TooFewExamplesForAStep) {
  ModelRecipe recipe = small();
  recipe.batch = 1000;
  EXPECT_THROW(train_model(recipe, at::kCPU, {}), Error);
}

// The smoke run of the whole pipeline: a ResNet-18 of 8 channels.
TEST(ModelTraining, NarrowResnetLearns) {
  ModelRecipe recipe = small();
  recipe.model.name = "resnet18";
  recipe.model.width = 8;
  recipe.data.made_images = 512;
  recipe.epochs = 3;
  recipe.rate = 0.1;
  recipe.exchange.name = "optinc";
  const ModelOutcome outcome = train_model(recipe, at::kCPU, {});
  EXPECT_GT(outcome.held_out.accuracy, 0.5) << "chance is a quarter";
}

}  // namespace
}  // namespace helio::train
