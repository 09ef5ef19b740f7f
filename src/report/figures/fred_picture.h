// SPDX-License-Identifier: Apache-2.0
// Everything that a picture of a configured FRED switch shows, with its place (fred_layout.h): walked once, written as SVG
// (fred_drawing.h) and as the data of a page's figure (fred_figure.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fred/fred_router.h"
#include "fabric/fred/fred_simulation.h"
#include "fabric/fred/fred_switch.h"
#include "report/figures/fred_layout.h"

namespace helio::report {

// In the order in which it is drawn. A flow is its number, or fabric::kNoFlow.
struct FredPicture {
  static constexpr double kStub = 22;  // straight pieces of wire outside the switch

  struct Heading {
    Point at;
    const char* words;
  };
  struct Frame {  // around a middle switch
    double left, right, top, height;
    std::string name;
  };
  struct Box {  // a micro-switch
    double left, top, width, height;
    bool used;
  };
  struct Line {
    Point from, to;
  };
  struct Mark {  // where vectors are added, or one is copied
    Point at;
    double radius;
    bool adds;
  };
  struct
      Inside {  // of a micro-switch: inputs to where they are added, from there to where the sum is copied, on to the outputs
    std::uint32_t flow;
    std::vector<Line> lines;
    std::vector<Mark> marks;
  };
  struct Port {
    std::uint32_t number, flow;
    Point at;  // the outer end of its wire
    int side;  // -1: inputs, on the left; 1: outputs
  };
  struct Wire {
    std::uint32_t flow;
    Line line;
  };

  std::vector<Heading> headings;  // of the columns
  std::vector<Frame> frames;
  std::vector<Box> boxes;
  std::vector<Inside> inside;
  std::vector<Port> ports;
  std::vector<Wire> wires;         // by number
  std::vector<std::string> flows;  // "all-reduce 0-3, middle 1"
  double left = 0, right = 0, bottom = 0;
  std::uint64_t used = 0, adders = 0, copiers = 0;  // micro-switches
};

// With the switch itself right of `left` and below `top`. Requires: `configuration` carries `flows` (fabric::check_collective passed).
FredPicture picture_of(const fabric::FredSwitch& fred, const fabric::FredConfiguration& configuration,
                       std::span<const fabric::Flow> flows, double left, double top);

// "a" … "z", "aa", "ab", …: what pictures call flow 0, 1, …
std::string flow_name(std::size_t flow);

// "0-3, 6"
std::string ports_in_words(std::vector<std::uint32_t> ports);

}  // namespace helio::report
