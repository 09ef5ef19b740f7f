// SPDX-License-Identifier: Apache-2.0
// Fred_m(P): a switch of P ports built from small elements that add and copy what passes (FRED, arXiv 2406.19580, ISCA 2025,
// section 5; our spec papers/fred.md, 2.1). It is a Clos network with m middle switches and two ports per edge element,
// and each middle switch is a Fred_m again, of half as many ports.
//
//            Fred_m(2r)                        Fred_m(2r+1)                         Fred_m(2)
//
//     0 ─┤R₀├─┐ ┌─────────────┐ ┌─┤D₀├─ 0      the same r + r elements and            ┌──┐
//     1 ─┤  ├──▶│ Fred_m(r) 0 │──▶┤  ├─ 1                                          0 ─┤RD├─ 0
//     2 ─┤R₁├──▶├─────────────┤──▶┤D₁├─ 2     2r ─┤demux├──▶ port r of ──▶┤mux├─ 2r  1 ─┤  ├─ 1
//     3 ─┤  ├──▶│ …       m−1 │──▶┤  ├─ 3            every Fred_m(r+1)                └──┘
//         ⋮     └─────────────┘     ⋮
//
//   R      2 × m   each input goes to one output or nowhere; two that go to one output are added there
//   D      m × 2   each output takes one input or none; two that take one input hold copies
//   RD     2 × 2   each output takes none, either, or the sum of both inputs
//   demux  1 × m,  mux  m × 1   the lone port of an odd P
//
// R cannot copy and D cannot add: whatever one flow (fred_router.h) needs passes through one middle switch.
//
// Fred_3(6), by columns (the order of data, and of the numbers of micro-switches):
//
//     level 0 in        level 1 in         RD           level 1 out       level 0 out
//     R₀ R₁ R₂    3 × (R, demux)      3 × 3 of them    3 × (D, mux)       D₀ D₁ D₂
//
// Port p of the switch enters level l of the recursion at port p >> l, also where P is odd: the lone port 2r is port r.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace helio::fabric {

enum class MicroKind : std::uint8_t { kReduce, kDistribute, kReduceDistribute, kDemux, kMux };

// How many elements of which kind.
struct FredCensus {
  std::uint64_t reduce = 0, distribute = 0, reduce_distribute = 0;
  std::uint64_t lone = 0;    // mux and demux together
  std::uint32_t stages = 0;  // elements crossed from input to output

  std::uint64_t elements() const { return reduce + distribute + reduce_distribute + lone; }
  friend bool operator==(const FredCensus&, const FredCensus&) = default;
};

// Counted by the recursion of the paper, without building anything.
// Throws Error(kInput) below two ports or two middle switches, and past 2^63 elements.
FredCensus fred_census(std::uint32_t ports, std::uint32_t middles);

using Wire = std::uint32_t;

struct MicroSwitch {
  MicroKind kind = MicroKind::kReduce;
  std::uint32_t column = 0;  // 0 .. census.stages − 1, from the inputs to the outputs
  std::uint32_t level = 0;   // depth of the Fred_m it is an edge element of; for RD, its own
  std::uint32_t stage = 0;   // which of the m^level of that depth
  std::uint32_t index = 0;   // which edge element of it, from the top; demux and mux come last
  std::vector<Wire> inputs, outputs;
};

// Invariant: every wire but the switch's inputs leaves exactly one element, every wire but its outputs enters exactly
// one, and an element has a higher number than those that feed it.
class FredSwitch {
 public:
  static constexpr std::uint64_t kMostElements = 1u << 22;
  // Of ports and of middle switches that anybody is asked for: routes through this many take gigabytes, with two middle switches.
  static constexpr std::uint32_t kMostPorts = 1u << 14;

  // Throws Error(kInput) as fred_census, and past kMostElements.
  FredSwitch(std::uint32_t ports, std::uint32_t middles);

  std::uint32_t ports() const { return ports_; }
  std::uint32_t middles() const { return middles_; }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(level_.size()) - 1; }  // of recursion; 0 for P = 2
  std::uint32_t ports_at(std::uint32_t level) const { return level_[level].ports; }
  std::uint32_t wires() const { return wires_; }
  Wire input_wire(std::uint32_t port) const { return port; }
  Wire output_wire(std::uint32_t port) const { return ports_ + port; }
  std::span<const MicroSwitch> micro_switches() const { return micro_switches_; }
  FredCensus census() const;  // counted on what was built

  // Numbers of micro-switches. Stage s of level l has the middle switches s·m … s·m + m−1 of level l+1.
  std::uint32_t input_side(std::uint32_t level, std::uint32_t stage, std::uint32_t index) const;
  std::uint32_t middle(std::uint32_t stage) const { return level_.back().first_input + stage; }
  std::uint32_t output_side(std::uint32_t level, std::uint32_t stage, std::uint32_t index) const;

 private:
  struct Level {
    std::uint32_t ports = 0, stages = 1;
    std::uint32_t edges = 0;                          // edge elements per side of one stage, demux or mux included
    std::uint32_t first_input = 0, first_output = 0;  // micro-switches
    Wire first_input_wire = 0, first_output_wire = 0;
  };
  void number();
  void connect(std::uint32_t level);

  std::uint32_t ports_, middles_, wires_ = 0;
  std::vector<Level> level_;  // the last: the RDs
  std::vector<MicroSwitch> micro_switches_;
};

}  // namespace helio::fabric
