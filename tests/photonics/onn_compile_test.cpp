// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_compile.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

Onn saturating(Direction direction = Direction::kLsb) {
  Construction how;
  how.direction = direction;
  how.activation = ActivationKind::kSaturating;
  how.slope = 2;
  return construct({}, how);
}

// One layer of 4 symbols' worth of blocks diag(d)·Q: units × wires, either way of stacking.
Onn made_of_blocks(int units, int wires) {
  Random random(11);
  const int side = std::min(units, wires);
  Layer layer;
  layer.weights.resize(units, wires);
  layer.bias = Vector::NullaryExpr(units, [&] { return random.normal(); });
  for (int from = 0; from < std::max(units, wires); from += side) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(side, side, [&] { return random.normal(); });
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(a).householderQ();
    const Vector d = Vector::NullaryExpr(side, [&] { return 0.5 + random.uniform(); });
    const Eigen::MatrixXd block = d.asDiagonal() * q;
    if (units >= wires)
      layer.weights.middleRows(from, std::min(side, units - from)) = block.topRows(std::min(side, units - from));
    else
      layer.weights.middleCols(from, side) = block;
  }
  layer.structure = Structure::kUd;
  Onn onn;
  onn.task.bits = 2 * wires;
  onn.task.out_fraction = units - wires;
  onn.layers = {layer};
  if (units < wires) {  // 2 symbols of which the lowest arrive as fractions
    onn.task.bits = 2 * units;
    onn.task.out_fraction = 0;
    onn.task.in_fraction = wires - units;
  }
  return onn;
}

double distance(const Onn& a, const Onn& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    most = std::max(most, (a.layers[i].weights - b.layers[i].weights).cwiseAbs().maxCoeff());
    most = std::max(most, (a.layers[i].bias - b.layers[i].bias).cwiseAbs().maxCoeff());
  }
  return most;
}

// Perfect meshes multiply by the matrices they were made from; the largest weight is 16·q·den = 512.
TEST(OnnCompile, PerfectMeshesGiveTheNetworkBack) {
  for (const Direction direction : {Direction::kLsb, Direction::kMsb})
    for (const Compilation how : {Compilation::kSvd, Compilation::kCompact}) {
      const Onn onn = saturating(direction);
      Random random(1);
      const RealisedOnn realised = realise(compile(onn, how), {}, random);
      EXPECT_LT(distance(onn, realised.onn), 1e-9) << name_of(how);
      EXPECT_EQ(evaluate(realised.onn).wrong, 0u);
      for (const double gain : realised.gain_db) EXPECT_NEAR(gain, 0, 1e-9);
    }
}

// Sixteen bits: biases are 10⁵ times the weights of a wire, and columns that are nearly proportional are not.
TEST(OnnCompile, NearlyProportionalWiresAreKeptApart) {
  AveragingTask task;
  task.bits = 16;
  for (const Direction direction : {Direction::kLsb, Direction::kMsb}) {
    Construction how;
    how.direction = direction;
    how.activation = ActivationKind::kSaturating;
    how.groups = {2, 2, 2, 2};
    const Onn onn = construct(task, how);
    Random random(1);
    const RealisedOnn realised = realise(compile(onn, Compilation::kCompact), {}, random);
    EvaluationOptions options;
    options.sampling = Sampling::kGrid;
    options.points = 10'000;
    EXPECT_EQ(evaluate(realised.onn, options).wrong, 0u);
  }
}

TEST(OnnCompile, BlocksOfDiagonalAndUnitaryGiveTheLayerBack) {
  for (const auto& [units, wires] : {std::pair{6, 2}, {5, 2}, {3, 3}, {2, 6}}) {
    const Onn onn = made_of_blocks(units, wires);
    const CompiledOnn compiled = compile(onn, Compilation::kUd);
    EXPECT_EQ(mzis(compiled.layers[0]), ud_mzis(units, wires));
    Random random(1);
    EXPECT_LT(distance(onn, realise(compiled, {}, random).onn), 1e-12) << units << " " << wires;
  }
  EXPECT_THROW(compile(saturating(), Compilation::kUd), Error);  // steps share their direction: not orthogonal
}

// Counts by hand, lsb with saturating steps: r(m + n − r), and g − 1 where g wires come in proportion. s_2, s_3, o_0, o_1 pass free.
//   layer 0      {s_0, 1} to 3 steps                                          2(3 + 2 − 2)          6
//   layer 1      u_1..u_3 and s_1 make W_1; {W_1, 1} to 3 steps and W_1       3 + 2(4 + 2 − 2)      11
//   layers 2, 3  u_1..u_3 make c; {W, c, s, 1} to o, 3 steps and W'           2 + 3(5 + 4 − 3)      20
//   layer 4      u_1..u_3 make c; {W_3, c} to o_2, o_3                        2 + 2(2 + 2 − 2)      6
TEST(OnnCompile, CompactCountsFollowFromRanks) {
  const Onn onn = saturating();
  const std::vector<long> expected{6, 11, 20, 20, 6};
  const CompiledOnn compiled = compile(onn, Compilation::kCompact);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(mzis(compiled.layers[i]), expected[i]) << i;
  EXPECT_EQ(cost(compiled).mzis, 63);
}

// Loss that all paths share is made up for; what differs between paths stays. 0.2 dB per MZI: the gain of a layer lies between
// nothing and the loss of its longest path.
TEST(OnnCompile, CommonLossIsCalibratedAway) {
  const Onn onn = saturating();
  Imperfections loss;
  loss.mzi_loss_db = 0.2;
  Random random(1);
  const CompiledOnn compiled = compile(onn, Compilation::kCompact);
  const RealisedOnn realised = realise(compiled, loss, random);
  const OnnCost total = cost(compiled);
  double gains = 0;
  for (const double gain : realised.gain_db) {
    EXPECT_GT(gain, 0);
    gains += gain;
  }
  EXPECT_LT(gains, total.loss_db);
  EXPECT_GT(distance(onn, realised.onn), 1e-3);
}

// Phase errors: what they do to the matrices grows in proportion to them (same seed, same draws, first order).
TEST(OnnCompile, PhaseErrorsActInFirstOrder) {
  const Onn onn = saturating();
  const CompiledOnn compiled = compile(onn, Compilation::kSvd);
  const auto off = [&](double sigma) {
    Imperfections imperfections;
    imperfections.phase_sigma = sigma;
    Random random(5);
    return distance(onn, realise(compiled, imperfections, random).onn);
  };
  EXPECT_GT(off(1e-5), 0);
  EXPECT_NEAR(off(2e-5) / off(1e-5), 2, 0.05);
}

TEST(OnnCompile, NamesRoundTrip) {
  for (const Compilation how : {Compilation::kSvd, Compilation::kUd, Compilation::kCompact})
    EXPECT_EQ(compilation_named(name_of(how)), how);
  EXPECT_THROW(compilation_named("qr"), Error);
}

}  // namespace
}  // namespace helio::photonics
