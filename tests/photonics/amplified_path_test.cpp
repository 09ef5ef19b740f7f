// SPDX-License-Identifier: Apache-2.0
#include "photonics/amplified_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "base/error.h"

namespace helio::photonics {
namespace {

double dbm(Power power) { return 10 * std::log10(power.value / 1e-3); }
Power from_dbm(double level) { return {1e-3 * std::pow(10, level / 10)}; }

Parameters parameters(const Settings& settings) { return Parameters("test", oddl_path_parameters("x", "y"), settings); }
OddlPath path_of(const Settings& settings) { return oddl_path_from(parameters(settings), BitRate{100e9}); }
// Asked for power alone, against -6 dBm: the reading of papers/oddl.md 2.6.
OddlPath lenient() { return path_of({{"light", {"generous", ""}}}); }

// The path with the i-th amplifier taken out.
AmplifiedPath without(AmplifiedPath path, int which) {
  for (auto part = path.parts.begin(); part != path.parts.end(); ++part)
    if (std::holds_alternative<Amplifier>(*part) && which-- == 0) {
      path.parts.erase(part);
      break;
    }
  return path;
}

// papers/oddl.md 2.6. One combiner is 10 log10 32 + 1.5 = 16.551 dB; 7 - 2*16.551 - 6.5 - 5 - 2 + 2*20 = 0.397 dBm.
// OSNR: 58 + (7 - 16.551) - 5.5 = 42.949 and 58 + (10.449 - 6.5 - 16.551) - 5.5 = 39.897 dB; 10^-4.2949 + 10^-3.9897 = 5.071e-5 +
// 1.0239e-4 = 1.5310e-4, which is 38.150 dB.
TEST(AmplifiedPath, OddlUnsaturated) {
  const Arrival arrival = arrive(oddl_path({}, 32, 32), false);
  EXPECT_NEAR(dbm(arrival.power), 0.397, 1e-3);
  ASSERT_TRUE(arrival.osnr);
  EXPECT_NEAR(arrival.osnr->value, 38.150, 1e-3);
  EXPECT_NEAR(arrival.gains.at(0).value, 20, 1e-12);
  EXPECT_NEAR(arrival.gains.at(1).value, 20, 1e-12);
}

// 32 channels of 10.449 dBm are 25.500 dBm; the first amplifier has 23, so its gain falls by 2.5 to 17.5 dB and -2.103 dBm arrive
// (papers/oddl.md 2.6: "about 17.5 dB", "-2.1 dBm"). The second then gives 32 channels of 4.898 dBm, 19.95 dBm: not limited.
TEST(AmplifiedPath, OddlWithTheAmplifiersLimit) {
  const Arrival arrival = arrive(oddl_path({}, 32, 32), true);
  EXPECT_NEAR(dbm(arrival.power), -2.103, 1e-3);
  EXPECT_NEAR(arrival.gains.at(0).value, 17.500, 1e-3);
  EXPECT_NEAR(arrival.gains.at(1).value, 20, 1e-12);
  // the second sees 2.5 dB less: 42.949 and 37.397 dB: 5.071e-5 + 1.8208e-4 = 2.3279e-4, 36.330 dB
  EXPECT_NEAR(arrival.osnr->value, 36.330, 1e-3);
}

// With few channels lit nothing saturates: one channel of 10.4 dBm is far below 23.
TEST(AmplifiedPath, TheLimitIsSharedByTheChannelsThatAreLit) {
  AmplifiedPath path = oddl_path({}, 32, 32);
  path.channels = 1;
  EXPECT_EQ(arrive(path, true).power, arrive(path, false).power);
}

// papers/oddl.md 2.6: -39.6 dBm without amplifiers; 0.397 - 40.
TEST(AmplifiedPath, WithoutAmplifiers) {
  const AmplifiedPath path = without(without(oddl_path(lenient(), 32, 32), 0), 0);
  const Arrival arrival = arrive(path, true);
  EXPECT_NEAR(dbm(arrival.power), -39.603, 1e-3);
  EXPECT_FALSE(arrival.osnr);
  EXPECT_TRUE(judge(path).warning.empty());
  EXPECT_THROW(require_arrival(path), Error);
}

// papers/oddl.md 7, item 10. With both it closes: -2.103 + 6 = 3.897 dB to spare.
TEST(AmplifiedPath, RemovingEitherAmplifierIsAnError) {
  const AmplifiedPath whole = oddl_path(lenient(), 32, 32);
  EXPECT_NEAR(require_arrival(whole).margin.value, 3.897, 1e-3);
  for (const int which : {0, 1}) {
    try {
      require_arrival(without(whole, which));
      FAIL() << which;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.message().find("received power"), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("sensitivity"), std::string::npos) << error.message();
    }
  }
}

// By hand: 0 dBm through 10 dB into an amplifier of 10 dB gain and 3 dB noise figure: OSNR 58 - 10 - 3 = 45 dB, 0 dBm out.
TEST(AmplifiedPath, OneAmplifierByHand) {
  AmplifiedPath path{
      from_dbm(0), {PassivePart{"loss", {10}}, Amplifier{"a", {10}, {3}, {}}}, 1, {.given = from_dbm(-10)}};
  const Arrival arrival = arrive(path, true);
  EXPECT_NEAR(dbm(arrival.power), 0, 1e-9);
  EXPECT_NEAR(arrival.osnr->value, 45, 1e-9);
  // Two equal stages in a row halve it: 3.01 dB less
  path.parts.push_back(PassivePart{"loss", {10}});
  path.parts.push_back(Amplifier{"b", {10}, {3}, {}});
  EXPECT_NEAR(arrive(path, true).osnr->value, 45 - 10 * std::log10(2), 1e-9);
}

// An amplifier that is driven beyond its output passes the light on; it does not weaken it.
TEST(AmplifiedPath, ALimitNeverBecomesALoss) {
  const AmplifiedPath path{from_dbm(20), {Amplifier{"a", {20}, {5}, from_dbm(10)}}, 4, {.given = from_dbm(0)}};
  EXPECT_NEAR(dbm(arrive(path, true).power), 20, 1e-9);
}

// Bursts: 2.5 dB is what the first amplifier gives up when all channels are lit.
TEST(AmplifiedPath, BurstsAreWarnedOf) {
  const AmplifiedVerdict verdict = judge(oddl_path({}, 32, 32));
  EXPECT_NE(verdict.warning.find("2.5 dB"), std::string::npos) << verdict.warning;
  EXPECT_NE(verdict.sentence.find("-2.1 dBm"), std::string::npos) << verdict.sentence;
  EXPECT_NE(verdict.sentence.find("0.4 dBm"), std::string::npos) << verdict.sentence;
}

TEST(AmplifiedPath, ParametersDefaultToTheStruct) {
  const OddlPath read = path_of({}), own;
  EXPECT_DOUBLE_EQ(read.launched.value, own.launched.value);
  EXPECT_EQ(read.combiner_excess, own.combiner_excess);
  EXPECT_EQ(read.wss_loss, own.wss_loss);
  EXPECT_EQ(read.awg_loss, own.awg_loss);
  EXPECT_EQ(read.connector_loss, own.connector_loss);
  EXPECT_EQ(read.edfa_gain, own.edfa_gain);
  EXPECT_EQ(read.edfa_noise_figure, own.edfa_noise_figure);
  EXPECT_DOUBLE_EQ(read.edfa_most_output->value, own.edfa_most_output->value);
  EXPECT_EQ(read.wss_isolation, own.wss_isolation);
  EXPECT_EQ(read.wss_bandwidth, own.wss_bandwidth);
  EXPECT_EQ(read.awg_bandwidth, own.awg_bandwidth);
  EXPECT_EQ(read.receiver.given, own.receiver.given);
  EXPECT_EQ(read.receiver.format, own.receiver.format);
  EXPECT_EQ(read.receiver.target_ber, own.receiver.target_ber);
  EXPECT_EQ(read.power_only, own.power_only);
}

// 31 other groups, each 35 dB below: 31 * 10^-3.5 = 0.0098031, -20.086 dB (the referee's sum). OSNR 36.330 dB: 25 GBd of 12.5 GHz, 2/4295.4 =
// 4.656e-4. Filters of 45 and 35 GHz: 1/45^2 + 1/35^2 = 1/27.628^2, sigma_t = 0.832555/(pi 27.628e9) = 9.5922 ps, 40/(2.82843 * 9.5922) =
// 1.47434, erf = 0.962950: 0.925900 of the eye. Q(3.8e-3) = 2.6693, squared 7.1252: 0.857291 - 0.0102687 * 7.1252 = 0.784124, 1.0562 dB. Of
// -2.103 + 20 = 17.897 dB 16.841 are left.
TEST(AmplifiedPath, ThirtyOneLeakingPortsAreCounted) {
  const AmplifiedVerdict verdict = judge(oddl_path({}, 32, 32));
  EXPECT_NEAR(10 * std::log10(verdict.limited.crosstalk), -20.086, 1e-3);
  EXPECT_NEAR(verdict.limited.eye, 0.9259, 1e-4);
  EXPECT_NEAR(verdict.penalty.value, 1.0562, 2e-3);
  EXPECT_NEAR(verdict.margin.value, 16.841, 3e-3);
  EXPECT_TRUE(verdict.closes);
  // One group has nobody to hear; 1,024 groups of ports at 35 dB are 10^-0.49 of the signal, which no power outshines.
  EXPECT_EQ(judge(oddl_path({}, 32, 1)).limited.crosstalk, 0);
  EXPECT_TRUE(std::isinf(judge(oddl_path({.combiner_excess = {0}, .edfa_gain = {40}}, 32, 1024)).penalty.value));
}

// Four levels at 50 GBd through 45 and 35 GHz: 20/(2.82843 * 9.5922) = 0.73717, erf = 0.7028: 0.7028 - 3 * 0.2972 < 0. The power is there, the
// eye is not.
TEST(AmplifiedPath, AGridOf50GHzHoldsNoFourLevels) {
  const AmplifiedPath path = oddl_path(path_of({{"format", {"pam4", ""}}}), 32, 32);
  EXPECT_LT(judge(path).limited.eye, 0);
  try {
    require_arrival(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("too many errors"), std::string::npos) << error.message();
  }
}

TEST(AmplifiedPath, WhatPowerAloneDoesNotReadIsRefused) {
  for (const char* name : {"format", "target_ber", "wss_isolation", "wss_bandwidth", "awg_bandwidth"}) {
    const std::string value = std::string(name) == "format" ? "nrz" : std::string(name) == "target_ber" ? "1e-9" : "40";
    const std::string unit = std::string(name) == "wss_isolation" ? " dB" : "";
    EXPECT_THROW(path_of({{"light", {"generous", ""}}, {name, {value + unit, "here"}}}), Error) << name;
  }
}

// Each changes a number that a result would show, in the situation that it names.
TEST(AmplifiedPath, EachParameterMatters) {
  const auto numbers = [](const Settings& settings) {
    const Facts facts = facts_of(judge(oddl_path(path_of(settings), 32, 32)));
    std::vector<double> values;
    for (const Fact& fact : facts)
      if (const double* value = std::get_if<double>(&fact.value)) values.push_back(*value);
    return values;
  };
  for (const Parameter& parameter : oddl_path_parameters("x", "y"))
    EXPECT_NE(numbers({{parameter.name, {parameter.matters.other, ""}}}), numbers({})) << parameter.name;
}

}  // namespace
}  // namespace helio::photonics
