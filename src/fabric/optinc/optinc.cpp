// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fabric/optinc/optinc_parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

constexpr double kWidestElementBits = 32;

class Optinc : public RoutedFabric {
 public:
  explicit Optinc(const Parameters& parameters) : options_(optinc_options(parameters)) {
    const std::uint32_t top = options_.levels.levels();
    capabilities_.fabric = "optinc";
    capabilities_.nodes = options_.nodes;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection =
        std::min(options_.rate, options_.onn_rate);
    capabilities_.hop_latency = options_.latency;
    capabilities_.nearest_latency = way_time(1);
    capabilities_.farthest_latency = way_time(top);
    capabilities_.step_overhead = options_.step_overhead;
    capabilities_.first_setup = options_.scale_exchange;
    capabilities_.reduces = capabilities_.multicasts = true;
    capabilities_.least_wire_factor = options_.bits() / kWidestElementBits;
    capabilities_.joules_per_bit = options_.joules_per_bit;
    if (options_.static_power) capabilities_.static_watts = options_.static_power->value;
    capabilities_.averaging = options_.tasks;
  }

  void install(flow::Program& program) override {
    const std::uint32_t nodes = options_.nodes;
    const flow::ChannelRules scale{options_.scale_exchange, false, false};
    ports_ = program.resources.add_links(2 * nodes, options_.rate, [nodes](std::uint32_t i) {
      return i < nodes ? fmt::format("link {} to its switch", i) : fmt::format("link from its switch to {}", i - nodes);
    });
    networks_.clear();
    uplinks_.clear();
    downlinks_.clear();
    for (std::uint32_t l = 1; l <= options_.levels.levels(); ++l) {
      const std::uint32_t switches = options_.levels.switches(l);
      networks_.push_back(program.resources.add_channels(switches, options_.onn_rate, scale, [l](std::uint32_t i) {
        return fmt::format("optical network of switch {} of level {}", i, l);
      }));
      if (l == options_.levels.levels()) break;
      uplinks_.push_back(program.resources.add_links(switches, options_.rate * wider(l), [l](std::uint32_t i) {
        return fmt::format("link up from switch {} of level {}", i, l);
      }));
      downlinks_.push_back(program.resources.add_links(switches, options_.rate, [l](std::uint32_t i) {
        return fmt::format("link down to switch {} of level {}", i, l);
      }));
    }
  }

  void route(NodeId, NodeId, const Carriage&, Way&) const override {
    throw std::logic_error("optinc carries no message from one server to another");
  }

  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                 Way& way) const override {
    const TreeLevels& levels = options_.levels;
    const std::uint32_t top = levels.meeting(from);
    for (const NodeId node : from) way.cross({ports_.value + node.value});
    for (const NodeId node : to) way.cross({ports_.value + options_.nodes + node.value});
    for (std::uint32_t l = 1; l <= top; ++l) {
      for (const std::uint32_t s : levels.above(from, l)) {
        way.channels.push_back({networks_[l - 1].value + s});
        if (l < top) way.cross({uplinks_[l - 1].value + s}, weight_of(wider(l)));
      }
      if (l < top)
        for (const std::uint32_t s : levels.above(to, l)) way.cross({downlinks_[l - 1].value + s});
    }
    way.always_setup = options_.scale_exchange > Time();
    // Codes of B bits, however wide the numbers were
    way.bytes_factor = options_.bits() / (8 * carriage.request.element_bytes);
    way.latency += way_time(top);
    way.hops = std::max(way.hops, 2 * top);
  }

  std::optional<Refusal> object(const schedule::Schedule& schedule,
                                const schedule::CollectiveRequest& request) const override {
    if (std::optional<Refusal> refusal = RoutedFabric::object(schedule, request)) return refusal;

    // Messages of single servers. Collectives are told earlier, where a schedule is built (Capabilities::averaging).
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
      for (const schedule::Move& move : schedule.phases[p].moves)
        if (schedule.members(move.source).size() != static_cast<std::size_t>(schedule.ranks))
          return Refusal{.reason = "a server sends to another, and what leaves 'optinc' is the average of all",
                         .advice = "Use a fabric that carries messages, such as switch.",
                         .phase = p};

    // Groups that meet nowhere
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> taken;
    Refusal crowded;
    for (std::uint32_t g = 0; g < request.groups.size(); ++g) {
      const std::vector<NodeId>& nodes = request.groups[g];
      const std::uint32_t top = options_.levels.meeting(nodes);
      bool free = true;
      for (std::uint32_t l = 1; l <= top; ++l)
        for (const std::uint32_t s : options_.levels.above(nodes, l))
          free &= taken.try_emplace({l, s}, g).first->second == g;
      if (!free) crowded.groups.push_back(g);
    }
    if (crowded.groups.empty()) return std::nullopt;
    crowded.reason =
        fmt::format("{} of {} groups need a switch that another group uses, and a switch averages all of its ports",
                    crowded.groups.size(), request.groups.size());
    crowded.advice =
        "Give groups switches of their own (fabric.ports), or let them wait for each other (--remedy block).";
    return crowded;
  }

  LowerResult lower(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                    const LowerOptions& options, flow::Program& program) const override {
    LowerResult result = RoutedFabric::lower(schedule, request, options, program);
    auto* lowered = std::get_if<Lowered>(&result);
    if (!lowered) return result;
    std::uint64_t mzis = 0;
    for (std::uint32_t l = 1; l <= options_.levels.levels(); ++l)
      mzis += options_.networks[l - 1].mzis * options_.levels.switches(l) * options_.instances;
    lowered->facts = {{"bits", static_cast<double>(options_.bits())},
                      {"symbols", static_cast<double>(options_.symbols())},
                      {"fraction_symbols", static_cast<double>(options_.tasks.front().out_fraction)},
                      {"levels", static_cast<double>(options_.levels.levels())},
                      {"ports", options_.levels.words()},
                      {"onn_instances", static_cast<double>(options_.instances)},
                      {"onn_mzis", static_cast<double>(options_.networks[0].mzis)},
                      {"onn_depth", static_cast<double>(options_.networks[0].depth)},
                      {"onn_loss_db", options_.networks[0].loss.value},
                      {"onn_latency_s", options_.networks[0].flight.to_seconds()},
                      {"mzis", static_cast<double>(mzis)},
                      {"normalised_traffic", 1.0},
                      {"model", std::string("a reconstruction, ours: the body of the OptINC paper is not known")}};
    return result;
  }

 private:
  // Lanes up from a switch of a level, to those of a server.
  double wider(std::uint32_t level) const {
    return static_cast<double>(options_.tasks[level - 1].outputs()) / options_.symbols();
  }

  // Up through `top` levels of networks and down again.
  Time way_time(std::uint32_t top) const {
    Time time = options_.latency * (2 * top);
    for (std::uint32_t l = 1; l <= top; ++l) time = time + options_.networks[l - 1].flight;
    return time;
  }

  const OptincOptions options_;
  flow::ResourceId ports_;                             // up from node i, then down to node i
  std::vector<flow::ResourceId> networks_;             // by level, then switch: one group at a time
  std::vector<flow::ResourceId> uplinks_, downlinks_;  // by level below the top, then switch
};

}  // namespace

Description describe_optinc() {
  return {
      "optinc",
      "a switch whose optical neural network averages and quantises gradients in flight; cascades; the model is ours",
      "after the abstract of Fei et al., arXiv 2603.28290, 2026", optinc_parameters()};
}

std::unique_ptr<Fabric> make_optinc(const Parameters& parameters) { return std::make_unique<Optinc>(parameters); }

}  // namespace helio::fabric
