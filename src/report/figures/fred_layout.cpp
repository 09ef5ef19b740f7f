// SPDX-License-Identifier: Apache-2.0
#include "report/figures/fred_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fabric/fred/fred_simulation.h"

namespace helio::report {

using fabric::MicroKind;
using fabric::MicroSetting;
using fabric::MicroSwitch;

namespace {

constexpr double kLeastPitch = 20, kMostPitch = 46,
                 kInnermostHeight = 372;  // of one RD, and of all together if that can be
constexpr double kBetweenFrames = 7;
constexpr double kSlope = 0.32, kLeastGap = 76,
                 kMostGap = 420;                          // between columns, as a share of the height that wires cross
constexpr double kElementShare = 0.7, kMostElement = 32;  // of its room, and in pixels where there are few pins
constexpr double kPinPitch = 5;

}  // namespace

std::vector<FredJoint> joints_of(const MicroSwitch& element, const MicroSetting& setting,
                                 std::span<const std::uint32_t> on_wire) {
  // What each lane joins
  std::vector<FredJoint> joints;
  const bool by_input = element.kind == MicroKind::kReduce || element.kind == MicroKind::kDemux;
  for (std::uint32_t i = 0; i < (by_input ? element.inputs : element.outputs).size(); ++i) {
    const std::uint32_t lane = setting.lane[i];
    if (lane == MicroSetting::kIdle) continue;
    FredJoint joint{{lane}, {i}};
    if (by_input) joint = {{i}, {lane}};
    if (element.kind == MicroKind::kReduceDistribute)
      joint.inputs = lane == 3 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{lane - 1};
    std::erase_if(joint.inputs, [&](std::uint32_t pin) { return on_wire[element.inputs[pin]] == fabric::kNoFlow; });
    if (!joint.inputs.empty()) joints.push_back(std::move(joint));
  }

  // Two that end in one place are added there, two that begin alike are copies
  if (joints.size() == 2 && joints[0].outputs == joints[1].outputs)
    joints = {{{joints[0].inputs[0], joints[1].inputs[0]}, joints[0].outputs}};
  else if (joints.size() == 2 && joints[0].inputs == joints[1].inputs)
    joints = {{joints[0].inputs, {joints[0].outputs[0], joints[1].outputs[0]}}};
  return joints;
}

FredLayout::FredLayout(const fabric::FredSwitch& fred, double left, double top)
    : fred_(fred), left_(left), top_(top), height_(fred.levels() + 1) {
  // Heights from the inside out
  const std::uint32_t levels = fred.levels();
  pitch_ = std::clamp(kInnermostHeight / std::pow(fred.middles(), levels), kLeastPitch, kMostPitch);
  height_[levels] = pitch_;
  for (std::uint32_t l = levels; l-- > 0;) {
    if (has_frame(l + 1)) height_[l + 1] += kFrameHead + kFrameFoot;
    height_[l] = fred.middles() * (height_[l + 1] + between(l + 1)) - between(l + 1);
  }

  // Columns from left to right, the gaps on the right as those on the left
  column_.push_back(left + width(0) / 2);
  for (std::uint32_t column = 0; column < 2 * levels; ++column) {
    const std::uint32_t outer = column < levels ? column : 2 * levels - 1 - column;
    const double gap = std::clamp(kSlope * height_[outer], kLeastGap, kMostGap);
    column_.push_back(column_.back() + gap + (width(outer) + width(outer + 1)) / 2);
  }
}

double FredLayout::room(std::uint32_t level) const {
  const double frame = has_frame(level) ? kFrameHead + kFrameFoot : 0;
  return (height_[level] - frame) / edges_at(level);
}

double FredLayout::unit(std::uint32_t level) const { return std::min(kElementShare * room(level), kMostElement); }

double FredLayout::between(std::uint32_t level) const { return has_frame(level) ? kBetweenFrames : 0; }

std::uint32_t FredLayout::edges_at(std::uint32_t level) const { return (fred_.ports_at(level) + 1) / 2; }

double FredLayout::stage_top(std::uint32_t level, std::uint32_t stage) const {
  if (level == 0) return top_;
  return stage_top(level - 1, stage / fred_.middles()) + (has_frame(level - 1) ? kFrameHead : 0) +
         stage % fred_.middles() * (height_[level] + between(level));
}

Point FredLayout::centre(const MicroSwitch& element) const {
  const double head = has_frame(element.level) ? kFrameHead : 0;
  return {column_[element.column],
          stage_top(element.level, element.stage) + head + (element.index + 0.5) * room(element.level)};
}

// Higher where the pins of many middle switches need it, lower where there is a lone port.
double FredLayout::height(const MicroSwitch& element) const {
  if (element.kind == MicroKind::kReduceDistribute) return unit(element.level);
  const double full =
      std::max(unit(element.level), std::min(kElementShare * room(element.level), kPinPitch * fred_.middles()));
  return element.kind == MicroKind::kDemux || element.kind == MicroKind::kMux ? 0.7 * full : full;
}

double FredLayout::pin_down(const MicroSwitch& element, std::size_t number, std::size_t pins) const {
  const double share = (static_cast<double>(number) + 0.5) / static_cast<double>(pins);
  return centre(element).y + (share - 0.5) * height(element);
}

Point FredLayout::input_pin(const MicroSwitch& element, std::size_t number) const {
  return {column_[element.column] - width(element.level) / 2, pin_down(element, number, element.inputs.size())};
}

Point FredLayout::output_pin(const MicroSwitch& element, std::size_t number) const {
  return {column_[element.column] + width(element.level) / 2, pin_down(element, number, element.outputs.size())};
}

FredLayout::WireEnds FredLayout::wire_ends(double stub) const {
  WireEnds ends{std::vector<Point>(fred_.wires()), std::vector<Point>(fred_.wires())};
  for (const MicroSwitch& element : fred_.micro_switches()) {
    for (std::size_t i = 0; i < element.inputs.size(); ++i) ends.to[element.inputs[i]] = input_pin(element, i);
    for (std::size_t i = 0; i < element.outputs.size(); ++i) ends.from[element.outputs[i]] = output_pin(element, i);
  }
  for (std::uint32_t port = 0; port < fred_.ports(); ++port) {
    const fabric::Wire in = fred_.input_wire(port), out = fred_.output_wire(port);
    ends.from[in] = {ends.to[in].x - stub, ends.to[in].y};
    ends.to[out] = {ends.from[out].x + stub, ends.from[out].y};
  }
  return ends;
}

}  // namespace helio::report
