// SPDX-License-Identifier: Apache-2.0
#include "photonics/receiver.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/random.h"
#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

double dbm(Power power) { return in_decibels(power.value / 1e-3).value; }

// A receiver behind light whose dark is dark.
Receiver bright(Format format = Format::kNrz, double target = 1e-12) {
  return {.format = format, .extinction = Decibel{200}, .target_ber = target};
}

// 17.25 pA/sqrt(Hz) over 0.7 * 40 GHz are 2.8865 uA; times Q = 7.0345 over 0.78 A/W, 26.032 uW; at 6 dB of extinction d = 0.59848: 43.497
// uW, -13.615 dBm; 4 dB for what real receivers need beyond their noise.
TEST(Receiver, SensitivityFromNoiseAndRate) {
  EXPECT_NEAR(dbm(sensitivity({})), -9.615, 2e-3);
  // Half of the rate, 1/sqrt 2 of the noise: 1.505 dB.
  EXPECT_NEAR(dbm(sensitivity({.rate = BitRate{20e9}})), -9.615 - 1.505, 2e-3);
  // What is given is taken.
  EXPECT_EQ(sensitivity({.given = Power{1e-5}}).value, 1e-5);
}

// Published receivers, against the model with its defaults. Sensitivities are mean powers, or modulation amplitudes 2 d u (OMA). The
// extinction of the transmitters is not told; 10 dB are assumed for mean powers, and amplitudes do not depend on it. Two are limits
// of a specification, which keep something for production. All lie within 2.5 dB.
TEST(Receiver, AgainstPublishedReceivers) {
  struct Published {
    const char* source;
    double gigabits, level_dbm, target;
    Format format;
    bool amplitude;
  };
  const Published all[] = {
      {"Kim et al., Opt. Express 21, 30716 (2013): Ge on Si", 25, -14.14, 1e-12, Format::kNrz, false},
      {"the same", 40, -10.15, 1e-12, Format::kNrz, false},
      {"the same", 43, -9.47, 1e-12, Format::kNrz, false},
      {"Proesel et al., VLSI 2017: 14 nm CMOS", 32, -11.7, 1e-12, Format::kNrz, true},
      {"IEEE J. Solid-State Circuits 2014: 65 nm CMOS", 25, -9.7, 1e-12, Format::kNrz, true},
      {"4WDM-10 MSA, unstressed (5e-5: its error correction)", 25.78, -11.5, 5e-5, Format::kNrz, true},
      {"400GBASE-DR4, a lane", 106.25, -4.4, 2.4e-4, Format::kPam4, true},
  };
  for (const Published& p : all) {
    const Receiver receiver{
        .rate = BitRate{p.gigabits * 1e9}, .format = p.format, .extinction = Decibel{10}, .target_ber = p.target};
    const double amplitude = 2 * (10 - 1) / (10 + 1.0);  // of a mean power of 1
    EXPECT_NEAR(dbm(sensitivity(receiver) * (p.amplitude ? amplitude : 1)), p.level_dbm, 2.5) << p.source;
  }
}

// Two levels with a dark one: -10 log10(1 - e Q²); 0.005 * 49.484 = 0.24742: 1.2345 dB. From 1/49.484 = 0.0202 on no power helps.
TEST(Receiver, BeatingOfTwoLevels) {
  EXPECT_NEAR(penalty_of(bright(), {0.005, 1, {}}).value, 1.2345, 1e-3);
  EXPECT_TRUE(std::isfinite(penalty_of(bright(), {0.0201, 1, {}}).value));
  EXPECT_TRUE(std::isinf(penalty_of(bright(), {0.0203, 1, {}}).value));
  EXPECT_TRUE(std::isinf(penalty_of(bright(), {5, 1, {}}).value));
  EXPECT_EQ(penalty_of(bright(), {}).value, 0);
  // An eye of a half takes twice the power, 3.0103 dB; a closed one has none.
  EXPECT_NEAR(penalty_of(bright(), {0, 0.5, {}}).value, 3.0103, 1e-4);
  EXPECT_TRUE(std::isinf(penalty_of(bright(), {0, 0, {}}).value));
}

// Four levels, spacing a/3, top levels a and 2a/3: -5 log10((1 + 3eQ²)² - 36eQ²). At 3.2e-4 of a threshold, Q = 3.4146, Q² = 11.6595; e = 0.001:
// 1.034979² - 0.419742 = 0.651439: 0.9306 dB. The limit is 9x² - 30x + 1 = 0, x = eQ² = 0.033676: 14.73 dB below that of two levels at the
// best threshold, and 8.71 below Q = a/(2 sqrt(e) a) at one in the middle, e = 1/(4Q²). 9 dB were measured (Opt. Lett. 44, 5965).
TEST(Receiver, BeatingOfFourLevels) {
  const Receiver four = bright(Format::kPam4, 2.4e-4);
  EXPECT_NEAR(penalty_of(four, {0.001, 1, {}}).value, 0.9306, 1e-3);
  EXPECT_TRUE(std::isfinite(penalty_of(four, {0.033676 / 11.6595 * 0.999, 1, {}}).value));
  EXPECT_TRUE(std::isinf(penalty_of(four, {0.033676 / 11.6595 * 1.001, 1, {}}).value));
  EXPECT_NEAR(in_decibels(0.25 / 0.033676).value, 8.71, 0.01);
}

// ASE of 40 dB in 12.5 GHz, seen through 28 GHz: e = 2.24e-4, eQ² = 0.0110844: 0.0484 dB. The same as crosstalk of that power.
TEST(Receiver, NoiseOfAmplifiersBeatsLikeCrosstalk) {
  EXPECT_NEAR(penalty_of(bright(), {0, 1, Decibel{40}}).value, 0.0484, 1e-4);
  EXPECT_NEAR(penalty_of(bright(), {0, 1, Decibel{40}}).value, penalty_of(bright(), {2.24e-4, 1, {}}).value, 1e-12);
}

// Coherent: 28 GBd at 3.8e-3 need SNR = 7.1252 and so an OSNR of 7.1252 * 28/12.5 = 15.960, 12.030 dB: the textbook's 12 dB. Crosstalk of 0.01
// leaves 1 - 0.071252: 0.3210 dB.
TEST(Receiver, Coherent) {
  const Receiver coherent{.rate = BitRate{112e9}, .format = Format::kQpsk, .target_ber = 3.8e-3, .given = Power{1e-5}};
  EXPECT_TRUE(std::isinf(penalty_of(coherent, {0, 1, Decibel{12.02}}).value));
  EXPECT_TRUE(std::isfinite(penalty_of(coherent, {0, 1, Decibel{12.04}}).value));
  EXPECT_NEAR(penalty_of(coherent, {0.01, 1, {}}).value, 0.3210, 1e-3);
}

// With the power that it needs every receiver meets its target, whatever disturbs it; with less it errs more.
RC_GTEST_PROP(Receiver, ThePenaltyRestoresTheErrorRate, (std::uint64_t seed)) {
  Random random(seed);
  Receiver receiver;
  receiver.format = static_cast<Format>(random.below(3));
  receiver.rate = BitRate{1e9 + 100e9 * random.uniform()};
  receiver.extinction = Decibel{1 + 19 * random.uniform()};
  receiver.target_ber = std::pow(10, -2 - 12 * random.uniform());
  if (receiver.format == Format::kQpsk) receiver.given = Power{1e-5};
  Disturbance disturbance{0.002 * random.uniform(), 0.4 + 0.6 * random.uniform(), {}};
  if (random.below(2) == 0) disturbance.osnr = Decibel{20 + 30 * random.uniform()};
  const Decibel penalty = penalty_of(receiver, disturbance);
  if (!std::isfinite(penalty.value)) {
    // Not even a thousand watts help.
    RC_ASSERT(bit_error_rate(receiver, Power{1e3}, disturbance) > receiver.target_ber * (1 - 1e-6));
    return;
  }
  const Power needed = sensitivity(receiver) * ratio_of(penalty);
  RC_ASSERT(penalty.value >= -1e-9);
  RC_ASSERT(std::abs(bit_error_rate(receiver, needed, disturbance) / receiver.target_ber - 1) < 1e-5);
  RC_ASSERT(bit_error_rate(receiver, needed * 0.9, disturbance) > receiver.target_ber);
}

}  // namespace
}  // namespace helio::photonics
