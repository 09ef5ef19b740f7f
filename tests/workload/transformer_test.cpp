// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

std::vector<std::string> names(const Layer& layer) {
  std::vector<std::string> names;
  for (const Kernel& kernel : layer.kernels) names.push_back(kernel.name);
  return names;
}

const Kernel& kernel(const Layer& layer, std::string_view name) {
  for (const Kernel& kernel : layer.kernels)
    if (kernel.name == name) return kernel;
  throw std::logic_error("no such kernel");
}

// GPT: h = 8, 2 heads of 4, s = 5. The order and the shares are what placement and the compute model rely on.
TEST(Transformer, ABlockIsTheMegatronChain) {
  TransformerShape shape = gpt_shape(3, 8, 2, 5);
  const Layer block = transformer_block(shape);
  EXPECT_EQ(block.repeat, 3u);
  EXPECT_EQ(names(block), (std::vector<std::string>{"norm", "qkv", "scores", "softmax", "context", "projection",
                                                    "residual", "norm", "up", "activation", "down", "residual"}));
  const std::vector<Share> shares = {Share::kSequence, Share::kColumns, Share::kBatch,    Share::kBatch,
                                     Share::kBatch,    Share::kInner,   Share::kSequence, Share::kSequence,
                                     Share::kColumns,  Share::kColumns, Share::kInner,    Share::kSequence};
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_EQ(block.kernels[i].share, shares[i]) << block.kernels[i].name;

  const Kernel& qkv = kernel(block, "qkv");
  EXPECT_EQ(qkv.rows, 5);
  EXPECT_EQ(qkv.columns, 24);
  EXPECT_EQ(qkv.inner, 8);
  EXPECT_TRUE(qkv.rows_grow && qkv.weighted);
  const Kernel& scores = kernel(block, "scores");
  EXPECT_EQ(scores.batch, 2);
  EXPECT_EQ(scores.rows, 5);
  EXPECT_EQ(scores.columns, 5);
  EXPECT_EQ(scores.inner, 4);
  EXPECT_FALSE(scores.rows_grow || scores.weighted);
  const Kernel& context = kernel(block, "context");
  EXPECT_EQ(context.columns, 4);
  EXPECT_EQ(context.inner, 5);
  for (const char* name : {"projection", "down"}) {
    EXPECT_EQ(kernel(block, name).exchange, Exchange::kReduce);
    EXPECT_EQ(kernel(block, name).exchange_elements, 5 * 8);
  }
  // Read half, written, dropped out (read, written, a byte of mask): 4 passes over 2 heads of 5 x 5 scores.
  EXPECT_EQ(kernel(block, "softmax").elements, 4 * 2 * 5 * 5);
  EXPECT_EQ(kernel(block, "residual").elements, 3.5 * 5 * 8);
  EXPECT_EQ(kernel(block, "norm").elements, 2 * 5 * 8);
  EXPECT_EQ(kernel(block, "activation").elements, 2 * 5 * 32);
}

// Megatron-Core's all-to-all dispatcher: permute, all-to-all, experts (divided by tensor parallelism), reduction, all-to-all
// back, unpermute. 2 of 4 experts: twice the rows.
TEST(Transformer, AMixtureDispatchesReducesAndCombines) {
  TransformerShape shape = llama_shape(1, 8, 2, 16);
  shape.sequence = 5;
  shape.experts = 4;
  shape.top_k = 2;
  const Layer block = transformer_block(shape);
  EXPECT_EQ(names(block), (std::vector<std::string>{"norm", "qkv", "rotary", "scores", "softmax", "context",
                                                    "projection", "residual", "norm", "router", "permute", "up",
                                                    "activation", "down", "unsort", "unpermute", "residual"}));
  EXPECT_EQ(kernel(block, "router").share, Share::kWhole);
  EXPECT_EQ(kernel(block, "up").rows, 10);
  EXPECT_EQ(kernel(block, "up").columns, 32);  // gated
  EXPECT_EQ(kernel(block, "permute").exchange, Exchange::kDispatch);
  EXPECT_EQ(kernel(block, "down").exchange, Exchange::kReduce);
  EXPECT_EQ(kernel(block, "unsort").exchange, Exchange::kCombine);
  for (const char* name : {"permute", "down", "unsort"}) EXPECT_EQ(kernel(block, name).exchange_elements, 2 * 5 * 8);
  EXPECT_EQ(block.experts, 4u);
  EXPECT_EQ(block.expert_parameters, 4u * 3 * 8 * 16);
  // Norms and router are whole; attention and experts are divided.
  EXPECT_EQ(block.whole_parameters, 2u * 8 + 8 * 4);
  EXPECT_EQ(block.parameters, 4u * 8 * 8 + 4 * 3 * 8 * 16 + 2 * 8 + 8 * 4);
}

// Korthikanti et al. 2022, equation 2: s b h (10 + 24/t + 5 a s / (h t)) bytes; at 2 bytes an element, for t = 1 and 8.
TEST(Transformer, KeptActivationsAreThoseOfKorthikanti) {
  const Layer block = transformer_block(gpt_shape(96, 12'288, 96, 2048));
  const double s = 2048, h = 12'288, a = 96;
  for (const double t : {1.0, 8.0})
    EXPECT_DOUBLE_EQ(2 * (block.kept_whole_elements + block.kept_elements / t),
                     s * h * (10 + 24 / t + 5 * a * s / (h * t)));
  // Section 4.3: the head keeps 4sbh (1 + v/h) bytes: inputs of the norm and of the logits, and fp32 probabilities.
  const Layer head = transformer(gpt_shape(96, 12'288, 96, 2048)).layers.back();
  EXPECT_DOUBLE_EQ(2 * (head.kept_whole_elements + head.kept_elements), 4 * s * h * (1 + 50'257 / h));
}

// LLaMA with grouped keys: no dropout; q, kv heads, SwiGLU's 3f. h = q = 8, kv = 4, f = 16, s = 5, a = 2.
TEST(Transformer, KeptActivationsOfGatedAndGroupedShapes) {
  TransformerShape shape = llama_shape(1, 8, 2, 16);
  shape.kv_heads = 1;
  shape.sequence = 5;
  const Layer block = transformer_block(shape);
  EXPECT_EQ(block.kept_whole_elements, 4 * 5 * 8);
  EXPECT_EQ(block.kept_elements, 5 * (2 * 8 + 2 * 4) + 2 * 5 * 5 + 3 * 5 * 16);
}

TEST(Transformer, EmbeddingAndHead) {
  const TransformerShape shape = gpt_shape(2, 8, 2, 5);
  const Workload workload = transformer(shape);
  ASSERT_EQ(workload.layers.size(), 3u);
  const Layer &embedding = workload.layers[0], &head = workload.layers[2];
  EXPECT_EQ(embedding.parameters, (50'257u + 5) * 8);
  EXPECT_EQ(embedding.whole_parameters, 5u * 8);  // positions; words are divided
  EXPECT_EQ(embedding.kernels[0].exchange, Exchange::kReduce);
  EXPECT_EQ(embedding.forward_flops(), 0);
  EXPECT_EQ(names(head), (std::vector<std::string>{"norm", "logits", "loss"}));
  EXPECT_EQ(head.kernels[1].share, Share::kColumns);
  EXPECT_EQ(head.forward_flops(), 2.0 * 5 * 8 * 50'257);
  EXPECT_EQ(workload.tied_parameters, 50'257u * 8);
  EXPECT_EQ(workload.tokens, 5u);
  EXPECT_EQ(workload.attention_heads, 2u);
  EXPECT_EQ(workload.depth(), 4u);
  EXPECT_EQ(workload.sample, "sequence of 5 tokens");
}

TransformerShape random_shape() {
  const auto upto = [](std::uint64_t most) { return *rc::gen::inRange<std::uint64_t>(1, most + 1); };
  TransformerShape shape;
  shape.layers = upto(100);
  shape.kv_heads = upto(8);
  shape.heads = shape.kv_heads * upto(8);
  shape.head_size = upto(128);
  shape.hidden = upto(5000);
  shape.feed_forward = upto(20'000);
  shape.vocabulary = upto(60'000);
  shape.sequence = upto(4000);
  shape.positions = shape.sequence + upto(100);
  shape.experts = *rc::gen::arbitrary<bool>() ? upto(64) : 0;
  shape.top_k = shape.experts > 0 ? upto(shape.experts) : 0;
  shape.token_types = *rc::gen::inRange<std::uint64_t>(0, 3);
  shape.position_kind = *rc::gen::element(Positions::kLearned, Positions::kRotary, Positions::kNone);
  shape.norm = *rc::gen::element(Norm::kLayer, Norm::kRms);
  for (bool TransformerShape::*flag :
       {&TransformerShape::gated, &TransformerShape::attention_biases, &TransformerShape::feed_forward_biases,
        &TransformerShape::embedding_norm, &TransformerShape::final_norm, &TransformerShape::tied,
        &TransformerShape::dropout, &TransformerShape::causal})
    shape.*flag = *rc::gen::arbitrary<bool>();
  return shape;
}

// The closed form, written as a textbook would: weights, biases and norms of a block, and what stands around the blocks.
RC_GTEST_PROP(Transformer, ParametersAndFlopsAreTheClosedForms, ()) {
  const TransformerShape z = random_shape();
  RC_ASSERT(!fault(z));
  const std::uint64_t q = z.heads * z.head_size, kv = z.kv_heads * z.head_size, h = z.hidden, f = z.feed_forward;
  const std::uint64_t norm = z.norm == Norm::kLayer ? 2 * h : h, matrices = z.gated ? 3 : 2;
  const std::uint64_t attention = h * q + 2 * h * kv + q * h + (z.attention_biases ? q + 2 * kv + h : 0);
  const std::uint64_t expert = matrices * h * f + (z.feed_forward_biases ? (matrices - 1) * f + h : 0);
  const std::uint64_t feed_forward = z.experts > 0 ? z.experts * (expert + h) : expert;
  const std::uint64_t tables =
      (z.vocabulary + (z.position_kind == Positions::kLearned ? z.positions : 0) + z.token_types) * h;
  const std::uint64_t around =
      tables + (z.embedding_norm ? norm : 0) + (z.final_norm ? norm : 0) + (z.tied ? 0 : z.vocabulary * h);
  const Workload workload = transformer(z);
  RC_ASSERT(workload.parameters() == z.layers * (attention + feed_forward + 2 * norm) + around);

  // 2 operations per weight and token that meets it, 4 s² q of attention, and the logits.
  const double s = static_cast<double>(z.sequence), times = z.experts > 0 ? static_cast<double>(z.top_k) : 1;
  const double block = 2 * s * static_cast<double>(2 * h * q + 2 * h * kv + z.experts * h) +
                       2 * s * times * static_cast<double>(matrices * h * f) + 4 * s * s * static_cast<double>(q);
  const double expected = static_cast<double>(z.layers) * block + 2 * s * static_cast<double>(z.vocabulary * h);
  RC_ASSERT(std::abs(workload.forward_flops() - expected) <= 1e-12 * expected);

  // No part is larger than the whole.
  for (const Layer& layer : workload.layers)
    RC_ASSERT(layer.whole_parameters <= layer.parameters && layer.expert_parameters <= layer.parameters);
}

// FLOPs grow by the same amount with each layer, and parameters too.
RC_GTEST_PROP(Transformer, GrowsLinearlyWithLayers, ()) {
  TransformerShape shape = random_shape();
  const auto with = [&shape](std::uint64_t layers) {
    shape.layers = layers;
    return transformer(shape);
  };
  const Workload one = with(1), two = with(2), nine = with(9);
  RC_ASSERT(nine.parameters() - one.parameters() == 8 * (two.parameters() - one.parameters()));
  const double step = two.forward_flops() - one.forward_flops();
  RC_ASSERT(std::abs(nine.forward_flops() - one.forward_flops() - 8 * step) <= 1e-9 * nine.forward_flops());
}

}  // namespace
}  // namespace helio::workload
