// SPDX-License-Identifier: Apache-2.0
#include "schedule/ring_exchange.h"

#include <array>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace helio::schedule {
namespace {

constexpr std::uint8_t kClockwise = 0, kCounter = 1;

// Appends circles, each on the next wavelength of its direction.
class Circles {
 public:
  void add(std::uint8_t direction, std::initializer_list<std::uint32_t> stops) {
    const std::uint32_t wavelength = next_[direction]++;
    for (const std::uint32_t* stop = stops.begin(); stop != stops.end(); ++stop) {
      const std::uint32_t* to = stop + 1 == stops.end() ? stops.begin() : stop + 1;
      paths.push_back({*stop, *to, wavelength, direction});
    }
  }

  std::vector<Lightpath> paths;

 private:
  std::array<std::uint32_t, 2> next_{};
};

}  // namespace

std::uint64_t exchange_wavelengths(std::uint64_t ranks) { return (ranks * ranks / 4 + 1) / 2; }

std::vector<Lightpath> exchange_on_ring(std::uint32_t ranks) {
  std::vector<std::uint32_t> left(ranks);
  std::iota(left.begin(), left.end(), 0u);
  Circles circles;
  std::uint8_t turn = kClockwise;
  while (left.size() > 1) {
    // A and B, half of the list apart; `one` lies between them, `two` between B and A
    const std::size_t half = left.size() / 2;
    const std::uint32_t a = left[0], b = left[half];
    const std::vector<std::uint32_t> one(left.begin() + 1, left.begin() + static_cast<std::ptrdiff_t>(half));
    const std::vector<std::uint32_t> two(left.begin() + static_cast<std::ptrdiff_t>(half) + 1, left.end());

    // All that A and B have to do with the others
    for (std::size_t i = 0; i < one.size(); ++i) {
      circles.add(kClockwise, {a, one[i], b, two[i]});
      circles.add(kCounter, {a, two[i], b, one[i]});
    }

    // And with each other, and with the one that has no partner
    if (two.size() > one.size()) {
      circles.add(kClockwise, {a, b, two.back()});
      circles.add(kCounter, {a, two.back(), b});
    } else {
      circles.add(turn, {a, b});
      turn = turn == kClockwise ? kCounter : kClockwise;
    }
    left = one;
    left.insert(left.end(), two.begin(), two.end());
  }
  return std::move(circles.paths);
}

}  // namespace helio::schedule
