// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/simplex.h"

#include <algorithm>
#include <utility>

namespace helio::pipeline {

std::vector<double> lowest_point(const std::function<double(const std::vector<double>&)>& height,
                                 std::vector<double> start, double reach, std::uint64_t most) {
  using Point = std::vector<double>;
  const std::size_t n = start.size();
  const double d = std::max<double>(2, static_cast<double>(n)), grow = 1 + 2 / d, pull = 0.75 - 1 / (2 * d),
               shrink = 1 - 1 / d;
  std::uint64_t asked = 0;
  std::vector<std::pair<double, Point>> corners;
  const auto ask = [&](Point point) {
    ++asked;
    const double found = height(point);
    return std::pair(found, std::move(point));
  };
  corners.push_back(ask(start));
  for (std::size_t i = 0; i < n && asked < most; ++i) {
    Point beside = start;
    beside[i] += reach;
    corners.push_back(ask(std::move(beside)));
  }
  const auto lower = [](const auto& a, const auto& b) { return a.first < b.first; };
  while (asked < most && corners.size() == n + 1) {
    std::stable_sort(corners.begin(), corners.end(), lower);
    Point middle(n, 0);  // of all but the highest
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t i = 0; i < n; ++i) middle[i] += corners[c].second[i] / static_cast<double>(n);
    const auto beyond = [&](double step) {
      Point point(n);
      for (std::size_t i = 0; i < n; ++i) point[i] = middle[i] + step * (middle[i] - corners[n].second[i]);
      return ask(std::move(point));
    };
    auto mirrored = beyond(1);
    if (mirrored.first < corners[0].first) {
      auto farther = beyond(grow);
      corners[n] = farther.first < mirrored.first ? std::move(farther) : std::move(mirrored);
      continue;
    }
    if (mirrored.first < corners[n - 1].first) {
      corners[n] = std::move(mirrored);
      continue;
    }
    auto nearer = beyond(mirrored.first < corners[n].first ? pull : -pull);
    if (nearer.first < std::min(mirrored.first, corners[n].first)) {
      corners[n] = std::move(nearer);
      continue;
    }
    for (std::size_t c = 1; c <= n && asked < most; ++c) {
      for (std::size_t i = 0; i < n; ++i)
        corners[c].second[i] = corners[0].second[i] + shrink * (corners[c].second[i] - corners[0].second[i]);
      corners[c] = ask(std::move(corners[c].second));
    }
  }
  return std::min_element(corners.begin(), corners.end(), lower)->second;
}

}  // namespace helio::pipeline
