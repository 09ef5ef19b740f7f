// SPDX-License-Identifier: Apache-2.0
// What came of a sweep (docs/sweep.md): the best, the value along each axis and over each pair of axes, what it costs in another number,
// and a page of its own for each point that is among the best or on the front.
//
// An axis or a pair shows, for each of its places, the best of all points there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/pages/page.h"

namespace helio::report {

struct SweptAxis {
  std::string name;
  std::vector<std::string> values;
};

struct SweptPoint {
  std::uint64_t number = 0;
  std::vector<std::uint32_t> at;  // into the values of each axis
  double value = 0, against = 0;  // NaN: none
};

// A point as its own page tells it.
struct ToldPoint {
  std::uint64_t number = 0;
  std::string command, answer;  // JSON
  double seconds = 0;           // that it took
};

struct Swept {
  std::string source;          // of the sweep
  std::string value, against;  // what points are compared by, and what else they cost; "": nothing else
  std::uint64_t asked = 0;     // points of the whole sweep
  std::vector<SweptAxis> axes = {};
  std::vector<SweptPoint> points = {};                              // with a value
  std::vector<std::pair<std::string, std::uint64_t>> refused = {};  // reasons and how often, the most frequent first
  std::vector<ToldPoint> told = {};
};

inline constexpr std::size_t kMostToldPoints = 100;  // beside those on the front

// No other point is better in one of value and against, and as good in the other; by value. Without `against` the best alone.
std::vector<std::size_t> front_of(const std::vector<SweptPoint>& points);
// Numbers of the points that have pages: the best, and the front.
std::vector<std::uint64_t> worth_telling(const Swept& swept);
std::vector<Page> pages_of(const Swept& swept);

}  // namespace helio::report
