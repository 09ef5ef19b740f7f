// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/fred/fred_at_once.h"
#include "fabric/fred/fred_facts.h"
#include "fabric/fred/fred_io.h"
#include "fabric/fred/fred_parameters.h"
#include "fabric/fred/fred_placement.h"
#include "fabric/fred/fred_tree_rate.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Schedule;

constexpr std::uint32_t kMostMiddles = 64;

// Links up from one level, and down to it again.
struct Floor {
  flow::ResourceId up_links, down_links;
  std::uint32_t each = 0;  // in one direction
  flow::ResourceId up(std::uint32_t i) const { return {up_links.value + i}; }
  flow::ResourceId down(std::uint32_t i) const { return {down_links.value + i}; }
};

constexpr std::uint32_t kPublishedNpus = 20;

class Fred : public Fabric {
 public:
  explicit Fred(FredOptions options) : options_(std::move(options)), levels_(options_.levels) {
    capabilities_.fabric = "fred";
    capabilities_.nodes = levels_.nodes();
    if (levels_.nodes() > kPublishedNpus)
      capabilities_.assumptions.push_back(fmt::format(
          "beyond what was published: {} NPUs on one wafer, where the paper has {}", levels_.nodes(), kPublishedNpus));
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = options_.rates.front();
    capabilities_.hop_latency = options_.latency;
    capabilities_.nearest_latency = options_.latency * 2;
    capabilities_.farthest_latency = options_.latency * (2 * levels_.levels());
    capabilities_.step_overhead = options_.step_overhead;
    capabilities_.reduces = options_.reduces;
    capabilities_.multicasts = options_.multicasts;
    capabilities_.least_wire_factor = options_.compression.factor(1);
    capabilities_.wire_format = options_.compression.format;
    capabilities_.wire_keep = options_.compression.keep;
    capabilities_.io_rate = options_.io_rate * options_.io_channels;

    // Under one switch of each level but the top, and half of those under it
    for (std::uint32_t level = 1; level < levels_.levels(); ++level) {
      const BitRate up = options_.rates[level];
      capabilities_.cuts.push_back({fmt::format("uplink of an L{} switch", level), levels_.span(level), up, up});
      if (const std::uint32_t half = levels_.switches(level) / 2; half > 1)
        capabilities_.cuts.push_back(
            {fmt::format("uplinks of {} of {} L{} switches", half, levels_.switches(level), level),
             std::uint64_t{half} * levels_.span(level), up * half, up * half});
    }
    if (levels_.levels() > 1) capabilities_.parts.push_back(lowest_switches());
    for (std::uint32_t g = 0; g < levels_.switches(1); ++g)
      io_.push_back(options_.io_channels / levels_.switches(1) +
                    (g < options_.io_channels % levels_.switches(1) ? 1 : 0));
    add_resources();
  }

  // Switches by their power, wires by what passes them. A wafer whose wiring is known has a chiplet for each plane of a lowest switch, and
  // the chips above; else a switch is counted as one.
  Bill bill() const override {
    double switches = 0;
    for (std::uint32_t level = 1; level <= levels_.levels(); ++level) switches += levels_.switches(level);
    if (levels_.levels() == 2) switches = options_.planes * (levels_.switches(1) + 1.0 * options_.chips);
    Bill bill;
    bill.add({.part = "fred-chiplet",
              .count = switches,
              .where = "switches of all levels",
              .watts = 1 / switches * options_.static_watts});
    for (const flow::ResourceTable::Links& block : resources_.links()) {
      const std::uint32_t wires = bill.add({.part = "wafer-link",
                                            .count = 1.0 * block.count,
                                            .where = resources_.class_name(block.first),
                                            .rate = block.total / block.count,
                                            .joules_per_bit = Range{options_.joules_per_bit, options_.joules_per_bit}});
      bill.cross(block.first, block.count, {{wires}});
    }
    return bill;
  }

  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  const FredOptions& options() const { return options_; }
  const TreeLevels& levels() const { return levels_; }
  const std::vector<std::uint32_t>& io() const { return io_; }  // channels at each L1 switch
  const Floor& floor(std::uint32_t level) const { return floors_[level]; }
  const Floor& channels() const { return channels_; }
  const Floor& ports() const { return ports_; }
  // Parallel links of a switch: one, unless there are planes.
  std::uint32_t wide(std::uint32_t level) const { return floors_[level].each / levels_.switches(level); }
  double io_broadcast_share() const;

 private:
  void add_resources();
  schedule::Capabilities::Part lowest_switches() const;

  FredOptions options_;
  TreeLevels levels_;
  std::vector<std::uint32_t> io_;
  std::vector<Floor> floors_;  // by level
  Floor channels_, ports_;
};

void Fred::add_resources() {
  const std::uint32_t planes = options_.chiplets ? options_.planes : 1;
  for (std::uint32_t level = 0; level < levels_.levels(); ++level) {
    const std::uint32_t wide = options_.chiplets ? planes * (level == 0 ? 1 : levels_.radix(1)) : 1;
    Floor floor{.up_links = {}, .down_links = {}, .each = levels_.switches(level) * wide};
    const auto below = [level, wide](std::uint32_t i) {
      return level == 0 ? fmt::format("NPU {}", i / wide) : fmt::format("L{} switch {}", level, i / wide);
    };
    const auto which = [wide](std::uint32_t i) { return wide > 1 ? fmt::format(", link {}", i % wide) : ""; };
    const char* kind = level == 0 ? "NPU" : "L* switch";
    floor.up_links =
        resources_.add_links(floor.each, options_.rates[level] / wide,
                             {[=](std::uint32_t i) { return fmt::format("link {} up{}", below(i), which(i)); },
                              fmt::format("link {} up", kind)});
    floor.down_links =
        resources_.add_links(floor.each, options_.rates[level] / wide,
                             {[=](std::uint32_t i) { return fmt::format("link down to {}{}", below(i), which(i)); },
                              fmt::format("link down to {}", kind)});
    floors_.push_back(floor);
  }
  if (options_.io_channels > 0) {
    const auto add = [&](const char* direction) {
      return resources_.add_links(options_.io_channels, options_.io_rate,
                                  {[=](std::uint32_t i) { return fmt::format("I/O channel {} {}", i, direction); },
                                   fmt::format("I/O channel {}", direction)});
    };
    const flow::ResourceId in = add("in"), out = add("out");
    channels_ = {in, out, options_.io_channels};
  }
  if (!options_.reconfigure.is_zero()) {
    const auto add = [&](const char* direction) {
      return resources_.add_channels(
          levels_.nodes(), BitRate{0}, {options_.reconfigure, true, false},
          [=](std::uint32_t i) { return fmt::format("setting of port {} {}", i, direction); });
    };
    const flow::ResourceId up = add("up"), down = add("down");
    ports_ = {up, down, levels_.nodes()};
  }
}

schedule::Capabilities::Part Fred::lowest_switches() const {
  schedule::Capabilities::Part part{.name = "L1 switch", .capabilities = {}, .instances = {}};
  part.capabilities = capabilities_;
  part.capabilities.nodes = levels_.radix(1);
  part.capabilities.farthest_latency = capabilities_.nearest_latency;
  part.capabilities.cuts.clear();
  for (std::uint32_t node = 0; node < levels_.nodes(); ++node) {
    if (node % levels_.radix(1) == 0) part.instances.emplace_back();
    part.instances.back().push_back(node);
  }
  return part;
}

// The share of the channels' rate that a broadcast to all NPUs gets: the L1 with the fewest channels takes in the most.
double Fred::io_broadcast_share() const {
  std::vector<NodeId> everyone;
  for (std::uint32_t node = 0; node < levels_.nodes(); ++node) everyone.push_back({node});
  double share = 1;
  for (const FredIoLoad& load : fred_io_loads(levels_, io_, {&everyone, 1}, true))
    share = std::min(share, options_.rates[load.level] / (load.bytes * capabilities_.io_rate));
  return share;
}

// Knows which flows were proven to go together, and by which ways.
class FredCarrier : public Carrier {
 public:
  FredCarrier(const Fred& fred, flow::Program& program, Site site)
      : Carrier(fred, program, std::move(site)),
        fred_(fred),
        options_(fred.options()),
        levels_(fred.levels()),
        middles_(options_.middles) {}

 protected:
  std::optional<Refusal> object(const Schedule& schedule, const CollectiveRequest& request,
                                const LowerOptions& options) override;
  void route(NodeId from, NodeId to, const Carriage&, Way& way) override;
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage&, Way& way) override;
  std::optional<Refusal> complete(const Schedule& schedule, const CollectiveRequest& request,
                                  const LowerOptions& options, std::size_t first, Lowered& lowered) override;
  std::optional<Refusal> settle_here(const Schedule& schedule, const CollectiveRequest& together) override;
  std::optional<Remedied> remedy_here(Remedy way, const Schedule& schedule, const CollectiveRequest& request,
                                      const LowerOptions& options) override;
  bool stream_here(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) override;
  Picture picture_here(const Schedule& schedule, const CollectiveRequest& request, const Lowered& lowered) override;

 private:
  // What one flow takes of each plane that carries it.
  struct Lot {
    std::vector<std::pair<std::uint32_t, TreeWay>> ways;  // plane and way
  };
  using Lots =
      std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, Lot>;  // by inputs and outputs

  Remedied with_more_middles(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options);
  Remedied on_other_nodes(std::span<const FlowsAtOnce> sets, const Schedule& schedule, const CollectiveRequest& request,
                          const LowerOptions& options);
  double factor(std::uint32_t contributions) const { return options_.compression.factor(contributions); }
  void cross_all(Way& way, std::uint32_t level, std::uint32_t below, bool up, double weight) const;
  void cross_planes(std::span<const NodeId> from, std::span<const NodeId> to, Way& way);
  void hold_ports(std::span<const NodeId> from, std::span<const NodeId> to, Way& way);
  const Lot& lot_of(const Flow& flow);
  FredTreeShape shape() const;
  FredTarget target() const;
  std::optional<std::string> why_not(std::span<const Flow> flows);
  std::optional<std::string> why_not_in_planes(std::span<const Flow> flows);
  Refusal refuse(const FlowsAtOnce& now, std::string reason);

  const Fred& fred_;
  const FredOptions& options_;
  const TreeLevels& levels_;
  std::uint32_t middles_;   // switches, as built or, while a remedy is tried, more
  Lots lots_;               // of the schedule that is lowered now
  double worst_share_ = 1;  // of a plane, in it
  Lots settled_;            // of requests that run beside each other
  Circuits circuits_;
};

std::unique_ptr<Carrier> Fred::install(flow::Program& program, Site site) const {
  return std::make_unique<FredCarrier>(*this, program, std::move(site));
}

std::optional<Refusal> FredCarrier::complete(const Schedule&, const CollectiveRequest&, const LowerOptions&,
                                             std::size_t, Lowered& lowered) {
  lowered.facts.push_back({fred_facts::kRadix, levels_.words()});
  lowered.facts.push_back({fred_facts::kMiddleSwitches, static_cast<double>(middles_)});
  if (options_.chiplets) lowered.facts.push_back({fred_facts::kPlaneShare, worst_share_});
  if (options_.io_channels > 0) lowered.facts.push_back({kIoBroadcastShareFact, fred_.io_broadcast_share()});
  return std::nullopt;
}

void FredCarrier::route(NodeId from, NodeId to, const Carriage&, Way& way) {
  const NodeId ends[] = {from, to};
  const std::uint32_t top = levels_.meeting(ends);
  for (std::uint32_t level = 0; level < top; ++level) {
    cross_all(way, level, levels_.switch_of(from, level), true, factor(1));
    cross_all(way, level, levels_.switch_of(to, level), false, factor(1));
  }
  way.latency += options_.latency * (2 * top) + options_.compression.delay();
}

void FredCarrier::route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage&, Way& way) {
  std::vector<NodeId> ends(from.begin(), from.end());
  ends.insert(ends.end(), to.begin(), to.end());
  const std::uint32_t top = levels_.meeting(ends);
  way.latency += options_.latency * (2 * top) + options_.compression.delay();
  if (!options_.reconfigure.is_zero()) hold_ports(from, to, way);
  if (options_.chiplets) return cross_planes(from, to, way);

  // Up through every switch with sources below it, down through every one with destinations
  const auto everything = static_cast<std::uint32_t>(from.size());
  for (std::uint32_t level = 0; level < top; ++level) {
    for (const std::uint32_t below : levels_.above(from, level))
      way.cross(fred_.floor(level).up(below), weight_of(factor(levels_.below(from, level, below))));
    for (const std::uint32_t below : levels_.above(to, level))
      way.cross(fred_.floor(level).down(below), weight_of(factor(everything)));
  }
}

// All parallel links of a switch evenly; one, unless there are planes.
void FredCarrier::cross_all(Way& way, std::uint32_t level, std::uint32_t below, bool up, double weight) const {
  const std::uint32_t wide = fred_.wide(level);
  for (std::uint32_t i = 0; i < wide; ++i)
    way.cross(up ? fred_.floor(level).up(below * wide + i) : fred_.floor(level).down(below * wide + i),
              weight_of(weight / wide));
}

void FredCarrier::hold_ports(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) {
  std::vector<std::uint64_t> flow{from.size()};
  for (const NodeId node : from) way.hold(fred_.ports().up(node.value)), flow.push_back(node.value);
  for (const NodeId node : to) way.hold(fred_.ports().down(node.value)), flow.push_back(node.value);
  way.circuit = circuits_.of(flow);
}

// A flow that nobody proved beside others, because its way is asked for by itself, is proven alone.
const FredCarrier::Lot& FredCarrier::lot_of(const Flow& flow) {
  for (const Lots* known : {&settled_, &lots_})
    if (const auto found = known->find({flow.inputs, flow.outputs}); found != known->end()) return found->second;
  if (std::optional<std::string> reason = why_not({&flow, 1}))
    throw Error(ErrorKind::kInfeasible, *std::move(reason), "", "Choose other nodes.");
  return lots_.at({flow.inputs, flow.outputs});
}

void FredCarrier::cross_planes(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) {
  Flow flow;
  for (const NodeId node : from) flow.inputs.push_back(node.value);
  for (const NodeId node : to) flow.outputs.push_back(node.value);
  const Lot& lot = lot_of(flow);
  const auto planes = static_cast<double>(lot.ways.size());
  const auto everything = static_cast<std::uint32_t>(from.size());
  const std::uint32_t uplinks = levels_.radix(1), links = uplinks / options_.chips;
  for (const auto& [plane, tree] : lot.ways) {
    for (const NodeId node : from)
      way.cross(fred_.floor(0).up(node.value * options_.planes + plane), weight_of(factor(1) / planes));
    for (const NodeId node : to)
      way.cross(fred_.floor(0).down(node.value * options_.planes + plane), weight_of(factor(everything) / planes));
    if (tree.chip == kNoLink) continue;
    for (const TreeStop& stop : tree.stops) {
      const std::uint32_t first = (stop.group * options_.planes + plane) * uplinks + tree.chip * links;
      if (stop.up != kNoLink)
        way.cross(fred_.floor(1).up(first + stop.up), weight_of(factor(levels_.below(from, 1, stop.group)) / planes));
      if (stop.down != kNoLink)
        way.cross(fred_.floor(1).down(first + stop.down), weight_of(factor(everything) / planes));
    }
  }
}

FredTreeShape FredCarrier::shape() const {
  FredTreeShape shape;
  shape.npus = levels_.radix(1);
  shape.groups = levels_.radix(2);
  shape.planes = options_.planes;
  shape.chips_per_plane = options_.chips;
  shape.links_per_chip = levels_.radix(1) / options_.chips;
  shape.io_ports = fred_.io();
  shape.middles = middles_;
  return shape;
}

FredTarget FredCarrier::target() const {
  if (options_.chiplets) return shape();
  return FredFlat{levels_.nodes(), middles_};
}

// Why these cannot be carried at once, or nothing.
std::optional<std::string> FredCarrier::why_not(std::span<const Flow> flows) {
  try {
    check_flows(levels_.nodes(), flows);
  } catch (const Error& error) {
    return error.message();
  }
  if (options_.chiplets) return why_not_in_planes(flows);
  if (flows.size() <= middles_) return std::nullopt;  // a middle switch each, at every level
  const FredRouting routing = fabric::route(FredSwitch(levels_.nodes(), middles_), flows);
  if (const FredBlocked* blocked = std::get_if<FredBlocked>(&routing))
    return fmt::format("Fred_{}({}) does not carry these {} flows at once: {}", middles_, levels_.nodes(), flows.size(),
                       blocked->reason);
  return std::nullopt;
}

std::optional<std::string> FredCarrier::why_not_in_planes(std::span<const Flow> flows) {
  const FredTreeRate rate = best_rate(shape(), flows);
  if (rate.worst == 0 || (!options_.partial && !rate.full()))
    return fmt::format("{}; on {} of {} planes each they would fit", rate.reason, rate.worst, rate.planes);
  worst_share_ = std::min(worst_share_, rate.rate());
  Lots found;
  for (std::uint32_t plane = 0; plane < rate.plane.size(); ++plane)
    for (const TreeWay& way : rate.plane[plane].ways)
      found[{flows[way.flow].inputs, flows[way.flow].outputs}].ways.push_back({plane, way});
  lots_.merge(found);  // a flow of two sets keeps the ways of the first, which is the larger
  return std::nullopt;
}

// Names as few groups as a walk through them finds; the others fit together.
Refusal FredCarrier::refuse(const FlowsAtOnce& now, std::string reason) {
  Refusal refusal{
      .reason = std::move(reason),
      .advice = "Let groups wait for each other (" + advised("remedy", "block") +
                "), take more middle switches (middle), other nodes (replace), or add at the endpoints (endpoint).",
      .phase = now.phase};
  std::vector<Flow> accepted;
  for (std::size_t first = 0, last = 0; first < now.flows.size(); first = last) {
    std::vector<Flow> with = accepted;
    for (; last < now.flows.size() && now.groups[last] == now.groups[first]; ++last) with.push_back(now.flows[last]);
    if (why_not(with))
      refusal.groups.push_back(now.groups[first]);
    else
      accepted = std::move(with);
  }
  return refusal;
}

std::optional<Refusal> FredCarrier::object(const Schedule& schedule, const CollectiveRequest& request,
                                           const LowerOptions& options) {
  if (std::optional<Refusal> refusal = Carrier::object(schedule, request, options)) return refusal;
  worst_share_ = 1;
  lots_.clear();
  for (const FlowsAtOnce& now : flows_at_once(schedule, request)) {
    const auto is_settled = [&](const Flow& flow) { return settled_.contains({flow.inputs, flow.outputs}); };
    if (std::ranges::all_of(now.flows, is_settled)) continue;
    if (std::optional<std::string> reason = why_not(now.flows)) return refuse(now, *std::move(reason));
  }
  return std::nullopt;
}

std::optional<Refusal> FredCarrier::settle_here(const Schedule& schedule, const CollectiveRequest& together) {
  lots_.clear();
  for (const FlowsAtOnce& now : flows_at_once(schedule, together))
    if (std::optional<std::string> reason = why_not(now.flows)) return refuse(now, *std::move(reason));
  settled_.merge(lots_);
  return std::nullopt;
}

std::optional<Remedied> FredCarrier::remedy_here(Remedy way, const Schedule& schedule, const CollectiveRequest& request,
                                                 const LowerOptions& options) {
  const std::vector<FlowsAtOnce> sets = flows_at_once(schedule, request);
  if (sets.empty()) return std::nullopt;
  if (way == Remedy::kMiddle) return with_more_middles(schedule, request, options);
  if (way == Remedy::kReplace) return on_other_nodes(sets, schedule, request, options);
  return std::nullopt;
}

// The fewest middle switches that carry every set.
Remedied FredCarrier::with_more_middles(const Schedule& schedule, const CollectiveRequest& request,
                                        const LowerOptions& options) {
  for (std::uint32_t more = options_.middles + 1; more <= kMostMiddles; ++more) {
    const Meanwhile middles(middles_, more);
    LowerResult result = lower_here(schedule, request, options);
    if (std::holds_alternative<Lowered>(result))
      return {std::move(result), fmt::format("with {} middle switches instead of {}", more, options_.middles), true};
  }
  return {Refusal{.reason = fmt::format("up to {} middle switches do not help", kMostMiddles)}, ""};
}

// The same groups elsewhere.
Remedied FredCarrier::on_other_nodes(std::span<const FlowsAtOnce> sets, const Schedule& schedule,
                                     const CollectiveRequest& request, const LowerOptions& options) {
  std::vector<FredPhaseFlows> phases;
  for (const FlowsAtOnce& now : sets) phases.push_back(now.flows);
  const FredPlacement found = replace_flows(target(), phases);
  if (found.outcome != PlacementOutcome::kFound) return {Refusal{.reason = found.reason}, ""};
  CollectiveRequest elsewhere = request;
  std::vector<std::string> groups;
  for (std::vector<NodeId>& group : elsewhere.groups) {
    std::vector<std::uint32_t> nodes;
    for (NodeId& node : group) node = {found.place[node.value]}, nodes.push_back(in_program(node).value);
    groups.push_back(fmt::format("{}", fmt::join(nodes, ",")));
  }
  LowerResult result = lower_here(schedule, elsewhere, options);
  if (Lowered* lowered = std::get_if<Lowered>(&result))
    lowered->facts.push_back({fred_facts::kPlacement, fmt::format("{}", fmt::join(groups, ";"))});
  return {std::move(result), fmt::format("groups on other nodes: {}", fmt::join(groups, "; "))};
}

bool FredCarrier::stream_here(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) {
  if (options_.io_channels == 0) return false;
  for (std::uint32_t i = 0; i < options_.io_channels; ++i)
    way.cross(inward ? fred_.channels().up(i) : fred_.channels().down(i), weight_of(1.0 / options_.io_channels));
  for (const FredIoLoad& load : fred_io_loads(levels_, fred_.io(), shards, inward))
    cross_all(way, load.level, load.below, load.up, load.bytes);
  return true;
}

// The switch, or the chiplets of one plane, that carry most flows at once. Nothing where no flow is added or copied in a switch, planes
// carry different flows, or a switch is too large.
Picture FredCarrier::picture_here(const Schedule& schedule, const CollectiveRequest& request, const Lowered&) {
  const auto sets = flows_at_once(schedule, request);
  if (sets.empty()) return {};
  const std::vector<Flow>& flows = sets.front().flows;
  FredPicture picture;
  const auto fits = [&](std::uint32_t ports) { return fred_census(ports, middles_).elements() <= kMostShownElements; };

  // One switch of all NPUs
  if (!options_.chiplets) {
    if (!fits(levels_.nodes())) return {};
    FredSwitch fred(levels_.nodes(), middles_);
    FredRouting routing = fabric::route(fred, flows);
    if (auto* configuration = std::get_if<FredConfiguration>(&routing))
      picture.switches.push_back({"switch of all NPUs", std::move(fred), std::move(*configuration), flows});
  } else {
    const FredTreeRouting routing = route_tree(shape(), flows);
    const auto* plane = std::get_if<FredPlane>(&routing);
    const auto add = [&](std::string title, const FredChip& chip, std::uint32_t ports) {
      if (chip.flows.empty() || !fits(ports)) return;
      picture.switches.push_back({std::move(title), FredSwitch(ports, middles_), chip.configuration, chip.flows});
    };
    for (std::uint32_t c = 0; plane && c < plane->l2.size(); ++c)
      add(fmt::format("L2 chip {}", c), plane->l2[c], shape().l2_ports());
    for (std::uint32_t g = 0; plane && g < plane->l1.size(); ++g)
      add(fmt::format("L1 chip of group {}", g), plane->l1[g], shape().l1_ports(g));
  }
  if (picture.switches.empty()) return {};
  return picture;
}

}  // namespace

Description describe_fred() {
  return {"fred", "wafer-scale tree of switches that add and copy what passes: variants A to D, chiplets, any radix",
          "FRED, arXiv 2406.19580, ISCA 2025; what is not published is listed in docs/fred.md", fred_parameters(),
          fred_facts::kinds()};
}

std::unique_ptr<Fabric> make_fred(const Parameters& parameters) {
  return std::make_unique<Fred>(fred_options(parameters));
}

}  // namespace helio::fabric
