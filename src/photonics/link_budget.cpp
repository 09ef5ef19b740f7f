// SPDX-License-Identifier: Apache-2.0
#include "photonics/link_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/units.h"
#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

// A margin that rounding alone made negative is none: parameters are sums of decimals and logarithms.
constexpr double kRounding = 1e-9;  // dB

Decibel crosstalk_penalty(const LinkBudget& budget, int wavelengths) {
  const double crosstalk = incoherent_crosstalk(wavelengths - 1, budget.crosstalk_suppression);
  switch (budget.crosstalk_model) {
    case CrosstalkModel::kGiven: break;
    case CrosstalkModel::kEye: return eye_penalty(crosstalk);
    case CrosstalkModel::kNoise: return noise_penalty(crosstalk, snr_needed(budget.target_ber));
  }
  return budget.crosstalk_penalty;
}

// From the laser to the least that the receiver takes.
Decibel span(const LinkBudget& budget) { return in_decibels(budget.laser / budget.sensitivity); }

// Enough regenerators that every piece of the path closes.
std::optional<int> regenerators_on(int hops, int largest) {
  if (hops <= largest) return 0;
  if (largest == 0) return std::nullopt;
  return (hops - 1) / largest;  // ⌈hops / largest⌉ − 1
}

std::string hops_in_words(int hops) { return hops == 1 ? "1 hop" : fmt::format("{} hops", hops); }

std::string in_words(const Verdict& verdict, const LinkBudget& budget, int wavelengths) {
  // What it costs and what is there.
  const Decibel penalty = penalties(budget, wavelengths), each = loss_per_hop(budget, wavelengths);
  if (!std::isfinite(penalty.value))
    return fmt::format("crosstalk of {} wavelengths at {} drowns the signal at any power; does not close",
                       wavelengths - 1, format(Decibel{-budget.crosstalk_suppression.value}));
  std::string text = fmt::format(
      "{} of {} cost {}, the ends {}, penalties {}; {} are there: ", hops_in_words(verdict.hops), format(each),
      format(each * verdict.hops), format(end_loss(budget)), format(penalty), format(span(budget)));

  // How far that reaches.
  if (verdict.largest_hops == 0) return text + "not enough for one hop; does not close, with or without regenerators";
  text += verdict.largest_hops == kUnbounded ? "any number of hops"
                                             : fmt::format("{} at most", hops_in_words(verdict.largest_hops));

  // With or without regenerators.
  if (verdict.closes_passively) return text + fmt::format("; closes passively, {} to spare", format(verdict.margin));
  const int count = *verdict.regenerators;
  return text + fmt::format("; does not close passively; {} regenerator{} on the longest path would ({} and {} a bit)",
                            count, count == 1 ? "" : "s", format(verdict.added_delay), format(verdict.added_energy));
}

}  // namespace

Decibel end_loss(const LinkBudget& budget) {
  return budget.modulator_loss + 2 * budget.coupler_loss + budget.drop_loss;
}

Decibel loss_per_hop(const LinkBudget& budget, int wavelengths) {
  return budget.through_loss * budget.rings_per_node.value_or(wavelengths) + budget.hop_loss;
}

Decibel loss(const LinkBudget& budget, int hops, int wavelengths) {
  return end_loss(budget) + loss_per_hop(budget, wavelengths) * hops;
}

Decibel penalties(const LinkBudget& budget, int wavelengths) {
  return crosstalk_penalty(budget, wavelengths) + budget.other_margin;
}

Decibel margin(const LinkBudget& budget, int hops, int wavelengths) {
  return span(budget) - loss(budget, hops, wavelengths) - penalties(budget, wavelengths);
}

bool closes(const LinkBudget& budget, int hops, int wavelengths) {
  assert(hops >= 0 && wavelengths >= 1 && "a path has hops and a ring has wavelengths");
  return margin(budget, hops, wavelengths).value >= -kRounding;
}

int largest_hops(const LinkBudget& budget, int wavelengths) {
  if (!closes(budget, 1, wavelengths)) return 0;
  if (closes(budget, kUnbounded, wavelengths)) return kUnbounded;

  // The quotient, moved by one where rounding took it across.
  const double quotient = (margin(budget, 0, wavelengths).value + kRounding) / loss_per_hop(budget, wavelengths).value;
  auto hops = std::max(1, static_cast<int>(quotient));
  if (closes(budget, hops + 1, wavelengths)) ++hops;
  if (!closes(budget, hops, wavelengths)) --hops;
  return hops;
}

Verdict judge(const LinkBudget& budget, int longest_hops, int wavelengths) {
  Verdict verdict;
  verdict.hops = longest_hops;
  verdict.largest_hops = largest_hops(budget, wavelengths);
  if (longest_hops == 0) {
    verdict.margin = span(budget);
    verdict.closes_passively = true;
    verdict.regenerators = 0;
    verdict.sentence = "no lightpath is used";
    return verdict;
  }
  verdict.loss = loss(budget, longest_hops, wavelengths);
  verdict.margin = margin(budget, longest_hops, wavelengths);
  verdict.closes_passively = longest_hops <= verdict.largest_hops;
  verdict.regenerators = regenerators_on(longest_hops, verdict.largest_hops);
  verdict.added_delay = budget.regenerator_delay * verdict.regenerators.value_or(0);
  verdict.added_energy = budget.regenerator_energy * verdict.regenerators.value_or(0);
  verdict.sentence = in_words(verdict, budget, wavelengths);
  return verdict;
}

int largest_ring(const LinkBudget& budget, int wavelengths, const std::function<int(int)>& longest_path, int most) {
  const int largest = largest_hops(budget, wavelengths);
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
