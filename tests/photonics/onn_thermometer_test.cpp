// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_thermometer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

// Right at every point, and every decision half a symbol from its threshold: one step is one symbol.
void expect_exact(const AveragingTask& task) {
  const Onn onn = construct_for_chips(task);
  const Evaluation all = evaluate(onn);
  EXPECT_EQ(all.wrong, 0u) << task.servers << " servers: " << all.first_wrong;
  EXPECT_NEAR(all.output_margin, 0.5, 1e-9);
  for (std::size_t i = 0; i + 1 < all.step_margin.size(); ++i) EXPECT_NEAR(*all.step_margin[i], 0.5, 1e-9) << i;
  EXPECT_NO_THROW(compile(onn, Compilation::kTree));
}

TEST(OnnThermometer, IsRightAtEveryPoint) {
  for (const int servers : {1, 2, 4, 8}) {
    AveragingTask task;
    task.servers = servers;
    expect_exact(task);
  }
  for (const Rounding rounding : {Rounding::kFloor, Rounding::kDither}) {
    AveragingTask task;
    task.rounding = rounding;
    expect_exact(task);
  }
  for (const int symbol_bits : {1, 2, 4}) {
    AveragingTask task{.servers = 2, .bits = 8, .symbol_bits = symbol_bits};
    expect_exact(task);
  }
  AveragingTask merged{.bits = 4, .merge = 2};
  expect_exact(merged);
}

// Levels of cascades: symbols below the point leave (also more of them than the division needs), or arrive, and codes saturate.
TEST(OnnThermometer, Fractions) {
  expect_exact({.servers = 4, .bits = 4, .out_fraction = 1});
  expect_exact({.servers = 2, .bits = 4, .out_fraction = 1});
  expect_exact({.servers = 2, .bits = 4, .out_fraction = 2});
  expect_exact({.servers = 4, .bits = 4, .in_fraction = 1});
  expect_exact({.servers = 8, .bits = 4, .in_fraction = 1});
  expect_exact({.servers = 4, .bits = 4, .in_fraction = 1, .out_fraction = 2});
}

// N = 4, B = 8. Every tree of n wires and m copies has n − 1 + m − 1 MZIs:
//   sums    1 → 3, 1 → 12 three times                                              2 + 33 = 35
//   W_1     15 wires (12 of s_1, 3 carries); read by 3 carries and 3 bits of 7      14 + 23 = 37
//   W_2     the same, and the bits of o_0: 3 sums of 7 wires                        37 + 18 = 55
//   W_3     3 bits of o_2 of 7 wires and 3 of o_3, and the bits of o_1              14 + 23 + 18 = 55
//   bits of o_2 and o_3: 3 sums of 7; those of 1 need none                          18
//   symbols: 4 sums of 3                                                            8
TEST(OnnThermometer, CostsWhatItsTreesCost) {
  const Onn onn = construct_for_chips({});
  EXPECT_EQ(onn.widths(), (std::vector<int>{4, 39, 48, 39, 30, 12, 4}));
  const OnnCost made = cost(compile(onn, Compilation::kTree));
  EXPECT_EQ(made.mzis, 35 + 37 + 55 + 55 + 18 + 8);
  // ⌈log₂⌉ of both sides, the deepest block of a layer: 12; 15 and 24, three times; 7; 3
  EXPECT_EQ(made.depth, 4 + 3 * (4 + 5) + 3 + 2);
}

TEST(OnnThermometer, RefusesWhatCarriesCannotKnow) {
  AveragingTask thirds;
  thirds.servers = 3;
  EXPECT_THROW(construct_for_chips(thirds), Error);
  AveragingTask even;
  even.rounding = Rounding::kHalfEven;
  EXPECT_THROW(construct_for_chips(even), Error);
  EXPECT_THROW(construct({}, {.direction = Direction::kThermometer, .activation = ActivationKind::kRelu}), Error);
  // A network of other layers is no sum and copies.
  EXPECT_THROW(compile(construct({}, {.activation = ActivationKind::kSaturating}), Compilation::kTree), Error);
}

}  // namespace
}  // namespace helio::photonics
