// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "workload/transformer.h"
#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

TEST(TransformerFault, NoneInTheZoo) {
  for (const TransformerModel& model : transformer_models()) EXPECT_FALSE(fault(model.shape)) << model.name;
}

TEST(TransformerFault, ZerosStandForWhatFollowsFromOthers) {
  const TransformerShape shape = gpt_shape(1, 12, 3, 7).resolved();
  EXPECT_EQ(shape.kv_heads, 3u);
  EXPECT_EQ(shape.head_size, 4u);
  EXPECT_EQ(shape.feed_forward, 48u);
  EXPECT_EQ(shape.positions, 7u);
}

// Each field out of its bounds, and each pair that does not fit, is named.
TEST(TransformerFault, IsNamed) {
  const auto field_of = [](auto change) {
    TransformerShape shape = gpt_shape(2, 12, 4, 8);
    change(shape);
    const std::optional<ShapeFault> found = fault(shape);
    return found ? found->field : std::string("none");
  };
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(field_of([](TransformerShape&) {}), "none");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.layers = 0; }), "layers");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.hidden = 0; }), "hidden");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.heads = 0; }), "heads");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.vocabulary = 0; }), "vocabulary");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.sequence = 0; }), "sequence");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.layers = kHuge; }), "layers");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.hidden = kHuge; }), "hidden");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.kv_heads = kHuge; }), "kv_heads");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.head_size = kHuge; }), "head_size");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.feed_forward = kHuge; }), "feed_forward");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.positions = kHuge; }), "positions");
  EXPECT_EQ(field_of([=](TransformerShape& s) { s.experts = kHuge; }), "experts");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.heads = 5; }), "heads");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.kv_heads = 3; }), "kv_heads");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.sequence = 9; }), "sequence");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.experts = 4; }), "top_k");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.experts = 4, s.top_k = 5; }), "top_k");
  EXPECT_EQ(field_of([](TransformerShape& s) { s.top_k = 1; }), "top_k");
  // Rotary positions have no table that could be too short.
  EXPECT_EQ(field_of([](TransformerShape& s) { s.position_kind = Positions::kRotary, s.sequence = 9; }), "none");
}

// All at their bounds: every number is legal, but 2^16 layers of 2^12 experts of 3 · 2^42 weights would overflow.
TEST(TransformerFault, ASumThatWouldOverflowIsRefused) {
  TransformerShape shape = llama_shape(ShapeBounds::kLayers, ShapeBounds::kHidden, 1024, ShapeBounds::kFeedForward);
  shape.experts = ShapeBounds::kExperts;
  shape.top_k = 1;
  ASSERT_TRUE(fault(shape));
  EXPECT_NE(fault(shape)->what.find("parameters"), std::string::npos);
}

}  // namespace
}  // namespace helio::workload
