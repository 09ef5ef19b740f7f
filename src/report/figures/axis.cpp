// SPDX-License-Identifier: Apache-2.0
#include "report/figures/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace helio::report {
namespace {

constexpr double kSteps = 5;         // ticks that a linear axis aims at
constexpr double kFewDecades = 2.5;  // a log axis shorter than this has ticks at 2 and 5 as well
constexpr double kMargin = 0.04;     // of a log axis, beyond its outermost values

// 1, 2, 5 or 10 times a power of ten, the least that is not below `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double digit : {1., 2., 5.})
    if (digit * power >= step * (1 - 1e-12)) return digit * power;
  return 10 * power;
}

}  // namespace

Axis::Axis(const std::vector<double>& values, bool log) : log_(log) {
  std::vector<double> shown;
  std::ranges::copy_if(values, std::back_inserter(shown), [&](double value) { return shows(value, log); });
  if (shown.empty()) shown = log ? std::vector{1., 10.} : std::vector{0., 1.};
  const auto [low, high] = std::ranges::minmax(shown);

  // A log axis reaches a little beyond its values, a single one stands in the middle
  if (log) {
    const double room = std::pow(high / low, kMargin);
    low_ = low == high ? low / 2 : low / room;
    high_ = low == high ? high * 2 : high * room;
    return;
  }

  // A linear one ends on ticks
  const double single = low == 0 ? 1 : std::abs(low) / 2;
  const double from = low == high ? low - single : low, to = low == high ? high + single : high;
  step_ = round_step((to - from) / kSteps);
  low_ = step_ * std::floor(from / step_ + 1e-9);
  high_ = step_ * std::ceil(to / step_ - 1e-9);
}

bool Axis::shows(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

double Axis::place(double value) const {
  return log_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
}

std::vector<double> Axis::ticks() const {
  std::vector<double> ticks;
  if (!log_) {
    for (double i = std::round(low_ / step_); i * step_ <= high_ + step_ / 2; ++i) ticks.push_back(i * step_);
    return ticks;
  }
  const bool few = std::log10(high_ / low_) < kFewDecades;
  const int every = std::max(1, static_cast<int>(std::log10(high_ / low_) / 8));  // decades between ticks
  for (int decade = static_cast<int>(std::floor(std::log10(low_))); std::pow(10, decade) <= high_; decade += every)
    for (const double digit : {1., 2., 5.})
      if (const double tick = digit * std::pow(10, decade); tick >= low_ && tick <= high_ && (few || digit == 1))
        ticks.push_back(tick);
  return ticks;
}

std::string tick_label(double value) {
  std::string text = fmt::format("{:.4g}", value);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const int power = std::stoi(text.substr(exponent + 1));
  return fmt::format("{}e{}", text.substr(0, exponent), power);
}

}  // namespace helio::report
