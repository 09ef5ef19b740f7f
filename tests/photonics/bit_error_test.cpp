// SPDX-License-Identifier: Apache-2.0
#include "photonics/bit_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "base/random.h"

namespace helio::photonics {
namespace {

TEST(BitError, TheSpecsExample) {
  // ½ exp(−SNR/4) = 1e-9  =>  SNR = −4 ln 2e-9 = 4 · 20.0301 = 80.12; 10 log₁₀ 80.12 = 19.04 dB.
  // The WRHT spec, 2.6, has 80.1 and 19.0 dB.
  EXPECT_NEAR(snr_needed(1e-9), 80.12, 0.005);
  EXPECT_NEAR(in_decibels(snr_needed(1e-9)).value, 19.04, 0.005);
  // No signal at all: every other bit is wrong.
  EXPECT_DOUBLE_EQ(snr_needed(0.5), 0);
}

TEST(BitError, CrosstalkAddsAsPowers) {
  // 63 channels 40 dB down: 63 · 1e-4. Two at 3.0103 dB down: each half of the signal.
  EXPECT_NEAR(incoherent_crosstalk(63, Decibel{40}), 0.0063, 1e-12);
  EXPECT_NEAR(incoherent_crosstalk(2, Decibel{10 * std::log10(2.0)}), 1, 1e-12);
  EXPECT_EQ(incoherent_crosstalk(0, Decibel{0}), 0);
}

TEST(BitError, Penalties) {
  // Half of the eye is closed: twice the power, 10 log₁₀ 2 = 3.0103 dB.
  EXPECT_NEAR(eye_penalty(0.5).value, 3.0103, 1e-4);
  // X · SNR = 0.0063 · 80.12 = 0.50476: 1/(1 − 0.50476) = 2.01922, 3.052 dB.
  EXPECT_NEAR(noise_penalty(0.0063, snr_needed(1e-9)).value, 3.052, 1e-3);
  EXPECT_EQ(eye_penalty(0).value, 0);
}

TEST(BitError, WhereNoPowerHelpsThePenaltyIsInfinite) {
  // Crosstalk as strong as the signal; or 1/50 of it where 80 times are needed.
  EXPECT_TRUE(std::isinf(eye_penalty(1).value));
  EXPECT_TRUE(std::isinf(noise_penalty(0.02, snr_needed(1e-9)).value));
  EXPECT_GT(noise_penalty(0.02, snr_needed(1e-9)).value, 0);
}

TEST(BitError, TailsOfTheNormalDistribution) {
  // Tabled: Q = 6 for 9.866e-10; 7.0345 for 1e-12; 2.6693 (8.53 dB) for 3.8e-3; half of it lies beyond 0.
  EXPECT_NEAR(gaussian_tail(6) / 9.866e-10, 1, 1e-3);
  EXPECT_NEAR(q_for(1e-12), 7.0345, 1e-4);
  EXPECT_NEAR(q_for(3.8e-3), 2.6693, 1e-4);
  EXPECT_EQ(q_for(0.5), 0);
  for (const double ber : {0.49, 0.1, 1e-3, 1e-9, 1e-15, 1e-100, 1e-300})
    EXPECT_NEAR(gaussian_tail(q_for(ber)) / ber, 1, 1e-9) << ber;
}

TEST(BitError, FiltersNarrowTheEye) {
  // 40 GBd through 50 GHz: sigma_t = sqrt(ln 2)/(pi 50e9) = 5.3002 ps, 25/(2.82843 * 5.3002) = 1.66766, erf = 0.981646: 0.96329 of two
  // levels, 0.981646 - 3 * 0.018354 = 0.92658 of four. Two in a row widen by sqrt 2: 1.17921, erf = 0.904617, 0.80923.
  EXPECT_NEAR(filtered_eye(std::array{50e9}, 40e9, 2), 0.96329, 1e-5);
  EXPECT_NEAR(filtered_eye(std::array{50e9}, 40e9, 4), 0.92658, 2e-5);
  EXPECT_NEAR(filtered_eye(std::array{50e9, 50e9}, 40e9, 2), 0.80923, 2e-5);
  EXPECT_EQ(filtered_eye({}, 40e9, 2), 1);
}

TEST(BitError, OneInterfererBeats) {
  // 20 dB below: 1 - 2 * 0.1 with a dark lower level; with levels 1.6 and 0.4, 1 - 0.2 * 2.
  EXPECT_NEAR(beaten_eye(0.01, 2, 0), 0.8, 1e-12);
  EXPECT_NEAR(beaten_eye(0.01, 1.6, 0.4), 0.6, 1e-12);
  EXPECT_EQ(beaten_eye(0, 1.6, 0.4), 1);
}

RC_GTEST_PROP(BitError, NeededSnrMeetsTheRateAndPenaltiesRestoreIt, (std::uint64_t seed)) {
  Random random(seed);
  const double ber = std::pow(10, -1 - 14 * random.uniform()), snr = snr_needed(ber);
  RC_ASSERT(std::abs(0.5 * std::exp(-snr / 4) / ber - 1) < 1e-9);

  // Signal s against noise n had the SNR; s raised by the penalty has it against n and its own crosstalk.
  const double crosstalk = 0.99 * random.uniform() / snr, n = 0.001 + random.uniform(), s = snr * n;
  const double raised = s * ratio_of(noise_penalty(crosstalk, snr));
  RC_ASSERT(std::abs(raised / (n + crosstalk * raised) / snr - 1) < 1e-9);
  RC_ASSERT(eye_penalty(crosstalk) <= noise_penalty(crosstalk, std::max(1.0, snr)));
}

}  // namespace
}  // namespace helio::photonics
