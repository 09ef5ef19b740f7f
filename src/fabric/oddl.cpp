// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fabric/oddl_lights.h"
#include "fabric/oddl_parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

// What the first flow of the second transceiver is worth at the port beside the first one's. With share w that flow, as long as
// the others, ends (1 - w)/w of a flow later than the other transceiver's first: half a flow here, so that each is tuned while the
// other is amid its flow, to the last.
constexpr float kStaggeredShare = 2.0f / 3;

// What a collective lit.
struct Lit {
  std::uint32_t channels = 0;  // on the busiest group fibre, over all planes
  std::uint32_t planes = 0, wavelengths = 0;
};

class Oddl : public RoutedFabric {
 public:
  explicit Oddl(const Parameters& parameters) : options_(oddl_options(parameters)) {
    const BitRate port = options_.alternate ? options_.rate : options_.rate * options_.trx;
    capabilities_.fabric = "oddl";
    capabilities_.nodes = options_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = port;
    capabilities_.hop_latency = capabilities_.nearest_latency = capabilities_.farthest_latency = options_.latency;
    capabilities_.step_overhead = options_.step_overhead;
    capabilities_.first_setup = setup();
    capabilities_.senders_heard = static_cast<int>(options_.askers_per_node());
  }

  void install(flow::Program& program) override {
    const std::uint32_t trx = options_.trx, nodes = options_.nodes;
    const flow::ChannelRules dark{options_.dark(), false, false};
    const auto of_node = [trx](const char* what) {
      return [trx, what](std::uint32_t i) {
        return trx == 1 ? fmt::format("{} of node {}", what, i)
                        : fmt::format("{} {} of node {}", what, i % trx, i / trx);
      };
    };
    transmitters_ = program.resources.add_channels(nodes * trx, options_.rate, dark, of_node("transmitter"));
    receivers_ = program.resources.add_channels(nodes * trx, options_.rate, dark, of_node("receiver"));
    lights_ = program.resources.add_channels(
        options_.geometry.lights() * trx, options_.rate, {options_.dark(), false, !options_.alternate},
        [g = options_.geometry, trx](std::uint32_t i) {
          const std::uint32_t light = i / trx, plane = light / g.channels % g.planes * trx + i % trx;
          return fmt::format("channel {} of group {}, plane {}", light % g.channels, light / g.channels / g.planes,
                             plane);
        });
    if (options_.alternate)
      ports_ = program.resources.add_links(2 * nodes, options_.rate, [nodes](std::uint32_t i) {
        return i < nodes ? fmt::format("port out of node {}", i) : fmt::format("port into node {}", i - nodes);
      });
    slices_.assign(options_.askers_per_node(), OddlLights(options_.geometry, options_.tunable_receivers));
    coflow_bytes_.clear();
    program.controller = std::make_shared<OddlController>(options_.control);
    program.messages = options_.messages;
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override {
    const std::uint32_t trx = options_.trx, turn = turn_of(from, to);
    const std::uint32_t light = slices_[turn].light(options_.geometry.group_of(from), to);
    for (std::uint32_t k = options_.alternate ? turn : 0; k < (options_.alternate ? turn + 1 : trx); ++k)
      for (const flow::ResourceId id :
           {flow::ResourceId{transmitters_.value + from.value * trx + k},
            flow::ResourceId{receivers_.value + to.value * trx + k}, flow::ResourceId{lights_.value + light * trx + k}})
        way.channels.push_back(id);
    if (options_.alternate) {
      way.cross({ports_.value + from.value});
      way.cross({ports_.value + options_.nodes + to.value});
    }
    // One light leads from a group to a node, so that the two ends and the transceiver name the circuit
    way.circuit = 1 + (std::uint64_t{from.value} * options_.nodes + to.value) * options_.askers_per_node() + turn;
    way.bytes_factor = options_.alternate ? 1 : 1.0 / trx;
    way.latency += options_.latency;
    way.hops = std::max(way.hops, 1u);
    way.controlled = true;
    way.agent = from.value * options_.askers_per_node() + turn;
    way.claim = OddlClaim{to.value * options_.askers_per_node() + turn}.pack();
  }

  LowerResult lower(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                    const LowerOptions& options, flow::Program& program) const override {
    if (std::optional<Refusal> refusal = object(schedule, request)) return *std::move(refusal);
    Lit lit;
    if (std::optional<Refusal> refusal = light(schedule, request, lit)) return *std::move(refusal);
    const std::size_t first = program.templates.size();
    LowerResult result = RoutedFabric::lower(schedule, request, options, program);
    auto* lowered = std::get_if<Lowered>(&result);
    if (!lowered) return result;
    keep_circuits(program, first);
    if (options_.control.policy == OddlPolicy::kCoflow)
      if (std::optional<Refusal> refusal = name_coflows(program, first, schedule)) return *std::move(refusal);
    if (options_.alternate) stagger(program, first);

    // What there is to say about it
    lowered->wavelengths_used = lit.wavelengths;
    lowered->facts = {{"channels", static_cast<double>(lit.channels)},
                      {"planes", static_cast<double>(lit.planes)},
                      {"setup_s", lone_setup().to_seconds()},
                      {"wss_s", options_.wss.to_seconds()},
                      {"isolation", std::string(whole_groups(request) ? "physical" : "masked")},
                      {"model", std::string("ours throughout: only the abstract of the ODDL paper is known")}};
    for (Fact& fact : photonics::facts_of(options_.arrival)) lowered->facts.push_back(std::move(fact));
    return result;
  }

 private:
  // Before the first byte of any flow: the round trip of its request, and the dark time.
  Time setup() const {
    return (options_.control.policy == OddlPolicy::kPlanned ? Time() : options_.control.round_trip()) + options_.dark();
  }

  // Of a lone flow that is ready when a slot begins, where there are slots.
  Time lone_setup() const {
    const OddlControlOptions& control = options_.control;
    if (control.mode != OddlControlMode::kSlotted || control.policy == OddlPolicy::kPlanned) return setup();
    const auto slots = control.round_trip() / control.slot;
    const Time whole = control.slot * slots;
    return (whole < control.round_trip() ? whole + control.slot : whole) + options_.dark();
  }

  // Which of the transceivers that take turns carries it. By the distance round all nodes, so that where all send equally far all
  // use the same one, and no receiver is asked for twice.
  std::uint32_t turn_of(NodeId from, NodeId to) const {
    return (to.value + options_.nodes - from.value) % options_.nodes % options_.askers_per_node();
  }

  // Lights all pairs of the collective, beside those that are lit.
  std::optional<Refusal> light(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                               Lit& lit) const {
    std::vector<std::vector<NodePair>> pairs(slices_.size());
    for (const std::vector<NodeId>& nodes : request.groups)
      for (const NodePair& pair : pairs_of(schedule, nodes)) pairs[turn_of(pair.from, pair.to)].push_back(pair);

    // All of it, or nothing
    std::vector<std::vector<OddlLights::Entry>> more;
    for (std::uint32_t turn = 0; turn < slices_.size(); ++turn) {
      auto fit = slices_[turn].lacking(pairs[turn]);
      if (const Unfit* unfit = std::get_if<Unfit>(&fit)) return refuse(schedule, turn, pairs[turn], *unfit);
      more.push_back(std::get<std::vector<OddlLights::Entry>>(std::move(fit)));
    }
    for (std::uint32_t turn = 0; turn < slices_.size(); ++turn) slices_[turn].add(more[turn]);

    // What of the slice this collective uses
    const OddlGeometry& g = options_.geometry;
    const std::uint32_t copies = options_.alternate ? 1 : options_.trx;
    std::vector<std::uint32_t> per_group(g.groups, 0);
    std::set<std::uint32_t> wavelengths;
    for (std::uint32_t turn = 0; turn < slices_.size(); ++turn) {
      std::set<std::uint32_t> seen;
      for (const NodePair& pair : pairs[turn]) {
        const std::uint32_t group = g.group_of(pair.from), light = slices_[turn].light(group, pair.to);
        if (!seen.insert(light).second) continue;
        per_group[group] += copies;
        wavelengths.insert(light % g.channels);
        lit.planes = std::max(lit.planes, light / g.channels % g.planes * options_.trx + turn + copies);
      }
    }
    lit.channels = *std::max_element(per_group.begin(), per_group.end());
    lit.wavelengths = static_cast<std::uint32_t>(wavelengths.size());
    return std::nullopt;
  }

  Refusal refuse(const schedule::Schedule& schedule, std::uint32_t turn, const std::vector<NodePair>& pairs,
                 const Unfit& unfit) const {
    const bool two_level = schedule.algorithm == "two-level";
    return Refusal{fmt::format("its slice does not fit: {} needs {} channels a group, and {}", schedule.algorithm,
                               channels_needed(options_.geometry, pairs), unfit.words),
                   fmt::format("Use {}, leave fabric.planes out, or raise it: {} would carry this collective alone.",
                               two_level ? "algorithm.group of as many ranks as a group of the fabric has"
                                         : "an algorithm with fewer partners (two-level, ring)",
                               slices_[turn].planes_for(pairs) * options_.trx),
                   0,
                   {},
                   {}};
  }

  // A circuit that carries several rounds stays while they last.
  static void keep_circuits(flow::Program& program, std::size_t first) {
    const auto keep = [](flow::Operation& op) {
      OddlClaim claim = OddlClaim::unpack(op.claim);
      claim.keep = true;
      op.claim = claim.pack();
    };
    for (std::size_t t = first; t < program.templates.size(); ++t) {
      std::vector<flow::Operation>& operations = program.templates[t].operations;
      for (std::size_t i = 0; i < operations.size(); ++i) {
        flow::Operation& op = operations[i];
        if (op.controlled && op.repeat > 1) keep(op);
        if (op.kind != flow::OperationKind::kCall) continue;
        const bool again = i + 1 < operations.size() && operations[i + 1].callee == op.callee;
        if (op.rounds > 1 || again)
          for (flow::Operation& inner : program.templates[op.callee.value].operations)
            if (inner.controlled) keep(inner);
      }
    }
  }

  // A coflow is a step: the moves of a template, over all its rounds, or in dataflow order the moves of a phase.
  std::optional<Refusal> name_coflows(flow::Program& program, std::size_t first,
                                      const schedule::Schedule& schedule) const {
    std::vector<std::uint32_t> phase_of;  // by a move's tag in dataflow order
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      phase_of.insert(phase_of.end(), schedule.phases[p].moves.size(), p);
    std::vector<double> rounds(program.templates.size(), 0);
    for (std::size_t t = first; t < program.templates.size(); ++t)
      for (const flow::Operation& op : program.templates[t].operations)
        if (op.kind == flow::OperationKind::kCall) rounds[op.callee.value] += static_cast<double>(op.rounds);
    for (std::size_t t = first; t < program.templates.size(); ++t) {
      const bool called = rounds[t] > 0;
      std::map<std::uint32_t, std::uint32_t> named;  // coflow of a phase
      for (flow::Operation& op : program.templates[t].operations) {
        if (!op.controlled) continue;
        const auto [place, fresh] = named.try_emplace(called ? 0 : phase_of[op.tag], coflow_bytes_.size() + 1);
        if (fresh) coflow_bytes_.push_back(0);
        coflow_bytes_[place->second - 1] += op.bytes * (called ? rounds[t] : op.repeat);
        if (place->second >= OddlClaim::kCoflows)
          return Refusal{
              fmt::format("more than {} steps, and control cannot tell so many coflows apart", OddlClaim::kCoflows - 1),
              "Use another fabric.policy.",
              0,
              {},
              {}};
        OddlClaim claim = OddlClaim::unpack(op.claim);
        claim.coflow = place->second;
        op.claim = claim.pack();
      }
    }
    OddlControlOptions control = options_.control;
    control.coflow_bytes = coflow_bytes_;
    program.controller = std::make_shared<OddlController>(std::move(control));
    return std::nullopt;
  }

  void stagger(flow::Program& program, std::size_t first) const {
    for (std::size_t t = first; t < program.templates.size(); ++t) {
      std::set<std::uint32_t> begun;
      for (flow::Operation& op : program.templates[t].operations)
        if (op.controlled && op.agent % options_.trx != 1 % options_.trx && begun.insert(op.agent).second)
          op.share = std::max(flow::kSmallestShare, op.share * kStaggeredShare);
    }
  }

  // Whether nobody else can be in the groups of the request.
  bool whole_groups(const schedule::CollectiveRequest& request) const {
    std::set<NodeId> nodes;
    for (const std::vector<NodeId>& group : request.groups) nodes.insert(group.begin(), group.end());
    for (const NodeId node : nodes) {
      const std::uint32_t n = options_.geometry.nodes_per_group, begin = node.value / n * n;
      for (std::uint32_t other = begin; other < std::min(begin + n, options_.nodes); ++other)
        if (!nodes.contains(NodeId{other})) return false;
    }
    return true;
  }

  const OddlOptions options_;
  flow::ResourceId transmitters_, receivers_;  // by node, then transceiver
  flow::ResourceId lights_;                    // by light of the geometry, then transceiver
  flow::ResourceId ports_;                     // out of each node, then into each
  mutable std::vector<OddlLights> slices_;     // of each transceiver that takes turns, else one for all
  mutable std::vector<double> coflow_bytes_;
};

}  // namespace

Description describe_oddl() {
  return {"oddl",
          "all-optical: slices per job by WSS, circuits per flow by tuning, distributed control; the model is ours",
          "after the abstract of Li et al., JOCN 16(3) 342-357, 2024, which is all that is known of the paper",
          oddl_parameters()};
}

std::unique_ptr<Fabric> make_oddl(const Parameters& parameters) { return std::make_unique<Oddl>(parameters); }

}  // namespace helio::fabric
