// SPDX-License-Identifier: Apache-2.0
// Defaults agree with LinkBudget, and what `light` decides with its two readings; a test holds them together. "Generic": from the
// literature on microring links, not WRHT's, whose constants are not known to us.
#include "photonics/budget_parameters.h"

#include <stdexcept>

#include "photonics/bit_error.h"
#include "photonics/level_parameters.h"

namespace helio::photonics {
namespace {

CrosstalkModel model_named(const std::string& name) {
  if (name == "given") return CrosstalkModel::kGiven;
  if (name == "eye") return CrosstalkModel::kEye;
  if (name == "noise") return CrosstalkModel::kNoise;
  throw std::logic_error("crosstalk model '" + name + "' is a choice that nobody reads");
}

Parameter number(const char* name, const char* fallback, const char* least, const char* most, bool above,
                 const char* meaning, Situation matters) {
  return {.name = name,
          .type = ParameterType::kNumber,
          .fallback = fallback,
          .minimum = least,
          .maximum = most,
          .minimum_exclusive = above,
          .description = meaning,
          .matters = std::move(matters)};
}

// What `light` decides, or the user.
std::vector<Parameter> receiver_parameters(const std::string& example) {
  return {
      by_light(power_parameter("sensitivity", "",
                               "what the receiver needs undisturbed for the target BER, whatever its noise; unset: "
                               "from rate, format and noise "
                               "(-12.7 dBm at 40 Gb/s, -9.6 without error correction; published: -10.15, Kim et al., "
                               "Opt. Express 21, 30716); light = "
                               "generous: -20 dBm, usual "
                               "in on-chip network studies (Joshi et al., NOCS 2009; recalled)",
                               {example, "-20 dBm", ""})),
      {.name = "format",
       .type = ParameterType::kChoice,
       .fallback = "nrz",
       .description = "levels of the light: nrz two, pam4 four at half the symbol rate",
       .matters = {example, "pam4", ""},
       .choices = {"nrz", "pam4"}},
      level_parameter("extinction", "6 dB", "100 dB",
                      "between the highest and the lowest level; DSENT (Sun et al., NOCS 2012), photonic-link.cfg",
                      {example, "10 dB", ""}),
      number("receiver_noise", "17.25", "0", "1000000", true,
             "pA/sqrt(Hz) at the receiver's input; a 130 nm SiGe amplifier for 56 Gb/s (Cherry-Hooper emitter "
             "follower, its "
             "better one 12.86; another for 40 Gb/s 10.4)",
             {example, "10", ""}),
      number("responsivity", "0.78", "0", "1000", true, "A/W; photodiode of a 40 Gb/s photoreceiver (scilit 1d358f1f)",
             {example, "1.1", ""}),
      number("receiver_bandwidth", "0.7", "0", "100", true,
             "of the receiver, in symbol rates; usual for NRZ (recalled)", {example, "1", ""}),
      level_parameter("receiver_penalty", "4 dB", "100 dB",
                      "of real receivers beyond their noise; median of five published ones, 1.6 to 5.4 dB "
                      "(docs/photonics.md)",
                      {example, "0 dB", ""}),
      by_light(number("target_ber", "", "0", "0.1", true,
                      "bit errors that may be; unset: 2.4e-4, which RS(544,514) corrects (KP4 of IEEE 802.3; "
                      "recalled), its delay and its 5.8 % not counted; light = generous: 1e-9 (the WRHT spec, 2.6: "
                      "recalled, low confidence). 1e-12: without correction",
                      {example, "1e-12", ""})),
      by_light(
          level_parameter("drop_residue", "", "300 dB",
                          "of a dropped wavelength, left on the bus for its next user; unset: 20 dB (third-order ring "
                          "filter, Xiao et al., Opt. Express 15, 14765); light = generous: none is left",
                          {example, "30 dB", ""})),
      by_light(level_parameter("add_isolation", "", "300 dB",
                               "of a parked transmitter, whose light every node that is passed adds; unset: 40 dB, the "
                               "out-of-band rejection of the same filter; light = generous: none is added",
                               {example, "50 dB", ""})),
      by_light(width_parameter("drop_bandwidth", "",
                               "of the drop filter, 3 dB; unset: 125 (the same filter); light = generous: wide",
                               {example, "50", ""})),
  };
}

std::vector<Parameter> amplifier_parameters(const std::string& example) {
  return {
      {.name = "amplifier",
       .type = ParameterType::kChoice,
       .fallback = "edfa",
       .description =
           "edfa: noise figure 5.5 dB, 23 dBm; soa: 8.5 dB, 13 dBm, and its gain follows the bits, which is not "
           "modelled (ranges 7 to 10 dB and 8 to 13 dBm: photonica.io)",
       .matters = {example, "soa", ""},
       .choices = {"edfa", "soa"}},
      level_parameter("amplifier_gain", "20 dB", "60 dB", "most gain of one amplifier (recalled)",
                      {example, "2 dB", ""}),
      by_light(level_parameter("amplifier_noise_figure", "", "60 dB", "unset: by the kind of amplifier",
                               {example, "7 dB", ""})),
      by_light(power_parameter("amplifier_max", "", "most output of all wavelengths together; unset: by the kind",
                               {example, "10 dBm", ""})),
  };
}

std::vector<Parameter> tolerance_parameters(const std::string& example) {
  return {
      by_light(
          level_parameter("part_tolerance", "", "100 dB",
                          "standard deviation of laser line, modulator, each coupler, drop filter and receiver; unset: "
                          "0.5 dB (recalled); light = generous: 0",
                          {example, "1 dB", ""})),
      by_light(
          number("hop_tolerance", "", "0", "1", false,
                 "standard deviation of the loss per hop, in parts of it, common to a path; unset: 0.1 (recalled); "
                 "light = generous: 0",
                 {example, "0.3", ""})),
      number("confidence", "0.95", "0.5", "0.999", false, "part of all draws of a path's parts that must close",
             {example, "0.5", ""}),
      {.name = "budget_seed",
       .type = ParameterType::kInteger,
       .fallback = "1",
       .minimum = "0",
       .maximum = "9223372036854775807",
       .description = "of the draws of parts",
       .matters = {example, "2", ""}},
  };
}

}  // namespace

std::vector<Parameter> budget_parameters(const std::string& example) {
  const std::string noisy = example + " fabric.crosstalk_model=noise",
                    given = example + " fabric.crosstalk_model=given";
  std::vector<Parameter> all = {
      {.name = "light",
       .type = ParameterType::kChoice,
       .fallback = "physical",
       .description =
           "how the budget is read: physical; or generous, which leans towards closing, so that only its no can be "
           "relied on: no limit on the bus, -20 dBm at any rate, 1 dB for all crosstalk, parts that never differ",
       .matters = {example, "generous", ""},
       .choices = {"physical", "generous"}},
      power_parameter("laser_power", "10 dBm", "of one wavelength before its modulator, at most; ours",
                      {example, "0 dBm", ""}),
      by_light(power_parameter("bus_power", "",
                               "of all wavelengths together in a waveguide, before two photons are absorbed at once: "
                               "no wavelength gets more "
                               "than its share; unset: 20 dBm (Bahadori et al., J. Lightwave Technol. 34, 2016; "
                               "recalled); light = generous: "
                               "no limit",
                               {example, "17 dBm", ""})),
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
      {.name = "crosstalk_model",
       .type = ParameterType::kChoice,
       .description = "of other wavelengths; unset: eye; light = generous: given. given: crosstalk_penalty; eye: worst "
                      "eye of all other wavelengths (Ramaswami et al., Optical "
                      "Networks, 5.6); noise: their light against the SNR of BER = exp(-SNR/4)/2 (recalled, low "
                      "confidence)",
       .matters = {example, "noise", ""},
       .choices = {"given", "eye", "noise"},
       .optional = true},
      level_parameter(
          "crosstalk_penalty", "1 dB", "1000 dB",
          "model given: power that makes up for crosstalk; an allowance: below 0.5 dB were measured with one "
          "interferer (Opt. Express 23, 17169, 2015)",
          {given, "3 dB", ""}),
      level_parameter(
          "crosstalk_suppression", "40 dB", "300 dB",
          "models eye and noise: of each other wavelength at the receiver, on average; generic: a single ring with "
          "its neighbours at 27 dB, others falling with the square of their distance",
          {noisy, "45 dB", ""}),
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
  for (auto* more : {&receiver_parameters, &amplifier_parameters, &tolerance_parameters})
    for (Parameter& parameter : (*more)(example)) all.push_back(std::move(parameter));
  return all;
}

LinkBudget budget_from(const Parameters& parameters, BitRate rate) {
  constexpr double kPico = 1e-12, kGiga = 1e9;
  const auto set = [&](const char* name, auto& field, auto value) {
    if (parameters.has(name)) field = value(name);
  };
  const auto decibel = [&](const char* name) { return parameters.decibel(name); };
  const auto power = [&](const char* name) { return parameters.power(name); };
  LinkBudget budget = parameters.text("light") == "generous" ? generous() : LinkBudget{};
  budget.laser = parameters.power("laser_power");
  set("bus_power", budget.bus_power, power);
  budget.modulator_loss = parameters.decibel("modulator_loss");
  budget.coupler_loss = parameters.decibel("coupler_loss");
  budget.drop_loss = parameters.decibel("drop_loss");
  budget.through_loss = parameters.decibel("through_loss");
  if (parameters.has("rings_per_node")) budget.rings_per_node = static_cast<int>(parameters.integer("rings_per_node"));
  budget.hop_loss = parameters.decibel("hop_loss");
  if (parameters.has("crosstalk_model")) budget.crosstalk_model = model_named(parameters.text("crosstalk_model"));
  budget.crosstalk_penalty = parameters.decibel("crosstalk_penalty");
  budget.crosstalk_suppression = parameters.decibel("crosstalk_suppression");
  budget.other_margin = parameters.decibel("other_margin");
  budget.regenerator_delay = parameters.time("regenerator_delay");
  budget.regenerator_energy = Energy{parameters.number("regenerator_energy") * kPico};

  // The receiver, and what reaches it beside its signal
  Receiver& receiver = budget.receiver;
  receiver.rate = rate;
  set("sensitivity", receiver.given, power);
  receiver.format = format_named(parameters.text("format"));
  receiver.extinction = parameters.decibel("extinction");
  receiver.noise = parameters.number("receiver_noise") * kPico;
  receiver.responsivity = parameters.number("responsivity");
  receiver.bandwidth = parameters.number("receiver_bandwidth");
  receiver.penalty = parameters.decibel("receiver_penalty");
  if (parameters.has("target_ber")) receiver.target_ber = parameters.number("target_ber");
  if (receiver.given)
    refuse_idle(parameters, {"receiver_noise", "responsivity", "receiver_penalty"}, "where the sensitivity is given");
  if (receiver.extinction.value == 0)
    throw Error(ErrorKind::kInput, "light without extinction tells no bits apart", parameters.place("extinction"),
                "Give more than 0 dB.");
  set("drop_residue", budget.drop_residue, decibel);
  set("add_isolation", budget.add_isolation, decibel);
  if (parameters.has("drop_bandwidth")) budget.drop_bandwidth = parameters.number("drop_bandwidth") * kGiga;

  if (parameters.text("amplifier") == "soa")
    budget.amplifier = {"SOA", Decibel{20}, Decibel{8.5}, Power{ratio_of(Decibel{13}) * 1e-3}};
  budget.amplifier.gain = parameters.decibel("amplifier_gain");
  set("amplifier_noise_figure", budget.amplifier.noise_figure, decibel);
  set("amplifier_max", budget.amplifier.most_output, power);

  set("part_tolerance", budget.tolerances.part, decibel);
  if (parameters.has("hop_tolerance")) budget.tolerances.hop = parameters.number("hop_tolerance");
  budget.tolerances.confidence = parameters.number("confidence");
  budget.tolerances.seed = static_cast<std::uint64_t>(parameters.integer("budget_seed"));
  return budget;
}

}  // namespace helio::photonics
