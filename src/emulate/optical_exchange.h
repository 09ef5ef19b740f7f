// SPDX-License-Identifier: Apache-2.0
// An all-reduce of real float32 gradients through an averaging optical switch (papers/optinc.md 2.1): what OptINC does to numbers.
//
//     g_i ──▷ code u_i = clip(round(g_i / s) + 2^(B-1)) ──▷ cascade of switches (code_averager.h) ──▷ G ──▷ N · (G − 2^(B-1)) · s
//
//     s, the scale, is shared by all servers and by `bucket` elements: the largest |g| of the bucket, of all servers, over 2^(B-1) − 1
//     (another code may stand for zero: code_range.h);
//     or it is given (that of the last step, say), and what is larger is clipped and counted
//
// Options, ours: stochastic rounding of codes (⌊g/s + u⌋, u uniform, from a hash of seed, server and element); error feedback
// (what rounding and clipping took from a server's gradient is added to its next one); balance (code_balance.h: some servers round
// half a code lower, which takes back the lean of the switches' rounding).
//
// Ports without a server send the code of zero, which adds nothing. A bucket so small that the inverse of its scale overflows
// (largest element below 3.7e-37 at 8 bits) counts as zeros. Numbers that are not finite are an error with their place, and so are
// sums that float32 cannot hold. All arithmetic is that of single floats, without contraction, so that another device can
// repeat it bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "emulate/code_averager.h"
#include "emulate/code_balance.h"
#include "emulate/code_range.h"
#include "emulate/execute.h"

namespace helio::emulate {

struct ExchangeOptions {
  std::size_t bucket = 65536;  // elements that share a scale
  std::optional<float> scale;  // of all buckets; not set: from the largest element
  bool stochastic = false;
  bool error_feedback = false;
  bool balanced = false;
  std::optional<std::uint32_t> zero;  // its code; not set: 2^(B-1)
  std::uint64_t seed = 1;             // of stochastic rounding and of dither
  bool measure = false;               // compare with the exact average of codes and of gradients: twice the time
};

struct ExchangeReport {
  std::uint64_t elements = 0, buckets = 0;
  std::uint64_t clipped = 0;  // codes at an end of their range whose gradient lies beyond
  // With `measure`:
  std::uint64_t wrong = 0;      // averages that are not the rounded average of the codes
  double mean_error_codes = 0;  // mean |G − rounded average of the codes|, of all elements
  double relative_error = 0;    // root mean square of the sum's error over that of the exact sum
};

// Why the elements [first, first + count) have no scale.
struct ScaleFault {
  enum class Kind {
    kNone,
    kNotFinite,       // `value`, at element `element` of server `server`
    kCarriedTooMuch,  // gradient and carried error overflow together
    kTooLarge,        // the largest is `value`: the sum of all servers overflows
  };
  Kind kind = Kind::kNone;
  std::size_t first = 0, count = 0;
  std::uint32_t server = 0;
  std::uint64_t element = 0;
  float value = 0;
};
// Requires: a kind other than kNone.
Error error_of(const ScaleFault& fault, std::uint32_t servers);

class OpticalExchange {
 public:
  // Throws Error(kInput) for a bucket of zero, for a scale that is not positive and finite, and for what balance_of and range_of refuse.
  explicit OpticalExchange(CodeAverager averager, ExchangeOptions options = {});

  OpticalExchange(const OpticalExchange&) = delete;  // its block refers to its averager
  OpticalExchange& operator=(const OpticalExchange&) = delete;

  const CodeAverager& averager() const { return averager_; }
  const Balance& balance() const { return balance_; }

  // sum = Σ_i gradients[i], as the switches see it. Requires: at most averager().servers() gradients, all as long as `sum`; with error
  // feedback as many and as long as the time before. Throws Error(kInput) for numbers that are not finite, with their place; nothing has
  // changed then but `sum`.
  ExchangeReport all_reduce(std::span<const std::span<const float>> gradients, std::span<float> sum);

  // What a later all-reduce depends on: how many there were, and with error feedback what each server carries (empty before the first).
  std::uint64_t step() const { return step_; }
  const std::vector<std::vector<float>>& residuals() const { return residuals_; }
  void resume(std::uint64_t step, std::vector<std::vector<float>> residuals);

 private:
  struct Bucket {
    std::size_t first = 0, count = 0;
    float scale = 0, inverse = 0;
  };
  Bucket scaled(std::span<const std::span<const float>> gradients, std::size_t first, std::size_t count) const;
  void run(std::span<const std::span<const float>> gradients, const Bucket& bucket, std::span<float> sum,
           ExchangeReport& report);
  void measure(std::span<const std::span<const float>> gradients, const Bucket& bucket, std::span<const float> sum,
               ExchangeReport& report);

  CodeAverager averager_;
  ExchangeOptions options_;
  CodeRange range_;
  Balance balance_;
  AveragingBlock block_;
  std::vector<std::vector<float>> residuals_;  // by server, with error feedback
  std::vector<std::uint32_t> codes_, exact_;
  std::vector<float> corrected_;
  std::uint64_t step_ = 0;  // all-reduces so far: another draw for each
  double error_ = 0, size_ = 0;
};

// In-fabric sums of a schedule by such a switch; every message is an all-reduce with buckets of its own. Without error feedback.
class OpticalCombiner : public Combiner<float> {
 public:
  OpticalCombiner(const CodeAverager& averager, ExchangeOptions options = {});
  void combine(std::span<const std::span<const float>> inputs, std::span<float> out) const override;

 private:
  mutable OpticalExchange exchange_;
};

}  // namespace helio::emulate
