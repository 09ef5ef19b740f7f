// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "fabric/fred/fred_at_once.h"
#include "fabric/fred/fred_io.h"
#include "fabric/fred/fred_parameters.h"
#include "fabric/fred/fred_placement.h"
#include "fabric/fred/fred_tree_rate.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Schedule;

constexpr std::uint32_t kMostMiddles = 64;

// Links up from one level, and down to it again.
struct Floor {
  flow::ResourceId links;
  std::uint32_t each = 0;  // in one direction
  flow::ResourceId up(std::uint32_t i) const { return {links.value + i}; }
  flow::ResourceId down(std::uint32_t i) const { return {links.value + each + i}; }
};

class Fred : public RoutedFabric {
 public:
  explicit Fred(FredOptions options) : options_(std::move(options)), levels_(options_.levels) {
    capabilities_.fabric = "fred";
    capabilities_.nodes = levels_.nodes();
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
    capabilities_.joules_per_bit = options_.joules_per_bit;
    if (options_.static_power) capabilities_.static_watts = options_.static_power->value;
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
  }

  void install(flow::Program& program) override {
    const std::uint32_t planes = options_.chiplets ? options_.planes : 1;
    for (std::uint32_t level = 0; level < levels_.levels(); ++level) {
      const std::uint32_t wide = options_.chiplets ? planes * (level == 0 ? 1 : levels_.radix(1)) : 1;
      Floor floor{.links = {}, .each = levels_.switches(level) * wide};
      const auto name = [level, wide, each = floor.each](std::uint32_t i) {
        const std::uint32_t at = i % each;
        const std::string below =
            level == 0 ? fmt::format("NPU {}", at / wide) : fmt::format("L{} switch {}", level, at / wide);
        const std::string which = wide > 1 ? fmt::format(", link {}", at % wide) : "";
        return i < each ? fmt::format("link {} up{}", below, which) : fmt::format("link down to {}{}", below, which);
      };
      floor.links = program.resources.add_links(2 * floor.each, options_.rates[level] / wide, name);
      floors_.push_back(floor);
    }
    if (options_.io_channels > 0)
      channels_ = {program.resources.add_links(2 * options_.io_channels, options_.io_rate,
                                               [n = options_.io_channels](std::uint32_t i) {
                                                 return fmt::format("I/O channel {} {}", i % n, i < n ? "in" : "out");
                                               }),
                   options_.io_channels};
    if (!options_.reconfigure.is_zero())
      ports_ = {program.resources.add_channels(2 * levels_.nodes(), BitRate{0}, {options_.reconfigure, true, false},
                                               [n = levels_.nodes()](std::uint32_t i) {
                                                 return fmt::format("setting of port {} {}", i % n,
                                                                    i < n ? "up" : "down");
                                               }),
                levels_.nodes()};
  }

  LowerResult lower(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options,
                    flow::Program& program) const override {
    worst_share_ = 1;
    LowerResult result = RoutedFabric::lower(schedule, request, options, program);
    if (Lowered* lowered = std::get_if<Lowered>(&result)) {
      lowered->facts.push_back({"radix", levels_.words()});
      lowered->facts.push_back({"middle_switches", static_cast<double>(options_.middles)});
      if (options_.chiplets) lowered->facts.push_back({"plane_share", worst_share_, Fact::Limit::kSmallest});
      if (options_.io_channels > 0) lowered->facts.push_back({"io_broadcast_share", io_broadcast_share()});
    }
    return result;
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override {
    const NodeId ends[] = {from, to};
    const std::uint32_t top = levels_.meeting(ends);
    const double factor = options_.compression.factor(1);
    for (std::uint32_t level = 0; level < top; ++level) {
      cross_all(way, level, levels_.switch_of(from, level), true, factor);
      cross_all(way, level, levels_.switch_of(to, level), false, factor);
    }
    way.latency += options_.latency * (2 * top) + options_.compression.delay();
  }

  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage&, Way& way) const override {
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
        way.cross(floors_[level].up(below), weight_of(factor(levels_.below(from, level, below))));
      for (const std::uint32_t below : levels_.above(to, level))
        way.cross(floors_[level].down(below), weight_of(factor(everything)));
    }
  }

  std::optional<Refusal> object(const Schedule& schedule, const CollectiveRequest& request) const override;
  std::optional<Refusal> settle(const Schedule& schedule, const CollectiveRequest& together) override;
  std::optional<Instead> lower_otherwise(Otherwise way, const Schedule& schedule, const CollectiveRequest& request,
                                         const LowerOptions& options, flow::Program& program) const override;
  bool stream(std::span<const std::vector<NodeId>> shards, bool inward,
              std::vector<flow::LinkUse>& links) const override;

 private:
  // What one flow takes of each plane that carries it.
  struct Lot {
    std::vector<std::pair<std::uint32_t, TreeWay>> ways;  // plane and way
  };

  using Lots =
      std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, Lot>;  // by inputs and outputs

  schedule::Capabilities::Part lowest_switches() const;
  double factor(std::uint32_t contributions) const { return options_.compression.factor(contributions); }
  void cross_all(Way& way, std::uint32_t level, std::uint32_t below, bool up, double weight) const;
  void cross_planes(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) const;
  void hold_ports(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) const;
  FredTreeShape shape() const;
  FredTarget target() const;
  std::optional<std::string> why_not(std::span<const Flow> flows) const;
  std::optional<std::string> why_not_in_planes(std::span<const Flow> flows) const;
  Refusal refuse(const FlowsAtOnce& now, std::string reason) const;
  double io_broadcast_share() const;

  FredOptions options_;
  TreeLevels levels_;
  std::vector<std::uint32_t> io_;  // channels at each L1 switch
  std::vector<Floor> floors_;      // by level
  Floor channels_, ports_;
  // Of the schedule being lowered, found by `object`
  mutable Lots lots_;
  Lots settled_;  // of requests that run beside each other
  mutable double worst_share_ = 1;
};

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

// All parallel links of a switch evenly; one, unless there are planes.
void Fred::cross_all(Way& way, std::uint32_t level, std::uint32_t below, bool up, double weight) const {
  const std::uint32_t wide = floors_[level].each / levels_.switches(level);
  for (std::uint32_t i = 0; i < wide; ++i)
    way.cross(up ? floors_[level].up(below * wide + i) : floors_[level].down(below * wide + i),
              weight_of(weight / wide));
}

void Fred::hold_ports(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) const {
  std::uint64_t flow = 0x9e3779b97f4a7c15ull;
  const auto mix = [&](std::uint64_t word) { flow = (flow ^ word) * 0xbf58476d1ce4e5b9ull, flow ^= flow >> 31; };
  for (const NodeId node : from) way.channels.push_back(ports_.up(node.value)), mix(node.value);
  mix(0xffffffffu);
  for (const NodeId node : to) way.channels.push_back(ports_.down(node.value)), mix(node.value);
  way.circuit = flow == flow::kDark ? 1 : flow;
}

void Fred::cross_planes(std::span<const NodeId> from, std::span<const NodeId> to, Way& way) const {
  Flow flow;
  for (const NodeId node : from) flow.inputs.push_back(node.value);
  for (const NodeId node : to) flow.outputs.push_back(node.value);
  const auto settled = settled_.find({flow.inputs, flow.outputs});
  const Lot& lot = settled != settled_.end() ? settled->second : lots_.at({flow.inputs, flow.outputs});
  const auto planes = static_cast<double>(lot.ways.size());
  const auto everything = static_cast<std::uint32_t>(from.size());
  const std::uint32_t uplinks = levels_.radix(1), links = uplinks / options_.chips;
  for (const auto& [plane, tree] : lot.ways) {
    for (const NodeId node : from)
      way.cross(floors_[0].up(node.value * options_.planes + plane), weight_of(factor(1) / planes));
    for (const NodeId node : to)
      way.cross(floors_[0].down(node.value * options_.planes + plane), weight_of(factor(everything) / planes));
    if (tree.chip == kNoLink) continue;
    for (const TreeStop& stop : tree.stops) {
      const std::uint32_t first = (stop.group * options_.planes + plane) * uplinks + tree.chip * links;
      if (stop.up != kNoLink)
        way.cross(floors_[1].up(first + stop.up), weight_of(factor(levels_.below(from, 1, stop.group)) / planes));
      if (stop.down != kNoLink) way.cross(floors_[1].down(first + stop.down), weight_of(factor(everything) / planes));
    }
  }
}

FredTreeShape Fred::shape() const {
  FredTreeShape shape;
  shape.npus = levels_.radix(1);
  shape.groups = levels_.radix(2);
  shape.planes = options_.planes;
  shape.chips_per_plane = options_.chips;
  shape.links_per_chip = levels_.radix(1) / options_.chips;
  shape.io_ports = io_;
  shape.middles = options_.middles;
  return shape;
}

FredTarget Fred::target() const {
  if (options_.chiplets) return shape();
  return FredFlat{levels_.nodes(), options_.middles};
}

// Why these cannot be carried at once, or nothing.
std::optional<std::string> Fred::why_not(std::span<const Flow> flows) const {
  try {
    check_flows(levels_.nodes(), flows);
  } catch (const Error& error) {
    return error.message();
  }
  if (options_.chiplets) return why_not_in_planes(flows);
  if (flows.size() <= options_.middles) return std::nullopt;  // a middle switch each, at every level
  const FredRouting routing = fabric::route(FredSwitch(levels_.nodes(), options_.middles), flows);
  if (const FredBlocked* blocked = std::get_if<FredBlocked>(&routing))
    return fmt::format("Fred_{}({}) does not carry these {} flows at once: {}", options_.middles, levels_.nodes(),
                       flows.size(), blocked->reason);
  return std::nullopt;
}

std::optional<std::string> Fred::why_not_in_planes(std::span<const Flow> flows) const {
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
Refusal Fred::refuse(const FlowsAtOnce& now, std::string reason) const {
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

std::optional<Refusal> Fred::object(const Schedule& schedule, const CollectiveRequest& request) const {
  if (std::optional<Refusal> refusal = RoutedFabric::object(schedule, request)) return refusal;
  lots_.clear();
  for (const FlowsAtOnce& now : flows_at_once(schedule, request)) {
    const auto is_settled = [&](const Flow& flow) { return settled_.contains({flow.inputs, flow.outputs}); };
    if (std::ranges::all_of(now.flows, is_settled)) continue;
    if (std::optional<std::string> reason = why_not(now.flows)) return refuse(now, *std::move(reason));
  }
  return std::nullopt;
}

std::optional<Refusal> Fred::settle(const Schedule& schedule, const CollectiveRequest& together) {
  lots_.clear();
  for (const FlowsAtOnce& now : flows_at_once(schedule, together))
    if (std::optional<std::string> reason = why_not(now.flows)) return refuse(now, *std::move(reason));
  settled_.merge(lots_);
  return std::nullopt;
}

std::optional<Instead> Fred::lower_otherwise(Otherwise way, const Schedule& schedule, const CollectiveRequest& request,
                                             const LowerOptions& options, flow::Program& program) const {
  const std::vector<FlowsAtOnce> sets = flows_at_once(schedule, request);
  if (sets.empty()) return std::nullopt;

  // The fewest middle switches that carry every set
  if (way == Otherwise::kMoreMiddles) {
    Fred more = *this;
    for (more.options_.middles = options_.middles + 1; more.options_.middles <= kMostMiddles; ++more.options_.middles) {
      const LowerResult result = more.lower(schedule, request, options, program);
      if (std::holds_alternative<Lowered>(result))
        return Instead{result,
                       fmt::format("with {} middle switches instead of {}", more.options_.middles, options_.middles)};
    }
    return Instead{Refusal{.reason = fmt::format("up to {} middle switches do not help", kMostMiddles)}, ""};
  }

  // The same groups elsewhere
  std::vector<FredPhaseFlows> phases;
  for (const FlowsAtOnce& now : sets) phases.push_back(now.flows);
  const FredPlacement found = replace_flows(target(), phases);
  if (found.outcome != PlacementOutcome::kFound) return Instead{Refusal{.reason = found.reason}, ""};
  CollectiveRequest elsewhere = request;
  std::vector<std::string> groups;
  for (std::vector<NodeId>& group : elsewhere.groups) {
    std::vector<std::uint32_t> nodes;
    for (NodeId& node : group) node = {found.place[node.value]}, nodes.push_back(node.value);
    groups.push_back(fmt::format("{}", fmt::join(nodes, ",")));
  }
  LowerResult result = lower(schedule, elsewhere, options, program);
  if (Lowered* lowered = std::get_if<Lowered>(&result))
    lowered->facts.push_back({"placement", fmt::format("{}", fmt::join(groups, ";"))});
  return Instead{std::move(result), fmt::format("groups on other nodes: {}", fmt::join(groups, "; "))};
}

bool Fred::stream(std::span<const std::vector<NodeId>> shards, bool inward, std::vector<flow::LinkUse>& links) const {
  if (options_.io_channels == 0) return false;
  for (std::uint32_t i = 0; i < options_.io_channels; ++i)
    links.push_back({inward ? channels_.up(i) : channels_.down(i), weight_of(1.0 / options_.io_channels)});
  Way way;
  for (const FredIoLoad& load : fred_io_loads(levels_, io_, shards, inward))
    cross_all(way, load.level, load.below, load.up, load.bytes);
  links.insert(links.end(), way.links.begin(), way.links.end());
  return true;
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

}  // namespace

Description describe_fred() {
  return {"fred", "wafer-scale tree of switches that add and copy what passes: variants A to D, chiplets, any radix",
          "FRED, arXiv 2406.19580, ISCA 2025; what is not published is listed in docs/fred.md", fred_parameters()};
}

std::unique_ptr<Fabric> make_fred(const Parameters& parameters) {
  return std::make_unique<Fred>(fred_options(parameters));
}

}  // namespace helio::fabric
