// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer_zoo.h"

#include <gtest/gtest.h>

namespace helio::workload {
namespace {

Workload model(std::string_view name) {
  for (const TransformerModel& model : transformer_models())
    if (model.name == name) return transformer(model.shape);
  throw std::logic_error("no such model");
}

// layers · (12h² + 13h) + (v + positions) h + 2h, and layers · (24sh² + 4s²h) + 2shv operations.
void expect_gpt(std::string_view name, double layers, double h, double v, double s) {
  const Workload workload = model(name);
  EXPECT_EQ(static_cast<double>(workload.parameters()), layers * (12 * h * h + 13 * h) + (v + s) * h + 2 * h) << name;
  const double flops = layers * (24 * s * h * h + 4 * s * s * h) + 2 * s * h * v;
  EXPECT_NEAR(workload.forward_flops() / flops, 1, 1e-12) << name;
}

TEST(TransformerZoo, Gpt) {
  expect_gpt("gpt2-xl", 48, 1600, 50'257, 1024);
  expect_gpt("gpt3-175b", 96, 12'288, 50'257, 2048);
  expect_gpt("transformer-17b", 78, 4256, 50'257, 1024);
  expect_gpt("transformer-1t", 128, 25'600, 51'200, 2048);
  EXPECT_EQ(model("gpt2-xl").parameters(), 1'557'611'200u);      // Hugging Face gpt2-xl
  EXPECT_EQ(model("gpt3-175b").parameters(), 174'604'259'328u);  // Brown et al. 2020, appendix D: 174,600M
  EXPECT_EQ(model("transformer-17b").parameters(), 17'176'845'728u);
  EXPECT_EQ(model("transformer-1t").parameters(), 1'008'038'758'400u);  // Narayanan et al. 2021: 1008.0 billion
}

// Embedding (30522 + 512 + 2 + 2) · 1024 = 31,782,912, 24 blocks of 12h² + 13h = 12,596,224, pooler h² + h = 1,049,600. FLOPs:
// 24 · (24sh² + 4s²h) and the pooler's 2h² for one token.
TEST(TransformerZoo, BertLarge) {
  const Workload workload = model("bert-large");
  EXPECT_EQ(workload.parameters(), 31'782'912u + 24u * 12'596'224u + 1'049'600u);
  EXPECT_EQ(workload.parameters(), 335'141'888u);
  const double s = 512, h = 1024;
  EXPECT_EQ(workload.forward_flops(), 24 * (24 * s * h * h + 4 * s * s * h) + 2 * h * h);
}

// 2 · v · h + layers · (4h² + 3hf + 2h) + h; operations 2 for each weight of a matrix and token, and 4s²h a layer.
TEST(TransformerZoo, Llama) {
  EXPECT_EQ(model("llama-7b").parameters(), 6'738'415'616u);
  EXPECT_EQ(model("llama-13b").parameters(), 13'015'864'320u);
  EXPECT_EQ(model("llama-65b").parameters(), 65'285'660'672u);
  const double s = 2048, h = 4096, f = 11'008, v = 32'000;
  EXPECT_EQ(model("llama-7b").forward_flops(), 2 * s * (32 * (4 * h * h + 3 * h * f) + v * h) + 32 * 4 * s * s * h);
  EXPECT_EQ(model("llama-7b").tied_parameters, 0u);
}

// Attention 2h² + 2h·1024, experts 8 · 3hf, router 8h, norms 2h; of the experts a token meets two.
TEST(TransformerZoo, Mixtral) {
  const Workload workload = model("mixtral-8x7b");
  EXPECT_EQ(workload.parameters(), 46'702'792'704u);
  const double s = 4096, h = 4096, f = 14'336, v = 32'000;
  const double met = 2 * h * h + 2 * h * 1024 + 2 * 3 * h * f + 8 * h;
  EXPECT_EQ(workload.forward_flops(), 2 * s * (32 * met + v * h) + 32 * 4 * s * s * h);
  EXPECT_EQ(workload.layers[1].expert_parameters, 8u * 3 * 4096 * 14'336);
}

}  // namespace
}  // namespace helio::workload
