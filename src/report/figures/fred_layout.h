// SPDX-License-Identifier: Apache-2.0
// Where the elements of a FRED switch are in its picture (fred_drawing.h), and what meets inside each of them.
//
//        column 0          1        2        3          4            A stage of level l is a box that holds its m middle switches one
//                ┌───────────────────────────────────┐               below the other; its edge elements are spread over the height of
//         ┌─┐    │        ┌─┐      ┌─┐      ┌─┐      │   ┌─┐         the box. Columns are the farther apart the longer the way is
//         │ │    │        │ │      └─┘      │ │      │   │ │         that wires have up and down between them.
//         └─┘    │        └─┘      ┌─┐      └─┘      │   └─┘
//                │                 └─┘               │               Invariant: boxes of one level do not overlap, and elements of one
//                └───────────────────────────────────┘               column do not either.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_switch.h"

namespace helio::report {

struct Point {
  double x = 0, y = 0;
};

// What meets in one element: inputs that are added, outputs that hold copies of the sum.
struct FredJoint {
  std::vector<std::uint32_t> inputs, outputs;  // pins of the element
  bool adds() const { return inputs.size() > 1; }
  bool copies() const { return outputs.size() > 1; }
  friend bool operator==(const FredJoint&, const FredJoint&) = default;
};

// Two at most. `on_wire`: the flow on each wire, as from fabric::flows_on_wires; an input without one does not count.
std::vector<FredJoint> joints_of(const fabric::MicroSwitch& element, const fabric::MicroSetting& setting,
                                 std::span<const std::uint32_t> on_wire);

// In pixels. The switch outlives its layout.
class FredLayout {
 public:
  // Room inside a framed stage, above and below what it holds.
  static constexpr double kFrameHead = 17, kFrameFoot = 3;

  FredLayout(const fabric::FredSwitch& fred, double left, double top);

  bool has_frame(std::uint32_t level) const { return level > 0 && (level < fred_.levels() || level == 1); }
  double left() const { return left_; }
  double right() const { return column_.back() + width(0) / 2; }
  double bottom() const { return top_ + height_[0]; }
  double unit(std::uint32_t level) const;  // the height of an element of this level with few pins
  double width(std::uint32_t level) const { return 1.4 * unit(level); }
  double column(std::uint32_t number) const { return column_[number]; }
  double stage_height(std::uint32_t level) const { return height_[level]; }
  double stage_top(std::uint32_t level, std::uint32_t stage) const;
  Point centre(const fabric::MicroSwitch& element) const;
  double height(const fabric::MicroSwitch& element) const;
  Point input_pin(const fabric::MicroSwitch& element, std::size_t number) const;
  Point output_pin(const fabric::MicroSwitch& element, std::size_t number) const;

  // Where each wire begins and ends: from pin to pin; those of ports have a straight piece of length `stub` outside the switch.
  struct WireEnds {
    std::vector<Point> from, to;
  };
  WireEnds wire_ends(double stub) const;

 private:
  double between(std::uint32_t level) const;
  double room(std::uint32_t level) const;  // for one element of this level
  std::uint32_t edges_at(std::uint32_t level) const;
  double pin_down(const fabric::MicroSwitch& element, std::size_t number, std::size_t pins) const;

  const fabric::FredSwitch& fred_;
  double left_, top_, pitch_ = 0;
  std::vector<double> height_, column_;  // of a stage of each level; the middle of each column
};

}  // namespace helio::report
