// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "photonics/onn_construct.h"

namespace helio::photonics {
namespace {

Construction steps(double slope, bool regenerate = false) {
  Construction how;
  how.activation = ActivationKind::kSaturating;
  how.slope = slope;
  how.regenerate = regenerate;
  return how;
}

double wrong_at(const Construction& how, double sigma, int draws = 1, bool on_passed_wires = true) {
  EvaluationOptions options;
  options.noise = {sigma, 0, on_passed_wires};
  options.draws = draws;
  return evaluate(construct({}, how), options).wrong_fraction;
}

// One server, one symbol, and a network that adds 1 to it: wrong for 0, 1, 2 by +1, right for 3 (clipped). Points are alike.
TEST(OnnEvaluate, CountsWhatIsWrong) {
  Onn onn;
  onn.task.servers = 1;
  onn.task.bits = 2;
  Layer layer;
  layer.weights = Matrix::Identity(1, 1);
  layer.bias = Vector::Ones(1);
  onn.layers = {layer};
  const Evaluation evaluation = evaluate(onn);
  EXPECT_EQ(evaluation.points, 4u);
  EXPECT_EQ(evaluation.wrong, 3u);
  EXPECT_EQ(evaluation.histogram, (std::map<std::int64_t, std::uint64_t>{{0, 1}, {1, 3}}));
  EXPECT_DOUBLE_EQ(evaluation.mean_error, 0.75);
  EXPECT_DOUBLE_EQ(*evaluation.wrong_weighted, 0.75);
  EXPECT_DOUBLE_EQ(evaluation.output_margin, -0.5);  // 1 instead of 0: ½ past the threshold
  EXPECT_EQ(evaluation.first_wrong, "sums 0 give 1 instead of 0");
}

// Two servers of one symbol, N = 2: G = ⌊(s + 1)/2⌋. A network that gives 0 is right for s = 0 only: 6 of 7 points are wrong (a), but
// 15 of 16 pairs of codes (b); mean error (1+1+2+2+3+3)/7.
TEST(OnnEvaluate, WeighsByMultiplicity) {
  Onn onn;
  onn.task.servers = 2;
  onn.task.bits = 2;
  Layer dark;
  dark.weights = Matrix::Zero(1, 1);
  dark.bias = Vector::Zero(1);
  onn.layers = {dark};
  const Evaluation all = evaluate(onn);
  EXPECT_DOUBLE_EQ(all.wrong_fraction, 6.0 / 7);
  EXPECT_DOUBLE_EQ(*all.wrong_weighted, 15.0 / 16);
  EXPECT_DOUBLE_EQ(all.mean_error, 12.0 / 7);
  EvaluationOptions random;
  random.points = 40'000;
  random.sampling = Sampling::kGrid;
  EXPECT_NEAR(evaluate(onn, random).wrong_fraction, 6.0 / 7, 0.01);  // five standard errors
  EXPECT_FALSE(evaluate(onn, random).wrong_weighted.has_value());
  random.sampling = Sampling::kCodes;
  EXPECT_NEAR(*evaluate(onn, random).wrong_weighted, 15.0 / 16, 0.01);
}

// A step of slope q is q/2 from its middle at the nearest grid points.
TEST(OnnEvaluate, MarginsAreThoseOfTheSteps) {
  const Evaluation evaluation = evaluate(construct({}, steps(3)));
  EXPECT_NEAR(evaluation.output_margin, 0.5, 1e-12);
  for (int layer = 0; layer < 4; ++layer)
    EXPECT_NEAR(*evaluation.step_margin[static_cast<std::size_t>(layer)], 1.5, 1e-9);
  EXPECT_FALSE(evaluation.step_margin[4].has_value());
  EXPECT_FALSE(evaluate(construct({}, {})).step_margin[0].has_value());  // relu pairs
}

// papers/optinc.md 2.5, the table of noise, columns of relu pairs ("read them as a trend"): 2.3, 44, 70 % with slope 1 and 0.9, 34,
// 61 % with slope 2.
TEST(OnnEvaluate, ReluPairsUnderNoiseMeetTheTableOfTheSpec) {
  Construction pairs;
  EXPECT_NEAR(wrong_at(pairs, 0.02), 0.023, 0.01);
  EXPECT_NEAR(wrong_at(pairs, 0.05), 0.44, 0.03);
  EXPECT_NEAR(wrong_at(pairs, 0.08), 0.70, 0.03);
  pairs.slope = 2;
  EXPECT_NEAR(wrong_at(pairs, 0.02), 0.009, 0.005);
  EXPECT_NEAR(wrong_at(pairs, 0.05), 0.34, 0.03);
  EXPECT_NEAR(wrong_at(pairs, 0.08), 0.61, 0.03);
}

// Saturating steps at sigma 0.05: 0 wrong when passed wires bypass the noise, and with every wire noisy when all are made anew.
TEST(OnnEvaluate, SaturatingStepsAreExactUnderNoise) {
  EXPECT_EQ(wrong_at(steps(2), 0.05, 4, false), 0);
  EXPECT_EQ(wrong_at(steps(4), 0.05, 4, false), 0);
  EXPECT_EQ(wrong_at(steps(4, true), 0.05, 4), 0);
  EXPECT_EQ(wrong_at(steps(4, true), 0.08, 2), 0);
}

// With every wire made anew only the last stage's own noise is left: the share of wrong points is the bound, within five standard
// errors of 4·28,561 points.
TEST(OnnEvaluate, RegenerationReachesTheBoundOfTheOutputs) {
  const double bound = output_noise_bound({}, 0.14);
  EXPECT_NEAR(wrong_at(steps(8, true), 0.14, 4), bound, 5 * std::sqrt(bound / 114'244));
}

// One symbol of one server, sigma ½: Q(1) = 0.158655 for symbols 0 and 3, twice that for 1 and 2.
TEST(OnnEvaluate, TheBoundIsGaussian) {
  AveragingTask task;
  task.servers = 1;
  task.bits = 2;
  EXPECT_NEAR(output_noise_bound(task, 0.5), 1.5 * 0.158655, 1e-5);
  EXPECT_EQ(output_noise_bound(task, 0), 0);
}

TEST(OnnEvaluate, RefusesWhatMakesNoSense) {
  const Onn onn = construct({}, {});
  EvaluationOptions options;
  options.sampling = Sampling::kGrid;
  EXPECT_THROW(evaluate(onn, options), Error);  // no points
  options = {};
  options.draws = 0;
  EXPECT_THROW(evaluate(onn, options), Error);
  options = {};
  options.noise.sigma = -1;
  EXPECT_THROW(evaluate(onn, options), Error);
  AveragingTask large;
  large.bits = 16;
  try {
    evaluate(construct(large, {}));
    ADD_FAILURE() << "13^8 points were enumerated";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
}

// The same seed gives the same numbers.
TEST(OnnEvaluate, IsReproducible) { EXPECT_EQ(wrong_at(steps(2), 0.1), wrong_at(steps(2), 0.1)); }

}  // namespace
}  // namespace helio::photonics
