// SPDX-License-Identifier: Apache-2.0
#include "photonics/amplified_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/error.h"
#include "base/units.h"
#include "photonics/bit_error.h"
#include "photonics/level_parameters.h"
#include "photonics/light_facts.h"

namespace helio::photonics {
namespace {

constexpr auto kLeast = FactKind::Limit::kSmallest;
constexpr FactKind kReceivedFact = {"received_dbm", "dBm",
                                    "oddl: power at the receiver of the worst path, amplifiers saturated", kLeast};
constexpr FactKind kReceivedUnsaturatedFact = {"received_unsaturated_dbm", "dBm",
                                               "oddl: the same if amplifiers never saturated", kLeast};
constexpr FactKind kOsnrUnsaturatedFact = {"osnr_unsaturated_db", "dB", "oddl: the same if amplifiers never saturated",
                                           kLeast};
constexpr FactKind kCrosstalkFact = {"crosstalk_db", "dB", "oddl: all light of the same wavelength that leaks in"};
constexpr FactKind kBurstWarningFact = {"burst_warning", "", "oddl: what amplifiers may do to bursts, in words"};

// h nu B of 0.1 nm at 1550 nm is -58 dBm: the noise that an ideal amplifier adds, seen at its input.
constexpr double kNoiseAtInput = 58;  // dB
constexpr double kGiga = 1e9;
constexpr double kRounding = 1e-9;  // dB: a margin that rounding alone made negative is none

double in_dbm(Power power) { return in_decibels(power.value / 1e-3).value; }

std::string dbm(Power power) { return fmt::format("{:.1f} dBm", in_dbm(power)); }

std::string osnr_in_words(const Arrival& arrival) {
  return arrival.osnr ? fmt::format(", OSNR {:.1f} dB", arrival.osnr->value) : "";
}

}  // namespace

Decibel stage_osnr(Power input, const Amplifier& amplifier) {
  return Decibel{kNoiseAtInput + in_dbm(input)} - amplifier.noise_figure;
}

Arrival arrive(const AmplifiedPath& path, bool limited) {
  assert(path.channels >= 1 && path.launched.value > 0 && "light has power and channels");
  Arrival arrival;
  arrival.power = path.launched;
  double inverse_osnr = 0;
  std::vector<double> bandwidths;
  for (const auto& part : path.parts) {
    if (const auto* passive = std::get_if<PassivePart>(&part)) {
      arrival.power = arrival.power / ratio_of(passive->loss);
      arrival.crosstalk += passive->leak;
      if (passive->bandwidth) bandwidths.push_back(*passive->bandwidth);
      continue;
    }
    const Amplifier& amplifier = std::get<Amplifier>(part);
    inverse_osnr += 1 / ratio_of(stage_osnr(arrival.power, amplifier));

    // All channels together get no more than the amplifier has; an amplifier never weakens the light to keep to it
    double gain = ratio_of(amplifier.gain);
    if (limited && amplifier.most_output)
      gain = std::min(gain, std::max(1.0, *amplifier.most_output / (arrival.power * path.channels)));
    arrival.power = arrival.power * gain;
    arrival.gains.push_back(in_decibels(gain));
  }
  if (inverse_osnr > 0) arrival.osnr = in_decibels(1 / inverse_osnr);
  arrival.eye = filtered_eye(bandwidths, symbol_rate(path.receiver), level_count(path.receiver));
  return arrival;
}

AmplifiedVerdict judge(const AmplifiedPath& path) {
  AmplifiedVerdict verdict;
  verdict.unsaturated = arrive(path, false);
  verdict.limited = arrive(path, true);
  const Arrival& seen = verdict.limited;
  verdict.judged = !path.power_only;
  const Disturbance disturbance{seen.crosstalk, seen.eye, seen.osnr};
  if (verdict.judged) {
    verdict.penalty = penalty_of(path.receiver, disturbance);
    verdict.bit_error_rate = bit_error_rate(path.receiver, seen.power, disturbance);
  }
  const Power needed = sensitivity(path.receiver);
  verdict.margin = in_decibels(seen.power / needed) - verdict.penalty;
  verdict.closes = verdict.margin.value >= -kRounding;

  // In words
  verdict.sentence = fmt::format(
      "{} launched, {} received of each of {} channels{} ({} if no amplifier saturated{}); the receiver needs {}",
      dbm(path.launched), dbm(seen.power), path.channels, osnr_in_words(seen), dbm(verdict.unsaturated.power),
      osnr_in_words(verdict.unsaturated), dbm(needed));
  if (verdict.judged) {
    const std::string because = fmt::format(
        "noise{}{}",
        seen.crosstalk > 0 ? fmt::format(", crosstalk {:.1f} dB below", -in_decibels(seen.crosstalk).value) : "",
        seen.eye < 1 ? fmt::format(" and filters that leave {:.0f} % of the eye", 100 * std::max(0.0, seen.eye)) : "");
    verdict.sentence +=
        std::isfinite(verdict.penalty.value)
            ? fmt::format(", {:.1f} dB more for {}: {:.1e} bit errors, of which {:.1e} may be", verdict.penalty.value,
                          because, verdict.bit_error_rate, path.receiver.target_ber)
            : fmt::format(", and no power makes up for {}: {:.1e} bit errors, of which {:.1e} may be", because,
                          verdict.bit_error_rate, path.receiver.target_ber);
  }
  if (!verdict.limited.gains.empty())
    verdict.warning = fmt::format(
        "power excursions are not modelled: when all but one of {} channels go dark, the gain of an amplifier without "
        "clamping or "
        "fill light rises by up to {:.1f} dB for microseconds to milliseconds",
        path.channels, [&] {
          double most = 0;
          for (std::size_t i = 0; i < verdict.limited.gains.size(); ++i)
            most = std::max(most, (verdict.unsaturated.gains[i] - verdict.limited.gains[i]).value);
          return most;
        }());
  return verdict;
}

AmplifiedVerdict require_arrival(const AmplifiedPath& path) {
  AmplifiedVerdict verdict = judge(path);
  if (verdict.closes) return verdict;
  if (in_decibels(verdict.limited.power / sensitivity(path.receiver)).value >= -kRounding)
    throw Error(ErrorKind::kInfeasible, fmt::format("the light arrives with too many errors ({})", verdict.sentence),
                {},
                "Raise wss_isolation or the bandwidths, or use another format, fewer groups or a stronger correction "
                "(target_ber).");
  throw Error(ErrorKind::kInfeasible,
              fmt::format("the light does not arrive: received power is {:.1f} dB below the sensitivity ({})",
                          -verdict.margin.value, verdict.sentence),
              {},
              verdict.limited.gains.empty() ? "Amplify it, or combine fewer fibres."
                                            : "Raise launch_power, edfa_gain or edfa_max, or combine fewer fibres.");
}

std::vector<FactKind> fact_kinds_of_amplified_paths() {
  return {kReceivedFact,        kReceivedUnsaturatedFact, kOsnrFact,
          kOsnrUnsaturatedFact, kCrosstalkFact,           kBitErrorFact,
          kMarginFact,          kLinkBudgetFact,          kBurstWarningFact};
}

Facts facts_of(const AmplifiedVerdict& verdict) {
  Facts facts = {{kReceivedFact, in_dbm(verdict.limited.power)},
                 {kReceivedUnsaturatedFact, in_dbm(verdict.unsaturated.power)}};
  if (verdict.limited.osnr) facts.push_back({kOsnrFact, verdict.limited.osnr->value});
  if (verdict.unsaturated.osnr) facts.push_back({kOsnrUnsaturatedFact, verdict.unsaturated.osnr->value});
  if (verdict.judged) {
    if (verdict.limited.crosstalk > 0) facts.push_back({kCrosstalkFact, in_decibels(verdict.limited.crosstalk).value});
    facts.push_back({kBitErrorFact, verdict.bit_error_rate});
  }
  facts.push_back({kMarginFact, verdict.margin.value});
  facts.push_back({kLinkBudgetFact, verdict.sentence});
  if (!verdict.warning.empty()) facts.push_back({kBurstWarningFact, verdict.warning});
  return facts;
}

AmplifiedPath oddl_path(const OddlPath& path, int inputs, int groups) {
  const auto combiner = [&](int ways) {
    return PassivePart{fmt::format("{}:1 combiner", ways), in_decibels(ways) + path.combiner_excess};
  };
  const Amplifier edfa{"EDFA", path.edfa_gain, path.edfa_noise_figure, path.edfa_most_output};
  // Every other group's WSS leaks into this one's combiner
  const double leak = (groups - 1) / ratio_of(path.wss_isolation);
  return {path.launched,
          {combiner(inputs), edfa, PassivePart{"WSS", path.wss_loss, leak, path.wss_bandwidth}, combiner(groups), edfa,
           PassivePart{"AWG", path.awg_loss, 0, path.awg_bandwidth}, PassivePart{"connectors", path.connector_loss}},
          inputs,
          path.receiver,
          path.power_only};
}

std::vector<Parameter> oddl_path_parameters(const std::string& example, const std::string& two_groups) {
  return {
      power_parameter("launch_power", "7 dBm", "of one channel into the fibre; ours (papers/oddl.md 2.6)",
                      {example, "5 dBm", ""}),
      level_parameter("combiner_excess", "1.5 dB", "100 dB",
                      "of a combiner beyond 10 log10 of its inputs; ours (papers/oddl.md 2.6)", {example, "1 dB", ""}),
      level_parameter("wss_loss", "6.5 dB", "100 dB",
                      "of an LCoS WSS; upper value of a secondary source (papers/oddl.md 4.2)", {example, "5 dB", ""}),
      level_parameter("awg_loss", "5 dB", "100 dB", "of a cyclic AWG with 32 ports, which have 4 to 8 dB (recalled)",
                      {example, "4 dB", ""}),
      level_parameter("connector_loss", "2 dB", "100 dB", "of all connectors on a path; ours (papers/oddl.md 2.6)",
                      {example, "1 dB", ""}),
      level_parameter("edfa_gain", "20 dB", "60 dB",
                      "of one channel while unsaturated; EDFAs have 17 to 25 dB (recalled)", {example, "22 dB", ""}),
      level_parameter("edfa_noise_figure", "5.5 dB", "60 dB", "EDFAs have 5 to 6 dB (recalled)", {example, "6 dB", ""}),
      power_parameter("edfa_max", "23 dBm",
                      "most output of one EDFA over all channels; usual ones have 17 to 23 dBm (recalled)",
                      {example, "20 dBm", ""}),
      {.name = "light",
       .type = ParameterType::kChoice,
       .fallback = "physical",
       .description =
           "physical: noise, in-band crosstalk and filters are judged by their bit errors; generous: power alone, "
           "against -6 dBm (100G PAM4 with a PIN diode, recalled)",
       .matters = {example, "generous", ""},
       .choices = {"physical", "generous"}},
      {.name = "format",
       .type = ParameterType::kChoice,
       .fallback = "qpsk",
       .description =
           "qpsk: coherent, two polarisations, 25 GBd for 100 Gb/s, which a grid of 50 GHz holds; pam4 at 50 GBd "
           "it does not (ours; the paper's is not known)",
       .matters = {example, "pam4", "", true},
       .choices = {"qpsk", "pam4", "nrz"}},
      by_light(
          power_parameter("sensitivity", "",
                          "what the receiver needs undisturbed; unset: -20 dBm, coherent 100G or better "
                          "(papers/oddl.md 4.2, recalled; an "
                          "optimised one has -33 dBm: Zhang et al., Opt. Express 20, 2012); light = generous: -6 dBm",
                          {example, "-8 dBm", ""})),
      {.name = "target_ber",
       .type = ParameterType::kNumber,
       .fallback = "3.8e-3",
       .minimum = "0",
       .maximum = "0.1",
       .minimum_exclusive = true,
       .description = "bit errors that correction bears; hard decision, 7 % overhead (mapyourtech.com)",
       .matters = {example, "1e-12", ""}},
      level_parameter("wss_isolation", "35 dB", "100 dB",
                      "of each port of a WSS: so far below their signal all other groups leak into this one, on its "
                      "wavelength; secondary sources have more than 30 dB and 40 dB",
                      {two_groups, "40 dB", ""}),
      width_parameter("wss_bandwidth", "45", "of a channel through a WSS, 3 dB, of 50 GHz (recalled)",
                      {example, "30", ""}),
      width_parameter("awg_bandwidth", "35", "of a channel through the AWG, 3 dB, of 50 GHz (recalled)",
                      {example, "25", ""}),
  };
}

OddlPath oddl_path_from(const Parameters& parameters, BitRate rate) {
  OddlPath path;
  path.launched = parameters.power("launch_power");
  path.combiner_excess = parameters.decibel("combiner_excess");
  path.wss_loss = parameters.decibel("wss_loss");
  path.awg_loss = parameters.decibel("awg_loss");
  path.connector_loss = parameters.decibel("connector_loss");
  path.edfa_gain = parameters.decibel("edfa_gain");
  path.edfa_noise_figure = parameters.decibel("edfa_noise_figure");
  path.edfa_most_output = parameters.power("edfa_max");
  path.power_only = parameters.text("light") == "generous";
  path.wss_isolation = parameters.decibel("wss_isolation");
  path.wss_bandwidth = parameters.number("wss_bandwidth") * kGiga;
  path.awg_bandwidth = parameters.number("awg_bandwidth") * kGiga;
  path.receiver.rate = rate;
  path.receiver.format = format_named(parameters.text("format"));
  path.receiver.target_ber = parameters.number("target_ber");
  if (path.power_only)
    path.receiver.given = Power{0.25118864315095796e-3};  // -6 dBm
  else if (path.receiver.format != Format::kQpsk)
    path.receiver.given = std::nullopt;  // from its noise
  if (path.power_only)
    refuse_idle(parameters, {"format", "target_ber", "wss_isolation", "wss_bandwidth", "awg_bandwidth"},
                "with light = generous, which asks for power alone");
  if (parameters.has("sensitivity")) path.receiver.given = parameters.power("sensitivity");
  return path;
}

}  // namespace helio::photonics
