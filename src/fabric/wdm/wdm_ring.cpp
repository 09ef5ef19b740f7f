// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/wdm_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <tuple>

#include "base/units.h"
#include "fabric/parameters.h"
#include "fabric/routed.h"
#include "fabric/wdm/lit_ring.h"
#include "fabric/wdm/retune.h"
#include "fabric/wdm/wavelengths.h"
#include "photonics/budget_parameters.h"
#include "photonics/level_parameters.h"
#include "photonics/link_budget.h"

namespace helio::fabric {
namespace {

using schedule::Lane;

class WdmRing : public RoutedFabric {
 public:
  explicit WdmRing(const Parameters& parameters)
      : nodes_(static_cast<std::uint32_t>(parameters.integer("nodes"))),
        lanes_(static_cast<std::uint32_t>(parameters.integer("wavelengths") * parameters.integer("fibres"))),
        wavelengths_(static_cast<int>(parameters.integer("wavelengths"))),
        drive_(parameters.has("drive") ? static_cast<std::uint32_t>(parameters.integer("drive")) : 2 * lanes_),
        retune_(parameters.time("retune")),
        latency_(parameters.time("latency")),
        every_step_(parameters.text("retune_rule") == "every-step"),
        ahead_(parameters.boolean("retune_ahead")),
        multicast_(parameters.boolean("multicast")),
        enforce_(parameters.has("enforce_budget") && parameters.boolean("enforce_budget")),
        regenerate_(parameters.boolean("regenerators")),
        amplify_(parameters.boolean("amplifiers")),
        budget_(photonics::budget_from(parameters, parameters.rate("rate"))) {
    if (regenerate_) reach_ = photonics::sure_hops(budget_, wavelengths_);
    const BitRate rate = parameters.rate("rate");
    if (lanes_ > kMostLanes)
      throw Error(ErrorKind::kInput, fmt::format("{} wavelengths on all fibres are too many", lanes_),
                  parameters.place("wavelengths"),
                  fmt::format("wavelengths times fibres may be {} at most", kMostLanes));
    if (std::uint64_t{nodes_} * lanes_ > kMostChannels)
      throw Error(ErrorKind::kInput,
                  fmt::format("{} nodes with {} wavelengths on all fibres are too many", nodes_, lanes_),
                  parameters.place("wavelengths"),
                  fmt::format("nodes times wavelengths times fibres may be {} at most", kMostChannels));
    if (ahead_ && every_step_)
      throw Error(ErrorKind::kInput, "retune_ahead hides retuning, and the every-step rule charges it always",
                  parameters.place("retune_ahead"), "Set retune_rule = changed.");
    capabilities_.fabric = "wdm-ring";
    capabilities_.nodes = nodes_;
    capabilities_.adjacency = schedule::Adjacency::kRing;
    capabilities_.link_rate = rate;
    capabilities_.injection = capabilities_.ejection = rate * std::min(drive_, 2 * lanes_);
    capabilities_.hop_latency = capabilities_.nearest_latency = latency_;
    capabilities_.farthest_latency = latency_ * (nodes_ / 2);
    capabilities_.step_overhead = parameters.time("step_overhead");
    capabilities_.wavelengths = static_cast<int>(lanes_);
    capabilities_.directions = 2;
    capabilities_.first_setup = retune_;
    if (every_step_) capabilities_.step_setup = retune_;
    capabilities_.multicasts = multicast_;
    capabilities_.senders_heard = static_cast<int>(std::min(drive_, 2 * lanes_));
    if (nodes_ > 2)
      capabilities_.cuts.push_back(
          {"two segments that halve the ring", nodes_ / 2, rate * (2.0 * lanes_), rate * (2.0 * lanes_)});

    add_segments();
  }

  std::unique_ptr<Fabric> simplified_for(std::span<const schedule::Schedule* const> all) const override {
    std::uint32_t together = lanes_;
    for (const schedule::Schedule* schedule : all)
      for (const schedule::Phase& phase : schedule->phases)
        for (const schedule::Move& move : phase.moves) {
          if (move.lane.width < 1) return nullptr;
          together = std::gcd(together, static_cast<std::uint32_t>(move.lane.width));
          if (move.lane.wavelength > 0) together = std::gcd(together, static_cast<std::uint32_t>(move.lane.wavelength));
          if (together == 1) return nullptr;
        }
    if (together == 1) return nullptr;
    auto simplified = std::make_unique<WdmRing>(*this);
    simplified->bundle_ = together;
    simplified->add_segments();
    return simplified;
  }

  // Of a bit that is dropped on its way and goes on, the last receiver is paid for. Regenerators, where there are any, stand as far apart as
  // light reaches, for each wavelength and direction, and are paid for being on, whoever passes.
  Bill bill() const override {
    Bill bill;
    const std::uint32_t both = 2 * lanes_;
    const auto passed =
        add_ring_transceivers(bill, nodes_, std::min(drive_, both), both, capabilities_.link_rate, budget_.laser);
    bill.cross({0}, resources_.size(), passed, lanes_ / bundle_);
    if (const auto reach = static_cast<std::uint32_t>(reach_.value_or(0)); reach > 0 && reach < nodes_)
      for (const char* part : {"receiver", "driver", "modulator", "laser"})
        bill.add({.part = part,
                  .count = 1.0 * both * ((nodes_ + reach - 1) / reach),
                  .where = fmt::format("regenerators, every {} hops", reach),
                  .rate = std::string_view(part) == "laser" ? BitRate{} : capabilities_.link_rate,
                  .light = std::string_view(part) == "laser" ? budget_.laser : Power{}});
    return bill;
  }

  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) const override {
    light(from, to, carriage.move.lane, way);
  }

  // Drop and continue: one lightpath to the farthest of them, of which everyone on the way takes its part.
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                 Way& way) const override {
    const bool clockwise = carriage.move.lane.direction == 0;
    light(from.front(), farthest(from.front(), to, clockwise), carriage.move.lane, way);
  }

  void light(NodeId from, NodeId to, const Lane& lane, Way& way) const {
    const bool clockwise = lane.direction == 0;
    const auto first = static_cast<std::uint32_t>(lane.wavelength), width = static_cast<std::uint32_t>(lane.width);
    const std::uint32_t bundles = lanes_ / bundle_;
    const std::uint32_t hops = hops_between(from, to, clockwise);
    std::uint32_t at = from.value;
    for (std::uint32_t h = 0; h < hops; ++h) {
      const std::uint32_t next = clockwise ? (at + 1 == nodes_ ? 0 : at + 1) : (at == 0 ? nodes_ - 1 : at - 1);
      const std::uint32_t channel = ((clockwise ? 0 : nodes_) + (clockwise ? at : next)) * bundles + first / bundle_;
      for (std::uint32_t l = 0; l < width / bundle_; ++l) way.hold({channel + l});
      at = next;
    }
    way.hops = std::max(way.hops, hops);
    way.latency += latency_ * hops;
    if (const auto reach = static_cast<std::uint32_t>(reach_.value_or(0)); reach > 0 && hops > reach)
      way.latency += budget_.regenerator_delay * static_cast<std::int64_t>((hops - 1) / reach);
    // A lightpath is its own circuit, in whatever step it is lit
    way.circuit =
        1 +
        (((std::uint64_t{from.value} * nodes_ + to.value) * 2 + (clockwise ? 0 : 1)) * lanes_ + first) * (lanes_ + 1) +
        width;
    way.bytes_factor = 1.0 / width;
    way.always_setup = every_step_;
  }

  // Of each direction apart: the arcs of moves without a wavelength are coloured; as many colours as there is room for make a sub-round.
  void assign(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
              std::vector<Assignment>& assignments) const override {
    assignments.resize(travellers.size());
    std::map<std::pair<int, int>, std::vector<std::size_t>> open;  // by direction and width
    for (std::size_t i = 0; i < travellers.size(); ++i) {
      const schedule::Move& move = *travellers[i].move;
      const Reach reach = reach_of(request, travellers[i]);
      Lane lane = move.lane;
      if (lane.direction < 0) {
        const std::uint32_t clockwise = hops_between(reach.from, reach.clockwise, true),
                            other = hops_between(reach.from, reach.counter, false);
        lane.direction = clockwise < other || (clockwise == other && reach.from.value < reach.clockwise.value) ? 0 : 1;
      }
      assignments[i] = {lane, 0};
      if (lane.wavelength < 0) open[{lane.direction, lane.width}].push_back(i);
    }
    // Stripes of different width in one round go in turns
    std::vector<std::uint32_t> sub_rounds(2, 0);
    std::vector<std::uint32_t> colours;
    for (const auto& [kind, indices] : open) {
      const auto [direction, width] = kind;
      std::vector<Arc> arcs;
      for (const std::size_t i : indices) {
        const Reach reach = reach_of(request, travellers[i]);
        const std::uint32_t hops =
            hops_between(reach.from, direction == 0 ? reach.clockwise : reach.counter, direction == 0);
        // counter-clockwise from x the first segment is x-1; seen in a mirror it runs forwards
        arcs.push_back({direction == 0 ? reach.from.value : (nodes_ - reach.from.value) % nodes_, hops});
      }
      const std::uint32_t capacity = std::max(1u, lanes_ / static_cast<std::uint32_t>(width));
      const std::uint32_t count = colour_arcs(arcs, nodes_, colours);
      // As many sub-rounds as must be, and as many colours in each: four colours on three wavelengths go two and two, so that the
      // third does not change who lights what, and with it what must be tuned.
      const std::uint32_t rounds = (count + capacity - 1) / capacity,
                          each = rounds > 0 ? (count + rounds - 1) / rounds : 1;
      std::uint32_t& before = sub_rounds[static_cast<std::size_t>(direction)];
      for (std::size_t k = 0; k < indices.size(); ++k) {
        Assignment& assignment = assignments[indices[k]];
        assignment.sub_round = before + colours[k] / each;
        assignment.lane.wavelength = static_cast<std::int32_t>(colours[k] % each) * width;
      }
      before += rounds;
    }
  }

  std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                const LowerOptions& options) const override {
    if (options.order == schedule::Order::kDataflow && drive_ < 2 * lanes_)
      return Refusal{"fabric.drive is kept round by round, and in dataflow order rounds run into each other",
                     "Use " + advised("sync", "step") + ", or leave fabric.drive out.",
                     0,
                     {},
                     {}};
    if (auto refusal = RoutedFabric::object(schedule, request, options)) return refusal;
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
      const schedule::Phase& phase = schedule.phases[p];
      for (std::uint32_t m = 0; m < phase.moves.size(); ++m) {
        const Lane& lane = phase.moves[m].lane;
        if (lane.width < 1 || lane.width > static_cast<int>(lanes_) ||
            lane.wavelength + lane.width > static_cast<int>(lanes_))
          return Refusal{
              fmt::format("a move wants {} wavelengths{}, and there are {} each way", lane.width,
                          lane.wavelength >= 0 ? fmt::format(" from number {} on", lane.wavelength) : "", lanes_),
              "Lower algorithm.stripe or algorithm.group, or raise fabric.wavelengths.",
              p,
              {m},
              {}};
      }
      if (auto refusal = too_many_driven(schedule, phase, p)) return refusal;
    }
    return std::nullopt;
  }

  std::optional<Refusal> complete(const schedule::Schedule&, const LowerOptions& options, flow::Program& program,
                                  Lowered& lowered) const override {
    // Does the longest path arrive
    const photonics::Verdict verdict =
        photonics::judge(budget_, static_cast<int>(lowered.longest_path_hops), wavelengths_, reach_);
    if (enforce_ && !verdict.closes_passively && !(regenerate_ && verdict.regenerators) &&
        !(amplify_ && verdict.closes_amplified))
      return Refusal{fmt::format("its light does not arrive: {}", verdict.sentence),
                     verdict.closes_amplified ? "Use an algorithm or group with shorter lightpaths (wdm-planned), "
                                                "fabric.amplifiers=true, fabric.regenerators=true, or fewer nodes."
                     : verdict.regenerators
                         ? "Use an algorithm or group with shorter lightpaths (wdm-planned), "
                           "fabric.regenerators=true, or fewer nodes."
                         : "Not one hop closes: raise fabric.laser_power, lower the losses, or bear more bit errors "
                           "(fabric.target_ber).",
                     0,
                     {},
                     {}};
    for (Fact& fact : photonics::facts_of(verdict)) lowered.facts.push_back(std::move(fact));

    if (!every_step_ && options.order == schedule::Order::kStep) light_changed(program, lowered.entry, ahead_);
    return std::nullopt;
  }

  Picture picture(const schedule::Schedule&, const schedule::CollectiveRequest&, const Lowered& lowered,
                  const flow::Program& program, std::uint32_t offset) const override {
    return lit_ring(
        program, lowered.entry,
        {.nodes = nodes_, .wavelengths = lanes_, .numbered = true, .segments_from = offset, .bundle = bundle_});
  }

 private:
  static constexpr std::uint32_t kMostLanes = 4096;
  static constexpr std::uint64_t kMostChannels = 1u << 26;

  // Clockwise, then counter-clockwise; by segment; by wavelength, or by bundle of them.
  void add_segments() {
    resources_ = {};
    for (const char* direction : {"clockwise", "counter-clockwise"}) {
      const auto name = [n = nodes_, w = lanes_ / bundle_, bundle = bundle_, direction](std::uint32_t i) {
        return fmt::format("segment {}-{} {}, wavelength {}", i / w, (i / w + 1) % n, direction, i % w * bundle);
      };
      resources_.add_channels(nodes_ * (lanes_ / bundle_), capabilities_.link_rate, {retune_, false, true, bundle_},
                              {name, fmt::format("segment {}", direction)});
    }
  }

  std::uint32_t hops_between(NodeId from, NodeId to, bool clockwise) const {
    return clockwise ? (to.value + nodes_ - from.value) % nodes_ : (from.value + nodes_ - to.value) % nodes_;
  }
  NodeId farthest(NodeId from, std::span<const NodeId> to, bool clockwise) const {
    return *std::max_element(to.begin(), to.end(), [&](NodeId a, NodeId b) {
      return hops_between(from, a, clockwise) < hops_between(from, b, clockwise);
    });
  }

  // Where a move starts and, each way, where its light has to reach.
  struct Reach {
    NodeId from, clockwise, counter;
  };
  Reach reach_of(const schedule::CollectiveRequest& request, const Traveller& traveller) const {
    const auto& nodes = request.groups[traveller.group];
    const auto node = [&](schedule::Position p) { return nodes[static_cast<std::size_t>(p)]; };
    const NodeId from = node(traveller.move->source);
    if (traveller.move->destination >= 0)
      return {from, node(traveller.move->destination), node(traveller.move->destination)};
    std::vector<NodeId> to;
    for (const schedule::Position p : traveller.schedule->members(traveller.move->destination)) to.push_back(node(p));
    return {from, farthest(from, to, true), farthest(from, to, false)};
  }

  // A node sends, and hears, on `drive_` wavelengths at once, in whatever round; sub-rounds are not counted on.
  std::optional<Refusal> too_many_driven(const schedule::Schedule& schedule, const schedule::Phase& phase,
                                         std::uint32_t index) const {
    if (drive_ >= 2 * lanes_) return std::nullopt;
    struct Change {
      std::uint32_t node, round;  // node: even for what it sends, odd for what it hears
      std::int32_t width;
      std::uint32_t move;
    };
    std::vector<Change> changes;
    for (std::uint32_t m = 0; m < phase.moves.size(); ++m) {
      const schedule::Move& move = phase.moves[m];
      const schedule::Window window = schedule::window(move, phase);
      if (window.first == window.last) continue;
      const auto add = [&](std::uint32_t node) {
        changes.push_back({node, window.first, move.lane.width, m});
        changes.push_back({node, window.last, -move.lane.width, m});
      };
      for (const schedule::Position p : schedule.members(move.source)) add(2 * static_cast<std::uint32_t>(p));
      for (const schedule::Position p : schedule.members(move.destination)) add(2 * static_cast<std::uint32_t>(p) + 1);
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return std::tie(a.node, a.round, a.width) < std::tie(b.node, b.round, b.width);
    });
    std::int64_t driven = 0;
    for (const Change& change : changes)
      if ((driven += change.width) > static_cast<std::int64_t>(drive_))
        return Refusal{fmt::format("a node would drive {} wavelengths at once, and fabric.drive is {}", driven, drive_),
                       "Lower algorithm.stripe or algorithm.group, or raise fabric.drive.",
                       index,
                       {change.move},
                       {}};
    return std::nullopt;
  }

  std::uint32_t nodes_, lanes_;
  std::uint32_t bundle_ = 1;  // wavelengths that nobody takes apart, in one channel
  int wavelengths_;           // of one fibre
  std::uint32_t drive_;
  Time retune_, latency_;
  bool every_step_, ahead_, multicast_, enforce_, regenerate_, amplify_;
  photonics::LinkBudget budget_;
  std::optional<int> reach_;  // hops that close, with confidence, where every path asks for it
};

Parameter count(const char* name, const char* fallback, const char* maximum, const char* description,
                Situation matters) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = ParameterType::kInteger;
  parameter.fallback = fallback;
  parameter.optional = parameter.fallback.empty();
  parameter.minimum = "1";
  parameter.maximum = maximum;
  parameter.description = description;
  parameter.matters = std::move(matters);
  return parameter;
}

Parameter flag(const char* name, const char* description, Situation matters) {
  return {.name = name,
          .type = ParameterType::kBoolean,
          .fallback = "false",
          .description = description,
          .matters = std::move(matters)};
}

}  // namespace

Description describe_wdm_ring() {
  const std::string bare = "all-reduce fabric=wdm-ring bytes=1MB algorithm=", ring = bare + "ring nodes=16",
                    wrht = bare + "wrht nodes=64";
  Parameter rate = rate_parameter(ring, "one wavelength, one direction");
  rate.fallback = "40 Gb/s";
  rate.description = "one wavelength, one direction; the default is TeraRack's (the node that WRHT assumes, recalled)";
  Parameter latency = latency_parameter(
      ring, "0 s", "propagation per segment crossed; the default is WRHT's accounting, which leaves it out");
  latency.matters.other = "10 ns";
  Parameter retune = latency_parameter(
      ring, "25 us",
      "a lightpath is dark for so long when it is set up; the default is that of micro-rings in TeraRack (recalled)");
  retune.name = "retune";
  retune.matters.other = "1 us";
  const std::string far = bare + "wrht nodes=1024";
  std::vector<Parameter> parameters = {
      nodes_parameter(bare + "ring", "1048576"),
      count("wavelengths", "64", "4096", "on each fibre; the default is TeraRack's (recalled)", {wrht, "4", ""}),
      count("fibres", "1", "64", "per direction", {wrht, "2", ""}),
      rate,
      latency,
      retune,
      {.name = "retune_rule",
       .type = ParameterType::kChoice,
       .fallback = "changed",
       .description = "who is dark: lightpaths that the step before did not have, or all of every step (the WRHT "
                      "paper's accounting)",
       .matters = {.question = ring, .other = "every-step"},
       .choices = {"changed", "every-step"}},
      flag("retune_ahead",
           "lightpaths whose wavelengths rest are tuned while the step before runs (SWOT's idea, arXiv 2510.19322)",
           {bare + "wrht nodes=64 algorithm.group=3 algorithm.alternate=true", "true", ""}),
      step_overhead_parameter(ring),
      count("drive", "", "1000000",
            "wavelengths that a node sends, and hears, at once, over both directions; unset: all",
            {wrht + " algorithm.group=9", "4", "8", true}),
      flag("multicast",
           "drop and continue: everyone on the way of a lightpath may take a part of its light; the loss of the taps "
           "is not counted",
           {"broadcast fabric=wdm-ring nodes=16 bytes=1MB algorithm=in-fabric remedy=endpoint", "true", ""}),
      photonics::by_light(flag("enforce_budget",
                               "refuse what does not arrive; the budget is reported in any case; unset: wdm-planned "
                               "keeps it (not with light = generous), others report it",
                               {far, "true", "false", true})),
      flag("regenerators", "paths that do not close get regenerators, with their delay", {far, "true", ""}),
      flag("amplifiers", "paths that do not close passively get amplifiers, where these suffice",
           {bare + "wrht nodes=32 fabric.enforce_budget=true", "false", "true", true}),
  };
  for (Parameter& parameter : photonics::budget_parameters(bare + "wrht nodes=32"))
    parameters.push_back(std::move(parameter));
  return {"wdm-ring", "a ring of fibre with wavelengths each way; lightpaths, retuning, link budget",
          "after TeraRack and SiP-ML (Khani et al., SIGCOMM 2021), the machine of WRHT (Dai et al., arXiv 2207.10982)",
          std::move(parameters), photonics::fact_kinds_of_rings()};
}

std::unique_ptr<Fabric> make_wdm_ring(const Parameters& parameters) { return std::make_unique<WdmRing>(parameters); }

Settings footing_of_wdm_ring(Settings given, const Footing& footing) {
  if (!footing.injection || given.contains("drive")) return given;
  return with_lanes("wdm-ring", std::move(given), *footing.injection, "wavelengths");
}

}  // namespace helio::fabric
