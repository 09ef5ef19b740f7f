// SPDX-License-Identifier: Apache-2.0
// Averaging networks by construction, exact without training (papers/optinc.md 2.5; the constructions are ours).
//
// Averaging is linear; rounding and taking digits are staircases, and a staircase on an integer grid is a sum of steps.
//
//   lsb: carries ripple up                                 msb: symbols are peeled off from the top
//   s_0 ─▷ steps ─ c_0 ─┐                                  X = T·num + h ─▷ steps at j·den·R^k ─▷ o_k
//   s_1 ────────────────(+)─ W_1 ─▷ steps ─ c_1 ─┐              └──────── − den·R^k·o_k ─▷ steps … ─▷ o_{k−1}
//   s_2 ─────────────────────────────────────────(+)─ W_2 …
//                       o_0 = W_1 − R·c_1                  h: half of the denominator for half-up and half-even, else 0
//
// lsb admits every N for which the divisor D = N·R^(in_fraction − out_fraction) is a power of two, D = 2^p: symbol j of G is then
// bits p + jM and up of V = T + h, and those bits depend on lower sums by a carry alone. No other N: for D = d·2^p with odd
// d > 1 the lowest bit of G changes with the highest sum (R^k mod d ≠ 0), so that no carry from below can know it. half-even
// needs the parity of G before the first carry is decided: no lsb either. msb admits every N and every rounding; with half-even
// the last steps to odd symbols shift by one. Its first wire must hold 1 part in N·2^B.
//
// Groups. Carries of several positions may be found side by side, each from the sum of all positions of the group below it
// (look-ahead), and several symbols may be peeled at once (R^d − 1 steps): fewer layers, finer steps.
// Thermometers (onn_thermometer.h). Carries from below as lsb, every number as a row of limited steps, every layer as sums and copies:
// the one for chips that err. It admits what lsb admits; options but the slope are its own.
// Regeneration. Every wire is made anew from saturating steps in every layer, so that noise does not add up.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "photonics/onn.h"

namespace helio::photonics {

enum class Direction { kLsb, kMsb, kThermometer };
std::string_view name_of(Direction direction);  // "lsb", "msb", "thermometer"
Direction direction_named(std::string_view name, std::string_view place = {});

// How many linear stages of their own stand before the steps. They have no activation; a mesh of two thin stages may be cheaper
// than one that does both.
enum class Split {
  kNone,   // one layer: sums and steps at once
  kSums,   // what is carried on is formed first, then the steps
  kTwice,  // steps are added up first, then what is carried on is formed, then the steps
};
std::string_view name_of(Split split);  // "none", "sums", "twice"

// Of limited steps: their range is a sixteenth of a symbol, so that noise has the rest of half a symbol to itself.
inline constexpr double kLimiterSlope = 16;

struct Construction {
  Direction direction = Direction::kLsb;
  ActivationKind activation = ActivationKind::kRelu;
  double slope = 1;  // q of a step
  std::vector<int>
      groups;  // lsb: positions per stage from the lowest; msb: symbols per stage from the highest. Empty: 1 each
  Split split = Split::kNone;
  bool regenerate = false;          // saturating only
  bool thermometer_inputs = false;  // a first layer of L − 1 steps per sum, from one sum each
};

// Throws Error(kInput) for a task or options that make no sense, Error(kInfeasible) where the construction does not admit the task,
// with the reason and what would do. Encoding kIntensity needs saturating steps, thermometer inputs and regeneration: powers of
// different lanes do not add as fields, and √symbol is a sum of steps.
Onn construct(const AveragingTask& task, const Construction& how, Encoding encoding = Encoding::kAmplitude);

// The one for chips that err: thermometers. Throws Error(kInfeasible) where carries from below do not know the average.
Onn construct_for_chips(const AveragingTask& task, double slope = kLimiterSlope);

// What `how` says, in a line: "constructed lsb, saturating, slope 4, groups 1+3, regenerated".
std::string describe(const Construction& how, Encoding encoding = Encoding::kAmplitude);

// What decides how the network of a task is built: to keep networks by (base/memo.h).
using TaskNumbers = std::array<int, 7>;
inline TaskNumbers numbers_of(const AveragingTask& task) {
  return {task.servers,     task.bits,         task.symbol_bits, static_cast<int>(task.rounding),
          task.in_fraction, task.out_fraction, task.merge};
}

}  // namespace helio::photonics
