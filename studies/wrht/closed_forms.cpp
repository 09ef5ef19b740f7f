// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/closed_forms.h"

#include <bit>

namespace helio::studies::wrht_study {

std::uint64_t wrht_theta(std::uint64_t nodes, std::uint64_t wavelengths, std::uint64_t group, bool shortcut) {
  std::uint64_t levels = 0;
  for (std::uint64_t alive = nodes; alive > 1; alive = (alive + group - 1) / group, ++levels)
    if (shortcut && levels > 0 && (alive * alive / 4 + 1) / 2 <= wavelengths) return 2 * levels + 1;
  return 2 * levels;
}

double wrht_seconds(std::uint64_t theta, double bytes, double rate) {
  return static_cast<double>(theta) * (bytes / rate + kRetune);
}

double ring_seconds(std::uint64_t nodes, double bytes, double rate) {
  const auto n = static_cast<double>(nodes);
  return 2 * (n - 1) * (bytes / n / rate + kRetune);
}

double binary_tree_seconds(std::uint64_t nodes, double bytes, double rate) {
  return 2.0 * std::bit_width(nodes - 1) * (bytes / rate + kRetune);
}

double h_ring_seconds(std::uint64_t nodes, double bytes, double rate) {
  const double n = static_cast<double>(nodes), m = 5;
  return 4 * (m - 1) * (bytes / m / rate + kRetune) + 2 * (n / m - 1) * (bytes * m / n / rate + kRetune);
}

double doubling_seconds(std::uint64_t nodes, std::uint64_t wavelengths, double bytes, double rate) {
  std::uint64_t rounds = 0;
  for (std::uint64_t distance = 1; distance < nodes; distance *= 2)
    rounds += (distance + wavelengths - 1) / wavelengths;
  return static_cast<double>(rounds) * (bytes / rate + kRetune);
}

}  // namespace helio::studies::wrht_study
