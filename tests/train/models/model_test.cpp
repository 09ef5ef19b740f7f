// SPDX-License-Identifier: Apache-2.0
#include "train/models/model.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "train/models/near.h"

namespace helio::train {
namespace {

std::string advice_for(const ModelSpec& spec, int servers = 1) {
  try {
    make_model(spec, servers, at::kCPU, at::kFloat, 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message() + " | " + error.advice().text();
  }
  return "";
}

TEST(Model, BadSpecsAreRefused) {
  ModelSpec spec;
  spec.name = "resnet81";
  EXPECT_NE(advice_for(spec).find("resnet18"), std::string::npos);
  spec = {};
  spec.name = "mlp";
  spec.classes = 0;
  EXPECT_NE(advice_for(spec).find("classes = 0"), std::string::npos);
  spec.classes = 2;
  spec.layers = -1;
  EXPECT_NE(advice_for(spec).find("layers = -1"), std::string::npos);
  spec = {};
  spec.name = "llama";
  spec.width = 60;  // 60/12 = 5 numbers for each head: no pairs
  EXPECT_NE(advice_for(spec).find("12 heads"), std::string::npos);
  spec = {};
  EXPECT_NE(advice_for(spec, 0).find("servers = 0"), std::string::npos);
}

// Sizes that a model does not read are not told, defaults are.
TEST(Model, WordsAreWhatTheModelReads) {
  ModelSpec spec;
  EXPECT_EQ(spec.words(),
            (nlohmann::json{{"name", "resnet18"}, {"classes", 10}, {"width", 64}, {"channels", 3}, {"side", 32}}));
  spec.name = "llama";
  spec.heads = 6;
  EXPECT_EQ(spec.words(),
            (nlohmann::json{
                {"name", "llama"}, {"classes", 10}, {"width", 768}, {"layers", 12}, {"heads", 6}, {"context", 256}}));
}

// Seven images for two servers: in training they cannot be shared out, in evaluation they need not be.
TEST(Model, TrainingSharesOutEvenly) {
  ModelSpec spec;
  spec.name = "mlp";
  spec.side = 2;
  const auto model = make_model(spec, 2, at::kCPU, at::kFloat, 1);
  const at::Tensor images = at::randn({7, 3, 2, 2});
  EXPECT_THROW(model->scores(images, Pass::kTraining), Error);
  const at::Tensor scores = model->scores(images, Pass::kEvaluation);
  EXPECT_EQ(scores.sizes(), (std::vector<std::int64_t>{7, 10}));
  EXPECT_FALSE(scores.requires_grad());
}

// The same seed, the same model, whatever the number of servers.
TEST(Model, SeedsDecide) {
  ModelSpec spec;
  spec.name = "mlp";
  spec.side = 2;
  const at::Tensor images = at::randn({4, 3, 2, 2});
  const auto scores = [&](int servers, std::uint64_t seed) {
    return make_model(spec, servers, at::kCPU, at::kFloat, seed)->scores(images, Pass::kEvaluation);
  };
  EXPECT_TRUE(at::equal(scores(1, 5), scores(4, 5)));
  EXPECT_FALSE(at::equal(scores(1, 5), scores(1, 6)));
}

}  // namespace
}  // namespace helio::train
