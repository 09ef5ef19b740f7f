// SPDX-License-Identifier: Apache-2.0
#include "photonics/budget_parameters.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "base/error.h"

namespace helio::photonics {
namespace {

constexpr const char* kExample = "all-reduce fabric=some-ring";

LinkBudget budget_of(const Settings& settings) {
  return budget_from(Parameters("test", budget_parameters(kExample), settings), BitRate{40e9});
}

// Everything that a verdict says in numbers, of a path that does not close by itself.
auto numbers(const LinkBudget& budget) {
  const Verdict v = judge(budget, 16, 64);
  return std::tuple(v.loss.value, v.margin.value, v.sure_margin.value, v.bit_error_rate, v.largest_hops,
                    v.amplifiers ? v.amplifiers->osnr.value : 0, v.regenerators, v.added_delay, v.added_energy.value);
}

TEST(BudgetParameters, DefaultsAreThoseOfTheStruct) {
  for (const bool lenient : {false, true}) {
    const LinkBudget read = lenient ? budget_of({{"light", {"generous", ""}}}) : budget_of({});
    const LinkBudget own = lenient ? generous() : LinkBudget{};
    EXPECT_DOUBLE_EQ(read.laser.value, own.laser.value);
    EXPECT_EQ(read.modulator_loss, own.modulator_loss);
    EXPECT_EQ(read.coupler_loss, own.coupler_loss);
    EXPECT_EQ(read.drop_loss, own.drop_loss);
    EXPECT_EQ(read.through_loss, own.through_loss);
    EXPECT_EQ(read.rings_per_node, own.rings_per_node);
    EXPECT_EQ(read.hop_loss, own.hop_loss);
    EXPECT_EQ(read.bus_power, own.bus_power);
    EXPECT_DOUBLE_EQ(sensitivity(read.receiver).value, sensitivity(own.receiver).value);
    EXPECT_EQ(read.receiver.given, own.receiver.given);
    EXPECT_EQ(read.drop_residue, own.drop_residue);
    EXPECT_EQ(read.add_isolation, own.add_isolation);
    EXPECT_EQ(read.drop_bandwidth, own.drop_bandwidth);
    EXPECT_EQ(read.amplifier.gain, own.amplifier.gain);
    EXPECT_EQ(read.amplifier.noise_figure, own.amplifier.noise_figure);
    EXPECT_DOUBLE_EQ(read.amplifier.most_output->value, own.amplifier.most_output->value);
    EXPECT_EQ(read.tolerances.part, own.tolerances.part);
    EXPECT_EQ(read.tolerances.hop, own.tolerances.hop);
    EXPECT_EQ(read.tolerances.confidence, own.tolerances.confidence);
    EXPECT_EQ(read.tolerances.seed, own.tolerances.seed);
    EXPECT_EQ(read.crosstalk_model, own.crosstalk_model);
    EXPECT_EQ(read.crosstalk_penalty, own.crosstalk_penalty);
    EXPECT_EQ(read.crosstalk_suppression, own.crosstalk_suppression);
    EXPECT_EQ(read.receiver.target_ber, own.receiver.target_ber);
    EXPECT_EQ(read.other_margin, own.other_margin);
    EXPECT_EQ(read.regenerator_delay, own.regenerator_delay);
    EXPECT_DOUBLE_EQ(read.regenerator_energy.value, own.regenerator_energy.value);
  }
}

// What each declares as a situation in which it matters does change a number of the verdict.
TEST(BudgetParameters, EachMattersWhereItSaysSo) {
  std::set<std::string> names;
  for (const Parameter& parameter : budget_parameters(kExample)) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " is declared twice";
    EXPECT_TRUE(parameter.matters.question.starts_with(kExample)) << parameter.name;
    Settings settings;
    for (const std::string model : {"noise", "given"})
      if (parameter.matters.question.ends_with(" fabric.crosstalk_model=" + model))
        settings["crosstalk_model"] = {model, ""};
    const auto before = numbers(budget_of(settings));
    settings[parameter.name] = {parameter.matters.other, ""};
    EXPECT_NE(numbers(budget_of(settings)), before) << parameter.name;
  }
}

TEST(BudgetParameters, ValuesAreReadInTheirUnits) {
  const LinkBudget budget = budget_of({{"laser_power", {"0 dBm", ""}},
                                       {"sensitivity", {"50 uW", ""}},
                                       {"rings_per_node", {"128", ""}},
                                       {"crosstalk_model", {"eye", ""}},
                                       {"regenerator_delay", {"2 us", ""}},
                                       {"regenerator_energy", {"0.5", ""}}});
  EXPECT_NEAR(budget.laser.value, 1e-3, 1e-15);
  EXPECT_NEAR(budget.receiver.given->value, 50e-6, 1e-17);
  EXPECT_EQ(budget.rings_per_node, 128);
  EXPECT_EQ(budget.crosstalk_model, CrosstalkModel::kEye);
  EXPECT_EQ(budget.regenerator_delay, Time::microseconds(2));
  EXPECT_NEAR(budget.regenerator_energy.value, 0.5e-12, 1e-24);
}

TEST(BudgetParameters, BadValuesAreRefusedWithTheirName) {
  const std::pair<const char*, const char*> bad[] = {
      {"laser_power", "0 W"},
      {"laser_power", "61 dBm"},
      {"laser_power", "10 dB"},
      {"modulator_loss", "-1 dB"},
      {"coupler_loss", "1"},
      {"drop_loss", "nan dB"},
      {"through_loss", "101 dB"},
      {"rings_per_node", "-1"},
      {"rings_per_node", "1.5"},
      {"hop_loss", "-0.1 dB"},
      {"sensitivity", "-101 dBm"},
      {"crosstalk_model", "quiet"},
      {"crosstalk_penalty", "-3 dB"},
      {"target_ber", "0"},
      {"target_ber", "0.2"},
      {"other_margin", "1001 dB"},
      {"regenerator_delay", "-1 s"},
      {"regenerator_energy", "-1"},
      {"crosstalk_suppression", "-1 dB"},
      {"light", "dim"},
      {"bus_power", "20 dB"},
      {"format", "qpsk"},
      {"extinction", "0 dB"},
      {"receiver_noise", "0"},
      {"responsivity", "-1"},
      {"drop_bandwidth", "0"},
      {"add_isolation", "-40 dB"},
      {"amplifier", "raman"},
      {"part_tolerance", "-0.5 dB"},
      {"hop_tolerance", "2"},
      {"confidence", "1"},
      {"budget_seed", "-1"},
  };
  for (const auto& [name, value] : bad) {
    try {
      budget_of({{name, {value, "here"}}});
      ADD_FAILURE() << name << " = " << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_NE(error.message().find(name), std::string::npos) << error.message();
      EXPECT_EQ(error.place(), "here");
    }
  }
}

}  // namespace
}  // namespace helio::photonics
