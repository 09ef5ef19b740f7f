// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.h"
#include "fabric/oddl/oddl_claims.h"
#include "fabric/oddl/oddl_facts.h"
#include "fabric/oddl/oddl_lights.h"
#include "fabric/oddl/oddl_parameters.h"
#include "fabric/oddl/oddl_parts.h"

namespace helio::fabric {
namespace {

// What a collective uses of the light.
struct Use {
  std::uint32_t channels = 0;  // at once, on the busiest group fibre, over all planes
  std::uint32_t planes = 0;
  std::set<std::uint32_t> wavelengths;
};

// A refusal of all of it.
Refusal no(std::string reason, Advice advice) { return {std::move(reason), std::move(advice), 0, {}, {}}; }

using Lights = std::vector<OddlLights>;  // of each transceiver that takes turns, else one for all

class Oddl : public OddlFabric {
 public:
  explicit Oddl(const Parameters& parameters) : options_(oddl_options(parameters)) {
    const BitRate port = options_.alternate ? options_.rate : options_.rate * options_.trx;
    gives_ways_ = false;
    capabilities_.fabric = "oddl";
    capabilities_.nodes = options_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = port;
    capabilities_.hop_latency = capabilities_.nearest_latency = capabilities_.farthest_latency = options_.latency;
    capabilities_.step_overhead = options_.step_overhead;
    capabilities_.first_setup = capabilities_.step_setup = options_.setup();
    capabilities_.senders_heard = static_cast<int>(options_.askers_per_node());
    capabilities_.assumptions = {"ODDL's model is ours throughout: only the abstract of its paper is known"};
    add_resources();
  }

  const OddlGeometry& geometry() const override { return options_.geometry; }
  Time wss() const override { return options_.wss; }
  flow::ResourceId first_light() const override { return lights_; }
  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  // Each plane of each group has an amplifier before its WSS and one before its AWG.
  Bill bill() const override {
    const double transceivers = static_cast<double>(options_.nodes) * options_.trx;
    const OddlGeometry& g = options_.geometry;
    const double planes = static_cast<double>(g.groups) * g.planes * options_.trx;
    Bill bill;
    bill.add({"tunable-laser", transceivers, "each transceiver"});
    bill.add({"edfa", 2 * planes, "each plane of each group, two"});
    bill.add({"wss", planes, "each plane of each group"});
    bill.add({"awg", planes, "each plane of each group"});
    if (options_.control.policy != OddlPolicy::kPlanned)
      bill.add({"arbiter", 1.0 * options_.control.arbiters(), "who grants receivers, and who stands in"});
    const std::uint32_t ends = bill.add({"serdes", transceivers, "each transceiver's node side", 2 * options_.rate}),
                        modules = bill.add({"optical-module", transceivers, "each transceiver", 2 * options_.rate});
    bill.cross(transmitters_, options_.nodes * options_.trx, {{ends, 2}, {modules, 2}});
    return bill;
  }

  const OddlOptions& options() const { return options_; }
  flow::ResourceId transmitter(NodeId node, std::uint32_t k) const {
    return {transmitters_.value + node.value * options_.trx + k};
  }
  flow::ResourceId receiver(NodeId node, std::uint32_t k) const {
    return {receivers_.value + node.value * options_.trx + k};
  }
  flow::ResourceId light(std::uint32_t light, std::uint32_t k) const {
    return {lights_.value + light * options_.trx + k};
  }
  flow::ResourceId port_out(NodeId node) const { return {ports_out_.value + node.value}; }
  flow::ResourceId port_in(NodeId node) const { return {ports_in_.value + node.value}; }

 private:
  void add_resources() {
    const std::uint32_t trx = options_.trx, nodes = options_.nodes;
    const flow::ChannelRules dark{options_.dark(), false, false};
    const auto of_node = [trx](const char* what) {
      return [trx, what](std::uint32_t i) {
        return trx == 1 ? fmt::format("{} of node {}", what, i)
                        : fmt::format("{} {} of node {}", what, i % trx, i / trx);
      };
    };
    transmitters_ = resources_.add_channels(nodes * trx, options_.rate, dark, of_node("transmitter"));
    receivers_ = resources_.add_channels(nodes * trx, options_.rate, dark, of_node("receiver"));
    const auto light_name = [g = options_.geometry, trx](std::uint32_t i) {
      const std::uint32_t of = i / trx, plane = of / g.channels % g.planes * trx + i % trx;
      return fmt::format("channel {} of group {}, plane {}", of % g.channels, of / g.channels / g.planes, plane);
    };
    lights_ = resources_.add_channels(options_.geometry.lights() * trx, options_.rate,
                                      {options_.dark(), false, !options_.alternate}, {light_name, "channel of group"});
    if (!options_.alternate) return;
    ports_out_ = resources_.add_links(
        nodes, options_.rate,
        {[](std::uint32_t i) { return fmt::format("port out of node {}", i); }, "port out of node"});
    ports_in_ = resources_.add_links(
        nodes, options_.rate, {[](std::uint32_t i) { return fmt::format("port into node {}", i); }, "port into node"});
  }

  const OddlOptions options_;
  flow::ResourceId transmitters_, receivers_;  // by node, then transceiver
  flow::ResourceId lights_;                    // by light of the geometry, then transceiver
  flow::ResourceId ports_out_, ports_in_;      // by node, where transceivers take turns
};

class LitCarrier : public OddlCarrier {
 public:
  LitCarrier(const Oddl& oddl, flow::Program& program, Site site)
      : OddlCarrier(oddl, program, std::move(site)),
        oddl_(oddl),
        options_(oddl.options()),
        control_(static_cast<std::uint16_t>(program.controls.size())),
        lit_(unlit()) {
    program.controls.push_back({std::make_shared<OddlController>(options_.control), options_.messages});
  }

  LowerResult lower_on(const Slice& slice, const schedule::Schedule& schedule,
                       const schedule::CollectiveRequest& request, const LowerOptions& options) override {
    if (0x1p63 / options_.nodes / options_.nodes / options_.geometry.lights() < static_cast<double>(++next_given_ + 1))
      return no("so large a fabric cannot tell the circuits of so many slices apart", "Use fewer slices.");
    std::vector<Lights> lights;
    for (OddlLights& each : lights_of(slice, options_.geometry)) lights.push_back({std::move(each)});
    const auto parts = parts_by_light(schedule, request.groups, [&](std::uint32_t part, const NodePair& pair) {
      return lights.at(part).front().lit(options_.geometry.group_of(pair.from), pair.to);
    });
    const Meanwhile given(given_, next_given_);
    return lower_parts(parts, lights, schedule, request, options);
  }

 protected:
  void route(NodeId from, NodeId to, const Carriage&, Way& way) override {
    const std::uint32_t trx = options_.trx, turn = turn_of(from, to);
    const std::uint32_t light = (*in_force_)[turn].light(options_.geometry.group_of(from), to);
    for (std::uint32_t k = options_.alternate ? turn : 0; k < (options_.alternate ? turn + 1 : trx); ++k) {
      way.hold(oddl_.transmitter(from, k));
      way.hold(oddl_.receiver(to, k));
      way.hold(oddl_.light(light, k));
    }
    if (options_.alternate) {
      way.cross(oddl_.port_out(from));
      way.cross(oddl_.port_in(to));
    }
    // The ends, the transceiver and the light, which may change, name the circuit; and a given slice, which no circuit outlives
    const std::uint64_t pair = (given_ * options_.nodes + from.value) * options_.nodes + to.value;
    way.circuit = 1 + (pair * options_.askers_per_node() + turn) * options_.geometry.lights() + light;
    way.always_setup = !options_.hold;
    way.bytes_factor = options_.alternate ? 1 : 1.0 / trx;
    way.latency += options_.latency;
    way.hops = std::max(way.hops, 1u);
    way.controlled = true;
    way.controller = control_;
    way.agent = from.value * options_.askers_per_node() + turn;
    way.claim = OddlClaim{to.value * options_.askers_per_node() + turn}.pack();
  }

  LowerResult lower_here(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                         const LowerOptions& options) override {
    if (std::optional<Refusal> refusal = object(schedule, request, options)) return *std::move(refusal);
    std::vector<NodePair> pairs;
    for (const std::vector<NodeId>& nodes : request.groups)
      for (const NodePair& pair : pairs_of(schedule, nodes)) pairs.push_back(pair);

    // Light for all pairs, beside what is lit: all of it, or nothing
    const std::vector<std::vector<NodePair>> turns = by_turn(pairs);
    std::vector<std::vector<OddlLights::Entry>> more;
    for (std::uint32_t turn = 0; turn < lit_.size(); ++turn) {
      auto fit = lit_[turn].lacking(turns[turn]);
      if (const Unfit* unfit = std::get_if<Unfit>(&fit)) return refuse(schedule, turn, turns[turn], *unfit);
      more.push_back(std::get<std::vector<OddlLights::Entry>>(std::move(fit)));
    }
    for (std::uint32_t turn = 0; turn < lit_.size(); ++turn) lit_[turn].add(more[turn]);
    Use use;
    return said(carry(schedule, request, options, lit_, pairs, use), request, use, 1);
  }

  std::optional<Remedied> remedy_here(Remedy way, const schedule::Schedule& schedule,
                                      const schedule::CollectiveRequest& request,
                                      const LowerOptions& options) override {
    if (way != Remedy::kSplit) return std::nullopt;
    if (std::optional<Refusal> refusal = object(schedule, request, options)) return Remedied{*std::move(refusal), ""};
    const auto cut = cut_into_parts(schedule, request.groups,
                                    [&](std::span<const NodePair> pairs) { return lit_with(pairs).has_value(); });
    if (const auto* stuck = std::get_if<std::vector<NodePair>>(&cut))
      return Remedied{no(fmt::format("a step of {} alone needs {} channels a group", schedule.algorithm,
                                     channels_needed(options_.geometry, *stuck)),
                         "Use an algorithm with fewer partners, or raise fabric.planes."),
                      ""};

    // Each part is lit beside what is lit, and all of its light is reserved
    const auto& parts = std::get<std::vector<RunPart>>(cut);
    std::vector<Lights> lights;
    for (const RunPart& part : parts) lights.push_back(*lit_with(part.pairs));
    for (const Lights& each : lights)
      for (std::uint32_t turn = 0; turn < lit_.size(); ++turn) lit_[turn].reserve(each[turn]);
    return Remedied{
        lower_parts(parts, lights, schedule, request, options),
        fmt::format("{} parts with a WSS change of {} before each but the first", parts.size(), format(options_.wss))};
  }

 private:
  // Which of the transceivers that take turns carries it. By the distance round all nodes, so that where all send equally far all
  // use the same one, and no receiver is asked for twice.
  std::uint32_t turn_of(NodeId from, NodeId to) const {
    return (to.value + options_.nodes - from.value) % options_.nodes % options_.askers_per_node();
  }

  Lights unlit() const {
    return Lights(options_.askers_per_node(), OddlLights(options_.geometry, options_.tunable_receivers));
  }

  std::vector<std::vector<NodePair>> by_turn(std::span<const NodePair> pairs) const {
    std::vector<std::vector<NodePair>> turns(lit_.size());
    for (const NodePair& pair : pairs) turns[turn_of(pair.from, pair.to)].push_back(pair);
    return turns;
  }

  // What is lit, and the light of these pairs beside it; none: it does not fit.
  std::optional<Lights> lit_with(std::span<const NodePair> pairs) const {
    const std::vector<std::vector<NodePair>> turns = by_turn(pairs);
    Lights lights = lit_;
    for (std::uint32_t turn = 0; turn < lights.size(); ++turn) {
      const auto fit = lights[turn].lacking(turns[turn]);
      if (std::holds_alternative<Unfit>(fit)) return std::nullopt;
      lights[turn].add(std::get<std::vector<OddlLights::Entry>>(fit));
    }
    return lights;
  }

  // Lowers a schedule whose pairs have their light.
  LowerResult carry(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                    const LowerOptions& options, const Lights& lights, std::span<const NodePair> pairs, Use& used) {
    const std::size_t first = program().templates.size();
    const Meanwhile in_force(in_force_, &lights);
    LowerResult result = Carrier::lower_here(schedule, request, options);
    if (!std::holds_alternative<Lowered>(result)) return result;
    if (options_.hold) keep_circuits(program(), first);
    if (options_.control.policy == OddlPolicy::kCoflow) {
      if (!name_coflows(program(), first, schedule, coflow_bytes_))
        return no(
            fmt::format("more than {} steps, and control cannot tell so many coflows apart", OddlClaim::kCoflows - 1),
            "Use another fabric.policy.");
      OddlControlOptions control = options_.control;
      control.coflow_bytes = coflow_bytes_;
      program().controls[control_].controller = std::make_shared<OddlController>(std::move(control));
    }
    if (options_.alternate) stagger(program(), first, options_.trx);

    const std::vector<std::vector<NodePair>> turns = by_turn(pairs);
    std::vector<std::uint32_t> per_group(options_.geometry.groups, 0);
    for (std::uint32_t turn = 0; turn < turns.size(); ++turn) {
      OddlUse use = lights[turn].use(turns[turn]);
      if (use.planes == 0) continue;
      used.wavelengths.merge(use.wavelengths);
      used.planes =
          std::max(used.planes, (use.planes - 1) * options_.trx + turn + (options_.alternate ? 1 : options_.trx));
      for (std::uint32_t g = 0; g < per_group.size(); ++g)
        used.channels =
            std::max(used.channels, per_group[g] += use.channels[g] * (options_.alternate ? 1 : options_.trx));
    }
    return result;
  }

  // Part after part, with a WSS change between two of them.
  LowerResult lower_parts(const std::vector<RunPart>& parts, const std::vector<Lights>& lights,
                          const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                          const LowerOptions& options) {
    flow::Template chain{schedule.algorithm, {}, {}};
    Use use;
    Lowered whole;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      LowerResult result = carry(parts.size() == 1 ? schedule : schedule_of(schedule, parts[p]), request, options,
                                 lights[p], parts[p].pairs, use);
      if (std::holds_alternative<Refusal>(result)) return result;
      whole = std::get<Lowered>(std::move(result));
      if (parts.size() == 1) break;
      flow::Operation change, call;
      change.duration = options_.wss;
      if (p > 0) chain.operations.push_back(change);
      call.kind = flow::OperationKind::kCall;
      call.callee = whole.entry;
      chain.operations.push_back(call);
    }
    for (std::uint32_t i = 1; i < chain.operations.size(); ++i) chain.edges.push_back({i - 1, i});
    if (parts.size() > 1) whole.entry = program().add(std::move(chain));
    return said(std::move(whole), request, use, parts.size());
  }

  // With what there is to say about it.
  LowerResult said(LowerResult result, const schedule::CollectiveRequest& request, const Use& used,
                   std::size_t parts) const {
    auto* lowered = std::get_if<Lowered>(&result);
    if (!lowered) return result;
    const bool alone = whole_groups(options_.geometry, options_.nodes, request.groups);
    lowered->wavelengths_used = static_cast<std::uint32_t>(used.wavelengths.size());
    lowered->facts = {{oddl_facts::kChannels, static_cast<double>(used.channels)},
                      {oddl_facts::kPlanes, static_cast<double>(used.planes)},
                      {oddl_facts::kSetup, options_.lone_setup().to_seconds()},
                      {oddl_facts::kWss, options_.wss.to_seconds()},
                      {oddl_facts::kWssChanges, static_cast<double>(parts - 1)},
                      {oddl_facts::kIsolation, std::string(alone ? "physical" : "masked")},
                      {kModelFact, std::string("ours throughout: only the abstract of the ODDL paper is known")}};
    for (Fact& fact : photonics::facts_of(options_.arrival)) lowered->facts.push_back(std::move(fact));
    return result;
  }

  Refusal refuse(const schedule::Schedule& schedule, std::uint32_t turn, const std::vector<NodePair>& pairs,
                 const Unfit& unfit) const {
    const bool two_level = schedule.algorithm == "two-level";
    return no(fmt::format("its slice does not fit: {} needs {} channels a group, and {}", schedule.algorithm,
                          channels_needed(options_.geometry, pairs), unfit.words),
              fmt::format("Use {}, leave fabric.planes out, or raise it: {} would carry this collective alone. Or "
                          "allow WSS changes of {} inside it: ",
                          two_level ? "algorithm.group of as many ranks as a group of the fabric has"
                          : schedule.algorithm == "ring" ? "fewer nodes"
                                                         : "an algorithm with fewer partners (two-level, ring)",
                          lit_[turn].planes_for(pairs) * options_.trx, format(options_.wss)) +
                  advised("remedy", "split") + ".");
  }

  const Oddl& oddl_;
  const OddlOptions& options_;
  const std::uint16_t control_;               // of the program
  Lights lit_;                                // by collectives so far
  const Lights* in_force_ = &lit_;            // what is lowered now finds its light here
  std::uint64_t given_ = 0, next_given_ = 0;  // the slice that is lowered onto; 0: our own
  std::vector<double> coflow_bytes_;
};

std::unique_ptr<Carrier> Oddl::install(flow::Program& program, Site site) const {
  return std::make_unique<LitCarrier>(*this, program, std::move(site));
}

}  // namespace

Description describe_oddl() {
  return {"oddl",
          "all-optical: slices per job by WSS, circuits per flow by tuning, distributed control; the model is ours",
          "after the abstract of Li et al., JOCN 16(3) 342-357, 2024, which is all that is known of the paper",
          oddl_parameters(), oddl_facts::kinds()};
}

std::unique_ptr<OddlFabric> make_oddl(const Parameters& parameters) { return std::make_unique<Oddl>(parameters); }

Settings footing_of_oddl(Settings given, const Footing& footing) {
  if (footing.injection && !given.contains("alternate"))
    given = with_lanes("oddl", std::move(given), *footing.injection, "trx");
  if (footing.latency) set_unless_given(given, "latency", exactly(*footing.latency * 2));
  return given;
}

}  // namespace helio::fabric
