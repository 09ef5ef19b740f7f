// SPDX-License-Identifier: Apache-2.0
// All inputs that an averaging network can meet (base/averaging.h), one after the other: few enough to be enumerated, tabulated and
// weighed by how often codes meet them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/averaging.h"
#include "base/random.h"

namespace helio::photonics {

// Point i has its lowest sum as lowest digit of base L; the dither light is the highest digit.
class Grid {
 public:
  explicit Grid(const AveragingTask& task);

  double size() const { return size_; }  // exact below 2^53
  // Requires of both: size() is below 2^53, index < size(), point.size() == lights().
  void point(std::uint64_t index, std::span<int> point) const;
  std::uint64_t index(std::span<const int> point) const;
  // The point after this one in index order; false when it was the last (and the first follows).
  bool advance(std::span<int> point) const;
  // Uniform over the grid (metric a), or over the codes of the servers (metric b).
  void random_point(Random& random, std::span<int> point) const;
  void random_codes_point(Random& random, std::span<int> point) const;
  // Share of all codes of the servers (uniform, independent) that give this point: product over positions of the N-fold
  // convolution of R^g equal ones, over 2^(N·bits that arrive); over D with dither. Throws Error(kInfeasible) where
  // merged sums have too many levels to tabulate.
  double probability(std::span<const int> point) const;
  // The same for one sum of one position, s = 0 .. L−1.
  const std::vector<double>& sum_probability() const { return sum_probability_; }

 private:
  AveragingTask task_;
  double size_ = 0;
  std::vector<double> sum_probability_;
};

}  // namespace helio::photonics
