// SPDX-License-Identifier: Apache-2.0
#include "emulate/codec.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace helio::emulate {
namespace {

constexpr double kLargestE4m3 = 448;
constexpr int kLeastExponent = -6, kMantissaBits = 3;

class Fp8 : public Codec {
 public:
  void enter(std::span<double> message) const override {
    double largest = 0;
    for (const double value : message) largest = std::max(largest, std::abs(value));
    if (largest == 0) return;
    const double scale = largest / kLargestE4m3;
    for (double& value : message) value = nearest_e4m3(value / scale) * scale;
  }
  void leave(std::span<double> message) const override { enter(message); }
};

class TopK : public Codec {
 public:
  explicit TopK(double keep) : keep_(keep) {}
  void enter(std::span<double> message) const override {
    const auto kept = static_cast<std::size_t>(std::max(1.0, std::round(keep_ * static_cast<double>(message.size()))));
    if (kept >= message.size()) return;
    std::vector<std::size_t> order(message.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) {
      const double x = std::abs(message[a]), y = std::abs(message[b]);
      return x != y ? x > y : a < b;
    };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), before);
    for (std::size_t i = kept; i < order.size(); ++i) message[order[i]] = 0;
  }
  void leave(std::span<double>) const override {}

 private:
  double keep_;
};

}  // namespace

double nearest_e4m3(double value) {
  const double size = std::abs(value);
  if (size >= kLargestE4m3) return std::copysign(kLargestE4m3, value);
  if (size == 0) return value;
  // Numbers with this exponent are 2^(exponent - 3) apart, subnormal ones as far as the least normal ones
  const int exponent = std::max(std::ilogb(size), kLeastExponent);
  const double step = std::ldexp(1.0, exponent - kMantissaBits);
  return std::nearbyint(value / step) * step;  // ties to even
}

std::unique_ptr<Codec> codec_for(schedule::WireFormat format, double keep) {
  switch (format) {
    case schedule::WireFormat::kPlain: return nullptr;
    case schedule::WireFormat::kFp8: return std::make_unique<Fp8>();
    case schedule::WireFormat::kTopK: return std::make_unique<TopK>(keep);
  }
  return nullptr;
}

}  // namespace helio::emulate
