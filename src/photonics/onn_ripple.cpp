// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_ripple.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "base/error.h"

namespace helio::photonics {
namespace {

class Ripple {
 public:
  Ripple(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums, OnnWires& wires);
  std::vector<WireSum> run();

 private:
  struct Position {
    std::int64_t constant = 0;  // of h
    std::int64_t largest = 0;   // of W
    int finest = 0;             // steps of W stand at multiples of 2^finest; 0: none
    std::set<int> floors;       // e > 0 of the F(e) that are needed
    bool as_it_is = false;      // W itself is part of a symbol
    WireSum value;              // W over the wires of now, once its group is closed
    std::vector<WireSum> steps;
    std::map<int, WireSum> floor;  // F(e), once its group is closed
  };
  int place_of(int bit) const { return bit <= 0 ? 0 : std::min(bit / width_, positions() - 1); }
  int positions() const { return task_.inputs(); }
  int low_bit(int symbol) const { return p_ + symbol * task_.symbol_bits; }
  WireSum floor_of(int k, int e) const;
  WireSum carried(const WireSum& x, std::int64_t levels);
  void plan();
  void steps_of(int first, int last);
  void carry_on(int first, int last);
  void cut_symbols(int first, int last);

  const AveragingTask& task_;
  const Construction& how_;
  OnnWires& wires_;
  const int p_, width_;  // the divisor is 2^p; a position has width_ bits
  std::vector<WireSum> sums_;
  std::vector<Position> position_;
  WireSum carry_;
  std::vector<WireSum> symbol_;               // what is known of each so far
  std::vector<std::int64_t> symbol_largest_;  // of what is known
  bool overflows_ = false;
};

Ripple::Ripple(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums, OnnWires& wires)
    : task_(task),
      how_(how),
      wires_(wires),
      p_(divisor_bits(task)),
      width_(task.symbol_bits * task.merge),
      sums_(std::move(sums)),
      position_(static_cast<std::size_t>(task.inputs())),
      symbol_(static_cast<std::size_t>(task.outputs())),
      symbol_largest_(symbol_.size(), 0) {
  plan();
}

// Ranges of every W, and which steps of it are needed.
void Ripple::plan() {
  std::int64_t half = task_.rounding == Rounding::kHalfUp && p_ >= 1 ? std::int64_t{1} << (p_ - 1) : 0;
  std::int64_t dither = task_.rounding == Rounding::kDither && p_ >= 1 ? task_.denominator() - 1 : 0;
  if (dither > 0) sums_.front() += sums_.back();
  std::int64_t carry = 0, below = 0;
  for (int k = 0; k < positions(); ++k) {
    Position& at = position_[static_cast<std::size_t>(k)];
    at.constant = k + 1 < positions() ? half & (task_.input_radix() - 1) : half;
    half >>= k + 1 < positions() ? width_ : 0;
    at.largest = task_.levels() - 1 + at.constant + carry + (k == 0 ? dither : 0);
    carry = at.largest >> width_;
    below = at.largest;
  }
  const int top = low_bit(task_.outputs()) - (positions() - 1) * width_;
  overflows_ = top < 62 && (below >> top) > 0;

  // Where symbols begin and end inside the positions.
  const auto need = [&](int k, int e) {
    Position& at = position_[static_cast<std::size_t>(k)];
    if (e <= 0) at.as_it_is = true;
    if (e > 0 && e < 62 && (at.largest >> e) > 0) at.floors.insert(e);
  };
  for (int k = 0; k + 1 < positions(); ++k) need(k, width_);
  for (int j = 0; j < task_.outputs(); ++j) {
    const int from = low_bit(j), to = low_bit(j + 1);
    if (to <= 0) continue;
    const int k = place_of(from), next = place_of(to - 1);
    need(k, from - k * width_);
    if (next != k) position_[static_cast<std::size_t>(next)].as_it_is = true;
    if (j + 1 < task_.outputs() || overflows_) need(next, to - next * width_);
  }
  for (Position& at : position_)
    if (!at.floors.empty()) at.finest = *at.floors.begin();
}

WireSum Ripple::floor_of(int k, int e) const {
  const Position& at = position_[static_cast<std::size_t>(k)];
  if (e <= 0) return static_cast<double>(std::int64_t{1} << -e) * at.value;
  const auto found = at.floor.find(e);
  return found == at.floor.end() ? WireSum{} : found->second;
}

WireSum Ripple::carried(const WireSum& x, std::int64_t levels) {
  return how_.regenerate ? wires_.thermometer(x, static_cast<int>(levels)) : wires_.pass(x);
}

// The layer of one group: steps of every W in it, each on the sum of the group so far, and all else that is still needed.
void Ripple::steps_of(int first, int last) {
  WireSum so_far = carry_;
  double worth = 1;
  for (int k = first; k <= last; ++k, worth *= static_cast<double>(task_.input_radix())) {
    Position& at = position_[static_cast<std::size_t>(k)];
    WireSum own = sums_[static_cast<std::size_t>(k)];
    own.constant += static_cast<double>(at.constant);
    so_far += worth * own;
    for (std::int64_t m = 1; at.finest > 0 && m <= at.largest >> at.finest; ++m)
      at.steps.push_back(wires_.step(so_far, static_cast<double>(m << at.finest) * worth));
    if (!at.as_it_is) continue;
    // The carry into the group's first position is known now, those inside it only behind the steps.
    const std::int64_t own_largest = k == first ? at.largest : task_.levels() - 1 + at.constant;
    at.value = carried(k == first ? own + carry_ : own, own_largest);
  }
  for (int k = last + 1; k < positions(); ++k)
    sums_[static_cast<std::size_t>(k)] = carried(sums_[static_cast<std::size_t>(k)], task_.levels() - 1);
  for (std::size_t j = 0; j < symbol_.size(); ++j) symbol_[j] = carried(symbol_[j], symbol_largest_[j]);
  wires_.close();

  for (int k = first; k <= last; ++k) {
    Position& at = position_[static_cast<std::size_t>(k)];
    for (const int e : at.floors)
      for (std::size_t m = 1; m <= at.steps.size(); ++m)
        if (m % (std::size_t{1} << (e - at.finest)) == 0) at.floor[e] += at.steps[m - 1];
    if (k > first && at.as_it_is) at.value += position_[static_cast<std::size_t>(k) - 1].floor[width_];
  }
}

// Linear stages behind the steps, where they are asked for.
void Ripple::carry_on(int first, int last) {
  if (how_.split == Split::kTwice) {
    for (int k = first; k <= last; ++k) {
      Position& at = position_[static_cast<std::size_t>(k)];
      for (auto& [e, sum] : at.floor) sum = wires_.pass(sum);
      if (at.as_it_is) at.value = wires_.pass(at.value);
    }
    for (int k = last + 1; k < positions(); ++k)
      sums_[static_cast<std::size_t>(k)] = wires_.pass(sums_[static_cast<std::size_t>(k)]);
    for (WireSum& symbol : symbol_) symbol = wires_.pass(symbol);
    wires_.close();
  }
  cut_symbols(first, last);
  carry_ = last + 1 < positions() ? floor_of(last, width_) : WireSum{};
  if (how_.split == Split::kNone || last + 1 == positions()) return;
  for (int k = last + 1; k < positions(); ++k) {
    WireSum& sum = sums_[static_cast<std::size_t>(k)];
    sum = wires_.pass(k == last + 1 ? sum + carry_ : sum);
  }
  for (WireSum& symbol : symbol_) symbol = wires_.pass(symbol);
  carry_ = {};
  wires_.close();
}

void Ripple::cut_symbols(int first, int last) {
  const auto inside = [&](int k) { return first <= k && k <= last; };
  const double radix = task_.radix();
  for (int j = 0; j < task_.outputs(); ++j) {
    const int from = low_bit(j), to = low_bit(j + 1);
    if (to <= 0) continue;
    const int k = place_of(from), next = place_of(to - 1);
    WireSum& symbol = symbol_[static_cast<std::size_t>(j)];
    std::int64_t& largest = symbol_largest_[static_cast<std::size_t>(j)];
    const double shift = static_cast<double>(std::int64_t{1} << std::max((k + 1) * width_ - from, 0));
    if (inside(k)) {
      symbol = floor_of(k, from - k * width_);
      if (next != k) symbol += -shift * floor_of(k, width_);
      largest = next == k ? task_.radix() - 1 : static_cast<std::int64_t>(shift) - 1;
    }
    if (next != k && inside(next)) symbol += shift * position_[static_cast<std::size_t>(next)].value;
    if (inside(next)) {
      symbol += -radix * floor_of(next, to - next * width_);
      largest = task_.radix() - 1;
    }
  }
}

std::vector<WireSum> Ripple::run() {
  int first = 0;
  for (const int size : how_.groups) {
    steps_of(first, first + size - 1);
    carry_on(first, first + size - 1);
    first += size;
  }
  if (overflows_) {
    const int k = positions() - 1;
    const WireSum over = floor_of(k, low_bit(task_.outputs()) - k * width_);
    for (WireSum& symbol : symbol_) symbol += (task_.radix() - 1.0) * over;
  }
  return symbol_;
}

}  // namespace

int divisor_bits(const AveragingTask& task) {
  const auto above = static_cast<std::uint64_t>(task.denominator()),
             below = static_cast<std::uint64_t>(task.numerator());
  if (!std::has_single_bit(above))
    throw Error(ErrorKind::kInfeasible,
                fmt::format("carries from below need a divisor that is a power of two, and {} servers give {}{}: the "
                            "lowest symbol of the "
                            "average then depends on the highest sum, and no carry from below can know it",
                            task.servers, above, below == 1 ? "" : fmt::format("/{}", below)),
                {}, "msb admits every number of servers");
  if (task.rounding == Rounding::kHalfEven)
    throw Error(ErrorKind::kInfeasible,
                "carries from below cannot round half to even: the first carry would need the parity of the result "
                "before it is known",
                {}, "msb admits half-even, and lsb the other roundings");
  return std::countr_zero(above) - std::countr_zero(below);
}

std::vector<WireSum> ripple(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums,
                            OnnWires& wires) {
  return Ripple(task, how, std::move(sums), wires).run();
}

}  // namespace helio::photonics
