// SPDX-License-Identifier: Apache-2.0
#include "photonics/cascade.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace helio::photonics {
namespace {

constexpr std::int64_t kMostServers = 1 << 16;
constexpr double kMostWork = 4e9;  // steps of a convolution, some seconds

Error infeasible(std::string what) {
  return Error(ErrorKind::kInfeasible, std::move(what), {}, "draw random codes instead");
}

std::int64_t floor_of(std::int64_t above, std::int64_t below) { return above / below - (above % below < 0 ? 1 : 0); }

// above/below as the rule has it, `dither` in 0 .. below − 1 where it has one. Requires: below > 0.
std::int64_t rounded(std::int64_t above, std::int64_t below, Rounding rounding, std::int64_t dither = 0) {
  switch (rounding) {
    case Rounding::kFloor: return floor_of(above, below);
    case Rounding::kHalfUp: return floor_of(2 * above + below, 2 * below);
    case Rounding::kHalfEven: {
      const std::int64_t up = floor_of(2 * above + below, 2 * below);
      return up - ((2 * above + below) % (2 * below) == 0 && up % 2 != 0 ? 1 : 0);
    }
    case Rounding::kDither: return floor_of(above + dither, below);
  }
  return 0;
}

std::int64_t drawn(Rounding rounding, std::int64_t below, Random& random) {
  return rounding == Rounding::kDither ? static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(below))) : 0;
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

}  // namespace

void Cascade::check() const {
  const auto wrong = [](std::string what) { return Error(ErrorKind::kInput, std::move(what)); };
  if (levels.empty()) throw wrong("a cascade without levels");
  if (bits < 1 || bits > 32) throw wrong(fmt::format("codes of {} bits; 1 to 32 are possible", bits));
  std::int64_t all = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const CascadeLevel& level = levels[i];
    if (level.servers < 1) throw wrong(fmt::format("level {} of {} servers", i + 1, level.servers));
    if (level.fraction_bits < 0 || level.fraction_bits > 12)
      throw wrong(fmt::format("level {} keeps {} fraction bits; 0 to 12 are possible", i + 1, level.fraction_bits));
    if ((all *= level.servers) > kMostServers) throw wrong(fmt::format("more than {} servers", kMostServers));
  }
  if (levels.back().fraction_bits != 0) throw wrong("the last level gives whole codes: it keeps no fraction bits");
}

std::int64_t Cascade::servers() const {
  std::int64_t all = 1;
  for (const CascadeLevel& level : levels) all *= level.servers;
  return all;
}

std::int64_t Cascade::average(const std::vector<std::uint32_t>& codes, Random& dither) const {
  assert(codes.size() == static_cast<std::size_t>(servers()) && "a code per server");
  std::vector<std::int64_t> values(codes.begin(), codes.end());
  std::int64_t unit = 1;  // values are in units of 1/unit
  for (const CascadeLevel& level : levels) {
    const std::int64_t kept = std::int64_t{1} << level.fraction_bits;
    std::vector<std::int64_t> next;
    for (std::size_t first = 0; first < values.size(); first += static_cast<std::size_t>(level.servers)) {
      std::int64_t sum = 0;
      for (int i = 0; i < level.servers; ++i) sum += values[first + static_cast<std::size_t>(i)];
      const std::int64_t below = level.servers * unit;
      next.push_back(rounded(sum * kept, below, rounding, drawn(rounding, below, dither)));
    }
    values = std::move(next);
    unit = kept;
  }
  return values.front();
}

std::int64_t Cascade::exact(const std::vector<std::uint32_t>& codes, Random& dither) const {
  std::int64_t sum = 0;
  for (const std::uint32_t code : codes) sum += code;
  return rounded(sum, servers(), rounding, drawn(rounding, servers(), dither));
}

CascadeError exact_error(const Cascade& cascade) {
  cascade.check();
  if (cascade.rounding != Rounding::kHalfUp && cascade.rounding != Rounding::kFloor)
    throw infeasible(
        fmt::format("rounding {} is not decided by the sum modulo the servers", name_of(cascade.rounding)));
  const std::int64_t all = cascade.servers();
  CascadeError error;
  Spread spread = one_code(all, cascade.bits);
  std::int64_t below = 1, unit = 1;  // servers under an input of this level, and the unit 1/unit of what it gives
  for (std::size_t i = 0; i < cascade.levels.size(); ++i) {
    const CascadeLevel& level = cascade.levels[i];
    const bool last = i + 1 == cascade.levels.size();

    // All inputs of one switch together.
    const Spread input = spread;
    const double states = static_cast<double>(input.share.size());
    if (states * states * level.servers * level.servers / 2 > kMostWork)
      throw infeasible(fmt::format("the distribution over {} servers is too large to enumerate", all));
    for (int n = 1; n < level.servers; ++n) spread = added(spread, input);

    // Its rounding: emitted and exact sums are known up to shifts by whole averages, which both follow.
    const std::int64_t servers = below * level.servers, kept = std::int64_t{1} << level.fraction_bits;
    Spread rounding(all, -2 * kept * servers, 2 * kept * servers);
    for (std::int64_t delta = spread.least; delta <= spread.most; ++delta)
      for (std::int64_t sum = 0; sum < all; ++sum) {
        const double share = spread.of(sum, delta);
        if (share == 0) continue;
        const std::int64_t arriving = (unit * sum + delta) / below;  // a whole number of units, by what δ means
        const std::int64_t emitted = rounded(arriving * kept, level.servers * unit, cascade.rounding);
        if (last)
          error.share[emitted - rounded(sum, all, cascade.rounding)] += share;
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

CascadeError monte_carlo(const Cascade& cascade, std::uint64_t draws, std::uint64_t seed) {
  cascade.check();
  if (draws == 0) throw Error(ErrorKind::kInput, "a cascade of 0 draws");
  Random random = Random(seed).split(0), dither = Random(seed).split(1);
  std::vector<std::uint32_t> codes(static_cast<std::size_t>(cascade.servers()));
  CascadeError error;
  error.draws = static_cast<double>(draws);
  std::map<std::int64_t, std::uint64_t> counts;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.next() >> (64 - cascade.bits));
    const std::int64_t difference = cascade.average(codes, dither) - cascade.exact(codes, dither);
    ++counts[difference];
  }
  for (const auto& [difference, count] : counts) error.share[difference] = static_cast<double>(count) / error.draws;
  summarise(error);
  return error;
}

std::vector<AveragingTask> tasks(const Cascade& cascade, int symbol_bits) {
  cascade.check();
  std::vector<AveragingTask> all;
  int arriving = 0;
  for (const CascadeLevel& level : cascade.levels) {
    if (symbol_bits < 1 || level.fraction_bits % symbol_bits != 0)
      throw Error(ErrorKind::kInput, fmt::format("{} fraction bits are no whole number of symbols of {} bits",
                                                 level.fraction_bits, symbol_bits));
    const int leaving = level.fraction_bits / symbol_bits;
    all.push_back({level.servers, cascade.bits, symbol_bits, cascade.rounding, arriving, leaving, 1});
    all.back().check();
    arriving = leaving;
  }
  return all;
}

}  // namespace helio::photonics
