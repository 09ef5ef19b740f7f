// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_switch.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"

namespace helio::fabric {
namespace {

void require_size(std::uint32_t ports, std::uint32_t middles) {
  if (ports < 2)
    throw Error(ErrorKind::kInput, fmt::format("a FRED switch of {} ports cannot be built", ports), {},
                "give two ports or more");
  if (middles < 2)
    throw Error(ErrorKind::kInput, fmt::format("a FRED switch with {} middle switches cannot be built", middles), {},
                "give two middle switches or more");
}

// a + m·b, or the refusal to count so far.
std::uint64_t add_times(std::uint64_t a, std::uint64_t m, std::uint64_t b) {
  std::uint64_t product = 0, sum = 0;
  if (__builtin_mul_overflow(m, b, &product) || __builtin_add_overflow(a, product, &sum) || sum >> 61)
    throw Error(ErrorKind::kInput, "a FRED switch of this size has more than 2^63 elements", {},
                "give fewer ports or fewer middle switches");
  return sum;
}

}  // namespace

FredCensus fred_census(std::uint32_t ports, std::uint32_t middles) {
  require_size(ports, middles);
  if (ports == 2) return {.reduce_distribute = 1, .stages = 1};
  const std::uint32_t half = ports / 2, odd = ports % 2;
  const FredCensus inner = fred_census(half + odd, middles);
  return {.reduce = add_times(half, middles, inner.reduce),
          .distribute = add_times(half, middles, inner.distribute),
          .reduce_distribute = add_times(0, middles, inner.reduce_distribute),
          .lone = add_times(2 * odd, middles, inner.lone),
          .stages = 2 + inner.stages};
}

FredSwitch::FredSwitch(std::uint32_t ports, std::uint32_t middles) : ports_(ports), middles_(middles) {
  if (const std::uint64_t elements = fred_census(ports, middles).elements(); elements > kMostElements)
    throw Error(ErrorKind::kInput, fmt::format("Fred_{}({}) has {} micro-switches", middles, ports, elements), {},
                fmt::format("at most {} can be built; several smaller switches in a tree need fewer", kMostElements));
  number();
  for (std::uint32_t l = 0; l < level_.size(); ++l) connect(l);
}

// Levels from the outside in, then elements and wires from the inputs to the outputs.
void FredSwitch::number() {
  level_.push_back({.ports = ports_});
  while (level_.back().ports > 2) {
    Level& outer = level_.back();
    outer.edges = (outer.ports + 1) / 2;
    level_.push_back({.ports = outer.edges, .stages = outer.stages * middles_});
  }
  level_.back().edges = 1;

  std::uint32_t elements = 0;
  for (Level& level : level_) level.first_input = elements, elements += level.stages * level.edges;
  level_.back().first_output = level_.back().first_input;
  for (std::size_t l = level_.size() - 1; l-- > 0;) {
    level_[l].first_output = elements;
    elements += level_[l].stages * level_[l].edges;
  }
  micro_switches_.resize(elements);

  for (Level& level : level_) {
    level.first_input_wire = wires_;
    level.first_output_wire = wires_ + level.stages * level.ports;
    wires_ += 2 * level.stages * level.ports;
  }
}

void FredSwitch::connect(std::uint32_t l) {
  const Level& level = level_[l];
  const bool innermost = l == levels();
  for (std::uint32_t stage = 0; stage < level.stages; ++stage) {
    const Wire in = level.first_input_wire + stage * level.ports, out = level.first_output_wire + stage * level.ports;
    if (innermost) {
      micro_switches_[middle(stage)] = {MicroKind::kReduceDistribute, l, l, stage, 0, {in, in + 1}, {out, out + 1}};
      continue;
    }

    // Edge element i is port i of every middle switch
    const Level& inner = level_[l + 1];
    for (std::uint32_t i = 0; i < level.edges; ++i) {
      const bool lone = 2 * i + 1 == level.ports;
      MicroSwitch& entry = micro_switches_[input_side(l, stage, i)];
      MicroSwitch& exit = micro_switches_[output_side(l, stage, i)];
      entry = {lone ? MicroKind::kDemux : MicroKind::kReduce, l, l, stage, i, {in + 2 * i}, {}};
      exit = {lone ? MicroKind::kMux : MicroKind::kDistribute, 2 * levels() - l, l, stage, i, {}, {out + 2 * i}};
      if (!lone) {
        entry.inputs.push_back(in + 2 * i + 1);
        exit.outputs.push_back(out + 2 * i + 1);
      }
      for (std::uint32_t k = 0; k < middles_; ++k) {
        const std::uint32_t port = (stage * middles_ + k) * inner.ports + i;
        entry.outputs.push_back(inner.first_input_wire + port);
        exit.inputs.push_back(inner.first_output_wire + port);
      }
    }
  }
}

std::uint32_t FredSwitch::input_side(std::uint32_t level, std::uint32_t stage, std::uint32_t index) const {
  return level_[level].first_input + stage * level_[level].edges + index;
}

std::uint32_t FredSwitch::output_side(std::uint32_t level, std::uint32_t stage, std::uint32_t index) const {
  return level_[level].first_output + stage * level_[level].edges + index;
}

FredCensus FredSwitch::census() const {
  FredCensus census{.stages = 2 * levels() + 1};
  for (const MicroSwitch& element : micro_switches_) switch (element.kind) {
      case MicroKind::kReduce: ++census.reduce; break;
      case MicroKind::kDistribute: ++census.distribute; break;
      case MicroKind::kReduceDistribute: ++census.reduce_distribute; break;
      case MicroKind::kDemux:
      case MicroKind::kMux: ++census.lone; break;
    }
  return census;
}

}  // namespace helio::fabric
