// SPDX-License-Identifier: Apache-2.0
#include "photonics/link_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "base/units.h"
#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

// A margin that rounding alone made negative is none: parameters are sums of decimals and logarithms.
constexpr double kRounding = 1e-9;  // dB
// Paths that more amplifiers than this would mend are not mended by them.
constexpr int kMostAmplifiers = 1024;
constexpr int kParts =
    6;  // whose deviations add at the ends: laser line, modulator, two couplers, drop filter, receiver

Decibel crosstalk_penalty(const LinkBudget& budget, int wavelengths) {
  const double crosstalk = incoherent_crosstalk(wavelengths - 1, budget.crosstalk_suppression);
  switch (budget.crosstalk_model) {
    case CrosstalkModel::kGiven: break;
    case CrosstalkModel::kEye: return eye_penalty(crosstalk);
    case CrosstalkModel::kNoise: return noise_penalty(crosstalk, snr_needed(budget.receiver.target_ber));
  }
  return budget.crosstalk_penalty;
}

// From one wavelength's power to the least that the receiver takes.
Decibel span(const LinkBudget& budget, int wavelengths) {
  return in_decibels(launched(budget, wavelengths) / sensitivity(budget.receiver));
}

// Filter and the residue of the path before, whatever the hops.
double eye_left(const LinkBudget& budget, int wavelengths) {
  double eye = 1;
  if (budget.drop_bandwidth)
    eye *= filtered_eye(std::array{*budget.drop_bandwidth}, symbol_rate(budget.receiver), level_count(budget.receiver));
  if (budget.drop_residue) {
    const Levels levels = top_levels(budget.receiver);
    const Decibel below = *budget.drop_residue + loss_per_hop(budget, wavelengths);
    eye *= beaten_eye(1 / ratio_of(below), levels.upper, levels.lower);
  }
  return eye;
}

// Σ g^k over k = 1 … n, g the loss of a hop as a ratio.
double fading_sum(double per_hop, double n) {
  const double g = ratio_of(Decibel{per_hop});
  return g == 1 ? n : (std::pow(g, n) - 1) / (g - 1) * g;
}

// The budget as numbers, so that draws of its parts cost little.
struct Reckoning {
  Reckoning(const LinkBudget& budget, int wavelengths)
      : there(span(budget, wavelengths).value),
        ends(end_loss(budget).value),
        fixed((crosstalk_penalty(budget, wavelengths) + budget.other_margin).value),
        per_hop(loss_per_hop(budget, wavelengths).value),
        isolation(budget.add_isolation ? 1 / ratio_of(*budget.add_isolation) : 0),
        eye(eye_left(budget, wavelengths)),
        threshold(budget.receiver) {}

  double beating(int hops) const { return isolation > 0 && hops > 1 ? isolation * fading_sum(per_hop, hops - 1.0) : 0; }
  double margin(int hops) const {
    return there - (ends + per_hop * hops) - fixed - threshold.penalty(beating(hops), eye).value;
  }
  bool closes(int hops) const { return margin(hops) >= -kRounding; }
  int largest() const {
    if (!closes(1)) return 0;
    if (closes(kUnbounded)) return kUnbounded;
    // Loss alone is a limit that the rest only lowers
    const double loss_only = per_hop > 0 ? (margin(1) + kRounding) / per_hop + 2 : kUnbounded;
    int good = 1, bad = loss_only < kUnbounded ? static_cast<int>(loss_only) + 1 : kUnbounded;
    while (bad - good > 1) {
      const int middle = std::midpoint(good, bad);
      (closes(middle) ? good : bad) = middle;
    }
    return good;
  }

  double there, ends, fixed, per_hop, isolation, eye;  // dB, dB, dB, dB, ratios
  Threshold threshold;
};

// So many draws of its parts, each handed to `tell`.
template <class Tell>
void draw(const LinkBudget& budget, int wavelengths, const Tell& tell) {
  Random random(budget.tolerances.seed);
  const Reckoning nominal(budget, wavelengths);
  for (int i = 0; i < budget.tolerances.draws; ++i) {
    Reckoning drawn = nominal;
    for (int part = 0; part < kParts; ++part) drawn.fixed += budget.tolerances.part.value * random.normal();
    drawn.per_hop *= std::max(0.0, 1 + budget.tolerances.hop * random.normal());
    tell(drawn);
  }
}

// What at least `confidence` of the values reach.
template <class T>
T surely(std::vector<T> values, double confidence) {
  const auto missing = static_cast<std::size_t>((1 - confidence) * static_cast<double>(values.size()) + kRounding);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(missing, values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Enough regenerators that every piece of the path closes.
std::optional<int> regenerators_on(int hops, int largest) {
  if (hops <= largest) return 0;
  if (largest == 0) return std::nullopt;
  return (hops - 1) / largest;  // ⌈hops / largest⌉ − 1
}

std::string hops_in_words(int hops) { return hops == 1 ? "1 hop" : fmt::format("{} hops", hops); }

std::string reach_in_words(int hops) {
  return hops == kUnbounded ? "any number of hops" : fmt::format("{} at most", hops_in_words(hops));
}

std::string in_words(const Verdict& verdict, const LinkBudget& budget, int wavelengths) {
  // What it costs and what is there.
  const Decibel penalty = penalties(budget, verdict.hops, wavelengths), each = loss_per_hop(budget, wavelengths);
  if (!std::isfinite(crosstalk_penalty(budget, wavelengths).value))
    return fmt::format("crosstalk of {} wavelengths at {} drowns the signal at any power; does not close",
                       wavelengths - 1, format(Decibel{-budget.crosstalk_suppression.value}));
  std::string text =
      fmt::format("{} of {} cost {}, the ends {}, {}; {} are there: ", hops_in_words(verdict.hops), format(each),
                  format(each * verdict.hops), format(end_loss(budget)),
                  std::isfinite(penalty.value) ? "penalties " + format(penalty)
                                               : "and light of its own wavelength drowns the signal at any power",
                  format(span(budget, wavelengths)));

  // How far that reaches.
  if (verdict.largest_hops == 0)
    text += verdict.nominal_hops == 0
                ? "not enough for one hop"
                : fmt::format("{}, but not one with parts that differ", reach_in_words(verdict.nominal_hops));
  else
    text += reach_in_words(verdict.largest_hops);
  if (verdict.largest_hops > 0 && verdict.nominal_hops != verdict.largest_hops)
    text += fmt::format(" with {:.4g} % confidence, {} if no part differed", 100 * budget.tolerances.confidence,
                        verdict.nominal_hops == kUnbounded ? "any number" : fmt::format("{}", verdict.nominal_hops));

  // With or without help.
  if (verdict.closes_passively)
    return text + fmt::format("; closes passively, {} to spare", format(verdict.sure_margin));
  if (verdict.regenerators)
    text += fmt::format("; does not close passively; {} regenerator{} on the longest path would ({} and {} a bit)",
                        *verdict.regenerators, *verdict.regenerators == 1 ? "" : "s", format(verdict.added_delay),
                        format(verdict.added_energy));
  else
    text += "; does not close, with or without regenerators";
  if (verdict.amplifiers)
    text += fmt::format("; {} amplifier{} would (OSNR {:.1f} dB)", verdict.amplifiers->amplifiers,
                        verdict.amplifiers->amplifiers == 1 ? "" : "s", verdict.amplifiers->osnr.value);
  else
    text += "; amplifiers would not";
  return text;
}

}  // namespace

LinkBudget generous() {
  LinkBudget budget;
  budget.bus_power = std::nullopt;
  budget.receiver.given = Power{10e-6};
  budget.receiver.target_ber = 1e-9;
  budget.crosstalk_model = CrosstalkModel::kGiven;
  budget.drop_residue = budget.add_isolation = std::nullopt;
  budget.drop_bandwidth = std::nullopt;
  budget.tolerances.part = Decibel{0};
  budget.tolerances.hop = 0;
  return budget;
}

Power launched(const LinkBudget& budget, int wavelengths) {
  return budget.bus_power ? std::min(budget.laser, *budget.bus_power / wavelengths) : budget.laser;
}

Decibel end_loss(const LinkBudget& budget) {
  return budget.modulator_loss + 2 * budget.coupler_loss + budget.drop_loss;
}

Decibel loss_per_hop(const LinkBudget& budget, int wavelengths) {
  return budget.through_loss * budget.rings_per_node.value_or(wavelengths) + budget.hop_loss;
}

Decibel loss(const LinkBudget& budget, int hops, int wavelengths) {
  return end_loss(budget) + loss_per_hop(budget, wavelengths) * hops;
}

Disturbance disturbance(const LinkBudget& budget, int hops, int wavelengths) {
  const Reckoning reckoning(budget, wavelengths);
  return {reckoning.beating(hops), reckoning.eye, std::nullopt};
}

Decibel penalties(const LinkBudget& budget, int hops, int wavelengths) {
  return crosstalk_penalty(budget, wavelengths) + budget.other_margin +
         penalty_of(budget.receiver, disturbance(budget, hops, wavelengths));
}

Decibel margin(const LinkBudget& budget, int hops, int wavelengths) {
  return Decibel{Reckoning(budget, wavelengths).margin(hops)};
}

Decibel sure_margin(const LinkBudget& budget, int hops, int wavelengths) {
  if (budget.tolerances.none()) return margin(budget, hops, wavelengths);
  std::vector<double> margins;
  draw(budget, wavelengths, [&](const Reckoning& drawn) { margins.push_back(drawn.margin(hops)); });
  return Decibel{surely(std::move(margins), budget.tolerances.confidence)};
}

bool closes(const LinkBudget& budget, int hops, int wavelengths) {
  assert(hops >= 0 && wavelengths >= 1 && "a path has hops and a ring has wavelengths");
  return Reckoning(budget, wavelengths).closes(hops);
}

int largest_hops(const LinkBudget& budget, int wavelengths) { return Reckoning(budget, wavelengths).largest(); }

int sure_hops(const LinkBudget& budget, int wavelengths) {
  if (budget.tolerances.none()) return largest_hops(budget, wavelengths);
  std::vector<int> reaches;
  draw(budget, wavelengths, [&](const Reckoning& drawn) { reaches.push_back(drawn.largest()); });
  return surely(std::move(reaches), budget.tolerances.confidence);
}

std::optional<AmplifiedRing> amplified(const LinkBudget& budget, int hops, int wavelengths) {
  // The power on the bus that amplifiers can restore
  const Power sent = launched(budget, wavelengths) / ratio_of(budget.modulator_loss + budget.coupler_loss);
  const Power level = budget.amplifier.most_output ? std::min(sent, *budget.amplifier.most_output / wavelengths) : sent;
  const Reckoning reckoning(budget, wavelengths);
  const Power needed = sensitivity(budget.receiver);
  const double held_back = (margin(budget, 1, wavelengths) - sure_margin(budget, 1, wavelengths)).value;
  const Decibel fixed = budget.coupler_loss + budget.drop_loss + crosstalk_penalty(budget, wavelengths) +
                        budget.other_margin + Decibel{held_back};

  for (int n = 1; n < hops && n <= kMostAmplifiers; ++n) {
    // Pieces of equal length; a parked transmitter at every node passed
    const int piece = (hops + n) / (n + 1);
    const Decibel piece_loss{reckoning.per_hop * piece};
    if (piece_loss > budget.amplifier.gain) continue;
    const Power arrives = level / ratio_of(piece_loss);
    const Decibel osnr = stage_osnr(arrives, budget.amplifier) - in_decibels(n);
    const double beating = reckoning.isolation * (n + 1) * fading_sum(reckoning.per_hop, piece);
    const Decibel left = in_decibels(arrives / needed) - fixed -
                         reckoning.threshold.penalty(reckoning.threshold.beating(beating, osnr), reckoning.eye);
    if (left.value >= -kRounding) return AmplifiedRing{n, osnr, left};
  }
  return std::nullopt;
}

Verdict judge(const LinkBudget& budget, int longest_hops, int wavelengths, std::optional<int> sure) {
  Verdict verdict;
  verdict.hops = longest_hops;
  verdict.largest_hops = sure ? *sure : sure_hops(budget, wavelengths);
  verdict.nominal_hops = budget.tolerances.none() ? verdict.largest_hops : largest_hops(budget, wavelengths);
  if (longest_hops == 0) {
    verdict.margin = verdict.sure_margin = span(budget, wavelengths);
    verdict.closes_passively = verdict.closes_amplified = true;
    verdict.regenerators = 0;
    verdict.sentence = "no lightpath is used";
    return verdict;
  }
  verdict.loss = loss(budget, longest_hops, wavelengths);
  verdict.margin = margin(budget, longest_hops, wavelengths);
  verdict.sure_margin = sure_margin(budget, longest_hops, wavelengths);
  // Powers that the other penalties take are taken from the signal
  const Decibel taken = verdict.loss + crosstalk_penalty(budget, wavelengths) + budget.other_margin;
  verdict.bit_error_rate = std::isfinite(taken.value)
                               ? bit_error_rate(budget.receiver, launched(budget, wavelengths) / ratio_of(taken),
                                                disturbance(budget, longest_hops, wavelengths))
                               : 0.5;
  verdict.closes_passively = longest_hops <= verdict.largest_hops;
  if (!verdict.closes_passively) verdict.amplifiers = amplified(budget, longest_hops, wavelengths);
  verdict.closes_amplified = verdict.closes_passively || verdict.amplifiers;
  verdict.regenerators = regenerators_on(longest_hops, verdict.largest_hops);
  verdict.added_delay = budget.regenerator_delay * verdict.regenerators.value_or(0);
  verdict.added_energy = budget.regenerator_energy * verdict.regenerators.value_or(0);
  verdict.sentence = in_words(verdict, budget, wavelengths);
  return verdict;
}

int largest_ring(const LinkBudget& budget, int wavelengths, const std::function<int(int)>& longest_path, int most) {
  const int largest = sure_hops(budget, wavelengths);
  const auto fits = [&](int nodes) { return nodes == 1 || longest_path(nodes) <= largest; };

  // Doubling finds a ring that is too large, or none is.
  int good = 1, bad = std::min(2, most);
  for (; fits(bad); bad = bad > most / 2 ? most : 2 * bad) {
    if (bad == most) return most;
    good = bad;
  }

  // Halving finds where between them it turns.
  while (bad - good > 1) {
    const int middle = std::midpoint(good, bad);
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace helio::photonics
