// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/units.h"
#include "schedule/fitted/exchange.h"
#include "schedule/levels/level_split.h"
#include "schedule/levels/level_tree.h"

namespace helio::pipeline {
namespace {

using schedule::Capabilities;
using schedule::CollectiveRequest;
using schedule::Cut;
using schedule::Kind;

// Bytes that some rank, or the average rank, must send and receive (docs/bounds.md, "What a rank must move").
struct Share {
  double sent = 0, received = 0;
};

Share share_of_a_rank(Kind kind, double d, double n, bool reduces, bool multicasts) {
  const double rest = d * (n - 1) / n;  // everything but one's own block
  switch (kind) {
    case Kind::kAllReduce: return {multicasts ? d : 2 * rest, reduces ? d : 2 * rest};
    case Kind::kReduceScatter: return {rest, reduces ? d / n : rest};
    case Kind::kAllGather: return {multicasts ? d / n : rest, rest};
    case Kind::kBroadcast: return {d, d};
    case Kind::kReduce: return {d, d};
    case Kind::kAllToAll: return {rest, rest};
  }
  return {};
}

// Bytes that must cross a cut with k ranks inside. A rooted kind crosses it one way, and the root may be on either side.
struct Crossing {
  double outward = 0, inward = 0;
  bool either = false;
};

Crossing crossing(Kind kind, double d, double n, double k) {
  switch (kind) {
    case Kind::kAllReduce: return {d, d};
    case Kind::kReduceScatter: return {d * (n - k) / n, d * k / n};
    case Kind::kAllGather: return {d * k / n, d * (n - k) / n};
    case Kind::kBroadcast:
    case Kind::kReduce: return {d, d, true};
    case Kind::kAllToAll: return {d * k * (n - k) / n, d * k * (n - k) / n};
  }
  return {};
}

double seconds_across(const Cut& cut, Kind kind, double d, double n) {
  const Crossing must = crossing(kind, d, n, static_cast<double>(cut.inside));
  const auto seconds = [](double bytes, BitRate rate) { return rate.value > 0 ? seconds_at({bytes}, rate) : 0; };
  const double out = seconds(must.outward, cut.outward), in = seconds(must.inward, cut.inward);
  return must.either ? std::min(out, in) : std::max(out, in);
}

// The fewest rounds after which a rank can have heard of all others: what it knows of grows by (1 + heard) in each.
double fewest_rounds(const Capabilities& capabilities, const CollectiveRequest& request, schedule::Order order) {
  if (order == schedule::Order::kDataflow || request.kind == Kind::kBroadcast) return 1;
  if (capabilities.senders_heard <= 0 || capabilities.reduces) return 1;
  int rounds = 0;
  for (std::int64_t known = 1; known < request.ranks(); known *= 1 + capabilities.senders_heard) ++rounds;
  return rounds;
}

// The units of a level that a group has members in, and how many in each; 0: they differ.
struct Units {
  std::vector<NodeId> numbers;
  std::uint64_t members = 0;
};
Units units_of(const Capabilities::Part& level, const std::vector<NodeId>& group) {
  std::map<std::uint32_t, std::uint64_t> count;
  for (const NodeId node : group)
    ++count[static_cast<std::uint32_t>(node.value / level.unit % level.capabilities.nodes)];
  Units units{.numbers = {}, .members = count.begin()->second};
  for (const auto& [number, members] : count) {
    units.numbers.push_back({number});
    if (members != units.members) units.members = 0;
  }
  return units;
}

// On a composite: the level on which the groups meet carries all that goes between their units, for all groups with the same units together.
Bound bound_by_level(const Capabilities& capabilities, const CollectiveRequest& request, schedule::Order order,
                     double copies_below) {
  const std::size_t spanned = schedule::levels_spanned(request, capabilities);
  if (spanned == 0) return {};
  const Capabilities::Part& top = capabilities.parts[spanned - 1];
  std::map<std::pair<std::uint64_t, std::vector<NodeId>>, std::pair<double, Units>> classes;  // by instance and units
  for (const std::vector<NodeId>& group : request.groups) {
    Units units = units_of(top, group);
    auto& [count, known] = classes[{group.front().value / (top.unit * top.capabilities.nodes), units.numbers}];
    ++count;
    known = std::move(units);
  }
  Bound best;
  for (const auto& [who, what] : classes) {
    const auto& [groups, units] = what;
    if (schedule::is_rank_indexed(request.kind) && units.members == 0) continue;
    const double share = request.kind == Kind::kAllToAll ? groups * static_cast<double>(units.members) : groups;
    CollectiveRequest among = request;
    among.groups = {units.numbers};
    among.bytes = request.bytes * share;
    among.root = 0;
    Bound bound = lower_bound(top.capabilities, among, order);
    if (spanned > 1) bound.words = fmt::format("level '{}': {}", top.name, bound.words);
    if (bound.seconds > best.seconds) best = std::move(bound);

    const Capabilities& lowest = capabilities.parts.front().capabilities;
    if (spanned != 2 || request.kind != Kind::kAllReduce || units.members < 2 || lowest.reduces || lowest.multicasts)
      continue;
    const double below = schedule::best_split(request.bytes,
                                              {.units = static_cast<double>(units.numbers.size()),
                                               .ranks = static_cast<double>(units.members),
                                               .sharing = groups,
                                               .copies = copies_below},
                                              lowest, top.capabilities)
                             .seconds;
    if (below > best.seconds)
      best = {below, fmt::format("level '{}': {} ranks of a unit add and copy below what they do not send up: {}",
                                 capabilities.parts.front().name, units.members, format(Time::seconds(below)))};
  }
  return best;
}

}  // namespace

Bound lower_bound(const Capabilities& capabilities, const CollectiveRequest& request, schedule::Order order,
                  double copies_below) {
  if (request.ranks() > 1)
    if (Bound levels = bound_by_level(capabilities, request, order, copies_below); levels.seconds > 0) {
      Capabilities flat = capabilities;
      flat.parts.clear();
      Bound all = lower_bound(flat, request, order);
      return levels.seconds > all.seconds ? levels : all;
    }
  const double n = request.ranks(), d = request.bytes.value * capabilities.least_wire_factor;
  if (n <= 1) return {0, "a single rank moves nothing"};
  const bool all_nodes =
      request.groups.size() == 1 && static_cast<std::uint64_t>(request.ranks()) == capabilities.nodes;

  // What the bytes need: the narrowest of injection, ejection and cuts
  const Share share = share_of_a_rank(request.kind, d, n, capabilities.reduces, capabilities.multicasts);
  double transmission = 0;
  std::string narrowest = "nothing limits the bytes";
  const auto consider = [&](double seconds, const std::string& what) {
    if (seconds > transmission) transmission = seconds, narrowest = what;
  };
  if (capabilities.injection.value > 0)
    consider(seconds_at({share.sent}, capabilities.injection),
             fmt::format("a rank must send {} at {}", format(Bytes{share.sent}), format(capabilities.injection)));
  if (capabilities.ejection.value > 0)
    consider(seconds_at({share.received}, capabilities.ejection),
             fmt::format("a rank must receive {} at {}", format(Bytes{share.received}), format(capabilities.ejection)));
  if (all_nodes)
    for (const Cut& cut : capabilities.cuts)
      if (cut.inside > 0 && cut.inside < capabilities.nodes)
        consider(seconds_across(cut, request.kind, d, n), fmt::format("what must cross the {}", cut.name));
  if (request.kind == Kind::kAllToAll && capabilities.network)
    if (const schedule::Network network = capabilities.network(); can_be_searched(network, request.groups)) {
      const auto exchange = exchange_on(network, request.groups);
      consider(exchange->least * d / n,
               fmt::format("what links must carry, most of all {}", binding_links(*exchange, network).words));
    }

  // How far news must travel: to the farthest rank, or from a root to a rank at least half as far
  const double nearest = capabilities.nearest_latency.to_seconds();
  double farthest = nearest;
  if (all_nodes) {
    farthest =
        std::max(nearest, capabilities.farthest_latency.to_seconds() / (schedule::has_root(request.kind) ? 2 : 1));
  }

  const double rounds = fewest_rounds(capabilities, request, order);
  const double overhead = capabilities.step_overhead.to_seconds(), setup = capabilities.first_setup.to_seconds();
  const double by_bytes = transmission + rounds * (overhead + nearest) + setup;
  const double by_distance = rounds * overhead + farthest + setup;

  // In words
  const auto time = [](double seconds) { return format(Time::seconds(seconds)); };
  std::string extra;
  if (overhead > 0) extra += fmt::format(" + {} x step overhead {}", rounds, time(overhead));
  if (setup > 0) extra += fmt::format(" + first setup {}", time(setup));
  if (by_bytes >= by_distance)
    return {by_bytes, fmt::format("{}: {}{}{}", narrowest, time(transmission),
                                  nearest > 0 ? fmt::format(" + {} x latency {}", rounds, time(nearest)) : "", extra)};
  return {by_distance, fmt::format("news must reach the farthest rank: latency {}{}", time(farthest), extra)};
}

namespace {

// Bytes that units of nodes send and receive, where a unit can do so much at once: single ranks, and units of a level of a composite.
class Doors {
 public:
  Doors(const Capabilities& can, std::uint64_t unit, std::uint64_t units)
      : injection_(can.injection),
        ejection_(can.ejection),
        unit_(unit),
        whole_(unit * can.nodes),
        out_(units),
        in_(units) {}

  void close() {
    std::ranges::fill(out_, 0);
    std::ranges::fill(in_, 0);
  }
  void send(std::uint64_t node, double bytes) { out_[node / unit_] += bytes; }
  void receive(std::uint64_t node, double bytes) { in_[node / unit_] += bytes; }
  // From one unit to another, where this level joins them.
  void pass(std::uint64_t from, std::uint64_t to, double bytes) {
    if (from / unit_ == to / unit_ || from / whole_ != to / whole_) return;
    send(from, bytes);
    receive(to, bytes);
  }
  double seconds() const {
    const auto most = [](const std::vector<double>& bytes, BitRate rate) {
      return rate.value > 0 ? seconds_at({*std::ranges::max_element(bytes)}, rate) : 0;
    };
    return std::max(most(out_, injection_), most(in_, ejection_));
  }

 private:
  BitRate injection_, ejection_;
  std::uint64_t unit_, whole_;
  std::vector<double> out_, in_;
};

}  // namespace

double least_time(const Capabilities& capabilities, const CollectiveRequest& request,
                  const schedule::Schedule& schedule, schedule::Order order) {
  if (request.ranks() <= 1) return 0;
  const double slot = schedule.slot_bytes(request.bytes).value * capabilities.least_wire_factor;
  const bool in_steps = order == schedule::Order::kStep;
  Doors ranks(capabilities, 1, static_cast<std::uint64_t>(schedule.ranks));
  std::vector<Doors> levels;
  for (const Capabilities::Part& part : capabilities.parts)
    if (part.unit > 1) levels.emplace_back(part.capabilities, part.unit, capabilities.nodes / part.unit);

  const auto pass = [&](const schedule::Move& move, double bytes) {
    const auto sources = schedule.members(move.source), destinations = schedule.members(move.destination);
    for (const schedule::Position p : sources) ranks.send(static_cast<std::uint64_t>(p), bytes);
    for (const schedule::Position p : destinations) ranks.receive(static_cast<std::uint64_t>(p), bytes);
    if (sources.size() > 1 || destinations.size() > 1) return;  // levels may add and copy on the way
    for (Doors& level : levels)
      for (const std::vector<NodeId>& group : request.groups)
        level.pass(group[static_cast<std::size_t>(sources.front())].value,
                   group[static_cast<std::size_t>(destinations.front())].value, bytes);
  };
  double transmission = 0, rounds = 0;
  const auto take_most = [&] {
    double most = ranks.seconds();
    for (const Doors& level : levels) most = std::max(most, level.seconds());
    transmission += most;
  };
  for (const schedule::Phase& phase : schedule.phases) {
    if (in_steps) {
      ranks.close();
      for (Doors& level : levels) level.close();
    }
    double longest = 0;  // rounds of one move: in so many at least something moves
    for (const schedule::Move& move : phase.moves) {
      const schedule::Window active = schedule::window(move, phase);
      pass(move, slot * static_cast<double>(move.count) * (active.last - active.first));
      longest = std::max(longest, static_cast<double>(active.last - active.first));
    }
    if (in_steps) take_most();
    rounds = in_steps ? rounds + longest : 1;
  }
  if (!in_steps) take_most();
  return transmission + rounds * (capabilities.step_overhead + capabilities.nearest_latency).to_seconds() +
         capabilities.first_setup.to_seconds();
}

double kept_bound(double bound_s, double time_s, std::uint64_t steps) {
  const double rounding = 1e-9 * time_s + static_cast<double>(steps) / Time::kPerSecond;
  if (!(bound_s >= 0 && bound_s <= time_s + rounding && std::isfinite(time_s)))
    throw std::logic_error(fmt::format("a time of {} s against a bound of {} s", time_s, bound_s));
  return std::min(bound_s, time_s);
}

}  // namespace helio::pipeline
