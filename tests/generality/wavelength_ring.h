// SPDX-License-Identifier: Apache-2.0
// Wavelengths on segments: a WDM ring just large enough for the first proof. Every (direction, segment, wavelength) is a
// channel; a lightpath takes its wavelength on every segment it crosses, and `setup` is the retune.
//
//        direction 0 ──▶   0 ══ 1 ══ 2 ══ … ══ n−1 ══ 0      segment i joins i and i+1; w channels per direction on each
//        direction 1 ◀──
//
// Retune rules (papers/wrht.md §2.5):
//   memory      what is still tuned costs nothing, however long ago it was used: the channels' own memory
//   changed     a lightpath that the step before did not have is dark for `retune`
//   every-step  every lightpath of every step is
#pragma once

#include <fmt/format.h>

#include <map>
#include <set>

#include "fabric/routed.h"

namespace helio::generality {

enum class RetuneRule { kMemory, kChanged, kEveryStep };

class WavelengthRing : public fabric::RoutedFabric {
 public:
  WavelengthRing(std::uint32_t nodes, std::uint32_t wavelengths, BitRate rate, Time retune, RetuneRule rule)
      : nodes_(nodes), wavelengths_(wavelengths), retune_(retune), rule_(rule) {
    capabilities_.fabric = "wavelengths on segments";
    capabilities_.nodes = nodes;
    capabilities_.adjacency = schedule::Adjacency::kRing;
    capabilities_.link_rate = rate;
    capabilities_.wavelengths = static_cast<int>(wavelengths);
    capabilities_.directions = 2;
    capabilities_.first_setup = retune;
    const auto name = [n = nodes_, w = wavelengths_](std::uint32_t i) {
      const std::uint32_t segment = i / w % n;
      return fmt::format("{} on segment {}-{}, wavelength {}", i / w < n ? "clockwise" : "counter-clockwise", segment,
                         (segment + 1) % n, i % w);
    };
    first_ = resources_.add_channels(2 * nodes_ * wavelengths_, capabilities_.link_rate, {retune_, false}, name);
  }

  std::optional<fabric::Refusal> complete(const schedule::Schedule& schedule, const schedule::CollectiveRequest&,
                                          const fabric::LowerOptions&, flow::Program& program,
                                          fabric::Lowered& lowered) const override {
    for (const schedule::Phase& phase : schedule.phases)
      for (const schedule::Move& move : phase.moves)
        lowered.wavelengths_used =
            std::max(lowered.wavelengths_used, static_cast<std::uint32_t>(move.lane.wavelength + move.lane.width));
    if (rule_ == RetuneRule::kChanged) light_anew(program, lowered.entry);
    return std::nullopt;
  }

 protected:
  void route(NodeId from, NodeId to, const fabric::Carriage& carriage, fabric::Way& way) const override {
    const schedule::Lane& lane = carriage.move.lane;
    const auto first = static_cast<std::uint32_t>(lane.wavelength), width = static_cast<std::uint32_t>(lane.width);
    const bool clockwise = lane.direction == 0;
    for (std::uint32_t at = from.value; at != to.value;
         at = clockwise ? (at + 1) % nodes_ : (at + nodes_ - 1) % nodes_) {
      const std::uint32_t segment = clockwise ? at : (at + nodes_ - 1) % nodes_;
      for (std::uint32_t l = first; l < first + width; ++l)
        way.hold({first_.value + ((clockwise ? 0 : nodes_) + segment) * wavelengths_ + l});
    }
    // A lightpath is its own circuit, in whatever step it is lit.
    way.circuit =
        1 + ((std::uint64_t{from.value} * nodes_ + to.value) * 2 + (clockwise ? 0 : 1)) * wavelengths_ + first;
    way.bytes_factor = 1.0 / width;
    way.always_setup = rule_ == RetuneRule::kEveryStep;
  }

  std::optional<fabric::Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                        const fabric::LowerOptions& options) const override {
    if (auto refusal = RoutedFabric::object(schedule, request, options)) return refusal;
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      for (std::uint32_t m = 0; m < schedule.phases[p].moves.size(); ++m) {
        const schedule::Lane& lane = schedule.phases[p].moves[m].lane;
        if (lane.wavelength < 0 || lane.direction < 0)
          return fabric::Refusal{
              "a move has no lane, and this ring assigns none", "Fix direction and wavelength.", p, {m}, {}};
        if (lane.wavelength + lane.width > static_cast<int>(wavelengths_))
          return fabric::Refusal{fmt::format("wavelength {} of {}", lane.wavelength + lane.width - 1, wavelengths_),
                                 "Raise the number of wavelengths.",
                                 p,
                                 {m},
                                 {}};
      }
    return std::nullopt;
  }

 private:
  // The `changed` rule, on the chains of calls that step order gives, one chain for each group: the first round of a call
  // always pays for lightpaths that the call before it did not have.
  void light_anew(flow::Program& program, flow::TemplateId entry) const {
    struct Chain {
      std::set<flow::Circuit> lit;
      std::uint32_t last = 0xffffffffu;
    };
    std::map<std::uint32_t, Chain> chains;
    flow::Template anew{program.templates[entry.value].name, {}, {}};
    const auto append = [&](flow::Operation call, Chain& chain) {
      const auto index = static_cast<std::uint32_t>(anew.operations.size());
      anew.operations.push_back(call);
      if (chain.last != 0xffffffffu) anew.edges.push_back({chain.last, index});
      chain.last = index;
    };
    const std::vector<flow::Operation> calls = program.templates[entry.value].operations;
    for (flow::Operation call : calls) {
      Chain& chain = chains[call.tag];
      flow::Template first = program.templates[call.callee.value];
      std::set<flow::Circuit> lit;
      for (flow::Operation& op : first.operations) {
        op.always_setup = !chain.lit.contains(op.circuit);
        lit.insert(op.circuit);
      }
      chain.lit = std::move(lit);
      flow::Operation lighting = call;
      lighting.callee = program.add(std::move(first));
      lighting.rounds = 1;
      append(lighting, chain);
      if (--call.rounds > 0) append(call, chain);
    }
    program.templates[entry.value] = std::move(anew);
  }

  std::uint32_t nodes_, wavelengths_;
  Time retune_;
  RetuneRule rule_;
  flow::ResourceId first_;
};

}  // namespace helio::generality
