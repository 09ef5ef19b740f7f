// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_peel.h"

#include <cstdint>
#include <utility>

namespace helio::photonics {
namespace {

class Peel {
 public:
  Peel(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums, OnnWires& wires)
      : task_(task),
        how_(how),
        wires_(wires),
        sums_(std::move(sums)),
        symbol_(static_cast<std::size_t>(task.outputs())) {}
  std::vector<WireSum> run();

 private:
  double power(int exponent) const { return static_cast<double>(std::int64_t{1} << (task_.symbol_bits * exponent)); }
  WireSum whole() const;
  WireSum left() const;
  void carry_symbols();
  std::vector<WireSum> floors(int low, int count);

  const AveragingTask& task_;
  const Construction& how_;
  OnnWires& wires_;
  std::vector<WireSum> sums_;
  WireSum rest_;                 // X less the symbols peeled, over the wires of now; of clean wires: see left()
  std::vector<WireSum> symbol_;  // those peeled; the others are empty
};

// X of the sums.
WireSum Peel::whole() const {
  WireSum x;
  double worth = static_cast<double>(task_.numerator());
  for (int k = 0; k < task_.inputs(); ++k, worth *= static_cast<double>(task_.input_radix()))
    x += worth * sums_[static_cast<std::size_t>(k)];
  if (task_.rounding == Rounding::kDither) x += sums_.back();
  if (task_.rounding == Rounding::kHalfUp || task_.rounding == Rounding::kHalfEven)
    x.constant += static_cast<double>(task_.denominator() / 2);
  return x;
}

// What is left of X: from its own wire, or, where every wire is made anew, from the sums and symbols.
WireSum Peel::left() const {
  if (!how_.regenerate) return rest_;
  WireSum x = whole();
  for (std::size_t j = 0; j < symbol_.size(); ++j)
    x += -static_cast<double>(task_.denominator()) * power(static_cast<int>(j)) * symbol_[j];
  return x;
}

void Peel::carry_symbols() {
  for (WireSum& symbol : symbol_)
    if (!symbol.weights.empty())
      symbol = how_.regenerate ? wires_.thermometer(symbol, task_.radix() - 1) : wires_.pass(symbol);
}

// The layer of one group: ⌊X/(den·R^(low+i))⌋ for i = 0 .. count − 1, and all else that is still needed.
std::vector<WireSum> Peel::floors(int low, int count) {
  const WireSum x = left();
  const std::int64_t unit = task_.denominator() * static_cast<std::int64_t>(power(low));
  const bool tie = task_.rounding == Rounding::kHalfEven && low == 0 && task_.denominator() % 2 == 0;
  std::vector<WireSum> found(static_cast<std::size_t>(count));
  for (std::int64_t g = 1; g < static_cast<std::int64_t>(power(count)); ++g) {
    const WireSum step = wires_.step(x, static_cast<double>(g * unit + (tie && g % 2 == 1 ? 1 : 0)));
    for (int i = 0; i < count && g % static_cast<std::int64_t>(power(i)) == 0; ++i)
      found[static_cast<std::size_t>(i)] += step;
  }
  if (!how_.regenerate)
    rest_ = wires_.pass(x, static_cast<double>(unit) * power(count - 1));
  else if (low > 0)
    for (std::size_t k = 0; k < sums_.size(); ++k)
      sums_[k] = wires_.thermometer(
          sums_[k],
          static_cast<int>(static_cast<int>(k) < task_.inputs() ? task_.levels() - 1 : task_.denominator() - 1));
  carry_symbols();
  wires_.close();
  return found;
}

std::vector<WireSum> Peel::run() {
  if (!how_.regenerate) rest_ = whole();
  int low = task_.outputs();
  for (const int count : how_.groups) {
    low -= count;
    std::vector<WireSum> found = floors(low, count);

    // Steps added up on their own, where it is asked for.
    if (how_.split == Split::kTwice) {
      for (WireSum& sum : found) sum = wires_.pass(sum);
      if (low > 0) rest_ = wires_.pass(rest_);
      carry_symbols();
      wires_.close();
    }

    // Symbols from floors, and what they leave of X.
    for (int i = 0; i < count; ++i) {
      symbol_[static_cast<std::size_t>(low + i)] = found[static_cast<std::size_t>(i)];
      if (i + 1 < count)
        symbol_[static_cast<std::size_t>(low + i)] +=
            -static_cast<double>(task_.radix()) * found[static_cast<std::size_t>(i) + 1];
    }
    if (!how_.regenerate) rest_ += -static_cast<double>(task_.denominator()) * power(low) * found.front();
    if (how_.split == Split::kNone || low == 0) continue;
    rest_ = wires_.pass(rest_, static_cast<double>(task_.denominator()) * power(low - 1));
    carry_symbols();
    wires_.close();
  }
  return symbol_;
}

}  // namespace

std::vector<WireSum> peel(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums,
                          OnnWires& wires) {
  return Peel(task, how, std::move(sums), wires).run();
}

}  // namespace helio::photonics
