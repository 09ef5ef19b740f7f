// SPDX-License-Identifier: Apache-2.0
// The trained networks of studies/optinc, counted again over every point there is, and the numbers that docs/onn-training.md gives.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "photonics/imperfections.h"
#include "photonics/onn_compile.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "source_dir.h"
#include "train/networks/deviation.h"
#include "train/networks/onn_layout.h"

namespace helio::train {
namespace {

photonics::Onn network(const std::string& name) {
  return photonics::load_onn(std::string(HELIO_SOURCE_DIR) + "/studies/optinc/" + name + ".json");
}

struct Claim {
  const char* name;
  std::uint64_t points;  // (N(R−1) + 1)^inputs: 13⁴, 13⁵, 25⁴ (papers/optinc.md 2.2, 2.6)
  double least_margin;
};

class Trained : public testing::TestWithParam<Claim> {};

TEST_P(Trained, MakesNoMistake) {
  const photonics::Onn onn = network(GetParam().name);
  const photonics::Evaluation counted = photonics::evaluate(onn);
  EXPECT_EQ(counted.points, GetParam().points);
  EXPECT_EQ(counted.wrong, 0u) << counted.first_wrong;
  EXPECT_GE(counted.output_margin, GetParam().least_margin);
  EXPECT_FALSE(onn.provenance.command.empty());
  EXPECT_GT(onn.provenance.wall_seconds, 0);
}

// Layers that say they are made of blocks are: rows of a block are orthogonal to what float32 can say.
TEST_P(Trained, BlocksAreOrthogonal) {
  for (const photonics::Layer& layer : network(GetParam().name).layers) {
    if (layer.structure != photonics::Structure::kUd) continue;
    photonics::Matrix w = layer.weights;
    const at::Tensor weights = at::from_blob(w.data(), {w.rows(), w.cols()}, at::kDouble);
    const at::Tensor blocks = blocks_of(weights, {w.rows(), w.cols()});
    EXPECT_LT(deviation_from_orthogonal((blocks / blocks.norm(2, {2}, true)).transpose(1, 2)), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(OptINC, Trained,
                         testing::Values(Claim{"n4b8_ud", 28561, 0.4}, Claim{"n4b8_level1", 28561, 0.4},
                                         Claim{"n4b8_level2", 371293, 0.25}, Claim{"n8b8_ud", 390625, 0.3},
                                         Claim{"n8b8_dense", 390625, 0}, Claim{"n4b8_ud_294", 28561, 0.05},
                                         Claim{"n4b8_ud_730", 28561, 0.3}, Claim{"n4b8_ud_2272", 28561, 0.4}),
                         [](const auto& one) { return std::string(one.param.name); });

// As meshes of 41,664 MZIs: twenty chips with 3 mrad of error in every phase, phases of ten bits (no chance in these: one chip), and
// twenty chips with both.
TEST(TrainedMeshes, ErringPhasesMakeNoMistake) {
  const photonics::CompiledOnn compiled = photonics::compile(network("n4b8_ud"), photonics::Compilation::kUd);
  struct Case {
    double sigma;
    int bits, draws;
  };
  for (const Case& c : {Case{3e-3, 0, 20}, Case{0, 10, 1}, Case{3e-3, 10, 20}}) {
    photonics::Imperfections imperfections;
    imperfections.phase_sigma = c.sigma;
    imperfections.phase_bits = c.bits;
    for (int draw = 0; draw < c.draws; ++draw) {
      Random random(static_cast<std::uint64_t>(100 + draw));
      const photonics::Evaluation counted =
          photonics::evaluate(photonics::realise(compiled, imperfections, random).onn);
      EXPECT_EQ(counted.wrong, 0u) << c.sigma << " rad, " << c.bits << " bits, draw " << draw;
    }
  }
}

}  // namespace
}  // namespace helio::train
