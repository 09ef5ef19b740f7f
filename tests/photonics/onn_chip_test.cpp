// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_chip.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

std::uint64_t wrong_on(const CompiledOnn& compiled, const Chip& chip, std::uint64_t seed) {
  Random random(seed);
  EvaluationOptions options;
  options.noise.sigma = chip.noise;
  options.rare = true;
  options.draws = 4;
  options.seed = seed;
  return evaluate(ChipMaker(compiled, chip).make(random), options).wrong;
}

double largest_difference(const Onn& a, const Onn& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.layers.size(); ++i)
    most = std::max({most, (a.layers[i].weights - b.layers[i].weights).cwiseAbs().maxCoeff(),
                     (a.layers[i].bias - b.layers[i].bias).cwiseAbs().maxCoeff()});
  return most;
}

// A chip without a flaw, however its phases were found, is the network; also as full, compact and block meshes. So is one that only
// loses light, 0.2 dB in every MZI: where paths differ dummy couplers lose as much, and the gains make up for it.
TEST(OnnChip, LossAloneIsMadeUp) {
  const Onn trees = construct_for_chips({}),
            other = construct({}, {.activation = ActivationKind::kSaturating, .slope = 4}),
            gathering = construct({}, {.activation = ActivationKind::kSaturating, .slope = 4, .regenerate = true});
  for (const double loss : {0.0, 0.2}) {
    Chip chip;
    chip.flaws.mzi_loss_db = loss;
    for (const CompiledOnn& compiled :
         {compile(trees, Compilation::kTree), compile(other, Compilation::kSvd), compile(other, Compilation::kCompact),
          compile(gathering, Compilation::kCompact)}) {
      Random random(1);
      EXPECT_LT(largest_difference(ChipMaker(compiled, chip).make(random), compiled.onn), 1e-9)
          << name_of(compiled.how) << " " << loss;
    }
  }
}

// All flaws of the default chip at once: right at all points in four draws of noise, here on three chips.
TEST(OnnChip, ThermometersBearTheDefaultChip) {
  const Onn onn = construct_for_chips({});
  const CompiledOnn compiled = compile(onn, Compilation::kTree);
  const Chip chip = chip_named("default");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(wrong_on(compiled, chip, seed), 0u) << seed;

  // What is calibrated matters, and so does every flaw that is left.
  Chip raw = chip;
  raw.calibrated = false;
  EXPECT_GT(wrong_on(compiled, raw, 1), 0u);
  Chip loud = chip;
  loud.noise = 0.2;
  EXPECT_GT(wrong_on(compiled, loud, 1), 0u);
  Chip loose = chip;
  loose.flaws.phase_sigma = 0.05;
  EXPECT_GT(wrong_on(compiled, loose, 1), 0u);
  Chip coarse = chip;
  coarse.flaws.phase_bits = 4;
  EXPECT_GT(wrong_on(compiled, coarse, 1), 0u);
}

// The network with the fewest MZIs does not: its sums are passed on as they are.
TEST(OnnChip, OthersDoNot) {
  const Onn onn = construct({}, {.activation = ActivationKind::kSaturating, .slope = 4});
  EXPECT_GT(wrong_on(compile(onn, Compilation::kCompact), chip_named("default"), 1), 1000u);
}

TEST(OnnChip, ScalesEveryFlaw) {
  const Chip whole = chip_named("default"), half = scaled(whole, 0.5);
  EXPECT_DOUBLE_EQ(half.flaws.mzi_loss_db, 0.1);
  EXPECT_DOUBLE_EQ(half.flaws.crosstalk, 0.005);
  EXPECT_DOUBLE_EQ(half.flaws.phase_sigma, 0.0015);
  EXPECT_DOUBLE_EQ(half.flaws.splitter_sigma, whole.flaws.splitter_sigma / 2);
  EXPECT_EQ(half.flaws.phase_bits, 11);
  EXPECT_DOUBLE_EQ(half.noise, 0.03);
  EXPECT_THROW(chip_named("defualt"), Error);
}

// N = 4: trees of 15 wires miss one leaf of 16, three times; of 7 one of 8, nine times; of 3 one of 4, four times; of 3 copies one, once
// (s_0); of 12 copies four (a leaf one column early is one dummy), three times; of 24 copies eight, three times.
TEST(OnnChip, CountsDummies) {
  const Onn onn = construct_for_chips({});
  EXPECT_EQ(dummies(compile(onn, Compilation::kTree)), 3 + 9 + 4 + 1 + 3 * 4 + 3 * 8);
}

}  // namespace
}  // namespace helio::photonics
