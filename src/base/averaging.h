// SPDX-License-Identifier: Apache-2.0
// What a switch that averages has to compute (papers/optinc.md 2.1, 2.2): the rounded average of N codes, symbol by symbol. The one
// description of an averager: fabrics promise it, optical networks are built or trained for it, emulation and training compute it.
//
//   server i: code u_i of B bits ─▷ K = B/M symbols d_{i,k} of R = 2^M levels, on K lanes
//                         ┌────────────────┐ s_k = Σ_i d_{i,k}    ┌─────┐ o_k, the symbols of G
//   N × K lanes ─────────▷│ N:1 combiners  │─────────────────────▷│ ONN │────────▷ 1:N splitter ─▷ every server
//                         └────────────────┘ 0 .. N(R−1)          └─────┘
//
//   T = Σ_k R^k s_k                in units of R^−in_fraction
//   G = round(T · R^out_fraction / (N · R^in_fraction)), at most R^outputs − 1;   o_k = ⌊G/R^k⌋ mod R
//
// Rounding: floor; half-up = ⌊x + ½⌋ (bias +1/(2N) for even N); half-even; dither = ⌊x + t/D⌋ with an integer t of 0..D−1 that
// arrives as one more light (D = N without fractions), which has no bias when t is uniform.
//
// Fraction symbols serve cascades (2.6): level 1 keeps out_fraction symbols below the point, level 2 takes them as in_fraction.
// Only then can x be above the largest code: G is clipped. Merging adds g neighbouring symbols with weights R^j before the network.
// The inputs are few: L = N(R^g − 1) + 1 levels each, L^inputs points in all (times D with dither): photonics/averaging_grid.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

enum class Rounding { kFloor, kHalfUp, kHalfEven, kDither };
std::string_view name_of(Rounding rounding);  // "floor", "half-up", "half-even", "dither"
Rounding rounding_named(std::string_view name, std::string_view place = {});

struct AveragingTask {
  int servers = 4;      // N
  int bits = 8;         // B, of one code
  int symbol_bits = 2;  // M; PAM4: 2
  Rounding rounding = Rounding::kHalfUp;
  int in_fraction = 0;   // symbols below the point that arrive
  int out_fraction = 0;  // symbols below the point that leave
  int merge = 1;         // g: neighbouring symbols that are added optically before the network

  // Throws Error(kInput) that names the field: none of zero or less, M divides B, g divides the symbols that arrive, and all
  // numbers fit in 50 bits. Requires of all below: check() has passed.
  void check() const;

  int radix() const { return 1 << symbol_bits; }                    // R
  int symbols() const { return bits / symbol_bits; }                // K
  int inputs() const { return (symbols() + in_fraction) / merge; }  // sums that arrive, the dither light aside
  int outputs() const { return symbols() + out_fraction; }          // symbols that leave
  std::int64_t input_radix() const { return std::int64_t{1} << (symbol_bits * merge); }        // R^g
  std::int64_t levels() const { return servers * (input_radix() - 1) + 1; }                    // L, of one sum
  std::int64_t largest() const { return (std::int64_t{1} << (symbol_bits * outputs())) - 1; }  // the largest G
  // x = T · numerator / denominator in lowest terms. The dither light carries 0 .. denominator − 1.
  std::int64_t numerator() const;
  std::int64_t denominator() const;
  int lights() const { return inputs() + (rounding == Rounding::kDither ? 1 : 0); }  // what enters the network

  // T of the sums, lowest first. Requires: sums.size() ≥ inputs().
  std::int64_t total(std::span<const int> sums) const;
  // G of a total. `dither` is read with Rounding::kDither only.
  std::int64_t average(std::int64_t total, std::int64_t dither = 0) const;
  // G of one point: sums, then the dither light if there is one. Requires: point.size() == lights().
  std::int64_t target(std::span<const int> point) const;

  bool operator==(const AveragingTask&) const = default;
};

// A cascade of such switches, one task for each level, the lowest first: level l has switches of ports[l] inputs, each hands on
// `fraction` symbols below the point more than it got, the last one whole codes. The rest is `each`'s. Nothing is checked.
using AveragingCascade = std::vector<AveragingTask>;
AveragingCascade cascade_of(AveragingTask each, std::span<const std::uint32_t> ports, int fraction = 0);
// The lowest `levels` of a cascade as one that ends there: whole codes leave. Requires: 1 ≤ levels ≤ cascade.size().
AveragingCascade lower_levels(AveragingCascade cascade, std::size_t levels);

}  // namespace helio
