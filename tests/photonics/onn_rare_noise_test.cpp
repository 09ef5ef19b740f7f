// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_rare_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "photonics/onn_construct.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {
namespace {

// Noise of 0.11 symbols: half a symbol less the limiter's 1/32 is 4.3 σ, so that only rare noise can turn a step, and it does. Both ways of
// drawing make as many mistakes, within five standard deviations of the difference of two counts.
TEST(OnnRareNoise, IsTheSameNoise) {
  const Onn onn = construct_for_chips({});
  for (const double sigma : {0.11, 0.15, 0.25}) {
    EvaluationOptions options;
    options.noise.sigma = sigma;
    options.draws = sigma > 0.2 ? 1 : 8;
    const double everywhere = static_cast<double>(evaluate(onn, options).wrong);
    options.rare = true;
    const double where_it_matters = static_cast<double>(evaluate(onn, options).wrong);
    EXPECT_GT(everywhere, 10) << sigma;
    EXPECT_NEAR(where_it_matters, everywhere, 5 * std::sqrt(everywhere + where_it_matters)) << sigma;
  }
}

TEST(OnnRareNoise, ServesLimitersOnly) {
  EXPECT_TRUE(RareNoise::serves(construct_for_chips({})));
  EXPECT_FALSE(RareNoise::serves(construct({}, {})));  // pairs of relu, and wires that are passed on
}

}  // namespace
}  // namespace helio::photonics
