// SPDX-License-Identifier: Apache-2.0
// The parts of a network, counted from its parameters: what they take, what they cost, and what moving bits through them takes.
//
//     line       part            count   lets pass, each      a bit that crosses …        passes
//     ──────────────────────────────────────────────────      ──────────────────────────────────────────────
//     0          serdes             16   2 x 400 Gb/s         a link from node to node    line 0 twice, line 1 once
//     1          copper-cable        8   2 x 400 Gb/s
//
//   moving     Σ joules_per_bit · bits that passed
//   being on   Σ count · (watts + light · watts_per_light) · time  +  Σ idle · joules_per_bit · (count · rate · time − bits that passed)
//
// Light is paid for once, where it begins and ends, however many stretches it passes on its way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/range.h"
#include "fabric/part.h"
#include "flow/program.h"

namespace helio::fabric {

class Fabric;

struct BillLine {
  std::string part;  // of the catalogue
  double count = 0;
  std::string where;                                     // what they are there for
  BitRate rate = {};                                     // that each lets pass at most, in and out together
  Power light = {};                                      // that each gives
  std::optional<Range> watts = {}, joules_per_bit = {};  // where parameters of the fabric say so
  std::string level = {};                                // of a composite
};

// A bit over any of these resources passes these lines, so often each. In stretches of so many resources (0: there are none), a transfer
// pays for the first that it takes.
struct Crossing {
  struct Passed {
    std::uint32_t line = 0;
    double times = 1;
  };
  flow::ResourceId first;
  std::uint32_t count = 0;
  std::vector<Passed> passed;
  std::uint32_t stretch = 0;
};

struct Bill {
  std::vector<BillLine> lines;
  std::vector<Crossing> crossings;  // in resources of the fabric, in increasing order

  // The number of the line.
  std::uint32_t add(BillLine line) {
    lines.push_back(std::move(line));
    return static_cast<std::uint32_t>(lines.size() - 1);
  }
  void cross(flow::ResourceId first, std::uint32_t count, std::vector<Crossing::Passed> passed,
             std::uint32_t stretch = 0) {
    if (count > 0) crossings.push_back({first, count, std::move(passed), stretch});
  }
};

// The optical chip beside each of `nodes` NPUs that sends and hears on `lanes` wavelengths of `rate` at once: lasers, rings for sending and
// hearing each of `rings` wavelengths, and the link to the NPU. What a launched bit passes. `light`: of one laser; 0: the catalogue's.
std::vector<Crossing::Passed> add_ring_transceivers(Bill& bill, double nodes, double lanes, double rings, BitRate rate,
                                                    Power light = {});

// Every link of the table a copper cable, shared by its two directions, with a SerDes at each end.
Bill bill_of_direct_links(const flow::ResourceTable& resources);

// The bill with what its parts take and cost.
struct Priced {
  struct Line {
    BillLine what;
    Range watts, idle_watts, cost;  // of all of them together: at full load, when nothing moves; US dollars
    bool recalled = false;
    std::string source;
  };
  std::vector<Line> lines;
  Range watts, idle_watts, cost;
};
Priced priced(const Bill& bill, const Parts& parts);
// What a network is made of, takes and costs.
Priced bill(const Fabric& fabric, const Settings& known_better = {});

// Bits that passed each line when the program ran once. Crossings in resources of the program.
std::vector<double> bits_passed(const flow::Program& program, std::span<const Crossing> crossings, std::size_t lines);

// Joules.
struct Spent {
  Range moving, being_on;
  std::vector<std::string> recalled;  // parts that something was remembered of
  Range total() const { return moving + being_on; }
};
Spent spent(const Bill& bill, std::span<const double> bits, double seconds, const Parts& parts);

}  // namespace helio::fabric
