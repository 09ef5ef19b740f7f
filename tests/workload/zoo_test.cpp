// SPDX-License-Identifier: Apache-2.0
#include "workload/zoo.h"

#include <gtest/gtest.h>

#include "workload/refusing.h"

namespace helio::workload {
namespace {

// The names that the interface promises, in the order of `helio list models`.
TEST(Zoo, HasTheModels) {
  EXPECT_EQ(models().names(), (std::vector<std::string>{"alexnet", "vgg16", "vgg19", "googlenet", "resnet-50",
                                                        "resnet-101", "resnet-152", "beit-l", "bert-large", "gpt2-xl",
                                                        "gpt3-175b", "transformer-17b", "transformer-1t", "llama-7b",
                                                        "llama-13b", "llama-65b", "mixtral-8x7b", "gpt", "dlrm"}));
}

// Whatever the model: words, layers, sums of parts, and numbers that a table can hold.
TEST(Zoo, EveryModelIsWhole) {
  for (const auto& entry : models().entries()) {
    const Workload workload = load(entry.description.name, {}, "model");
    SCOPED_TRACE(entry.description.name);
    EXPECT_EQ(workload.name, entry.description.name);
    EXPECT_FALSE(workload.title.empty() || workload.reference.empty() || workload.sample.empty());
    EXPECT_GT(workload.parameters(), 1'000'000u);
    double flops = 0;
    for (const Layer& layer : workload.layers) {
      EXPECT_LE(layer.whole_parameters, layer.parameters) << layer.name;
      EXPECT_LE(layer.expert_parameters, layer.parameters) << layer.name;
      EXPECT_GT(layer.output_elements, 0) << layer.name;
      EXPECT_FALSE(layer.kernels.empty()) << layer.name;
      for (const Kernel& kernel : layer.kernels) {
        EXPECT_EQ(kernel.elements > 0, kernel.kind == KernelKind::kMemory) << layer.name << ' ' << kernel.name;
        EXPECT_EQ(kernel.flops() > 0, kernel.kind == KernelKind::kMatrix) << layer.name << ' ' << kernel.name;
        EXPECT_EQ(kernel.exchange_elements > 0, kernel.exchange != Exchange::kNone) << layer.name << ' ' << kernel.name;
        flops += static_cast<double>(layer.repeat) * kernel.flops();
      }
    }
    EXPECT_NEAR(workload.forward_flops() / flops, 1, 1e-12);
  }
}

// No parameter is decoration: its other value changes a number.
TEST(Zoo, EveryParameterMatters) {
  for (const auto& entry : models().entries())
    for (const Parameter& parameter : entry.description.parameters) {
      const Workload before = load(entry.description.name, {}, "model");
      const Workload after =
          load(entry.description.name, {{parameter.name, {parameter.matters.other, "here"}}}, "model");
      EXPECT_TRUE(before.forward_flops() != after.forward_flops() || before.parameters() != after.parameters() ||
                  before.attention_heads != after.attention_heads)
          << entry.description.name << ' ' << parameter.name;
    }
}

TEST(Zoo, SettingsReachTheModel) {
  EXPECT_EQ(load("gpt3-175b", {{"sequence", {"1024", "here"}}}, "model").tokens, 1024u);
  EXPECT_EQ(load("gpt3-175b", {{"sequence", {"1024", "here"}}}, "model").parameters(), 174'604'259'328u);
  EXPECT_EQ(load("gpt2-xl", {{"vocabulary", {"50304", "here"}}}, "model").parameters(), 1'557'611'200u + 47 * 1600);
  EXPECT_EQ(load("gpt", {{"vocabulary", {"50257", "here"}}}, "model").parameters(),
            1'557'611'200u);  // GPT-2 XL by its sizes
  EXPECT_EQ(load("beit-l", {{"image", {"384", "here"}}}, "model").tokens, 577u);
}

TEST(Zoo, WrongNamesAndValuesAreRefusedWhereTheyStand) {
  const auto asking = [](const char* source, Settings settings) {
    return [source, settings] { load(source, settings, "--model"); };
  };
  expect_refused({"a name", "--model", "did you mean 'vgg16'"}, asking("vgg61", {}));
  expect_refused({"a name", "--model", ".toml"}, asking("zoology", {}));
  expect_refused({"heads", "here", "1600"}, asking("gpt", {{"heads", {"7", "here"}}}));
  expect_refused({"a parameter", "here", "sequence"}, asking("gpt2-xl", {{"sequense", {"1", "here"}}}));
  expect_refused({"a length", "here", "above the maximum 1024"}, asking("gpt2-xl", {{"sequence", {"1025", "here"}}}));
  expect_refused({"a length", "here", "below the minimum"}, asking("llama-7b", {{"sequence", {"0", "here"}}}));
  expect_refused({"an image", "here", "patches of 16"}, asking("beit-l", {{"image", {"225", "here"}}}));
  expect_refused({"none", "here", "sequence"}, asking("vgg16", {{"sequence", {"1", "here"}}}));
  expect_refused({"no file", "--model", "nowhere.toml"}, asking("nowhere.toml", {}));
  expect_refused({"no file", "--model", "nowhere/config.json"}, asking("nowhere/config.json", {}));
}

}  // namespace
}  // namespace helio::workload
