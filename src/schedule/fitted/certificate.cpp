// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "schedule/fitted/exchange.h"
#include "schedule/fitted/tightest_cut.h"

namespace helio::schedule {

std::optional<Certificate> certificate_of(const CollectiveRequest& request, const Capabilities& capabilities) {
  if (!capabilities.network || request.ranks() < 2) return std::nullopt;
  Certificate why{.network = capabilities.network(), .near = {}, .binds = {}, .rate = {}, .words = {}};
  const Network& network = why.network;
  why.near.assign(network.vertices, false);
  why.binds.assign(network.arcs.size(), false);
  if (request.kind == Kind::kAllToAll) {
    if (!can_be_searched(network, request.groups)) return std::nullopt;
    const auto exchange = exchange_on(network, request.groups);
    const Binding binding = binding_links(*exchange, network);
    for (const std::uint32_t arc : binding.arcs) why.binds[arc] = true;
    why.words =
        fmt::format("{} of {} links bind an exchange: {}", binding.arcs.size(), network.arcs.size(), binding.words);
  } else {
    const bool backwards = request.kind == Kind::kReduceScatter || request.kind == Kind::kReduce;
    const std::vector<NodeId>& group = request.groups.front();
    std::vector<std::uint32_t> sinks, sources;
    for (const NodeId node : group) sinks.push_back(node.value);
    if (has_root(request.kind))
      sources = {sinks[static_cast<std::size_t>(request.root)]};
    else
      sources = sinks;
    const Network flowing = backwards ? reversed(network) : network;
    TightCut cut = tightest_cut(flowing, sources, sinks);
    for (std::size_t a = 0; a < flowing.arcs.size(); ++a)
      why.binds[a] = cut.inside[flowing.arcs[a].from] && !cut.inside[flowing.arcs[a].to];
    why.words = fmt::format("the tightest cut: what goes {} {} takes {} link{}", backwards ? "into" : "out of",
                            words_of_side(cut, network), cut.links, cut.links == 1 ? "" : "s");
    why.near = std::move(cut.inside);
  }
  for (std::size_t a = 0; a < network.arcs.size(); ++a)
    if (why.binds[a]) why.rate += network.arcs[a].rate;
  why.words += fmt::format(", {} together", format(why.rate));
  return why;
}

}  // namespace helio::schedule
