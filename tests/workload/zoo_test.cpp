// SPDX-License-Identifier: Apache-2.0
#include "workload/zoo.h"

#include <gtest/gtest.h>

#include "base/split.h"
#include "workload/refusing.h"

namespace helio::workload {
namespace {

// The names that the interface promises, in the order of `helio list models`.
TEST(Zoo, HasTheModels) {
  EXPECT_EQ(models().names(), (std::vector<std::string>{"alexnet",        "vgg16",      "vgg19",      "googlenet",
                                                        "resnet-50",      "resnet-101", "resnet-152", "beit-l",
                                                        "bert-large",     "gpt2-xl",    "gpt3-175b",  "transformer-17b",
                                                        "transformer-1t", "llama-7b",   "llama-13b",  "llama-65b",
                                                        "mixtral-8x7b",   "gpt",        "decoder",    "dlrm"}));
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
      Settings settings;  // some matter only beside others
      for (const std::string& word : split(parameter.matters.question, ' '))
        if (const auto sides = split(word, '='); sides.size() == 2) settings[sides[0]] = {sides[1], "here"};
      const Workload before = load(entry.description.name, settings, "model");
      settings[parameter.name] = {parameter.matters.other, "here"};
      const Workload after = load(entry.description.name, settings, "model");
      const auto visible = [](const Workload& workload) {
        double sum = 0;
        for (const Layer& layer : workload.layers)
          for (const Kernel& kernel : layer.kernels) sum += kernel.visible;
        return sum;
      };
      EXPECT_TRUE(before.forward_flops() != after.forward_flops() || before.parameters() != after.parameters() ||
                  before.attention_heads != after.attention_heads || visible(before) != visible(after))
          << entry.description.name << ' ' << parameter.name;
    }
}

// Llama 3.1 8B: 2 · 128,256 · 4096 for words, 32 blocks of 2 · 4096² + 2 · 4096 · 1024 + 3 · 4096 · 14,336 + 2 · 4096, a norm: the count of
// its checkpoint.
TEST(Decoder, TheDefaultsAreLlama3) { EXPECT_EQ(load("decoder", {}, "model").parameters(), 8'030'261'248u); }

// DeepSeek-V3 by its report, section 4.2. A block's attention: 7168 · (1536 + 576) + 1536 · 24,576 + 512 · 32,768 + 16,384 · 7168 and two
// norms, 187,107,328; 14,336 for its own norms. Three dense feed-forwards of 3 · 7168 · 18,432; 58 times 257 experts of 3 · 7168 · 2048 and
// a router of 256 · 7168. The checkpoint has 671,026,419,200: 58 · 256 more, which balance the router and are not trained.
TEST(Decoder, LatentAttentionAndExpertsAreCounted) {
  Settings settings;
  for (const auto& [key, value] : {std::pair{"layers", "61"},
                                   {"hidden", "7168"},
                                   {"heads", "128"},
                                   {"kv_heads", "128"},
                                   {"head_size", "192"},
                                   {"feed_forward", "18432"},
                                   {"vocabulary", "129280"},
                                   {"sequence", "4096"},
                                   {"experts", "256"},
                                   {"top_k", "8"},
                                   {"expert_feed_forward", "2048"},
                                   {"shared_experts", "1"},
                                   {"dense_layers", "3"},
                                   {"query_rank", "1536"},
                                   {"key_rank", "512"},
                                   {"rotary_size", "64"},
                                   {"value_size", "128"}})
    settings[key] = {value, "here"};
  const Workload model = load("decoder", settings, "model");
  EXPECT_EQ(model.parameters(), 671'026'404'352u);
  EXPECT_EQ(model.depth(), 63u);
  // One more prediction: one more block, and one more head that shares its matrix.
  settings["predictions"] = {"2", "here"};
  EXPECT_EQ(load("decoder", settings, "model").depth(), 64u);
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
