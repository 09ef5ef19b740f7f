// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_training.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"

namespace helio::train {
namespace {

std::string file(const std::string& name) { return testing::TempDir() + "helio_training_" + name; }

// Two servers, two symbols: 7² = 49 points.
OnnRecipe tiny(TrainedStructure structure) {
  OnnRecipe recipe;
  recipe.task.servers = 2;
  recipe.task.bits = 4;
  recipe.widths = {2, 16, 32, 16, 2};
  recipe.structure = structure;
  if (structure != TrainedStructure::kDense) recipe.block_layers = every_layer(recipe.widths);
  recipe.activation = photonics::ActivationKind::kSaturating;
  recipe.rate = 5e-3;
  recipe.batch = recipe.batch_last = 16;
  recipe.epochs = 2000;
  recipe.stop_margin = 0.1;
  return recipe;
}

TrainingOutcome train(const OnnRecipe& recipe, const TrainingFiles& files = {}) {
  return train_onn(recipe, device_named("cpu", ""), files);
}

std::string text(const photonics::Onn& onn) {
  photonics::Onn without = onn;
  without.provenance = {};
  return photonics::onn_text(without);
}

// No mistake on any of the 49 points, in double precision and as saved in single, with the margin that training was to reach.
TEST(OnnTraining, TinyNetworksMakeNoMistake) {
  for (const TrainedStructure structure : {TrainedStructure::kDense, TrainedStructure::kUd}) {
    const TrainingOutcome outcome = train(tiny(structure));
    const std::string saved = photonics::onn_text(outcome.onn, photonics::Packing::kFloat32);
    const photonics::Evaluation counted = photonics::evaluate(photonics::onn_from_text(saved, "saved"));
    EXPECT_EQ(counted.points, 49u);
    EXPECT_EQ(counted.wrong, 0u) << name_of(structure);
    EXPECT_GE(counted.output_margin, 0.099);
    EXPECT_EQ(outcome.onn.provenance.seed, 1u);
  }
}

// Projection after every epoch learns too, and what comes out has its structure: rows of a block are orthogonal.
TEST(OnnTraining, ProjectedNetworksLearn) {
  OnnRecipe recipe = tiny(TrainedStructure::kProj);
  recipe.epochs = 400;
  recipe.stop_margin = 0.5;
  const TrainingOutcome outcome = train(recipe);
  // T = s0 + 4·s1 takes a value at most twice and G = ⌊T/2 + ½⌋ joins two values of T: a constant has at most 4 points right.
  EXPECT_LT(outcome.counted.wrong, 25);
  const photonics::Matrix block = outcome.onn.layers[1].weights.topRows(16);
  const photonics::Matrix inner = block * block.transpose();
  EXPECT_NEAR(inner(0, 1) / inner(0, 0), 0, 1e-9);
}

TEST(OnnTraining, SameSeedSameNetwork) {
  OnnRecipe recipe = tiny(TrainedStructure::kUd);
  recipe.epochs = 20;
  const std::string first = text(train(recipe).onn);
  EXPECT_EQ(text(train(recipe).onn), first);
  recipe.seed = 2;
  EXPECT_NE(text(train(recipe).onn), first);
}

// 30 epochs, or 17 whose last checkpoint is of epoch 10 and then, resumed from there, on to 30: the same network and the same
// metrics, bit by bit but for the seconds. With component noise, so that its draws are part of it.
TEST(OnnTraining, ResumesAsIfNothingHadHappened) {
  OnnRecipe recipe = tiny(TrainedStructure::kUd);
  recipe.noise.phase_sigma = 3e-3;
  recipe.epochs = 30;
  recipe.stop_margin = 0.5;
  const TrainingFiles whole{"", 10, false, file("whole.jsonl")};
  const std::string expected = text(train(recipe, whole).onn);

  // A kill in epoch 17: whoever watches throws.
  const TrainingFiles part{file("part.checkpoint"), 10, false, file("part.jsonl")};
  struct Killed {};
  EXPECT_THROW(train_onn(recipe, device_named("cpu", ""), part,
                         [](const TrainingNews& news) {
                           if (news.epoch == 17) throw Killed();
                         }),
               Killed);
  TrainingFiles rest = part;
  rest.resume = true;
  EXPECT_EQ(text(train(recipe, rest).onn), expected);

  const auto lines = [](const std::string& path) {
    std::vector<nlohmann::json> all;
    std::istringstream in(read_bytes(path, ""));
    for (std::string line; std::getline(in, line);) {
      all.push_back(nlohmann::json::parse(line));
      all.back().erase("seconds");
    }
    return all;
  };
  EXPECT_EQ(lines(part.metrics).size(), 30u);
  EXPECT_EQ(lines(part.metrics), lines(whole.metrics));
}

TEST(OnnTraining, CheckpointsOfAnotherShapeAreRefused) {
  OnnRecipe recipe = tiny(TrainedStructure::kUd);
  recipe.epochs = 2;
  TrainingFiles files{file("shape.checkpoint"), 1, false, ""};
  train(recipe, files);
  files.resume = true;
  recipe.widths = {2, 16, 16, 16, 2};
  try {
    train(recipe, files);
    FAIL() << "resumed a network of other widths";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("another shape"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("layers"), std::string::npos) << error.message();
  }
}

// A rate of 1e25 throws weights so far that the second layer's products pass 3.4e38, the largest float. The error says in which
// epoch; the checkpoint from before stays as it was.
TEST(OnnTraining, StopsWhereTheLossIsNoNumber) {
  OnnRecipe recipe = tiny(TrainedStructure::kDense);
  recipe.activation = photonics::ActivationKind::kRelu;
  recipe.epochs = 3;
  recipe.stop_margin = 0.5;
  TrainingFiles files{file("nan.checkpoint"), 1, false, ""};
  train(recipe, files);
  const std::string good = read_bytes(files.checkpoint, "");
  files.resume = true;
  recipe.epochs = 100;
  recipe.rate = 1e25;
  try {
    train(recipe, files);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("not a number in epoch"), std::string::npos) << error.message();
    EXPECT_NE(error.advice().find("epoch 3, which --resume goes on from, is in '" + files.checkpoint),
              std::string::npos)
        << error.advice();
  }
  EXPECT_EQ(read_bytes(files.checkpoint, ""), good);

  // Without a checkpoint nothing can be resumed, and nothing says so.
  try {
    train(recipe);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.advice().find("resume"), std::string::npos) << error.advice();
    EXPECT_NE(error.advice().find("smaller --rate"), std::string::npos) << error.advice();
  }
}

}  // namespace
}  // namespace helio::train
