// SPDX-License-Identifier: Apache-2.0
// Whole trainings of small models on made images: they learn, what differs in the exchange alone starts and sees the same, and a training
// that was cut goes on as if it had not been.
#include "train/model_training.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Rate 1e20: step 1 throws weights to some 1e20, which floats hold; step 2 multiplies three layers of them, past 3.4e38, the largest
// float. Whatever carries the gradients, the training says so in the same way, and the checkpoint of step 1 (8 steps make an epoch) stays.
TEST(ModelTraining, NumbersThatAreNoneStopAndNameTheLastGoodCheckpoint) {
  for (const char* exchange : {"exact", "ring", "quantised", "optinc"}) {
    ModelRecipe recipe = small();
    recipe.exchange.name = exchange;
    recipe.rate = 1e20;
    recipe.warmup = 0;
    const std::string path = file(std::string("nan_") + exchange);
    std::filesystem::remove(path);
    try {
      train_model(recipe, at::kCPU, {.checkpoint = path, .checkpoint_every = 0.125});
      FAIL() << "trained with a rate of 1e20";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible) << exchange;
      EXPECT_NE(error.message().find("in step 2: the gradient of layer"), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("on server"), std::string::npos) << error.message();
      EXPECT_NE(error.advice().find("of step 1, is in '" + path + "'"), std::string::npos) << error.advice();
    }
    EXPECT_EQ(load_checkpoint(path, "").numbers.at("step"), 1) << exchange;
  }
}

// Without a checkpoint on the way the look at the end of the epoch notices, for steps 1 to 8 together.
TEST(ModelTraining, ALookCoversTheStepsSinceTheLast) {
  ModelRecipe recipe = small();
  recipe.rate = 1e20;
  recipe.warmup = 0;
  std::filesystem::remove(file("none"));
  try {
    train_model(recipe, at::kCPU, {.checkpoint = file("none")});
    FAIL() << "trained with a rate of 1e20";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("one of steps 1 to 8"), std::string::npos) << error.message();
    EXPECT_NE(error.advice().find("No checkpoint was written to '" + file("none")), std::string::npos)
        << error.advice();
  }
  EXPECT_FALSE(std::filesystem::exists(file("none")));
}

// Rate 3e38, near the largest float: a gradient above 1.2 takes its weight beyond in a step whose own loss was a number. Such weights
// are never kept.
TEST(ModelTraining, WeightsThatAreNoNumbersAreNotKept) {
  ModelRecipe recipe = small();
  recipe.rate = 3e38;
  recipe.momentum = 0.99;
  recipe.warmup = 0;
  recipe.smoothing = 0;
  std::filesystem::remove(file("weights"));
  try {
    train_model(recipe, at::kCPU, {.checkpoint = file("weights"), .checkpoint_every = 0.125});
    FAIL() << "trained with a rate of 3e38";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
  if (!std::filesystem::exists(file("weights"))) return;
  const Checkpoint kept = load_checkpoint(file("weights"), "");
  for (const auto& [name, tensor] : kept.tensors) EXPECT_TRUE(at::isfinite(tensor).all().item().toBool()) << name;
}

// 2½ epochs of 8 steps: the last line is of half an epoch. Resumed, nothing is left to do; numbers, lines and table are those from before.
TEST(ModelTraining, AFinishedTrainingGivesItsNumbersAgain) {
  ModelRecipe recipe = small();
  recipe.epochs = 2.5;
  ModelFiles files{.checkpoint = file("finished"), .metrics = file("finished_lines"), .csv = file("finished_table")};
  const ModelOutcome first = train_model(recipe, at::kCPU, files);
  EXPECT_EQ(first.steps_before, 0);
  const std::string lines = content(files.metrics), table = content(files.csv);
  std::filesystem::remove(files.csv);
  files.resume = true;
  const ModelOutcome again = train_model(recipe, at::kCPU, files);
  EXPECT_TRUE(again.finished);
  EXPECT_EQ(again.steps_before, 20);
  EXPECT_GT(again.loss, 0);
  EXPECT_EQ(again.loss, first.loss);
  EXPECT_EQ(again.held_out.loss, first.held_out.loss);
  EXPECT_GT(again.examples_per_s, 0);
  EXPECT_EQ(content(files.metrics), lines);
  EXPECT_EQ(content(files.csv), table);
}

// Looks at epochs 2 and 4 only: rows 1 and 3 have the same columns with nothing in them, from the first table on.
TEST(ModelTraining, TheTableHasTheSameColumnsInEveryRow) {
  for (const char* exchange : {"exact", "quantised"}) {
    ModelRecipe recipe = small();
    recipe.exchange.name = exchange;
    const auto table_of = [&](std::int64_t every) {
      const ModelFiles files{.metrics = file("columns"), .csv = file("columns.csv"), .evaluate_every = every};
      std::vector<std::string> heads;  // as they stand while the training runs
      train_model(recipe, at::kCPU, files, [&](const ModelNews&) {
        const std::string now = content(files.csv);
        heads.push_back(now.substr(0, now.find('\n')));
      });
      std::istringstream rows(content(files.csv));
      std::vector<std::string> all;
      for (std::string row; std::getline(rows, row);) all.push_back(row);
      for (const std::string& head : heads) EXPECT_EQ(head, all.front());
      return all;
    };
    const std::vector<std::string> often = table_of(1), seldom = table_of(2);
    ASSERT_EQ(seldom.size(), 5u);
    EXPECT_EQ(seldom.front(), often.front());
    const auto commas = [](const std::string& row) { return std::count(row.begin(), row.end(), ','); };
    for (const std::string& row : seldom) EXPECT_EQ(commas(row), commas(seldom.front())) << row;
    EXPECT_EQ(seldom.front().find("epoch,step,loss,rate,held_out_loss,accuracy,"), 0u);
    EXPECT_NE(seldom[1].find(",,"), std::string::npos) << "epoch 1 looked at nothing";
    EXPECT_EQ(seldom[2].find(",,"), std::string::npos) << "epoch 2 looked at everything";
  }
}

// A file of the CIFAR-10 layout with `count` records of one shade each; `shift` makes other content of the same size.
std::string images(const std::string& name, int count, int shift) {
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    bytes += static_cast<char>(i % 10);
    for (int k = 0; k < 3072; ++k) bytes += static_cast<char>((i * 37 + k * 11 + shift) % 251);
  }
  std::ofstream(file(name), std::ios::binary) << bytes;
  return file(name);
}

TEST(ModelTraining, OtherContentsUnderTheSameNameAreRefused) {
  ModelRecipe recipe = small();
  recipe.epochs = 1;
  recipe.warmup = 0;
  recipe.data.format = "cifar10";
  recipe.data.train = {images("train.bin", 64, 0)};
  recipe.data.test = {images("test.bin", 10, 0)};
  ModelFiles files{.checkpoint = file("contents")};
  train_model(recipe, at::kCPU, files);
  files.resume = true;
  EXPECT_TRUE(train_model(recipe, at::kCPU, files).finished);

  // Held-out images that differ in a shade.
  images("test.bin", 10, 1);
  try {
    train_model(recipe, at::kCPU, files);
    FAIL() << "resumed with other images";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("other contents of the files of --test"), std::string::npos) << error.message();
  }
}

TEST(ModelTraining, OtherSizesOfMadeDataAreRefused) {
  ModelRecipe recipe = small();
  recipe.epochs = 1;
  recipe.warmup = 0;
  train_model(recipe, at::kCPU, {.checkpoint = file("made")});
  recipe.data.made_images = 512;
  EXPECT_THROW(train_model(recipe, at::kCPU, {.checkpoint = file("made"), .resume = true}), Error);
}

TEST(ModelTraining, BadFilesNameTheirOption) {
  const auto place = [](const ModelFiles& files) {
    try {
      files.check(small());
    } catch (const Error& error) {
      return error.place();
    }
    return std::string("none");
  };
  EXPECT_EQ(place({}), "none");
  EXPECT_EQ(place({.csv = "t"}), "--csv");
  EXPECT_EQ(place({.metrics = "t", .csv = "t"}), "--csv");
  EXPECT_EQ(place({.checkpoint = "t", .metrics = "t"}), "--metrics");
  EXPECT_EQ(place({.minutes = -1}), "--minutes");
  EXPECT_EQ(place({.minutes = NAN}), "--minutes");
  EXPECT_EQ(place({.checkpoint = "t", .checkpoint_every = NAN}), "--checkpoint-every");
  EXPECT_EQ(place({.evaluate_every = 0}), "--evaluate-every");
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
