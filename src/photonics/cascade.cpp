// SPDX-License-Identifier: Apache-2.0
#include "photonics/cascade.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"

namespace helio::photonics {
namespace {

constexpr std::int64_t kMostServers = 1 << 16;
constexpr int kMostFractionBits = 12;
constexpr double kMostWork = 4e9;  // steps of a convolution, some seconds

Error infeasible(std::string what) {
  return Error(ErrorKind::kInfeasible, std::move(what), {}, "draw random codes instead");
}

std::int64_t floor_of(std::int64_t above, std::int64_t below) { return above / below - (above % below < 0 ? 1 : 0); }

// above/below, down or half up. AveragingTask::average has no negative numbers and clips; sums mod P may be below zero. Requires: below > 0.
std::int64_t rounded(std::int64_t above, std::int64_t below, Rounding rounding) {
  return rounding == Rounding::kFloor ? floor_of(above, below) : floor_of(2 * above + below, 2 * below);
}

// Probabilities over (sum of codes mod P, what rounding added), the latter as δ = emitted·servers − q·sum.
struct Spread {
  std::int64_t modulus = 1, least = 0, most = 0;  // of δ
  std::vector<double> share;                      // [δ − least][sum]

  Spread(std::int64_t p, std::int64_t from, std::int64_t to)
      : modulus(p), least(from), most(to), share(static_cast<std::size_t>(p * (to - from + 1)), 0.0) {}
  double& at(std::int64_t sum, std::int64_t delta) {
    return share[static_cast<std::size_t>((delta - least) * modulus + sum)];
  }
  double of(std::int64_t sum, std::int64_t delta) const {
    return share[static_cast<std::size_t>((delta - least) * modulus + sum)];
  }
};

// Of two independent parts together.
Spread added(const Spread& a, const Spread& b) {
  Spread sum(a.modulus, a.least + b.least, a.most + b.most);
  for (std::int64_t da = a.least; da <= a.most; ++da)
    for (std::int64_t ta = 0; ta < a.modulus; ++ta) {
      const double first = a.of(ta, da);
      if (first == 0) continue;
      for (std::int64_t db = b.least; db <= b.most; ++db)
        for (std::int64_t tb = 0; tb < b.modulus; ++tb) sum.at((ta + tb) % a.modulus, da + db) += first * b.of(tb, db);
    }
  return sum;
}

// Sum of one code mod P.
Spread one_code(std::int64_t modulus, int bits) {
  Spread code(modulus, 0, 0);
  const std::int64_t codes = std::int64_t{1} << bits;
  for (std::int64_t t = 0; t < modulus; ++t)
    code.at(t, 0) = static_cast<double>(codes / modulus + (t < codes % modulus ? 1 : 0)) / static_cast<double>(codes);
  return code;
}

// The numbers that follow from the shares.
void summarise(CascadeError& error) {
  for (const auto& [difference, share] : error.share) {
    if (difference != 0) error.wrong += share;
    error.bias += static_cast<double>(difference) * share;
  }
  error.least = error.share.begin()->first;
  error.most = error.share.rbegin()->first;
}

int fraction_bits(const AveragingTask& task) { return task.out_fraction * task.symbol_bits; }

// All servers of a cascade whose levels follow one another.
std::int64_t checked(const AveragingCascade& cascade) {
  const auto wrong = [](std::string what) { return Error(ErrorKind::kInput, std::move(what)); };
  if (cascade.empty()) throw wrong("a cascade without levels");
  std::int64_t all = 1;
  AveragingTask expected = cascade.front();
  expected.in_fraction = 0;
  for (std::size_t i = 0; i < cascade.size(); ++i) {
    const AveragingTask& task = cascade[i];
    task.check();
    expected.servers = task.servers;
    expected.out_fraction = i + 1 < cascade.size() ? task.out_fraction : 0;
    if (!(task == expected)) throw wrong(fmt::format("level {} does not go on where the one below it ends", i + 1));
    if (fraction_bits(task) > kMostFractionBits)
      throw wrong(fmt::format("level {} keeps {} fraction bits; 0 to {} are possible", i + 1, fraction_bits(task),
                              kMostFractionBits));
    if ((all *= task.servers) > kMostServers) throw wrong(fmt::format("more than {} servers", kMostServers));
    expected.in_fraction = task.out_fraction;
  }
  return all;
}

}  // namespace

CascadeError exact_error(const AveragingCascade& cascade) {
  const std::int64_t all = checked(cascade);
  const Rounding rule = cascade.front().rounding;
  if (rule != Rounding::kHalfUp && rule != Rounding::kFloor)
    throw infeasible(fmt::format("rounding {} is not decided by the sum modulo the servers", name_of(rule)));
  CascadeError error;
  Spread spread = one_code(all, cascade.front().bits);
  std::int64_t below = 1, unit = 1;  // servers under an input of this level, and the unit 1/unit of what it gives
  for (std::size_t i = 0; i < cascade.size(); ++i) {
    const AveragingTask& level = cascade[i];
    const bool last = i + 1 == cascade.size();

    // All inputs of one switch together.
    const Spread input = spread;
    const double states = static_cast<double>(input.share.size());
    if (states * states * level.servers * level.servers / 2 > kMostWork)
      throw infeasible(fmt::format("the distribution over {} servers is too large to enumerate", all));
    for (int n = 1; n < level.servers; ++n) spread = added(spread, input);

    // Its rounding: emitted and exact sums are known up to shifts by whole averages, which both follow.
    const std::int64_t servers = below * level.servers, kept = std::int64_t{1} << fraction_bits(level);
    Spread rounding(all, -2 * kept * servers, 2 * kept * servers);
    for (std::int64_t delta = spread.least; delta <= spread.most; ++delta)
      for (std::int64_t sum = 0; sum < all; ++sum) {
        const double share = spread.of(sum, delta);
        if (share == 0) continue;
        const std::int64_t arriving = (unit * sum + delta) / below;  // a whole number of units, by what δ means
        const std::int64_t emitted = rounded(arriving * kept, level.servers * unit, rule);
        if (last)
          error.share[emitted - rounded(sum, all, rule)] += share;
        else
          rounding.at(sum, emitted * servers - kept * sum) += share;
      }

    // Only the δ that occur go on.
    std::int64_t from = rounding.most, to = rounding.least;
    for (std::int64_t delta = rounding.least; delta <= rounding.most; ++delta)
      for (std::int64_t sum = 0; sum < all; ++sum)
        if (rounding.of(sum, delta) > 0) {
          from = std::min(from, delta);
          to = std::max(to, delta);
        }
    if (last) break;
    spread = Spread(all, from, to);
    for (std::int64_t delta = from; delta <= to; ++delta)
      for (std::int64_t sum = 0; sum < all; ++sum) spread.at(sum, delta) = rounding.of(sum, delta);
    below = servers;
    unit = kept;
  }
  summarise(error);
  return error;
}

}  // namespace helio::photonics
