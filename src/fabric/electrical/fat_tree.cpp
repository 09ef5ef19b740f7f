// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/fat_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "fabric/electrical/flow_hash.h"
#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

std::uint64_t hosts_of(std::uint64_t k) { return k * k * k / 4; }

// What `k` and `nodes` say together.
std::uint32_t ports_of(const Parameters& parameters) {
  if (!parameters.has("k")) {
    if (!parameters.has("nodes"))
      throw Error(ErrorKind::kInput, "a fat-tree needs its size", {},
                  "give fabric.k, or nodes for the smallest tree that has them");
    return smallest_fat_tree(static_cast<std::uint64_t>(parameters.integer("nodes")));
  }
  const long long k = parameters.integer("k");
  if (k % 2 != 0)
    throw Error(ErrorKind::kInput, fmt::format("k = {} is odd, and half of the ports of each switch lead up", k),
                parameters.place("k"), fmt::format("give an even k, such as {}", k + 1));
  if (parameters.has("nodes") &&
      parameters.integer("nodes") > static_cast<long long>(hosts_of(static_cast<std::uint64_t>(k)))) {
    const auto nodes = static_cast<std::uint64_t>(parameters.integer("nodes"));
    throw Error(ErrorKind::kInput,
                fmt::format("{} ranks do not fit on the {} hosts of a fat-tree with k = {}", nodes,
                            hosts_of(static_cast<std::uint64_t>(k)), k),
                parameters.place("nodes"),
                fmt::format("give k of at least {}, or fewer nodes", smallest_fat_tree(nodes)));
  }
  return static_cast<std::uint32_t>(k);
}

enum class Routing { kEcmp, kSpray, kStatic };

Routing routing_named(const std::string& name) {
  return name == "ecmp" ? Routing::kEcmp : name == "spray" ? Routing::kSpray : Routing::kStatic;
}

class FatTree : public RoutedFabric {
 public:
  explicit FatTree(const Parameters& parameters)
      : half_(ports_of(parameters) / 2),
        hosts_(2 * half_ * half_ * half_),
        seed_(static_cast<std::uint64_t>(parameters.integer("seed"))),
        routing_(routing_named(parameters.text("routing"))),
        rate_(parameters.rate("rate")),
        latency_(parameters.time("latency")) {
    const double ratio = parameters.number("oversubscription");
    const bool at_edge = parameters.text("oversubscribed") == "edge";
    edge_rate_ = rate_ / (at_edge ? ratio : 1);
    aggregation_rate_ = rate_ / (at_edge ? 1 : ratio);
    place_ranks(parameters.text("rank_order"),
                parameters.has("nodes") ? static_cast<std::uint32_t>(parameters.integer("nodes")) : hosts_);

    capabilities_.fabric = "fat-tree";
    capabilities_.nodes = host_of_.size();
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = rate_;
    capabilities_.hop_latency = latency_;
    capabilities_.step_overhead = parameters.time("step_overhead");
    say_distances_and_cuts();
    add_resources();
    capabilities_.network = [shape = Shape{half_, hosts_, routing_ == Routing::kSpray, rate_, edge_rate_,
                                           aggregation_rate_, latency_, host_links_, edge_links_, aggregation_links_},
                             hosts = host_of_] { return network_of(shape, hosts); };
  }

  // Adapters and copper up to the edge, modules and fibre above it; all switches, also where hosts are not used.
  Bill bill() const override {
    const double h = half_, racks = 2 * h * h, uplinks = racks * h, nodes = static_cast<double>(host_of_.size());
    Bill bill;
    const std::uint32_t nics = bill.add({"nic", nodes, "each node", 2 * rate_}),
                        cables = bill.add({"copper-cable", nodes, "node to edge switch", 2 * rate_});
    const auto chips = [&](double count, BitRate through, const char* which) {
      return bill.add({"switch-chip", count, which, through});
    };
    const std::uint32_t edge = chips(racks, h * (rate_ + edge_rate_), "edge switches"),
                        aggregation = chips(racks, h * (edge_rate_ + aggregation_rate_), "aggregation switches"),
                        core = chips(h * h, 2 * h * aggregation_rate_, "core switches");
    const auto fibres = [&](const Level& level, BitRate rate, std::uint32_t above, std::uint32_t below,
                            const char* where) {
      const std::uint32_t modules = bill.add({"optical-module", 2 * uplinks, where, 2 * rate});
      const auto links = level.down.value - level.up.value;
      bill.cross(level.up, links, {{modules, 2}, {above}});
      bill.cross(level.down, links, {{modules, 2}, {below}});
    };
    bill.cross(host_links_.up, hosts_, {{nics}, {cables}, {edge}});
    bill.cross(host_links_.down, hosts_, {{nics}, {cables}});
    fibres(edge_links_, edge_rate_, aggregation, edge, "edge to aggregation, both ends");
    fibres(aggregation_links_, aggregation_rate_, core, aggregation, "aggregation to core, both ends");
    return bill;
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override {
    const std::uint32_t source = host_of_[from.value], destination = host_of_[to.value];
    const std::uint32_t edge_from = source / half_, edge_to = destination / half_;
    const std::uint32_t pod_from = edge_from / half_, pod_to = edge_to / half_;
    way.cross(host_links_.up_from(source));
    if (edge_from != edge_to) {
      const Turn turn = turn_of(source, destination);
      const bool sprayed = routing_ == Routing::kSpray;
      way.cross(edge_links_.up_from(sprayed ? edge_from : edge_from * half_ + turn.aggregation));
      if (pod_from != pod_to) {
        const auto uplink = [&](std::uint32_t pod) {
          return sprayed ? pod : (pod * half_ + turn.aggregation) * half_ + turn.core;
        };
        way.cross(aggregation_links_.up_from(uplink(pod_from)));
        way.cross(aggregation_links_.down_to(uplink(pod_to)));
      }
      way.cross(edge_links_.down_to(sprayed ? edge_to : edge_to * half_ + turn.aggregation));
    }
    way.cross(host_links_.down_to(destination));
    way.latency += latency_ * (edge_from == edge_to ? 2 : pod_from == pod_to ? 4 : 6);
  }

 private:
  // Link i of a level leads up from below, and down again.
  struct Level {
    flow::ResourceId up, down;
    flow::ResourceId up_from(std::uint32_t i) const { return {up.value + i}; }
    flow::ResourceId down_to(std::uint32_t i) const { return {down.value + i}; }
  };

  // Hosts that have ranks, then edge switches, aggregation switches and cores. Where flows are sprayed the aggregation switches of a pod
  // are one, and all cores are, as their links are one.
  struct Shape {
    std::uint32_t half, hosts;
    bool sprayed;
    BitRate rate, edge_rate, aggregation_rate;
    Time latency;
    Level host_links, edge_links, aggregation_links;
  };
  static schedule::Network network_of(const Shape& shape, const std::vector<std::uint32_t>& hosts) {
    const std::uint32_t h = shape.half, racks = 2 * h * h, pods = 2 * h,
                        ranks = static_cast<std::uint32_t>(hosts.size());
    const std::uint32_t aggregations = shape.sprayed ? pods : racks, cores = shape.sprayed ? 1 : h * h;
    const std::uint32_t edge = ranks, aggregation = edge + racks, core = aggregation + aggregations;
    schedule::Network network{.nodes = ranks, .vertices = core + cores, .arcs = {}};
    const auto join = [&](const Level& level, std::uint32_t i, std::uint32_t below, std::uint32_t above, BitRate rate) {
      network.arcs.push_back({below, above, rate, shape.latency, level.up_from(i).value});
      network.arcs.push_back({above, below, rate, shape.latency, level.down_to(i).value});
    };
    for (std::uint32_t r = 0; r < ranks; ++r) join(shape.host_links, hosts[r], r, edge + hosts[r] / h, shape.rate);
    if (shape.sprayed) {
      for (std::uint32_t i = 0; i < racks; ++i)
        join(shape.edge_links, i, edge + i, aggregation + i / h, h * shape.edge_rate);
      for (std::uint32_t i = 0; i < pods; ++i)
        join(shape.aggregation_links, i, aggregation + i, core, static_cast<double>(h) * h * shape.aggregation_rate);
    } else {
      for (std::uint32_t i = 0; i < racks * h; ++i) {
        join(shape.edge_links, i, edge + i / h, aggregation + i / h / h * h + i % h, shape.edge_rate);
        join(shape.aggregation_links, i, aggregation + i / h, core + i / h % h * h + i % h, shape.aggregation_rate);
      }
    }
    return network;
  }

  void add_resources() {
    const auto both_ways = [&](std::uint32_t count, BitRate rate, std::string up, std::string down, auto name) {
      Level level;
      level.up = resources_.add_links(count, rate, {[name](std::uint32_t i) { return name(i, true); }, std::move(up)});
      level.down =
          resources_.add_links(count, rate, {[name](std::uint32_t i) { return name(i, false); }, std::move(down)});
      return level;
    };
    const auto joined = [](bool up, const std::string& low, const std::string& high) {
      return fmt::format("link {} to {}", up ? low : high, up ? high : low);
    };
    const std::uint32_t h = half_, racks = 2 * h * h, pods = 2 * h;
    host_links_ = both_ways(hosts_, rate_, "link host to edge", "link edge to host", [=](std::uint32_t i, bool up) {
      return joined(up, fmt::format("host {}", i), fmt::format("edge {}", i / h));
    });

    // Sprayed flows load all uplinks of a rack, and all of a pod, alike: each bundle is then one link of their joint rate.
    if (routing_ == Routing::kSpray) {
      edge_links_ = both_ways(
          racks, h * edge_rate_, "uplinks of edge", "downlinks of edge",
          [=](std::uint32_t i, bool up) { return fmt::format("{} {}links of edge {}", h, up ? "up" : "down", i); });
      aggregation_links_ = both_ways(
          pods, static_cast<double>(h) * h * aggregation_rate_, "uplinks of pod", "downlinks of pod",
          [=](std::uint32_t i, bool up) { return fmt::format("{} {}links of pod {}", h * h, up ? "up" : "down", i); });
      return;
    }
    edge_links_ = both_ways(
        racks * h, edge_rate_, "link edge to aggregation", "link aggregation to edge", [=](std::uint32_t i, bool up) {
          const std::uint32_t edge = i / h;
          return joined(up, fmt::format("edge {}", edge), fmt::format("aggregation {}", edge / h * h + i % h));
        });
    aggregation_links_ = both_ways(racks * h, aggregation_rate_, "link aggregation to core", "link core to aggregation",
                                   [=](std::uint32_t i, bool up) {
                                     const std::uint32_t aggregation = i / h;
                                     return joined(up, fmt::format("aggregation {}", aggregation),
                                                   fmt::format("core {}", aggregation % h * h + i % h));
                                   });
  }

  // Where a flow turns from up to down: which aggregation switch of a pod, which of the cores above it.
  struct Turn {
    std::uint32_t aggregation = 0, core = 0;
  };

  Turn turn_of(std::uint32_t source, std::uint32_t destination) const {
    if (routing_ == Routing::kSpray) return {};
    if (routing_ == Routing::kStatic) return {destination % half_, destination / half_ % half_};  // d mod k
    const FlowHash hash(seed_, NodeId{source}, NodeId{destination});
    return {hash.pick(0, half_), hash.pick(1, half_)};
  }

  void place_ranks(const std::string& order, std::uint32_t nodes) {
    host_of_.resize(hosts_);
    std::iota(host_of_.begin(), host_of_.end(), 0u);
    Random random(seed_);
    if (order == "random") random.shuffle(host_of_);
    if (order == "racks") {
      std::vector<std::uint32_t> racks(hosts_ / half_);
      std::iota(racks.begin(), racks.end(), 0u);
      random.shuffle(racks);
      for (std::uint32_t i = 0; i < hosts_; ++i) host_of_[i] = racks[i / half_] * half_ + i % half_;
    }
    host_of_.resize(nodes);
  }

  // What the bound needs to know, counted on the ranks as they are placed.
  void say_distances_and_cuts() {
    std::map<std::uint32_t, std::uint32_t> in_rack, in_pod, racks_of_pod;
    for (const std::uint32_t host : host_of_) {
      if (++in_rack[host / half_] == 1) ++racks_of_pod[host / half_ / half_];
      ++in_pod[host / half_ / half_];
    }
    const auto crowded = [](const auto& counts) {
      return std::ranges::any_of(counts, [](const auto& entry) { return entry.second > 1; });
    };
    capabilities_.farthest_latency = latency_ * (in_pod.size() > 1 ? 6 : in_rack.size() > 1 ? 4 : 2);
    capabilities_.nearest_latency = host_of_.size() < 2 ? capabilities_.farthest_latency
                                                        : latency_ * (crowded(in_rack)  ? 2
                                                                      : crowded(in_pod) ? 4
                                                                                        : 6);

    // A rack and a pod of each size that occurs: what leads up, or what their hosts can send
    const BitRate rack_uplinks = half_ * edge_rate_,
                  pod_uplinks = static_cast<double>(half_) * half_ * aggregation_rate_;
    std::map<std::uint32_t, BitRate> racks, pods;
    for (const auto& [rack, ranks] : in_rack) racks[ranks] = std::min(rack_uplinks, ranks * rate_);
    for (const auto& [pod, ranks] : in_pod) {
      const BitRate out = std::min({pod_uplinks, racks_of_pod[pod] * rack_uplinks, ranks * rate_});
      const auto [at, fresh] = pods.insert({ranks, out});
      if (!fresh) at->second = std::min(at->second, out);
    }
    for (const auto& [ranks, out] : racks)
      capabilities_.cuts.push_back({fmt::format("uplinks of a rack of {}", ranks), ranks, out, out});
    for (const auto& [ranks, out] : pods)
      capabilities_.cuts.push_back({fmt::format("uplinks of a pod of {}", ranks), ranks, out, out});

    // Half of the pods that have ranks
    const std::size_t inside = in_pod.size() / 2;
    std::uint64_t ranks = 0;
    auto pod = in_pod.begin();
    for (std::size_t i = 0; i < inside; ++i) ranks += (pod++)->second;
    if (inside > 0) {
      const BitRate across = static_cast<double>(inside) * pod_uplinks;
      capabilities_.cuts.push_back(
          {fmt::format("core between {} and {} pods", inside, in_pod.size() - inside), ranks, across, across});
    }
  }

  std::uint32_t half_;  // k/2: hosts of a rack, racks of a pod, uplinks of a switch
  std::uint32_t hosts_;
  std::uint64_t seed_;
  Routing routing_;
  BitRate rate_, edge_rate_, aggregation_rate_;
  Time latency_;
  std::vector<std::uint32_t> host_of_;  // by rank
  Level host_links_, edge_links_, aggregation_links_;
};

Parameter choice(const std::string& name, std::vector<std::string> choices, const std::string& description,
                 Situation matters) {
  Parameter p;
  p.name = name;
  p.type = ParameterType::kChoice;
  p.fallback = choices.front();
  p.choices = std::move(choices);
  p.description = description;
  p.matters = std::move(matters);
  return p;
}

}  // namespace

std::uint32_t smallest_fat_tree(std::uint64_t nodes) {
  std::uint32_t k = 2;
  while (hosts_of(k) < nodes) k += 2;
  return k;
}

Description describe_fat_tree() {
  const std::string bare = "all-reduce fabric=fat-tree bytes=1MB algorithm=ring";
  const std::string example = bare + " fabric.k=4";
  const std::string dense = "all-to-all fabric=fat-tree fabric.k=4 bytes=1MB algorithm=direct";

  Parameter nodes = nodes_parameter(bare, fmt::format("{}", hosts_of(kMostFatTreePorts)), "16");
  nodes.optional = true;
  nodes.description += "; at most k³/4, and unset: all of these hosts";
  const Parameter k{
      .name = "k",
      .type = ParameterType::kInteger,
      .minimum = "2",
      .maximum = fmt::format("{}", kMostFatTreePorts),
      .description = "ports of each switch, even: k pods, k³/4 hosts; unset: the smallest tree that has `nodes` hosts",
      .matters = {bare + " nodes=16", "8", "4"},
      .optional = true};
  const Parameter oversubscription{
      .name = "oversubscription",
      .type = ParameterType::kNumber,
      .fallback = "1",
      .minimum = "1",
      .maximum = "1000000",
      .description = "what leads down over what leads up at one level: its uplinks have rate / oversubscription each",
      .matters = {dense, "2", ""}};
  const Parameter seed =
      seed_parameter("all-reduce fabric=fat-tree fabric.k=8 fabric.rank_order=random bytes=1MB algorithm=ring",
                     "of the hash that `ecmp` picks ways with, and of the order of ranks");

  return {
      "fat-tree",
      "k-ary fat-tree of three levels: ECMP, sprayed or static routing, ranks in any order",
      "Al-Fares, Loukissas & Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008",
      {nodes, k, rate_parameter(example, "one direction of one link"),
       latency_parameter(
           example, "500 ns",
           "per link crossed: 2 in a rack, 4 in a pod, 6 between pods; the default is a short electrical hop, ours"),
       step_overhead_parameter(example), oversubscription,
       choice("oversubscribed", {"edge", "aggregation"},
              "the level whose uplinks are slower: edge to aggregation, or aggregation to core",
              {dense + " fabric.oversubscription=2", "aggregation", ""}),
       choice(
           "routing", {"ecmp", "spray", "static"},
           "which of the equal ways: a hash of the two ends and the seed; all of them evenly; by destination (d mod k)",
           {dense, "spray", ""}),
       choice("rank_order", {"host", "racks", "random"},
              "where ranks sit: in the order of hosts; racks kept together, their order shuffled; anywhere",
              {"all-reduce fabric=fat-tree fabric.k=8 bytes=1MB algorithm=ring", "random", ""}),
       seed}};
}

std::unique_ptr<Fabric> make_fat_tree(const Parameters& parameters) { return std::make_unique<FatTree>(parameters); }

}  // namespace helio::fabric
