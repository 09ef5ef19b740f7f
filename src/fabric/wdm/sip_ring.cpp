// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/sip_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/carrier.h"
#include "fabric/parameters.h"
#include "fabric/wdm/lit_ring.h"
#include "fabric/wdm/retune.h"
#include "fabric/wdm/sip_allocation.h"
#include "fabric/wdm/wdm_facts.h"
#include "photonics/budget_parameters.h"

namespace helio::fabric {
namespace {

constexpr std::uint64_t kMostTransmitters = 1u << 26;

class SipRing : public Fabric {
 public:
  explicit SipRing(const Parameters& parameters)
      : rings_{static_cast<std::uint32_t>(parameters.integer("nodes")),
               static_cast<std::uint32_t>(parameters.integer("rings")),
               static_cast<std::uint32_t>(parameters.integer("wavelengths") / parameters.integer("rings") / 2)},
        budget_(photonics::budget_from(parameters, parameters.rate("rate"))) {
    if (rings_.each == 0)
      throw Error(ErrorKind::kInput,
                  fmt::format("{} wavelengths of a node over {} rings and two directions leave none for each",
                              parameters.integer("wavelengths"), rings_.rings),
                  parameters.place("rings"), "Two wavelengths for each ring are the least.");
    if (std::uint64_t{rings_.nodes} * rings_.each_way() > kMostTransmitters / 2)
      throw Error(ErrorKind::kInput,
                  fmt::format("{} nodes with {} wavelengths are too many", rings_.nodes, 2 * rings_.each_way()),
                  parameters.place("wavelengths"),
                  fmt::format("nodes times wavelengths may be {} at most", kMostTransmitters));

    // Light and dark
    const Time interval = parameters.time("interval"), retune = parameters.time("retune");
    duty_ = interval.to_seconds() / (interval + retune).to_seconds();
    Time change = retune;  // from a change of the demand to the first byte
    if (parameters.text("decisions") == "periodic") change += Time::seconds((interval + retune).to_seconds() / 2);
    line_rate_ = parameters.rate("rate");
    const BitRate wavelength = line_rate_ * duty_;

    const BitRate direction = wavelength * rings_.each_way();
    gives_ways_ = false;
    capabilities_.fabric = "sip-ring";
    capabilities_.nodes = rings_.nodes;
    capabilities_.adjacency = schedule::Adjacency::kRing;
    capabilities_.link_rate = direction;
    capabilities_.injection = capabilities_.ejection = 2 * direction;
    capabilities_.lit_share = duty_;
    capabilities_.hop_latency = capabilities_.nearest_latency = parameters.time("latency");
    capabilities_.farthest_latency = capabilities_.hop_latency * (rings_.nodes / 2);
    capabilities_.step_overhead = parameters.time("step_overhead");
    capabilities_.directions = 2;
    capabilities_.first_setup = capabilities_.step_setup = change;
    if (rings_.nodes > 1)
      capabilities_.cuts.push_back(
          {"two segments that halve the ring", rings_.nodes / 2, 2 * direction, 2 * direction});
    add_resources(change, wavelength);
  }

  Bill bill() const override {
    Bill bill;
    const double lanes = 2.0 * rings_.each_way();
    const auto passed = add_ring_transceivers(bill, rings_.nodes, lanes, lanes, line_rate_);
    bill.cross({0}, segments_.value, passed);
    return bill;
  }

  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  const SipRings& rings() const { return rings_; }
  double duty() const { return duty_; }
  // Of the longest path, on one of its rings.
  photonics::Verdict judge(std::uint32_t hops) const {
    return photonics::judge(budget_, static_cast<int>(hops), static_cast<int>(rings_.each));
  }
  // Of a node, direction, ring and number; of a direction and the node that it leaves.
  std::uint32_t transmitter(std::uint32_t node, const SipGrant& grant) const {
    return ((node * 2 + grant.direction) * rings_.rings + grant.ring) * rings_.each + grant.first;
  }
  std::uint32_t segment(std::uint32_t direction, std::uint32_t node) const {
    return segments_.value + (direction == 0 ? 0 : rings_.nodes) + node;
  }

 private:
  void add_resources(Time change, BitRate wavelength) {
    const auto transmitter_name = [r = rings_](std::uint32_t i) {
      return fmt::format("transmitter {} of node {}, ring {} {}", i % r.each, i / (2 * r.each_way()),
                         i / r.each % r.rings, i / r.each_way() % 2 == 0 ? "clockwise" : "counter-clockwise");
    };
    const auto segment_name = [n = rings_.nodes](std::uint32_t i) {
      return i < n ? fmt::format("segment {} to {}", i, (i + 1) % n)
                   : fmt::format("segment {} to {}", i - n, (i - 1) % n);
    };
    resources_.add_channels(2 * rings_.nodes * rings_.each_way(), wavelength, {change, false, false}, transmitter_name);
    segments_ = resources_.add_links(2 * rings_.nodes, capabilities_.link_rate, {segment_name, "segment node to node"});
  }

  SipRings rings_;
  double duty_ = 1;
  photonics::LinkBudget budget_;
  BitRate line_rate_;  // of one wavelength while there is light
  flow::ResourceId
      segments_;  // clockwise out of node i, then counter-clockwise out of node i; before them all transmitters
};

// Keeps the shares that the steps of a schedule were given while it is lowered.
class SipCarrier : public Carrier {
 public:
  SipCarrier(const SipRing& ring, flow::Program& program, Site site)
      : Carrier(ring, program, std::move(site)), ring_(ring), rings_(ring.rings()) {}

 protected:
  // Wavelengths follow the demand; a schedule may only fix the direction.
  std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                const LowerOptions& options) override {
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      for (std::uint32_t m = 0; m < schedule.phases[p].moves.size(); ++m)
        if (const schedule::Lane& lane = schedule.phases[p].moves[m].lane; lane.wavelength >= 0 || lane.width != 1)
          return Refusal{"sip-ring gives wavelengths by demand and takes none that a schedule fixes",
                         "Use an algorithm without lanes or stripes, or the fabric wdm-ring.",
                         p,
                         {m},
                         {}};
    shares_.clear();
    fewest_ = 0xffffffffu;
    most_ = turns_ = 0;
    return Carrier::object(schedule, request, options);
  }

  void assign(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
              std::vector<Assignment>& assignments) override {
    std::vector<SipDemand> demands;
    for (const Traveller& traveller : travellers) {
      const auto node = [&](schedule::Position p) {
        return request.groups[traveller.group][static_cast<std::size_t>(p)].value;
      };
      const schedule::Move& move = *traveller.move;
      demands.push_back({node(move.source), node(move.destination), 1.0 * move.count, move.lane.direction});
    }
    const auto before = shares_.size();
    for (SipShare& share : allocate(rings_, demands)) shares_.push_back(std::move(share));
    for (std::size_t i = 0; i < travellers.size(); ++i) {
      schedule::Lane lane = travellers[i].move->lane;
      lane.wavelength = static_cast<std::int32_t>(before + i);  // which share, not which wavelength
      assignments.push_back({lane, shares_[before + i].turn});
    }
  }

  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) override {
    const SipShare& share = shares_[static_cast<std::size_t>(carriage.move.lane.wavelength)];
    std::vector<std::uint64_t> pair{kPair, from.value, to.value};
    std::uint32_t each_way[2] = {0, 0}, longest = 0;
    for (const SipGrant& grant : share.grants) {
      pair.insert(pair.end(), {grant.direction, grant.ring, grant.first, grant.count});
      each_way[grant.direction] += grant.count;
      for (std::uint32_t k = 0; k < grant.count; ++k) way.hold({ring_.transmitter(from.value, grant) + k});
    }
    for (const std::uint32_t direction : {0u, 1u}) {
      if (each_way[direction] == 0) continue;
      const std::uint32_t hops = sip_hops(rings_, from.value, to.value, static_cast<int>(direction));
      std::uint32_t at = from.value;
      for (std::uint32_t h = 0; h < hops; ++h) {
        way.cross({ring_.segment(direction, at)}, static_cast<float>(each_way[direction]));
        at = direction == 0 ? (at + 1 == rings_.nodes ? 0 : at + 1) : (at == 0 ? rings_.nodes - 1 : at - 1);
      }
      longest = std::max(longest, hops);
    }
    way.hops = std::max(way.hops, longest);
    way.latency += capabilities().hop_latency * longest;
    way.bytes_factor = 1.0 / share.wavelengths();
    way.circuit = circuits_.of(pair);
    fewest_ = std::min(fewest_, share.wavelengths());
    most_ = std::max({most_, each_way[0], each_way[1]});
    turns_ = std::max(turns_, share.turn + 1);
  }

  std::optional<Refusal> complete(const schedule::Schedule&, const schedule::CollectiveRequest&,
                                  const LowerOptions& options, std::size_t first, Lowered& lowered) override {
    if (options.order == schedule::Order::kStep) {
      mark_steps(first);
      light_changed(program(), lowered.entry, false);
    }
    lowered.wavelengths_used = most_;
    lowered.facts.push_back({sip_ring_facts::kDuty, ring_.duty()});
    lowered.facts.push_back({sip_ring_facts::kFewestWavelengths, static_cast<double>(turns_ == 0 ? 0 : fewest_)});
    lowered.facts.push_back({sip_ring_facts::kTurns, static_cast<double>(turns_)});
    for (Fact& fact : photonics::facts_of(ring_.judge(lowered.longest_path_hops)))
      lowered.facts.push_back(std::move(fact));
    return std::nullopt;
  }

  bool lanes_are_promises() const override { return true; }

  Picture picture_here(const schedule::Schedule&, const schedule::CollectiveRequest&, const Lowered& lowered) override {
    return lit_ring(program(), lowered.entry,
                    {.nodes = rings_.nodes,
                     .wavelengths = rings_.each_way(),
                     .numbered = false,
                     .segments_from = offset() + ring_.segment(0, 0)});
  }

 private:
  // A step's circuit is the whole allocation: whatever changes in it, all of it is dark. Steps are the templates made since `first`.
  void mark_steps(std::size_t first) {
    for (std::size_t t = first; t < program().templates.size(); ++t) {
      std::vector<std::uint64_t> all{kStep};
      for (const flow::Operation& op : program().templates[t].operations) all.push_back(op.circuit);
      std::sort(all.begin() + 1, all.end());
      const flow::Circuit circuit = circuits_.of(all);
      for (flow::Operation& op : program().templates[t].operations)
        if (op.kind == flow::OperationKind::kTransfer) op.circuit = circuit;
    }
  }

  // What a circuit is of: a pair with its wavelengths; the pairs of a step together
  enum : std::uint64_t { kPair, kStep };

  const SipRing& ring_;
  const SipRings& rings_;
  std::vector<SipShare> shares_;
  std::uint32_t fewest_ = 0xffffffffu, most_ = 0, turns_ = 0;
  Circuits circuits_;
};

std::unique_ptr<Carrier> SipRing::install(flow::Program& program, Site site) const {
  return std::make_unique<SipCarrier>(*this, program, std::move(site));
}

Parameter count(const char* name, const char* fallback, const char* maximum, const char* description,
                Situation matters) {
  return {.name = name,
          .type = ParameterType::kInteger,
          .fallback = fallback,
          .minimum = "1",
          .maximum = maximum,
          .description = description,
          .matters = std::move(matters)};
}

}  // namespace

Description describe_sip_ring() {
  const std::string bare = "all-reduce fabric=sip-ring bytes=1MB algorithm=ring", ring = bare + " nodes=16";
  Parameter rate = rate_parameter(ring, "");
  rate.fallback = "25 Gb/s";
  rate.description = "one wavelength; the default is that of SiP-ML's simulator (MLNetwork/rostam)";
  Parameter latency =
      latency_parameter(ring, "0 s", "propagation per segment crossed; the default is that of SiP-ML's simulator");
  latency.matters.other = "10 ns";
  Parameter interval = latency_parameter(
      ring, "100 us", "light between two dark times; the default is that of the scripts of SiP-ML's simulator");
  interval.name = "interval";
  interval.minimum_exclusive = true;
  interval.matters.other = "300 us";
  Parameter retune =
      latency_parameter(ring, "25 us",
                        "all of the ring is dark for so long before each interval and when the "
                        "allocation changes; the default is SiP-ML's (recalled), its simulator has 20 us");
  retune.name = "retune";
  retune.matters.other = "20 us";
  std::vector<Parameter> parameters = {
      nodes_parameter(bare, "1048576"),
      count("wavelengths", "4", "4096",
            "of a node, over both directions and all rings; the default makes 100 Gb/s, ODDL's comparison; SiP-ML "
            "sweeps 20 to 320",
            {ring, "8", ""}),
      count("rings", "1", "64",
            "parallel rings that divide the wavelengths, in whole numbers; SiP-ML's simulator has 5",
            {ring + " fabric.wavelengths=8", "3", ""}),
      rate,
      latency,
      interval,
      retune,
      {.name = "decisions",
       .type = ParameterType::kChoice,
       .fallback = "at-change",
       .description = "when the demand changes the decision follows at once, or after half a period on average",
       .matters = {.question = ring, .other = "periodic"},
       .choices = {"at-change", "periodic"}},
      step_overhead_parameter(ring)};
  // Many wavelengths and long paths: light that does not arrive by itself
  const std::string far = "all-to-all fabric=sip-ring nodes=24 bytes=1MB algorithm=direct fabric.wavelengths=160";
  for (Parameter& parameter : photonics::budget_parameters(far)) parameters.push_back(std::move(parameter));
  return {"sip-ring", "SiP-ML's ring: wavelengths given to pairs by demand, dark while they are",
          "Khani et al., SiP-ML, SIGCOMM 2021; as in its simulator MLNetwork/rostam, the allocation by our heuristic",
          std::move(parameters), sip_ring_facts::kinds()};
}

std::unique_ptr<Fabric> make_sip_ring(const Parameters& parameters) { return std::make_unique<SipRing>(parameters); }

Settings footing_of_sip_ring(Settings given, const Footing& footing) {
  if (!footing.injection) return given;
  const long long rings = fabrics().resolve(fabrics().at("sip-ring"), given).integer("rings");
  return with_lanes("sip-ring", std::move(given), *footing.injection, "wavelengths", 2 * rings);
}

}  // namespace helio::fabric
