// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_thermometer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "photonics/onn_ripple.h"

namespace helio::photonics {
namespace {

using Bits = std::vector<WireSum>;  // of a thermometer, the lowest step first

// A part of a symbol that lies in one position: bits e … e + y − 1 of its W.
struct Part {
  int symbol = 0, e = 0, y = 0;
  double weight = 1;  // in the symbol
  Bits bits = {};
};

struct Position {
  std::int64_t constant = 0, largest = 0;  // of h and W
  std::vector<Part> parts;
  Bits sum;  // s, once it was taken apart
};

class Thermometers {
 public:
  Thermometers(const AveragingTask& task, std::vector<WireSum> sums, OnnWires& wires)
      : task_(task), wires_(wires), width_(task.symbol_bits * task.merge), sums_(std::move(sums)) {
    positions_.resize(static_cast<std::size_t>(task.inputs()));
    place_parts(divisor_bits(task));
  }

  std::vector<WireSum> run();

 private:
  void place_parts(int divisor);
  WireSum w_of(std::size_t k) const;
  void take_apart(std::size_t k);
  void make_anew(Bits& bits) {
    for (WireSum& bit : bits) bit = wires_.step(bit, 1);
  }

  const AveragingTask& task_;
  OnnWires& wires_;
  const int width_;
  std::vector<WireSum> sums_;
  std::vector<Position> positions_;
  WireSum carry_;
  std::int64_t overflow_ = 0;  // of the highest W, from where on all symbols are the largest; 0: never
  Bits over_;
};

// Ranges of every W, and where symbols lie in them.
void Thermometers::place_parts(int divisor) {
  std::int64_t half = task_.rounding == Rounding::kHalfUp && divisor >= 1 ? std::int64_t{1} << (divisor - 1) : 0;
  const bool dithers = task_.rounding == Rounding::kDither && divisor >= 1;
  if (dithers) sums_.front() += sums_.back();
  std::int64_t carry = dithers ? task_.denominator() - 1 : 0;
  for (Position& at : positions_) {
    const bool last = &at == &positions_.back();
    at.constant = last ? half : half & (task_.input_radix() - 1);
    half >>= width_;
    at.largest = task_.levels() - 1 + at.constant + carry;
    carry = at.largest >> width_;
  }
  const int top = divisor + task_.outputs() * task_.symbol_bits - (task_.inputs() - 1) * width_;
  if (top < 62 && (positions_.back().largest >> top) > 0) overflow_ = std::int64_t{1} << top;
  for (int j = 0; j < task_.outputs(); ++j) {
    const int from = divisor + j * task_.symbol_bits, to = from + task_.symbol_bits;
    for (int k = 0; k < task_.inputs(); ++k) {
      const int begin = k == 0 ? from : std::max(from, k * width_);
      const int end = k + 1 == task_.inputs() ? to : std::min(to, (k + 1) * width_);
      // What lies below the lowest sum is 0
      if (begin < end && end > 0)
        positions_[static_cast<std::size_t>(k)].parts.push_back(
            {j, std::max(begin, 0) - k * width_, end - std::max(begin, 0),
             static_cast<double>(std::int64_t{1} << (std::max(begin, 0) - from))});
    }
  }
}

WireSum Thermometers::w_of(std::size_t k) const {
  WireSum w = k == 0 ? sums_[0] : carry_;
  for (const WireSum& bit : positions_[k].sum) w += bit;
  w.constant += static_cast<double>(positions_[k].constant);
  return w;
}

// Steps of W, one for each of its readers: the carry, the bits of symbols, and in the end what lies beyond the largest code.
void Thermometers::take_apart(std::size_t k) {
  Position& at = positions_[k];
  const WireSum w = w_of(k);
  const auto passed = [&](std::int64_t threshold) {
    return threshold > at.largest ? WireSum{} : wires_.step(w, static_cast<double>(threshold));
  };
  carry_ = {};
  if (k + 1 < positions_.size())
    for (std::int64_t t = task_.input_radix(); t <= at.largest; t += task_.input_radix()) carry_ += passed(t);
  for (Part& part : at.parts) {
    const std::int64_t period = std::int64_t{1} << (part.e + part.y), unit = std::int64_t{1} << part.e;
    for (std::int64_t i = 1; i < (std::int64_t{1} << part.y); ++i) {
      WireSum bit;
      for (std::int64_t t = 0; t <= at.largest; t += period) bit += passed(t + i * unit) - passed(t + period);
      part.bits.push_back(std::move(bit));
    }
  }
  if (k + 1 == positions_.size() && overflow_ > 0)
    for (const Position& any : positions_)
      for (const Part& part : any.parts)
        for (std::size_t i = 0; i < part.bits.size(); ++i) over_.push_back(passed(overflow_));
}

std::vector<WireSum> Thermometers::run() {
  // Sums, each from its own light; the lowest is a W already.
  take_apart(0);
  for (std::size_t k = 1; k < positions_.size(); ++k)
    for (std::int64_t t = 1; t < task_.levels(); ++t)
      positions_[k].sum.push_back(wires_.step(sums_[k], static_cast<double>(t)));
  wires_.close();

  // Position by position; all else is made anew.
  for (std::size_t k = 1; k <= positions_.size(); ++k) {
    std::size_t next_over = 0;
    for (std::size_t below = 0; below < k; ++below)
      for (Part& part : positions_[below].parts) {
        if (k == positions_.size() && overflow_ > 0)
          for (WireSum& bit : part.bits) bit += over_[next_over++];
        make_anew(part.bits);
      }
    if (k < positions_.size()) take_apart(k);
    for (std::size_t above = k + 1; above < positions_.size(); ++above) make_anew(positions_[above].sum);
    wires_.close();
  }

  std::vector<WireSum> symbols(static_cast<std::size_t>(task_.outputs()));
  for (const Position& at : positions_)
    for (const Part& part : at.parts)
      for (const WireSum& bit : part.bits) symbols[static_cast<std::size_t>(part.symbol)] += part.weight * bit;
  return symbols;
}

}  // namespace

std::vector<WireSum> thermometers(const AveragingTask& task, std::vector<WireSum> sums, OnnWires& wires) {
  return Thermometers(task, std::move(sums), wires).run();
}

}  // namespace helio::photonics
