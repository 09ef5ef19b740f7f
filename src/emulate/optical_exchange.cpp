// SPDX-License-Identifier: Apache-2.0
#include "emulate/optical_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace helio::emulate {
namespace {

constexpr std::size_t kBlock = 2048;  // elements at once: their codes and indices stay in the first cache
constexpr int kMostCodeBits = 16;

// Added to a number below 2^22 it leaves the nearest integer, ties to even, in the low bits.
constexpr float kRoundingShift = 12582912.0f;  // 1.5 · 2^23
constexpr std::int32_t kRoundingBits = std::bit_cast<std::int32_t>(kRoundingShift);

// Bits of |g|, which order as the numbers do, with infinity and NaN last.
std::int32_t largest_magnitude(std::span<const float> numbers) {
  std::int32_t largest = 0;
  for (const float number : numbers) {
    const std::int32_t bits = std::bit_cast<std::int32_t>(number) & 0x7fffffff;
    largest = bits > largest ? bits : largest;
  }
  return largest;
}

constexpr std::int32_t kInfinityBits = 0x7f800000;

// Codes of gradients, `offset` codes higher. Those of a scale from the largest element do not leave their range by themselves, those of a
// given one may.
void round_to_codes(const float* gradients, std::size_t count, float inverse, const CodeRange& range, float offset,
                    std::uint32_t* codes) {
  const float least = -range.zero, most = range.most;
  const std::int32_t zero = static_cast<std::int32_t>(range.zero) - kRoundingBits;
  for (std::size_t e = 0; e < count; ++e) {
    float x = gradients[e] * inverse + offset;
    x = x > most ? most : x;
    x = x < least ? least : x;
    codes[e] = static_cast<std::uint32_t>(std::bit_cast<std::int32_t>(x + kRoundingShift) + zero);
  }
}

void round_at_random(const float* gradients, std::size_t count, float inverse, const CodeRange& range, float offset,
                     std::uint64_t seed, std::uint64_t first, std::uint32_t* codes) {
  for (std::size_t e = 0; e < count; ++e) {
    const float x = std::clamp(gradients[e] * inverse + offset, -range.zero, range.most);
    const float u = static_cast<float>(mixed(seed, first + e) >> 40) * 0x1p-24f;
    codes[e] = static_cast<std::uint32_t>(std::min(std::floor(x + u), range.most) + range.zero);
  }
}

ScaleFault not_finite(std::span<const std::span<const float>> gradients, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < gradients.size(); ++i)
    for (std::size_t e = first; e < first + count; ++e)
      if (!std::isfinite(gradients[i][e]))
        return {ScaleFault::Kind::kNotFinite, first, count, static_cast<std::uint32_t>(i), e, gradients[i][e]};
  return {.kind = ScaleFault::Kind::kCarriedTooMuch, .first = first, .count = count};
}

}  // namespace

Error error_of(const ScaleFault& fault, std::uint32_t servers) {
  const std::size_t first = fault.first, last = fault.first + fault.count - 1;
  assert(fault.kind != ScaleFault::Kind::kNone);
  switch (fault.kind) {
    case ScaleFault::Kind::kNotFinite:
      return Error(
          ErrorKind::kInput,
          fmt::format("the gradient of server {} is {} at element {}", fault.server, fault.value, fault.element), "",
          "a switch cannot average it: find out where it comes from, or skip the step");
    case ScaleFault::Kind::kTooLarge:
      return Error(ErrorKind::kInput,
                   fmt::format("the sum of {} servers with gradients up to {:g} (elements {} to {}) overflows float32",
                               servers, fault.value, first, last),
                   "", "scale the loss down, or clip gradients");
    default:
      return Error(
          ErrorKind::kInput,
          fmt::format("gradient and carried error together overflow float32 in elements {} to {}", first, last), "",
          "scale the loss down, or clip gradients");
  }
}

OpticalExchange::OpticalExchange(CodeAverager averager, ExchangeOptions options)
    : averager_(std::move(averager)), options_(options), block_(averager_, kBlock, options.seed) {
  if (options_.balanced) balance_ = balance_of(averager_);
  if (options_.bucket == 0) throw Error(ErrorKind::kInput, "a bucket of no elements has no scale");
  if (options_.scale && !(std::isfinite(*options_.scale) && *options_.scale >= std::numeric_limits<float>::min()))
    throw Error(ErrorKind::kInput, fmt::format("a scale of {} is not a positive, normal number", *options_.scale));
  if (averager_.bits() > kMostCodeBits)
    throw Error(ErrorKind::kInput,
                fmt::format("codes of {} bits are more than single floats can tell apart here", averager_.bits()), "",
                fmt::format("use at most {} bits", kMostCodeBits));
  range_ = range_of(averager_.bits(), options_.zero);
  codes_.resize(kBlock);
  exact_.resize(kBlock);
  corrected_.resize(kBlock);
}

OpticalExchange::Bucket OpticalExchange::scaled(std::span<const std::span<const float>> gradients, std::size_t first,
                                                std::size_t count) const {
  Bucket bucket{.first = first, .count = count};
  std::int32_t largest = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    largest = std::max(largest, largest_magnitude(gradients[i].subspan(first, count)));
    // What error feedback adds may be the largest, and the sum of both at most their sum
    if (options_.error_feedback && largest < kInfinityBits) {
      float most = 0;
      for (std::size_t e = first; e < first + count; ++e)
        most = std::max(most, std::abs(gradients[i][e] + residuals_[i][e]));
      largest = std::max(largest, std::bit_cast<std::int32_t>(most));
    }
  }
  if (largest >= kInfinityBits) throw error_of(not_finite(gradients, first, count), averager_.servers());
  const float magnitude = std::bit_cast<float>(largest);
  if (magnitude == 0) return bucket;
  bucket.scale = options_.scale ? *options_.scale : magnitude / std::max(range_.steps(), 1.0f);
  bucket.inverse = 1 / bucket.scale;
  if (std::isinf(bucket.inverse)) return {.first = first, .count = count};  // as good as zeros
  if (std::isinf(bucket.scale * range_.reach() * static_cast<float>(averager_.servers())))
    throw error_of({.kind = ScaleFault::Kind::kTooLarge, .first = first, .count = count, .value = magnitude},
                   averager_.servers());
  return bucket;
}

ExchangeReport OpticalExchange::all_reduce(std::span<const std::span<const float>> gradients, std::span<float> sum) {
  assert(gradients.size() <= averager_.servers());
  if (options_.error_feedback && residuals_.empty())
    residuals_.assign(gradients.size(), std::vector<float>(sum.size(), 0.0f));
  assert(!options_.error_feedback ||
         (residuals_.size() == gradients.size() && residuals_.front().size() == sum.size()));

  // Every scale first: a number that is not finite must not leave half of the residuals changed
  std::vector<Bucket> buckets;
  for (std::size_t first = 0; first < sum.size(); first += options_.bucket)
    buckets.push_back(scaled(gradients, first, std::min(options_.bucket, sum.size() - first)));

  ExchangeReport report{.elements = sum.size(), .buckets = buckets.size()};
  error_ = size_ = 0;
  for (const Bucket& bucket : buckets) {
    if (bucket.scale == 0)
      std::ranges::fill(sum.subspan(bucket.first, bucket.count), 0.0f);
    else
      run(gradients, bucket, sum, report);
  }
  if (options_.measure) {
    if (report.elements > 0) report.mean_error_codes /= static_cast<double>(report.elements);
    report.relative_error = size_ > 0 ? std::sqrt(error_ / size_) : 0;
  }
  ++step_;
  return report;
}

void OpticalExchange::resume(std::uint64_t step, std::vector<std::vector<float>> residuals) {
  assert(options_.error_feedback || residuals.empty());
  step_ = step;
  residuals_ = std::move(residuals);
}

void OpticalExchange::run(std::span<const std::span<const float>> gradients, const Bucket& bucket, std::span<float> sum,
                          ExchangeReport& report) {
  const float zero = range_.zero;
  const float value = bucket.scale * static_cast<float>(averager_.servers());
  const std::size_t end = bucket.first + bucket.count;
  for (std::size_t first = bucket.first; first < end; first += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    const std::span<std::uint32_t> codes(codes_.data(), count);
    if (options_.measure) std::fill_n(exact_.begin(), count, 0u);
    block_.begin(count, first + step_ * sum.size());
    for (std::uint32_t i = 0; i < averager_.servers(); ++i) {
      if (i >= gradients.size()) {
        std::ranges::fill(codes, static_cast<std::uint32_t>(zero));
      } else {
        // What this server sends
        const float* entering = gradients[i].data() + first;
        if (options_.error_feedback) {
          for (std::size_t e = 0; e < count; ++e) corrected_[e] = entering[e] + residuals_[i][first + e];
          entering = corrected_.data();
        }
        const float offset = balance_.offset(i);
        if (options_.stochastic)
          round_at_random(entering, count, bucket.inverse, range_, offset, mixed(options_.seed, step_) + i, first,
                          codes.data());
        else
          round_to_codes(entering, count, bucket.inverse, range_, offset, codes.data());
        if (options_.scale)
          for (std::size_t e = 0; e < count; ++e) {
            const float x = entering[e] * bucket.inverse;
            report.clipped += x > range_.most + 0.5f || x < -zero - 0.5f;
          }
        if (options_.error_feedback)
          for (std::size_t e = 0; e < count; ++e)
            residuals_[i][first + e] = entering[e] - (static_cast<float>(codes[e]) - (zero + offset)) * bucket.scale;
      }
      if (options_.measure)
        for (std::size_t e = 0; e < count; ++e) exact_[e] += codes[e];
      block_.add(codes);
    }
    const std::span<const std::uint32_t> averages = block_.result();
    for (std::size_t e = 0; e < count; ++e)
      sum[first + e] = (static_cast<float>(static_cast<std::int32_t>(averages[e])) - zero) * value;
    if (options_.measure) measure(gradients, {first, count, bucket.scale, bucket.inverse}, sum, report);
  }
}

void OpticalExchange::measure(std::span<const std::span<const float>> gradients, const Bucket& block,
                              std::span<const float> sum, ExchangeReport& report) {
  AveragingTask task = averager_.levels().back().task;
  task.servers = static_cast<int>(averager_.servers());
  task.in_fraction = task.out_fraction = 0;
  const std::span<const std::uint32_t> averages = block_.result();
  for (std::size_t e = 0; e < block.count; ++e) {
    // Against the rounded average of the codes that were sent; a dithered one is right on either side of the exact average
    const auto total = static_cast<std::int64_t>(exact_[e]), got = static_cast<std::int64_t>(averages[e]);
    std::int64_t off;
    if (task.rounding == Rounding::kDither) {
      const std::int64_t n = task.servers, below = total / n, above = (total + n - 1) / n;
      off = got < below ? below - got : std::max<std::int64_t>(got - above, 0);
    } else {
      off = std::abs(got - task.average(total));
    }
    report.wrong += off != 0;
    report.mean_error_codes += static_cast<double>(off);

    // Against the sum of the gradients
    double exact = 0;
    for (const std::span<const float> gradient : gradients) exact += gradient[block.first + e];
    const double error = sum[block.first + e] - exact;
    error_ += error * error;
    size_ += exact * exact;
  }
}

OpticalCombiner::OpticalCombiner(const CodeAverager& averager, ExchangeOptions options) : exchange_(averager, options) {
  assert(!options.error_feedback);
}

void OpticalCombiner::combine(std::span<const std::span<const float>> inputs, std::span<float> out) const {
  exchange_.all_reduce(inputs, out);
}

}  // namespace helio::emulate
