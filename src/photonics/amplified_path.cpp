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
#include "photonics/link_budget.h"

namespace helio::photonics {
namespace {

constexpr auto kLeast = FactKind::Limit::kSmallest;
constexpr FactKind kReceivedFact = {"received_dbm", "dBm",
                                    "oddl: power at the receiver of the worst path, amplifiers saturated", kLeast};
constexpr FactKind kReceivedUnsaturatedFact = {"received_unsaturated_dbm", "dBm",
                                               "oddl: the same if amplifiers never saturated", kLeast};
constexpr FactKind kOsnrFact = {"osnr_db", "dB", "oddl: signal over noise there, where the path is amplified", kLeast};
constexpr FactKind kOsnrUnsaturatedFact = {"osnr_unsaturated_db", "dB", "oddl: the same if amplifiers never saturated",
                                           kLeast};
constexpr FactKind kBurstWarningFact = {"burst_warning", "", "oddl: what amplifiers may do to bursts, in words"};

// h nu B of 0.1 nm at 1550 nm is -58 dBm: the noise that an ideal amplifier adds, seen at its input.
constexpr double kNoiseAtInput = 58;  // dB
constexpr double kRounding = 1e-9;    // dB: a margin that rounding alone made negative is none

double in_dbm(Power power) { return in_decibels(power.value / 1e-3).value; }

std::string dbm(Power power) { return fmt::format("{:.1f} dBm", in_dbm(power)); }

std::string osnr_in_words(const Arrival& arrival) {
  return arrival.osnr ? fmt::format(", OSNR {:.1f} dB", arrival.osnr->value) : "";
}

}  // namespace

Arrival arrive(const AmplifiedPath& path, bool limited) {
  assert(path.channels >= 1 && path.launched.value > 0 && "light has power and channels");
  Arrival arrival{path.launched, {}, {}};
  double inverse_osnr = 0;
  for (const auto& part : path.parts) {
    if (const auto* passive = std::get_if<PassivePart>(&part)) {
      arrival.power = arrival.power / ratio_of(passive->loss);
      continue;
    }
    const Amplifier& amplifier = std::get<Amplifier>(part);
    inverse_osnr += 1 / ratio_of(Decibel{kNoiseAtInput + in_dbm(arrival.power)} - amplifier.noise_figure);

    // All channels together get no more than the amplifier has; an amplifier never weakens the light to keep to it
    double gain = ratio_of(amplifier.gain);
    if (limited && amplifier.most_output)
      gain = std::min(gain, std::max(1.0, *amplifier.most_output / (arrival.power * path.channels)));
    arrival.power = arrival.power * gain;
    arrival.gains.push_back(in_decibels(gain));
  }
  if (inverse_osnr > 0) arrival.osnr = in_decibels(1 / inverse_osnr);
  return arrival;
}

AmplifiedVerdict judge(const AmplifiedPath& path) {
  AmplifiedVerdict verdict;
  verdict.unsaturated = arrive(path, false);
  verdict.limited = arrive(path, true);
  verdict.margin = in_decibels(verdict.limited.power / path.sensitivity);
  verdict.closes = verdict.margin.value >= -kRounding;

  // In words
  verdict.sentence = fmt::format(
      "{} launched, {} received of each of {} channels{} ({} if no amplifier saturated{}); the receiver needs {}",
      dbm(path.launched), dbm(verdict.limited.power), path.channels, osnr_in_words(verdict.limited),
      dbm(verdict.unsaturated.power), osnr_in_words(verdict.unsaturated), dbm(path.sensitivity));
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
  if (!verdict.closes)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the light does not arrive: received power is {:.1f} dB below the sensitivity ({})",
                            -verdict.margin.value, verdict.sentence),
                {},
                verdict.limited.gains.empty() ? "Amplify it, or combine fewer fibres."
                                              : "Raise launch_power, edfa_gain or edfa_max, or combine fewer fibres.");
  return verdict;
}

std::vector<FactKind> fact_kinds_of_amplified_paths() {
  return {kReceivedFact, kReceivedUnsaturatedFact, kOsnrFact,        kOsnrUnsaturatedFact,
          kMarginFact,   kLinkBudgetFact,          kBurstWarningFact};
}

Facts facts_of(const AmplifiedVerdict& verdict) {
  Facts facts = {{kReceivedFact, in_dbm(verdict.limited.power)},
                 {kReceivedUnsaturatedFact, in_dbm(verdict.unsaturated.power)}};
  if (verdict.limited.osnr) facts.push_back({kOsnrFact, verdict.limited.osnr->value});
  if (verdict.unsaturated.osnr) facts.push_back({kOsnrUnsaturatedFact, verdict.unsaturated.osnr->value});
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
  return {path.launched,
          {combiner(inputs), edfa, PassivePart{"WSS", path.wss_loss}, combiner(groups), edfa,
           PassivePart{"AWG", path.awg_loss}, PassivePart{"connectors", path.connector_loss}},
          inputs,
          path.sensitivity};
}

std::vector<Parameter> oddl_path_parameters(const std::string& example) {
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
      power_parameter(
          "sensitivity", "-6 dBm",
          "what the receiver needs; 100G PAM4 with a PIN diode about -6 to -8 dBm (recalled), the worse of them",
          {example, "-8 dBm", ""}),
  };
}

OddlPath oddl_path_from(const Parameters& parameters) {
  OddlPath path;
  path.launched = parameters.power("launch_power");
  path.combiner_excess = parameters.decibel("combiner_excess");
  path.wss_loss = parameters.decibel("wss_loss");
  path.awg_loss = parameters.decibel("awg_loss");
  path.connector_loss = parameters.decibel("connector_loss");
  path.edfa_gain = parameters.decibel("edfa_gain");
  path.edfa_noise_figure = parameters.decibel("edfa_noise_figure");
  path.edfa_most_output = parameters.power("edfa_max");
  path.sensitivity = parameters.power("sensitivity");
  return path;
}

}  // namespace helio::photonics
