// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/exchange_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace helio::schedule {
namespace {

// What a move can tell apart (Move::way).
constexpr std::size_t kMostWays = 256;

// Ways of the least latency are looked for where latencies are more than this of the time.
constexpr double kLatenciesMatter = 0.005;

Time latency_of(const Exchange& exchange, const Network& network, std::uint32_t way) {
  Time latency;
  exchange.ways.for_each_arc(way, [&](std::uint32_t a) { latency += network.arcs[a].latency; });
  return latency;
}

// No part arrives later, if each pair has so many bytes: on each link a part has what is its own of it while all of them are there.
double latest_arrival(const Exchange& exchange, const Network& network, Bytes bytes, Time overhead) {
  std::vector<double> load(network.arcs.size(), 0);
  const Bytes unit = bytes / exchange.units;
  const auto for_each = [&](auto visit) {
    for (const std::vector<Exchange::Part>& parts : exchange.pairs)
      for (const Exchange::Part& part : parts) visit(part);
  };
  for_each([&](const Exchange::Part& part) {
    exchange.ways.for_each_arc(
        part.way, [&](std::uint32_t a) { load[a] += seconds_at(part.units * unit, network.arcs[a].rate); });
  });
  double latest = 0;
  for_each([&](const Exchange::Part& part) {
    double busiest = 0;
    exchange.ways.for_each_arc(part.way, [&](std::uint32_t a) { busiest = std::max(busiest, load[a]); });
    latest = std::max(latest, busiest + (overhead + latency_of(exchange, network, part.way)).to_seconds());
  });
  return latest;
}

// Of each pair the runs of units that take one way, in every group: where a run of any group begins. Returns the ends of runs.
std::vector<std::uint32_t> runs_of(const Exchange& exchange, std::size_t pair, std::size_t pairs, std::size_t groups) {
  std::vector<std::uint32_t> ends;
  for (std::size_t g = 0; g < groups; ++g) {
    std::uint32_t end = 0;
    for (const Exchange::Part& part : exchange.pairs[g * pairs + pair]) ends.push_back(end += part.units);
  }
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace

LaidOut add_exchange(Schedule& schedule, const CollectiveRequest& request, const Network& network, Time step_overhead,
                     std::optional<std::uint32_t> units) {
  const auto n = static_cast<std::size_t>(request.ranks());
  const Bytes bytes = request.bytes / static_cast<double>(n);
  const auto found = [&](Spread spread) { return exchange_on(network, request.groups, spread, units.value_or(0)); };
  const auto latest = [&](const Exchange& exchange) { return latest_arrival(exchange, network, bytes, step_overhead); };
  const std::shared_ptr<const Exchange> spread = found(Spread::kThrifty);
  std::shared_ptr<const Exchange> carried = spread;
  if (const double end = latest(*spread); end > (1 + kLatenciesMatter) * spread->busiest * bytes.value)
    if (std::shared_ptr<const Exchange> near = found(Spread::kShort); latest(*near) < end) carried = std::move(near);

  schedule.chunks = static_cast<std::uint32_t>(n) * carried->units;
  schedule.result = Buffer::kOutput;
  schedule.order = carried->units > 1 ? Order::kDataflow : Order::kStep;
  Phase phase{.name = "all-to-all"};
  std::vector<std::int32_t> queues(n, 0);  // by rank
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t to = 0; to < n; ++to) {
      if (from == to) continue;
      const std::vector<std::uint32_t> ends = runs_of(*carried, from * n + to, n * n, request.groups.size());
      if (ends.size() > kMostWays)
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("the exchange takes more than {} ways between two nodes, and moves tell no more apart",
                                kMostWays),
                    "", "use another algorithm");
      std::uint32_t begin = 0;
      for (std::size_t run = 0; run < ends.size(); begin = ends[run++]) {
        const auto slot = [&](std::size_t block) { return static_cast<std::uint32_t>(block) * carried->units + begin; };
        phase.moves.push_back({.source = static_cast<Position>(from),
                               .destination = static_cast<Position>(to),
                               .source_slot = slot(to),
                               .destination_slot = slot(from),
                               .count = ends[run] - begin,
                               .queue = schedule.order == Order::kDataflow ? queues[from]++ : -1,
                               .destination_buffer = Buffer::kOutput,
                               .way = static_cast<std::uint8_t>(run)});
        for (std::size_t g = 0; g < request.groups.size(); ++g) {
          std::uint32_t end = 0;
          const auto part = std::ranges::find_if(carried->pairs[(g * n + from) * n + to],
                                                 [&](const Exchange::Part& one) { return (end += one.units) > begin; });
          PlannedWay way{.from = request.groups[g][from],
                         .to = request.groups[g][to],
                         .number = static_cast<std::uint8_t>(run),
                         .links = {},
                         .latency = latency_of(*carried, network, part->way)};
          carried->ways.for_each_arc(part->way, [&](std::uint32_t a) { way.links.push_back(network.arcs[a].link); });
          std::ranges::reverse(way.links);
          way.links.shrink_to_fit();
          schedule.ways.push_back(std::move(way));
        }
      }
    }
  schedule.phases = {std::move(phase)};
  return {std::move(carried), spread};
}

}  // namespace helio::schedule
