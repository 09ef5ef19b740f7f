// SPDX-License-Identifier: Apache-2.0
#include "photonics/averaging_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace helio::photonics {

Grid::Grid(const AveragingTask& task) : task_(task) {
  task_.check();
  size_ = std::pow(static_cast<double>(task_.levels()), task_.inputs());
  if (task_.rounding == Rounding::kDither) size_ *= static_cast<double>(task_.denominator());

  // One sum: the N-fold convolution of R^g equal ones, server by server.
  const std::size_t radix = static_cast<std::size_t>(task_.input_radix());
  if (task_.levels() * task_.input_radix() > (std::int64_t{1} << 28)) return;  // no table; probability() says so
  sum_probability_ = {1.0};
  for (int i = 0; i < task_.servers; ++i) {
    std::vector<double> next(sum_probability_.size() + radix - 1);
    for (std::size_t s = 0; s < next.size(); ++s) {
      const std::size_t first = s >= radix ? s - radix + 1 : 0, last = std::min(s, sum_probability_.size() - 1);
      double window = 0;
      for (std::size_t t = first; t <= last; ++t) window += sum_probability_[t];
      next[s] = window / static_cast<double>(radix);
    }
    sum_probability_ = std::move(next);
  }
}

void Grid::point(std::uint64_t index, std::span<int> point) const {
  const std::uint64_t levels = static_cast<std::uint64_t>(task_.levels());
  for (int k = 0; k < task_.inputs(); ++k, index /= levels)
    point[static_cast<std::size_t>(k)] = static_cast<int>(index % levels);
  if (task_.rounding == Rounding::kDither) point.back() = static_cast<int>(index);
}

std::uint64_t Grid::index(std::span<const int> point) const {
  std::uint64_t index = task_.rounding == Rounding::kDither ? static_cast<std::uint64_t>(point.back()) : 0;
  for (int k = task_.inputs() - 1; k >= 0; --k)
    index = index * static_cast<std::uint64_t>(task_.levels()) +
            static_cast<std::uint64_t>(point[static_cast<std::size_t>(k)]);
  return index;
}

bool Grid::advance(std::span<int> point) const {
  for (std::size_t k = 0; k < point.size(); ++k) {
    const bool sum = static_cast<int>(k) < task_.inputs();
    if (++point[k] < (sum ? task_.levels() : task_.denominator())) return true;
    point[k] = 0;
  }
  return false;
}

void Grid::random_point(Random& random, std::span<int> point) const {
  for (int k = 0; k < task_.inputs(); ++k)
    point[static_cast<std::size_t>(k)] = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.levels())));
  if (task_.rounding == Rounding::kDither)
    point.back() = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.denominator())));
}

void Grid::random_codes_point(Random& random, std::span<int> point) const {
  const std::uint64_t mask = static_cast<std::uint64_t>(task_.input_radix()) - 1;
  const int width = task_.symbol_bits * task_.merge;
  std::ranges::fill(point, 0);
  for (int i = 0; i < task_.servers; ++i) {
    std::uint64_t code = random.next() >> 8;
    for (int k = 0; k < task_.inputs(); ++k, code >>= width)
      point[static_cast<std::size_t>(k)] += static_cast<int>(code & mask);
  }
  if (task_.rounding == Rounding::kDither)
    point.back() = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.denominator())));
}

double Grid::probability(std::span<const int> point) const {
  if (sum_probability_.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("multiplicities of sums with {} levels", task_.levels()), {},
                "merge fewer symbols");
  double probability = 1;
  for (int k = 0; k < task_.inputs(); ++k)
    probability *= sum_probability_[static_cast<std::size_t>(point[static_cast<std::size_t>(k)])];
  return task_.rounding == Rounding::kDither ? probability / static_cast<double>(task_.denominator()) : probability;
}

}  // namespace helio::photonics
