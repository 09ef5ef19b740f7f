// SPDX-License-Identifier: Apache-2.0
#include "report/figures/network_figure.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/csv_field.h"
#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::report {

using schedule::Certificate;
using schedule::Network;

namespace {

constexpr std::uint32_t kMostVertices = 256;
constexpr std::size_t kMostLinks = 2048;

// Links of the same ends, in parallel, as one.
struct Link {
  BitRate rate;
  std::size_t count = 0;
  bool binds = false;
};

}  // namespace

std::optional<Figure> network_figure(const Certificate& why) {
  using Json = nlohmann::ordered_json;
  const Network& network = why.network;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Link> links;
  for (std::size_t a = 0; a < network.arcs.size(); ++a) {
    Link& link = links[{network.arcs[a].from, network.arcs[a].to}];
    link.rate += network.arcs[a].rate;
    link.binds = link.binds || why.binds[a];
    ++link.count;
  }
  if (network.vertices > kMostVertices || links.size() > kMostLinks) return std::nullopt;

  const auto name = [&](std::uint32_t v) { return network.names.empty() ? fmt::format("{}", v) : network.names[v]; };
  Figure figure{.name = "network", .kind = "network", .title = "The network and what binds on it"};
  figure.words = fmt::format("{} and {}; {}.", pipeline::counted(network.nodes, "node"),
                             network.vertices == network.nodes
                                 ? std::string("no switch")
                                 : fmt::format("{} that only hand on", network.vertices - network.nodes),
                             why.words);
  Json vertices = Json::array(), drawn = Json::array();
  for (std::uint32_t v = 0; v < network.vertices; ++v)
    vertices.push_back({{"name", name(v)}, {"switch", v >= network.nodes}, {"near", bool{why.near[v]}}});
  figure.csv = "from,to,links,bits per second,binds\n";
  for (const auto& [ends, link] : links) {
    drawn.push_back({ends.first, ends.second, format(link.rate), link.binds});
    figure.csv += csv_line({csv_field(name(ends.first)), csv_field(name(ends.second)), fmt::format("{}", link.count),
                            csv_field(link.rate.value), link.binds ? "yes" : "no"});
  }
  figure.data = {{"vertices", std::move(vertices)}, {"links", std::move(drawn)}};
  return figure;
}

}  // namespace helio::report
