// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/closed_forms.h"

#include <algorithm>
#include <bit>

namespace helio::studies::wrht_study {

std::uint64_t wrht_theta(std::uint64_t nodes, std::uint64_t wavelengths, std::uint64_t group, bool shortcut) {
  std::uint64_t levels = 0;
  for (std::uint64_t alive = nodes; alive > 1; alive = (alive + group - 1) / group, ++levels)
    if (shortcut && levels > 0 && (alive * alive / 4 + 1) / 2 <= wavelengths) return 2 * levels + 1;
  return 2 * levels;
}

std::uint64_t wrht_longest_hops(std::uint64_t nodes, std::uint64_t wavelengths, std::uint64_t group) {
  // `apart` between neighbours that are alive, but for the last; where the first and the last of them are
  std::uint64_t alive = nodes, apart = 1, first = 0, last = nodes - 1;
  const auto exchanged = [&] { return apart > 1 && (alive * alive / 4 + 1) / 2 <= wavelengths; };
  while (alive > group && !exchanged()) {
    const std::uint64_t groups = (alive + group - 1) / group, before = (groups - 1) * group;
    const std::uint64_t leader = before + (alive - before) / 2;  // of the last group
    if (leader + 1 < alive) last = first + leader * apart;
    first += group / 2 * apart;
    alive = groups;
    apart *= group;
  }
  return alive == 2 ? std::max(last - first, apart > 1 ? nodes - (last - first) : 0) : alive / 2 * apart;
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

double h_ring_seconds(std::uint64_t nodes, double bytes, double rate, bool every_step) {
  const double n = static_cast<double>(nodes), m = 5;
  const double within = 4 * (m - 1), between = 2 * (n / m - 1);  // steps
  const double retunes = every_step ? within + between : 3;
  return within * bytes / m / rate + between * bytes * m / n / rate + retunes * kRetune;
}

double doubling_seconds(std::uint64_t nodes, std::uint64_t wavelengths, double bytes, double rate) {
  std::uint64_t rounds = 0;
  for (std::uint64_t distance = 1; distance < nodes; distance *= 2)
    rounds += (distance + wavelengths - 1) / wavelengths;
  return static_cast<double>(rounds) * (bytes / rate + kRetune);
}

}  // namespace helio::studies::wrht_study
