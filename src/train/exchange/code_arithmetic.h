// SPDX-License-Identifier: Apache-2.0
// What happens to one number on its way through optical switches, for host and device alike: the arithmetic of
// emulate/optical_exchange.h and emulate/code_averager.h, bit by bit, on plain data.
//
//     g_i ─▷ code ─▷ level 1 ─▷ … ─▷ level n ─▷ G ─▷ (G − zero) · (s·N) · (1/N)           zero: 2^(B−1), or another code
//
//     a level    Σ spread(code) = index of the grid point ─▷ table[index]           small tables in shared memory
//     packed     symbols of two bits: four to a word, added side by side, one index at the end; no look-up for each code
//     nibbles    packed, the codes of four elements in a word: at most five servers
//     no table   Σ code ─▷ its rounded average, by division
//
// Products and sums are rounded one by one: no contraction, whatever the compiler.
#pragma once

#include <cstdint>
#ifndef __CUDA_ARCH__
#include <bit>
#include <cmath>
#endif

#ifdef __CUDACC__
#define HELIO_BOTH __host__ __device__ __forceinline__
#define HELIO_UNROLL _Pragma("unroll 4")
#else
#define HELIO_BOTH inline
#define HELIO_UNROLL
#endif

namespace helio::train {

inline constexpr int kMostLevels = 4;
inline constexpr std::int32_t kInfinityBits = 0x7f800000;
inline constexpr std::uint32_t kMostInNibbles = 5;  // servers: their symbols add up to 15 at most

// A level of a cascade as kernels read it: flat, and derived from its AveragingTask and tables (code_plan.h), never filled in by hand.
struct CodeLevel {
  const void* table = nullptr;            // of all its tables; none: the average by division
  const std::uint32_t* spread = nullptr;  // of a code that enters; none with `packed` or without a table
  std::uint32_t ports = 1, points = 0, tables = 1;
  std::uint32_t weights[3] = {};                             // packed: L, L², L³
  std::uint32_t light_weight = 0;                            // of the dither light in the index
  std::uint64_t lights = 0;                                  // values of the dither light; 0: none
  std::int64_t numerator = 1, denominator = 1, largest = 0;  // by division: AveragingTask::average
  int rounding = 1;                                          // Rounding
  bool packed = false, wide = false;                         // wide: answers of 32 bits, not of 8
};

// All of a cascade, likewise.
struct CodePlan {
  CodeLevel level[kMostLevels];
  int levels = 1;
  std::uint32_t servers = 1;
  std::uint64_t length = 0, bucket = 65536, seed = 1;
  float zero = 128, most = 127;               // emulate::CodeRange
  float steps = 127, reach = 128, share = 1;  // of the largest element; of the longer side; 1/N
  // emulate::Balance: so many servers add `offset` to their number, in codes, before they round.
  std::uint32_t offset_servers = 0;
  float offset = 0;
  bool stochastic = false, feedback = false;
  // One level of packed symbols and one table of bytes, nothing drawn or carried, and codes that need no clamps: the fast path.
  bool plain = false;
};

// Why a bucket has no scale: emulate::ScaleFault::Kind.
enum class Fault : std::int32_t { kNone, kNotFinite, kCarriedTooMuch, kTooLarge };

struct BucketScale {
  float scale = 0, inverse = 0, value = 0;  // scale 0: all zero
  Fault fault = Fault::kNone;
};

// What machines do with floats; the lower and the upper of two that are numbers; the larger of a magnitude and |x|, not a number where
// either is not (one instruction); the lowest bytes of four words in one.
#ifdef __CUDA_ARCH__
HELIO_BOTH float product(float a, float b) { return __fmul_rn(a, b); }
HELIO_BOTH float sum(float a, float b) { return __fadd_rn(a, b); }
HELIO_BOTH float quotient(float a, float b) { return __fdiv_rn(a, b); }
HELIO_BOTH std::int32_t bits_of(float x) { return __float_as_int(x); }
HELIO_BOTH float float_of(std::int32_t bits) { return __int_as_float(bits); }
HELIO_BOTH float floor_of(float x) { return floorf(x); }
HELIO_BOTH float lower_of(float a, float b) { return fminf(a, b); }
HELIO_BOTH float upper_of(float a, float b) { return fmaxf(a, b); }
HELIO_BOTH float larger_magnitude(float magnitude, float x) {
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(magnitude), "f"(fabsf(x)));
  return larger;
}
HELIO_BOTH std::uint32_t lowest_bytes(const std::uint32_t (&words)[4]) {
  return __byte_perm(__byte_perm(words[0], words[1], 0x0040), __byte_perm(words[2], words[3], 0x0040), 0x5410);
}
#else
HELIO_BOTH float product(float a, float b) { return a * b; }
HELIO_BOTH float sum(float a, float b) { return a + b; }
HELIO_BOTH float quotient(float a, float b) { return a / b; }
HELIO_BOTH std::int32_t bits_of(float x) { return std::bit_cast<std::int32_t>(x); }
HELIO_BOTH float float_of(std::int32_t bits) { return std::bit_cast<float>(bits); }
HELIO_BOTH float floor_of(float x) { return std::floor(x); }
HELIO_BOTH float lower_of(float a, float b) { return a < b ? a : b; }
HELIO_BOTH float upper_of(float a, float b) { return a > b ? a : b; }
HELIO_BOTH float larger_magnitude(float magnitude, float x) {
  return std::fabs(x) <= magnitude || std::isnan(magnitude) ? magnitude : std::fabs(x);
}
HELIO_BOTH std::uint32_t lowest_bytes(const std::uint32_t (&words)[4]) {
  return (words[0] & 0xffu) | (words[1] & 0xffu) << 8 | (words[2] & 0xffu) << 16 | words[3] << 24;
}
#endif
HELIO_BOTH std::int32_t magnitude_bits(float x) { return bits_of(x) & 0x7fffffff; }

// `mixed` of base/mix.h, emulate::light_seed and table_seed, once more for device code, which cannot call those: code_plan.cpp holds them
// to the same numbers.
HELIO_BOTH constexpr std::uint64_t mixed_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
HELIO_BOTH constexpr std::uint64_t light_bits(std::uint64_t seed, std::uint64_t level) { return seed + level; }
HELIO_BOTH constexpr std::uint64_t table_bits(std::uint64_t seed, std::uint64_t level, std::uint64_t number) {
  return mixed_bits(seed, (level << 32) + number);
}

// The scale of a bucket whose largest magnitude, carried errors counted in, has these bits.
HELIO_BOTH BucketScale scale_of(const CodePlan& plan, std::int32_t largest) {
  BucketScale bucket;
  if (largest >= kInfinityBits) bucket.fault = Fault::kNotFinite;
  if (largest == 0 || largest >= kInfinityBits) return bucket;
  bucket.scale = quotient(float_of(largest), plan.steps > 1 ? plan.steps : 1);
  bucket.inverse = quotient(1, bucket.scale);
  bucket.value = product(bucket.scale, static_cast<float>(plan.servers));
  const float reach = product(product(bucket.scale, plan.reach), static_cast<float>(plan.servers));
  if (magnitude_bits(bucket.inverse) >= kInfinityBits) return {};  // as good as zeros
  if (magnitude_bits(reach) >= kInfinityBits) bucket.fault = Fault::kTooLarge;
  return bucket;
}

// Which servers add the plan's offset, server after server: emulate::Balance.
struct Offsets {
  std::uint32_t some, all, at = 0;

  HELIO_BOTH explicit Offsets(const CodePlan& plan, std::uint32_t servers) : some(plan.offset_servers), all(servers) {}
  HELIO_BOTH float next(const CodePlan& plan) {
    const float offset = at < some ? plan.offset : 0.0f;
    at += some;
    if (at >= all) at -= all;
    return offset;
  }
};

// The nearest code, ties to even: added to 1.5 · 2^23 a number leaves its nearest integer in the low bits.
HELIO_BOTH std::uint32_t code_of(const CodePlan& plan, float gradient, float inverse, float offset) {
  constexpr float kShift = 12582912.0f;
  constexpr std::int32_t kShiftBits = 0x4b400000;
  const float x = upper_of(lower_of(sum(product(gradient, inverse), offset), plan.most), -plan.zero);
  return static_cast<std::uint32_t>(bits_of(sum(x, kShift)) + (static_cast<std::int32_t>(plan.zero) - kShiftBits));
}
// One of the two nearest, `draw` deciding.
HELIO_BOTH std::uint32_t code_at_random(const CodePlan& plan, float gradient, float inverse, float offset,
                                        std::uint64_t draw) {
  const float x = upper_of(lower_of(sum(product(gradient, inverse), offset), plan.most), -plan.zero);
  const float u = product(static_cast<float>(static_cast<std::uint32_t>(draw >> 40)), 0x1p-24f);
  return static_cast<std::uint32_t>(sum(lower_of(floor_of(sum(x, u)), plan.most), plan.zero));
}
// What a code leaves of a number.
HELIO_BOTH float left_over(const CodePlan& plan, float entering, std::uint32_t code, float scale, float offset) {
  return sum(entering, -product(sum(static_cast<float>(code), -sum(plan.zero, offset)), scale));
}
HELIO_BOTH float average_of(const CodePlan& plan, std::uint32_t code, const BucketScale& bucket) {
  const float steps = sum(static_cast<float>(static_cast<std::int32_t>(code)), -plan.zero);
  return product(product(steps, bucket.value), plan.share);
}

// Four symbols of two bits, each in a byte of its own; the index of what such words add up to.
HELIO_BOTH std::uint32_t packed_symbols(std::uint32_t code) {
  const std::uint32_t pairs = (code | code << 12) & 0x000f000fu;
  return (pairs | pairs << 6) & 0x03030303u;
}
HELIO_BOTH std::uint32_t packed_index(std::uint32_t sums, const std::uint32_t (&weights)[3]) {
  return (sums & 0xffu) + (sums >> 8 & 0xffu) * weights[0] + (sums >> 16 & 0xffu) * weights[1] +
         (sums >> 24) * weights[2];
}

HELIO_BOTH std::uint32_t divided(const CodeLevel& level, std::int64_t total, std::int64_t light) {
  const std::int64_t above = total * level.numerator, below = level.denominator;
  const bool half = level.rounding == 1 || level.rounding == 2;  // half-up, half-even
  std::int64_t rounded = half ? (2 * above + below) / (2 * below) : (above + light) / below;
  if (level.rounding == 2 && (2 * above + below) % (2 * below) == 0) rounded -= rounded % 2;
  return static_cast<std::uint32_t>(rounded < level.largest ? rounded : level.largest);
}

// What enters a level for a code, to be added up.
HELIO_BOTH std::uint32_t spread_of(const CodeLevel& level, std::uint32_t code) {
  return level.packed ? packed_symbols(code) : level.spread ? level.spread[code] : code;
}

// What switch `number` of level l makes of a sum, for element `element` of all that were ever exchanged.
HELIO_BOTH std::uint32_t answer_of(const CodePlan& plan, int l, const void* table, std::uint32_t number,
                                   std::uint32_t sums, std::uint64_t element) {
  const CodeLevel& level = plan.level[l];
  const std::uint64_t light =
      level.lights == 0 ? 0 : mixed_bits(light_bits(plan.seed, static_cast<std::uint64_t>(l)), element) % level.lights;
  if (!table) return divided(level, sums, static_cast<std::int64_t>(light));
  std::uint32_t index = level.packed ? packed_index(sums, level.weights) : sums;
  index += level.light_weight * static_cast<std::uint32_t>(light);
  if (level.tables > 1)
    index += level.points *
             static_cast<std::uint32_t>(
                 mixed_bits(table_bits(plan.seed, static_cast<std::uint64_t>(l), number), element) % level.tables);
  return level.wide ? static_cast<const std::uint32_t*>(table)[index] : static_cast<const std::uint8_t*>(table)[index];
}

// Four neighbouring elements of at most five servers through one level of packed symbols and a table of bytes; at least two bits.
//
//     a word   │ code of element 3 │ … 2 │ … 1 │ d c b a │  symbols a, b, c, d of two bits
//     even     │                   │     │     │  c   a  │  nibbles: their sums over the servers
//     odd      │                   │     │     │  d   b  │
//
// Nothing is clamped, with the same codes. The bucket's largest magnitude m gave scale ≈ m / steps and inverse ≈ 1 / scale, so that
// |g · inverse| ≤ steps · (1 + ε): each of the three roundings adds 2^-24, or 2^-22 to a subnormal scale (above 2^-128: its inverse
// is finite). 127 ε < 0.0001 rounds to at most 127 = steps. An offset of −1/2 may lead one further down, where a plain plan has a code.
// Nor is zero added to the code: it is even, and ties to even stay so, whether 1.5 · 2^23 is added or 1.5 · 2^23 + zero.
// kOffsets: some servers have one.
template <bool kOffsets, class Entering>
HELIO_BOTH void exchange_nibbles(const CodePlan& plan, const std::uint8_t* table, const BucketScale& bucket,
                                 std::uint32_t servers, Entering entering, float (&averages)[4]) {
  constexpr std::uint32_t kEvery = 0x33333333u, kNibble = 0x0f0f0f0fu;
  const float shift = sum(12582912.0f, plan.zero), zero = sum(8388608.0f, plan.zero);
  std::uint32_t even = 0, odd = 0;
  Offsets offsets(plan, servers);
  HELIO_UNROLL
  for (std::uint32_t i = 0; i < servers; ++i) {
    float values[4];
    std::uint32_t words[4];
    entering(i, values);
    const float offset = kOffsets ? offsets.next(plan) : 0.0f;
    HELIO_UNROLL
    for (int w = 0; w < 4; ++w) {
      float x = product(values[w], bucket.inverse);
      if constexpr (kOffsets) x = sum(x, offset);
      words[w] = static_cast<std::uint32_t>(bits_of(sum(x, shift)));
    }
    const std::uint32_t codes = lowest_bytes(words);
    even += codes & kEvery;
    odd += codes >> 2 & kEvery;
  }

  // Both lower symbols and both upper ones make less than L² ≤ 256: bytes of four elements at once
  const std::uint32_t lower = (even & kNibble) + (odd & kNibble) * plan.level[0].weights[0];
  const std::uint32_t upper = (even >> 4 & kNibble) + (odd >> 4 & kNibble) * plan.level[0].weights[0];
  HELIO_UNROLL
  for (int w = 0; w < 4; ++w) {
    const std::uint32_t code = table[(lower >> 8 * w & 0xffu) + (upper >> 8 * w & 0xffu) * plan.level[0].weights[1]];
    const float steps =
        sum(float_of(static_cast<std::int32_t>(0x4b000000u | code)), -zero);  // 2^23 + code − (2^23 + zero)
    averages[w] = product(product(steps, bucket.value), plan.share);
  }
}

// W neighbouring elements through one level of packed symbols and a table of bytes. `entering(i, values)` fills in what server i sends.
// `servers` is the plan's, for a compiler that knows it.
template <int W, class Entering>
HELIO_BOTH void exchange_plainly(const CodePlan& plan, const std::uint8_t* table, const BucketScale& bucket,
                                 std::uint32_t servers, Entering entering, float (&averages)[W]) {
  if constexpr (W == 4)
    if (servers <= kMostInNibbles)
      return plan.offset_servers == 0 ? exchange_nibbles<false>(plan, table, bucket, servers, entering, averages)
                                      : exchange_nibbles<true>(plan, table, bucket, servers, entering, averages);
  std::uint32_t sums[W] = {};
  Offsets offsets(plan, servers);
  HELIO_UNROLL
  for (std::uint32_t i = 0; i < servers; ++i) {
    float values[W];
    entering(i, values);
    const float offset = offsets.next(plan);
    HELIO_UNROLL
    for (int w = 0; w < W; ++w) sums[w] += packed_symbols(code_of(plan, values[w], bucket.inverse, offset));
  }
  HELIO_UNROLL
  for (int w = 0; w < W; ++w)
    averages[w] = average_of(plan, table[packed_index(sums[w], plan.level[0].weights)], bucket);
}

// W neighbouring elements through any cascade, the first of them number `first` of step `step`. `keep(i, values)` takes what server i
// carries on, with error feedback. `table` is the first level's, wherever it was brought.
template <int W, class Entering, class Keep>
HELIO_BOTH void exchange(const CodePlan& plan, const void* table, const BucketScale& bucket, std::uint64_t first,
                         std::uint64_t step, Entering entering, Keep keep, float (&averages)[W]) {
  const std::uint64_t number = first + step * plan.length, draws = mixed_bits(plan.seed, step);
  std::uint32_t sums[kMostLevels][W] = {}, entered[kMostLevels] = {}, finished[kMostLevels] = {}, codes[W] = {};
  Offsets offsets(plan, plan.servers);
  for (std::uint32_t i = 0; i < plan.servers; ++i) {
    float values[W];
    entering(i, values);
    const float offset = offsets.next(plan);
    HELIO_UNROLL
    for (int w = 0; w < W; ++w)
      codes[w] = plan.stochastic
                     ? code_at_random(plan, values[w], bucket.inverse, offset, mixed_bits(draws + i, first + w))
                     : code_of(plan, values[w], bucket.inverse, offset);
    if (plan.feedback) {
      HELIO_UNROLL
      for (int w = 0; w < W; ++w) values[w] = left_over(plan, values[w], codes[w], bucket.scale, offset);
      keep(i, values);
    }

    // Up, as far as switches have all their codes
    HELIO_UNROLL
    for (int l = 0; l < kMostLevels; ++l) {
      if (l >= plan.levels) break;
      const CodeLevel& level = plan.level[l];
      HELIO_UNROLL
      for (int w = 0; w < W; ++w) sums[l][w] += spread_of(level, codes[w]);
      if (++entered[l] < level.ports) break;
      HELIO_UNROLL
      for (int w = 0; w < W; ++w) {
        codes[w] = answer_of(plan, l, l == 0 ? table : level.table, finished[l], sums[l][w], number + w);
        sums[l][w] = 0;
      }
      entered[l] = 0;
      ++finished[l];
    }
  }
  HELIO_UNROLL
  for (int w = 0; w < W; ++w) averages[w] = average_of(plan, codes[w], bucket);
}

}  // namespace helio::train
