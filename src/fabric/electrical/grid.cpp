// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/electrical/wafer_io.h"
#include "fabric/fact_kinds.h"
#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

constexpr long long kMostNodes = 16'777'216;

std::string in_words(const std::vector<long long>& extents) { return fmt::format("{}", fmt::join(extents, "x")); }

// The two factors of `nodes` that are nearest to each other, the larger first (as MPI_Dims_create does).
std::vector<long long> most_nearly_square(long long nodes) {
  long long side = 1;
  for (long long i = 1; i * i <= nodes; ++i)
    if (nodes % i == 0) side = i;
  return {nodes / side, side};
}

// What `dimensions` and `nodes` say together.
std::vector<long long> extents_of(const Parameters& parameters) {
  if (!parameters.has("dimensions")) {
    if (!parameters.has("nodes"))
      throw Error(
          ErrorKind::kInput, "a grid needs its dimensions", {},
          "give fabric.dimensions such as 32x32, or nodes alone for the most nearly square grid of two dimensions");
    return most_nearly_square(parameters.integer("nodes"));
  }
  const std::vector<long long> extents = parameters.dimensions("dimensions");
  long long nodes = 1;
  for (const long long extent : extents) {
    if (extent > kMostNodes / nodes)
      throw Error(ErrorKind::kInput,
                  fmt::format("dimensions {} have more than {} nodes", in_words(extents), kMostNodes),
                  parameters.place("dimensions"), "give smaller extents");
    nodes *= extent;
  }
  if (parameters.has("nodes") && parameters.integer("nodes") != nodes)
    throw Error(
        ErrorKind::kInput,
        fmt::format("dimensions {} have {} nodes, not {}", in_words(extents), nodes, parameters.integer("nodes")),
        parameters.place("nodes"), fmt::format("leave nodes out, or give {}", nodes));
  return extents;
}

class Grid : public RoutedFabric {
 public:
  Grid(const std::string& name, bool wraps, const Parameters& parameters) : latency_(parameters.time("latency")) {
    const std::vector<long long> extents = extents_of(parameters);
    const BitRate rate = parameters.rate("rate");
    for (const long long extent : extents) {
      Axis axis;
      axis.extent = static_cast<std::uint32_t>(extent);
      axis.stride = nodes_;
      axis.wraps = wraps && extent > 2;
      axis.pairs = axis.wraps ? axis.extent : axis.extent - 1;
      nodes_ *= axis.extent;
      axes_.push_back(axis);
    }

    // What the best and the worst connected node can send, and how far it is
    std::uint32_t most_links = 0, least_links = 0, farthest = 0;
    for (const Axis& axis : axes_) {
      most_links += std::min(axis.extent - 1, 2u);
      least_links += axis.wraps ? 2 : std::min(axis.extent - 1, 1u);
      farthest += wraps ? axis.extent / 2 : axis.extent - 1;
    }
    capabilities_.fabric = name;
    capabilities_.nodes = nodes_;
    capabilities_.adjacency = schedule::Adjacency::kGrid;
    capabilities_.dimensions = extents;
    capabilities_.wraps = wraps;
    capabilities_.link_rate = rate;
    capabilities_.injection = capabilities_.ejection = std::max(most_links, 1u) * rate;
    capabilities_.hop_latency = capabilities_.nearest_latency = latency_;
    capabilities_.farthest_latency = std::max(latency_, latency_ * farthest);
    capabilities_.step_overhead = parameters.time("step_overhead");
    capabilities_.multicasts = parameters.boolean("multicast");
    if (!wraps && parameters.has("io_rate")) set_io(parameters);

    // The middle of every dimension, and a corner
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      const Axis& axis = axes_[d];
      if (axis.extent < 2) continue;
      const std::uint32_t lines = nodes_ / axis.extent;
      const BitRate across = lines * (axis.wraps ? 2.0 : 1.0) * rate;
      capabilities_.cuts.push_back({fmt::format("middle of dimension {} of the {} {}", d, in_words(extents), name),
                                    static_cast<std::uint64_t>(lines) * (axis.extent / 2), across, across});
    }
    if (least_links < most_links)
      capabilities_.cuts.push_back({"links of a corner", 1, least_links * rate, least_links * rate});
    add_resources();
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override { cross(from, to, Ties::kSplit, way); }

  std::optional<Refusal> complete(const schedule::Schedule&, const schedule::CollectiveRequest&, const LowerOptions&,
                                  flow::Program&, Lowered& lowered) const override {
    if (channel_count_ > 0)
      lowered.facts.push_back(
          {kIoBroadcastShareFact,
           wafer_io_broadcast(axes_[0].extent, axes_[1].extent).share(capabilities_.link_rate, channel_rate_)});
    return std::nullopt;
  }

  bool stream(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) const override {
    if (channel_count_ == 0) return false;
    const flow::ResourceId channels = inward ? channels_in_ : channels_out_;
    for (std::uint32_t i = 0; i < channel_count_; ++i) way.cross({channels.value + i}, weight_of(1.0 / channel_count_));
    const WaferIoLoads loads = wafer_io_loads(axes_[0].extent, axes_[1].extent, shards, inward);
    Way one;
    for (const WaferIoLink& link : loads.links) {
      one.clear();
      cross(link.from, link.to, Ties::kUpwards, one);
      way.cross(one.links.front().link, weight_of(loads.per_byte(link)));
    }
    return true;
  }

  // Every link on the way to any of them, once: a tree, so ties are not split.
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage&, Way& way) const override {
    Way one;
    std::vector<std::uint32_t> links;
    Time latency;
    for (const NodeId node : to) {
      one.clear();
      if (node != from.front()) cross(from.front(), node, Ties::kUpwards, one);
      for (const flow::LinkUse& use : one.links) links.push_back(use.link.value);
      latency = std::max(latency, one.latency);
    }
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const std::uint32_t link : links) way.cross(flow::ResourceId{link});
    way.latency += latency;
  }

 private:
  // The nodes whose index differs in one coordinate only form a line; `stride` apart in index.
  struct Axis {
    std::uint32_t extent = 1, stride = 1;
    bool wraps = false;       // the last of a line is joined to its first
    std::uint32_t pairs = 0;  // of links in one line
    flow::ResourceId links;   // upwards: line by line, pair by pair; then downwards likewise
  };

  // The ends of link i of an axis, `count` of which lead upwards.
  static std::pair<std::uint32_t, std::uint32_t> ends_of(const Axis& axis, std::uint32_t count, std::uint32_t i) {
    const std::uint32_t line = i % count / axis.pairs, lower = i % axis.pairs;
    const std::uint32_t first = line % axis.stride + line / axis.stride * axis.stride * axis.extent;
    const std::uint32_t a = first + lower * axis.stride, b = first + (lower + 1) % axis.extent * axis.stride;
    return i < count ? std::pair(a, b) : std::pair(b, a);
  }

  static schedule::Network network_of(const std::vector<Axis>& axes, std::uint32_t nodes, BitRate rate, Time latency) {
    schedule::Network network{.nodes = nodes, .vertices = nodes, .arcs = {}};
    for (const Axis& axis : axes) {
      const std::uint32_t count = nodes / axis.extent * axis.pairs;
      for (std::uint32_t i = 0; i < 2 * count; ++i) {
        const auto [from, to] = ends_of(axis, count, i);
        network.arcs.push_back({from, to, rate, latency, axis.links.value + i});
      }
    }
    return network;
  }

  void add_resources() {
    for (Axis& axis : axes_) {
      const std::uint32_t count = nodes_ / axis.extent * axis.pairs;  // in one direction
      if (count == 0) continue;
      const auto name = [axis, count, fabric = capabilities_.fabric](std::uint32_t i) {
        const auto [from, to] = ends_of(axis, count, i);
        return fmt::format("{} link {} to {}", fabric, from, to);
      };
      axis.links =
          resources_.add_links(2 * count, capabilities_.link_rate, {name, capabilities_.fabric + " link node to node"});
    }
    capabilities_.network = [axes = axes_, nodes = nodes_, rate = capabilities_.link_rate, latency = latency_] {
      return network_of(axes, nodes, rate, latency);
    };
    if (channel_count_ == 0) return;
    for (const bool in : {true, false}) {
      const char* direction = in ? "in" : "out";
      (in ? channels_in_ : channels_out_) =
          resources_.add_links(channel_count_, channel_rate_,
                               {[=](std::uint32_t i) { return fmt::format("I/O channel {} {}", i, direction); },
                                fmt::format("I/O channel {}", direction)});
    }
  }

  void set_io(const Parameters& parameters) {
    if (axes_.size() != 2)
      throw Error(ErrorKind::kInput, "I/O channels sit on the edge of a mesh of two dimensions",
                  parameters.place("io_rate"), "Leave io_rate out.");
    channel_rate_ = parameters.rate("io_rate");
    channel_count_ = wafer_io_channels(axes_[0].extent, axes_[1].extent);
    capabilities_.io_rate = channel_count_ * channel_rate_;
  }

  // What becomes of a move that is equally far from its end both ways round.
  enum class Ties : std::uint8_t { kUpwards, kSplit };

  // Adds the links between two nodes.
  void cross(NodeId from, NodeId to, Ties ties, Way& way) const {
    std::uint32_t at = from.value;
    for (const Axis& axis : axes_) {
      const std::uint32_t here = at / axis.stride % axis.extent, there = to.value / axis.stride % axis.extent;
      if (here == there) continue;

      // Which way, and how far; both ways, half of the bytes each, where they are equally far
      const std::uint32_t forward = (there + axis.extent - here) % axis.extent, backward = axis.extent - forward;
      const bool upward = axis.wraps ? forward <= backward : there > here;
      const bool both = axis.wraps && forward == backward && ties == Ties::kSplit;
      if (upward) walk(axis, at, true, forward, both ? 0.5f : 1, way);
      if (!upward || both) walk(axis, at, false, backward, both ? 0.5f : 1, way);
      way.latency += latency_ * (upward ? forward : backward);
      at = at - here * axis.stride + there * axis.stride;
    }
  }

  // Adds `hops` links along a line, from node `at` on.
  void walk(const Axis& axis, std::uint32_t at, bool upward, std::uint32_t hops, float weight, Way& way) const {
    // Pair p of a line joins its nodes p and p + 1
    const std::uint32_t line = at % axis.stride + at / (axis.stride * axis.extent) * axis.stride;
    const std::uint32_t first = axis.links.value + (upward ? 0 : nodes_ / axis.extent * axis.pairs) + line * axis.pairs;
    std::uint32_t x = at / axis.stride % axis.extent;
    for (std::uint32_t i = 0; i < hops; ++i) {
      const std::uint32_t below = x == 0 ? axis.extent - 1 : x - 1, above = x + 1 == axis.extent ? 0 : x + 1;
      way.cross(flow::ResourceId{first + (upward ? x : below)}, weight);
      x = upward ? above : below;
    }
  }

  std::uint32_t nodes_ = 1;
  Time latency_;
  std::vector<Axis> axes_;
  std::uint32_t channel_count_ = 0;  // of I/O
  BitRate channel_rate_;
  flow::ResourceId channels_in_, channels_out_;
};

Description described(const std::string& name, const std::string& summary, const std::string& reference) {
  const std::string bare = fmt::format("all-reduce fabric={} bytes=1MB algorithm=ring", name);
  const std::string example = bare + " fabric.dimensions=4x3";
  Parameter nodes = nodes_parameter(bare, fmt::format("{}", kMostNodes));
  nodes.optional = true;
  nodes.description += "; must agree with dimensions where both are given";
  Parameter dimensions;
  dimensions.name = "dimensions";
  dimensions.type = ParameterType::kDimensions;
  dimensions.optional = true;
  dimensions.description =
      "extents of the grid, such as 32x32 or 4x4x4; unset: the most nearly square grid of two dimensions that has "
      "`nodes` "
      "nodes (1024: 32x32, 12: 4x3, 7: 7x1)";
  dimensions.matters = {bare + " nodes=16", "8x2", "4x4"};
  Parameter multicast;
  multicast.name = "multicast";
  multicast.type = ParameterType::kBoolean;
  multicast.fallback = "false";
  multicast.description = "whether routers copy: a multicast takes every link on the ways to its destinations once";
  multicast.matters = {fmt::format("broadcast fabric={} bytes=1MB fabric.dimensions=4x3", name), "true", ""};
  std::vector<Parameter> all = {
      nodes,
      dimensions,
      rate_parameter(example, "one direction of one link"),
      latency_parameter(example, "500 ns", "per link crossed; the default is a short electrical hop, ours"),
      step_overhead_parameter(example),
      multicast};
  std::vector<FactKind> facts;
  if (name == "mesh") {
    facts.push_back(kIoBroadcastShareFact);
    Parameter io;
    io.name = "io_rate";
    io.type = ParameterType::kRate;
    io.minimum = "0 b/s";
    io.minimum_exclusive = true;
    io.maximum = "1000 Pb/s";
    io.optional = true;
    io.description =
        "one I/O channel, each direction, at every position of the edge (two dimensions); unset: no I/O. FRED's wafer: "
        "128 GB/s";
    io.matters = {example + " fabric.rate=750GB/s", "256 GB/s", "128 GB/s"};
    all.push_back(std::move(io));
  }
  return {name, summary, reference, std::move(all), std::move(facts)};
}

}  // namespace

Description describe_mesh() {
  return described("mesh", "grid of any dimensions, neighbours joined, X-Y routing",
                   "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, chapters 5 and 8");
}

Description describe_torus() {
  return described("torus", "grid of any dimensions whose lines close to rings, X-Y routing",
                   "Dally & Seitz, The torus routing chip, Distributed Computing 1, 1986");
}

std::unique_ptr<Fabric> make_mesh(const Parameters& parameters) {
  return std::make_unique<Grid>("mesh", false, parameters);
}

std::unique_ptr<Fabric> make_torus(const Parameters& parameters) {
  return std::make_unique<Grid>("torus", true, parameters);
}

}  // namespace helio::fabric
