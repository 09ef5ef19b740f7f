// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_wires.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace helio::photonics {

WireSum& WireSum::operator+=(const WireSum& other) {
  for (const auto& [wire, weight] : other.weights)
    if ((weights[wire] += weight) == 0) weights.erase(wire);
  constant += other.constant;
  return *this;
}

WireSum& WireSum::operator*=(double factor) {
  if (factor == 0) weights.clear();
  for (auto& [wire, weight] : weights) weight *= factor;
  constant *= factor;
  return *this;
}

WireSum operator+(WireSum a, const WireSum& b) { return a += b; }
WireSum operator-(WireSum a, const WireSum& b) { return a += -1.0 * b; }
WireSum operator*(double factor, WireSum a) { return a *= factor; }

OnnWires::OnnWires(int lights, ActivationKind activation, double slope, bool limited)
    : wires_(lights), activation_(activation), slope_(slope), limited_(limited) {
  assert(activation != ActivationKind::kNone && slope >= 1 && "steps need an activation and a slope of at least 1");
}

WireSum OnnWires::wire(int index, double weight) { return {{{index, weight}}, 0}; }

WireSum OnnWires::add(WireSum sum, bool linear) {
  rows_.push_back({std::move(sum), linear});
  return wire(static_cast<int>(rows_.size()) - 1);
}

WireSum OnnWires::step_between(const WireSum& x, double below, double at) {
  if (limited_) {
    WireSum z = (1 / (at - below)) * x;
    z.constant -= (below + at) / (2 * (at - below));
    WireSum up = slope_ * add(z, false);
    up.constant += 0.5;
    return up;
  }
  WireSum z = (slope_ / (at - below)) * x;
  z.constant += 0.5 - slope_ * (below + at) / (2 * (at - below));
  const WireSum up = add(z, false);
  if (activation_ == ActivationKind::kSaturating) return up;
  z.constant -= 1;
  return up - add(z, false);
}

WireSum OnnWires::pass(const WireSum& x, double scale) {
  if (x.weights.empty()) return x;
  WireSum sum = x;
  sum.constant = 0;
  if (sum.weights.size() == 1) scale = sum.weights.begin()->second;
  sum *= 1 / scale;
  if (sum.weights.size() == 1) sum.weights.begin()->second = 1;
  WireSum passed = scale * add(std::move(sum), true);
  passed.constant = x.constant;
  return passed;
}

WireSum OnnWires::thermometer(const WireSum& x, int levels) {
  WireSum sum;
  for (int t = 1; t <= levels; ++t) sum += step(x, t);
  return sum;
}

void OnnWires::close() {
  assert(open() && "a layer has units");
  Layer layer;
  const Eigen::Index units = static_cast<Eigen::Index>(rows_.size());
  layer.weights.setZero(units, wires_);
  layer.bias.setZero(units);
  for (Eigen::Index i = 0; i < units; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    for (const auto& [from, weight] : row.sum.weights) layer.weights(i, from) = weight;
    layer.bias[i] = row.sum.constant;
    layer.linear.push_back(row.linear);
  }
  const bool steps = std::ranges::any_of(rows_, [](const Row& row) { return !row.linear; });
  if (steps) layer.activation.kind = activation_;
  if (steps && limited_) {
    layer.activation.low = -0.5 / slope_;
    layer.activation.high = 0.5 / slope_;
  }
  if (!steps || std::ranges::none_of(rows_, [](const Row& row) { return row.linear; })) layer.linear.clear();
  layers_.push_back(std::move(layer));
  wires_ = static_cast<int>(units);
  rows_.clear();
}

std::vector<Layer> OnnWires::finish(const std::vector<WireSum>& outputs) {
  assert(!open() && "a layer is still in the making");
  for (const WireSum& output : outputs) rows_.push_back({output, true});
  close();
  return std::move(layers_);
}

}  // namespace helio::photonics
