// SPDX-License-Identifier: Apache-2.0
// Defaults agree with LinkBudget; a test holds them together. "Generic": from the literature on microring links, not
// WRHT's, whose constants are not known to us.
#include "photonics/budget_parameters.h"
#include "photonics/level_parameters.h"

#include <stdexcept>

namespace helio::photonics {
namespace {

CrosstalkModel model_named(const std::string& name) {
  if (name == "given") return CrosstalkModel::kGiven;
  if (name == "eye") return CrosstalkModel::kEye;
  if (name == "noise") return CrosstalkModel::kNoise;
  throw std::logic_error("crosstalk model '" + name + "' is a choice that nobody reads");
}

}  // namespace

std::vector<Parameter> budget_parameters(const std::string& example) {
  const std::string noisy = example + " fabric.crosstalk_model=noise";
  return {
      power_parameter(
          "laser_power", "10 dBm",
          "of one wavelength before its modulator; ours, generous: 64 of them are 28 dBm, and a silicon waveguide "
          "takes about 20 dBm (Bahadori et al., J. Lightwave Technol. 34, 2016; recalled)",
          {example, "0 dBm", ""}),
      level_parameter("modulator_loss", "2 dB", "1000 dB",
                      "insertion loss of a ring modulator; generic: DSENT (Sun et al., NOCS 2012), photonic-link.cfg",
                      {example, "6 dB", ""}),
      level_parameter("coupler_loss", "1 dB", "1000 dB",
                      "each of two couplers on a path; generic: DSENT (Sun et al., NOCS 2012), Photonics.model",
                      {example, "3 dB", ""}),
      level_parameter("drop_loss", "1 dB", "1000 dB",
                      "of the filter before the receiver; generic: DSENT (Sun et al., NOCS 2012), Photonics.model",
                      {example, "3 dB", ""}),
      level_parameter(
          "through_loss", "0.005 dB", "100 dB",
          "of each ring that is passed and tuned to another wavelength; generic, not WRHT's: the WRHT spec, 2.6; "
          "DSENT (Sun et al., NOCS 2012) has twice as much",
          {example, "0.01 dB", ""}),
      {.name = "rings_per_node",
       .type = ParameterType::kInteger,
       .minimum = "0",
       .maximum = "1000000",
       .description = "rings passed in each hop; default: one for each wavelength (the WRHT spec, 2.6); a node whose "
                      "modulators and filters share the bus has twice as many",
       .matters = {example, "500", ""},
       .optional = true},
      level_parameter(
          "hop_loss", "0.002 dB", "1000 dB",
          "of the waveguide or fibre between two nodes; 10 m at 0.2 dB/km (Corning SMF-28e+, 1550 nm), our length; "
          "couplers into and out of every node passed would belong here",
          {example, "0.1 dB", ""}),
      power_parameter(
          "sensitivity", "-20 dBm",
          "what the receiver needs for the target BER; generic: 10 uW, usual in on-chip network studies (Joshi et "
          "al., NOCS 2009; recalled); pluggable receivers at 25 Gb/s need -11.5 dBm (4WDM-10 MSA)",
          {example, "-11.5 dBm", ""}),
      {.name = "crosstalk_model",
       .type = ParameterType::kChoice,
       .fallback = "given",
       .description = "given: crosstalk_penalty; eye: worst eye of all other wavelengths (Ramaswami et al., Optical "
                      "Networks, 5.6); noise: their light against the SNR of BER = exp(-SNR/4)/2 (recalled, low "
                      "confidence)",
       .matters = {example, "noise", ""},
       .choices = {"given", "eye", "noise"}},
      level_parameter(
          "crosstalk_penalty", "1 dB", "1000 dB",
          "model given: power that makes up for crosstalk; an allowance: below 0.5 dB were measured with one "
          "interferer (Opt. Express 23, 17169, 2015)",
          {example, "3 dB", ""}),
      level_parameter(
          "crosstalk_suppression", "40 dB", "300 dB",
          "models eye and noise: of each other wavelength at the receiver, on average; generic: a single ring with "
          "its neighbours at 27 dB, others falling with the square of their distance",
          {noisy, "45 dB", ""}),
      {.name = "target_ber",
       .type = ParameterType::kNumber,
       .fallback = "1e-9",
       .minimum = "0",
       .maximum = "0.1",
       .minimum_exclusive = true,
       .description = "model noise: bit error rate that must be met (the WRHT spec, 2.6: recalled, low confidence); "
                      "`sensitivity` holds for it",
       .matters = {noisy, "1e-12", ""}},
      level_parameter(
          "other_margin", "0 dB", "1000 dB",
          "held back for ageing, temperature, dispersion and repair; none by default, which leans towards closing; "
          "long links keep 4 to 6 dB (Agrawal, Fiber-Optic Communication Systems, 5.2)",
          {example, "3 dB", ""}),
      {.name = "regenerator_delay",
       .type = ParameterType::kTime,
       .fallback = "10 ns",
       .minimum = "0 s",
       .maximum = "1000 s",
       .description = "of one receiver, retimer and transmitter on the way; generic: 319.5 bit times through a GTYE3 "
                      "transceiver, in and out (AMD PG056), at 30 Gb/s",
       .matters = {example, "100 ns", ""}},
      {.name = "regenerator_energy",
       .type = ParameterType::kNumber,
       .fallback = "3",
       .minimum = "0",
       .maximum = "1000000",
       .description = "picojoules per bit of one regenerator; generic: one more microring link (J. Lightwave Technol., "
                      "doi 10.1109/JLT.2019.2961455)",
       .matters = {example, "20", ""}},
  };
}

LinkBudget budget_from(const Parameters& parameters) {
  constexpr double kPico = 1e-12;
  LinkBudget budget;
  budget.laser = parameters.power("laser_power");
  budget.modulator_loss = parameters.decibel("modulator_loss");
  budget.coupler_loss = parameters.decibel("coupler_loss");
  budget.drop_loss = parameters.decibel("drop_loss");
  budget.through_loss = parameters.decibel("through_loss");
  if (parameters.has("rings_per_node")) budget.rings_per_node = static_cast<int>(parameters.integer("rings_per_node"));
  budget.hop_loss = parameters.decibel("hop_loss");
  budget.sensitivity = parameters.power("sensitivity");
  budget.crosstalk_model = model_named(parameters.text("crosstalk_model"));
  budget.crosstalk_penalty = parameters.decibel("crosstalk_penalty");
  budget.crosstalk_suppression = parameters.decibel("crosstalk_suppression");
  budget.target_ber = parameters.number("target_ber");
  budget.other_margin = parameters.decibel("other_margin");
  budget.regenerator_delay = parameters.time("regenerator_delay");
  budget.regenerator_energy = Energy{parameters.number("regenerator_energy") * kPico};
  return budget;
}

}  // namespace helio::photonics
