// SPDX-License-Identifier: Apache-2.0
#include "train/models/llama.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "train/models/servers_alone.h"

namespace helio::train {
namespace {

ModelSpec tiny() {
  ModelSpec spec;
  spec.name = "llama";
  spec.classes = 19;
  spec.width = 16;
  spec.layers = 2;
  spec.heads = 2;
  spec.context = 8;
  return spec;
}

// D = 768, L = 12, V = 16384; 8·768/3 = 2048 = 32·64, so H = 2048.
//   embedding and head   2·16384·768                        =  25,165,824
//   a block              4·768² + 3·768·2048 + 2·768        =   7,079,424, twelve of them 84,953,088
//   last norm                                                        768
// Together 110,119,680.
TEST(Llama, CountsItsParameters) {
  ModelSpec spec;
  spec.name = "llama";
  spec.classes = 16384;
  const auto model = make_model(spec, 1, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(model->parameters().count(), 25165824 + 84953088 + 768);
  EXPECT_EQ(model->parameters().count(), 110119680);
  EXPECT_TRUE(model->reads_tokens());
}

// Width 16: 8·16/3 = 42.7, rounded up to 64. 2·19·16 + 2·(4·256 + 3·16·64 + 32) + 16.
TEST(Llama, HiddenWidthIsRoundedUp) {
  const auto model = make_model(tiny(), 1, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(model->parameters().count(), 608 + 2 * (1024 + 3072 + 32) + 16);
}

TEST(Llama, ServersAreThemselves) {
  at::manual_seed(1);
  const at::Tensor tokens = at::randint(19, {6, 8}, at::kLong), targets = at::randint(19, {48}, at::kLong);
  expect_servers_alone(tiny(), tokens, targets, 3, 1e-4);
  expect_slope(tiny(), tokens, targets, 1e-2, 0.01);
}

// A model that knows nothing gives every token the same chance: the loss is ln 19, up to what start values of 0.02 do.
TEST(Llama, BeginsByGuessing) {
  const auto model = make_model(tiny(), 1, at::kCPU, at::kFloat, 1);
  const at::Tensor tokens = at::randint(19, {4, 8}, at::kLong);
  const at::Tensor scores = model->scores(tokens, Pass::kEvaluation);
  EXPECT_EQ(scores.sizes(), (std::vector<std::int64_t>{32, 19}));
  EXPECT_NEAR(server_losses(scores, tokens.flatten(), 1).item<double>(), std::log(19.0), 0.1);
}

// Scores of a position follow from the tokens up to it, and from where they stand.
TEST(Llama, SeesThePastAlone) {
  at::manual_seed(2);
  const auto model = make_model(tiny(), 1, at::kCPU, at::kFloat, 1);
  model->parameters().values().mul_(5);
  at::Tensor tokens = at::randint(19, {1, 8}, at::kLong), other = tokens.clone();
  other[0][5] = (other[0][5] + 1) % 19;
  const at::Tensor a = model->scores(tokens, Pass::kEvaluation), b = model->scores(other, Pass::kEvaluation);
  EXPECT_TRUE(near(a.narrow(0, 0, 5), b.narrow(0, 0, 5), 1e-6));
  for (int position = 5; position < 8; ++position)
    EXPECT_GT((a[position] - b[position]).abs().max().item<float>(), 1e-4) << position;
  EXPECT_TRUE(near(a.narrow(0, 0, 3), model->scores(tokens.narrow(1, 0, 3), Pass::kEvaluation), 1e-6));
}

// In a single block the last position weighs the ones before it; only the rotation tells it in which order they stand.
TEST(Llama, OrderCounts) {
  at::manual_seed(3);
  ModelSpec spec = tiny();
  spec.layers = 1;
  const auto model = make_model(spec, 1, at::kCPU, at::kFloat, 1);
  model->parameters().values().mul_(5);
  const at::Tensor one = at::tensor({3, 11, 7, 5}, at::kLong).view({1, 4}),
                   other = at::tensor({11, 3, 7, 5}, at::kLong).view({1, 4});
  const at::Tensor a = model->scores(one, Pass::kEvaluation), b = model->scores(other, Pass::kEvaluation);
  EXPECT_FALSE(near(a[3], b[3], 1e-4));  // sums in another order are 1e-6 apart
}

TEST(Llama, RefusesLongerSequences) {
  const auto model = make_model(tiny(), 1, at::kCPU, at::kFloat, 1);
  EXPECT_THROW(model->scores(at::zeros({1, 9}, at::kLong), Pass::kEvaluation), Error);
}

}  // namespace
}  // namespace helio::train
