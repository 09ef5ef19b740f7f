// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/sip_allocation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/budget.h"
#include "fabric/wdm/wavelengths.h"

namespace helio::fabric {
namespace {

// The first segment of a way in the direction of travel. Counter-clockwise from x it is x-1; seen in a mirror it runs forwards.
std::uint32_t first_segment(const SipRings& rings, std::uint32_t from, int direction) {
  return direction == 0 ? from : (rings.nodes - from) % rings.nodes;
}

// Calls `visit` for every segment of a way until it says no; returns whether it never did.
template <class Visit>
bool every_segment(const SipRings& rings, const SipDemand& demand, int direction, Visit visit) {
  std::uint32_t at = first_segment(rings, demand.from, direction);
  const std::uint32_t hops = sip_hops(rings, demand.from, demand.to, direction);
  Budget::spend(hops);
  for (std::uint32_t left = hops; left > 0; --left) {
    if (!visit(at)) return false;
    if (++at == rings.nodes) at = 0;
  }
  return true;
}

std::vector<int> shorter_ways(const SipRings& rings, std::span<const SipDemand> demands) {
  std::vector<int> ways(demands.size());
  std::vector<std::uint32_t> load[2] = {std::vector<std::uint32_t>(rings.nodes),
                                        std::vector<std::uint32_t>(rings.nodes)};
  const auto settle = [&](std::size_t i, int way) {
    ways[i] = way;
    every_segment(rings, demands[i], way, [&](std::uint32_t s) { return ++load[way][s] > 0; });
  };
  std::vector<std::size_t> ties;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const SipDemand& demand = demands[i];
    const std::uint32_t clockwise = sip_hops(rings, demand.from, demand.to, 0), other = rings.nodes - clockwise;
    if (demand.direction >= 0 || clockwise != other)
      settle(i, demand.direction >= 0 ? demand.direction : clockwise < other ? 0 : 1);
    else
      ties.push_back(i);
  }
  for (const std::size_t i : ties) {
    std::uint32_t busiest[2] = {0, 0};
    for (const int way : {0, 1})
      every_segment(rings, demands[i], way, [&, way](std::uint32_t s) {
        busiest[way] = std::max(busiest[way], load[way][s]);
        return true;
      });
    settle(i, busiest[1] < busiest[0] ? 1 : 0);
  }
  return ways;
}

// The long way round where it saves a turn there and then.
std::vector<int> balanced_ways(const SipRings& rings, std::span<const SipDemand> demands, std::vector<int> ways) {
  std::vector<std::uint32_t> load[2] = {std::vector<std::uint32_t>(rings.nodes),
                                        std::vector<std::uint32_t>(rings.nodes)};
  for (std::size_t i = 0; i < demands.size(); ++i) {
    std::uint32_t turns[2] = {0, 0};
    for (const int way : {0, 1})
      every_segment(rings, demands[i], way, [&, way](std::uint32_t s) {
        turns[way] = std::max(turns[way], load[way][s] / rings.each_way());
        return true;
      });
    if (demands[i].direction < 0 && turns[1 - ways[i]] < turns[ways[i]]) ways[i] = 1 - ways[i];
    every_segment(rings, demands[i], ways[i], [&](std::uint32_t s) { return ++load[ways[i]][s] > 0; });
  }
  return ways;
}

// When a demand has its first wavelength, and on which ring.
struct Seat {
  std::uint32_t turn = 0, ring = 0;
};

// All in one turn, each on the first ring that has room; empty: they do not fit.
std::vector<Seat> seats_together(const SipRings& rings, std::span<const SipDemand> demands,
                                 const std::vector<int>& ways) {
  std::vector<Seat> seats;
  std::vector<std::vector<std::uint32_t>> load(2 * rings.rings, std::vector<std::uint32_t>(rings.nodes));
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const auto fits = [&](std::uint32_t ring) {
      const auto& segments = load[static_cast<std::size_t>(ways[i]) * rings.rings + ring];
      return every_segment(rings, demands[i], ways[i], [&](std::uint32_t s) { return segments[s] < rings.each; });
    };
    std::uint32_t ring = 0;
    while (ring < rings.rings && !fits(ring)) ++ring;
    if (ring == rings.rings) return {};
    auto& segments = load[static_cast<std::size_t>(ways[i]) * rings.rings + ring];
    every_segment(rings, demands[i], ways[i], [&](std::uint32_t s) { return ++segments[s] > 0; });
    seats.push_back({0, ring});
  }
  return seats;
}

// In as many turns as the colours of their ways make: those of one colour and direction do not meet.
std::vector<Seat> seats_in_turns(const SipRings& rings, std::span<const SipDemand> demands,
                                 const std::vector<int>& ways) {
  std::vector<Seat> seats(demands.size());
  for (const int way : {0, 1}) {
    std::vector<Arc> arcs;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < demands.size(); ++i)
      if (ways[i] == way) {
        indices.push_back(i);
        arcs.push_back(
            {first_segment(rings, demands[i].from, way), sip_hops(rings, demands[i].from, demands[i].to, way)});
      }
    std::vector<std::uint32_t> colours;
    colour_arcs(arcs, rings.nodes, colours);
    for (std::size_t k = 0; k < indices.size(); ++k)
      seats[indices[k]] = {colours[k] / rings.each_way(), colours[k] % rings.each_way() / rings.each};
  }
  return seats;
}

std::uint32_t turns_of(const std::vector<Seat>& seats) {
  std::uint32_t turns = 0;
  for (const Seat& seat : seats) turns = std::max(turns, seat.turn + 1);
  return turns;
}

// Steps 1 and 2: ways and seats in the fewest turns found; the shorter ways where they do as well.
std::vector<Seat> seat(const SipRings& rings, std::span<const SipDemand> demands, std::vector<int>& ways) {
  ways = shorter_ways(rings, demands);
  std::vector<Seat> seats = seats_together(rings, demands, ways);
  if (!seats.empty()) return seats;
  seats = seats_in_turns(rings, demands, ways);
  std::vector<int> other_ways = balanced_ways(rings, demands, ways);
  std::vector<Seat> other = seats_together(rings, demands, other_ways);
  if (other.empty()) other = seats_in_turns(rings, demands, other_ways);
  if (turns_of(other) >= turns_of(seats)) return seats;
  ways = std::move(other_ways);
  return other;
}

// One turn: who has how many wavelengths, and how full every segment is.
class Turn {
 public:
  Turn(const SipRings& rings, std::span<const SipDemand> demands, const std::vector<int>& ways)
      : rings_(rings), demands_(demands), ways_(ways), load_(2 * rings.rings) {
    for (auto& segments : load_) segments.resize(rings.nodes, 0);
  }

  void add(std::size_t demand, std::uint32_t ring) {
    members_.push_back(demand);
    given_[demand] = 0;
    give(demand, ways_[demand], ring);
  }

  // Step 3: the poorest first, the long way where the short one is full, or past somebody else who goes the other way instead. What was given since the smallest ratio last rose is of
  // no use if it cannot rise again, and is taken back.
  void raise_the_poorest() {
    Poorest poorest = by_ratio();
    trail_.clear();
    for (double least = poorest.empty() ? 0 : poorest.top().first; !poorest.empty();) {
      const auto [ratio_now, i] = poorest.top();
      if (ratio_now > least) least = ratio_now, trail_.clear();
      poorest.pop();
      int way = ways_[i];
      std::uint32_t ring = ring_with_room(i, way);
      const bool either = demands_[i].direction < 0;
      if (ring == rings_.rings && either) ring = ring_with_room(i, way = 1 - way);
      if (ring == rings_.rings) ring = make_room(i, way = ways_[i]);
      if (ring == rings_.rings && either) ring = make_room(i, way = 1 - way);
      if (ring == rings_.rings) break;
      give(i, way, ring);
      poorest.push({ratio(i), i});
    }
    const std::vector<Given> in_vain = std::move(trail_);
    for (auto one = in_vain.rbegin(); one != in_vain.rend(); ++one)
      give(one->demand, one->way, one->ring, -one->how_many);
  }

  // Step 4: the poorest first, each its own way until that is full. A way that is full stays full.
  void fill() {
    for (Poorest poorest = by_ratio(); !poorest.empty();) {
      const std::size_t i = poorest.top().second;
      poorest.pop();
      const std::uint32_t ring = ring_with_room(i, ways_[i]);
      if (ring == rings_.rings) continue;
      give(i, ways_[i], ring);
      poorest.push({ratio(i), i});
    }
  }

  // Transmitters in the order of the demands.
  void write(std::uint32_t turn, std::vector<SipShare>& shares) const {
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::uint32_t> used;  // by source, direction, ring
    for (const auto& [key, count] : counts_) {
      const auto& [demand, direction, ring] = key;
      if (count == 0) continue;
      std::uint32_t& next = used[{demands_[demand].from, direction, ring}];
      shares[demand].turn = turn;
      shares[demand].grants.push_back({direction, ring, next, static_cast<std::uint32_t>(count)});
      next += static_cast<std::uint32_t>(count);
    }
  }

 private:
  struct Given {
    std::size_t demand;
    int way;
    std::uint32_t ring;
    int how_many;
  };
  using Poorest =
      std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, std::greater<>>;
  Poorest by_ratio() const {
    Poorest poorest;
    for (const std::size_t i : members_) poorest.push({ratio(i), i});
    return poorest;
  }

  double ratio(std::size_t i) const { return given_.at(i) / demands_[i].amount; }

  std::uint32_t ring_with_room(std::size_t i, int way) const {
    for (std::uint32_t ring = 0; ring < rings_.rings; ++ring) {
      const auto& load = load_[static_cast<std::size_t>(way) * rings_.rings + ring];
      if (every_segment(rings_, demands_[i], way, [&](std::uint32_t s) { return load[s] < rings_.each; })) return ring;
    }
    return rings_.rings;
  }

  // Sends a wavelength of somebody else the other way round, where all that stands in the way of `i` is there; the ring that then has room.
  std::uint32_t make_room(std::size_t i, int way) {
    std::vector<std::uint32_t> full;
    for (std::uint32_t ring = 0; ring < rings_.rings; ++ring) {
      const auto& load = load_[static_cast<std::size_t>(way) * rings_.rings + ring];
      full.clear();
      every_segment(rings_, demands_[i], way, [&](std::uint32_t s) {
        if (load[s] == rings_.each) full.push_back(s);
        return true;
      });
      for (const auto& [key, count] : counts_) {
        const auto& [other, direction, their_ring] = key;
        if (count == 0 || direction != way || their_ring != ring || other == i || demands_[other].direction >= 0)
          continue;
        const std::uint32_t first = first_segment(rings_, demands_[other].from, way),
                            hops = sip_hops(rings_, demands_[other].from, demands_[other].to, way);
        if (!std::ranges::all_of(full,
                                 [&](std::uint32_t s) { return (s + rings_.nodes - first) % rings_.nodes < hops; }))
          continue;
        const std::uint32_t there = ring_with_room(other, 1 - way);
        if (there == rings_.rings) continue;
        const std::size_t moved = other;
        give(moved, way, ring, -1);
        give(moved, 1 - way, there);
        return ring;
      }
    }
    return rings_.rings;
  }

  void give(std::size_t i, int way, std::uint32_t ring, int how_many = 1) {
    auto& load = load_[static_cast<std::size_t>(way) * rings_.rings + ring];
    every_segment(rings_, demands_[i], way, [&](std::uint32_t s) {
      load[s] += static_cast<std::uint32_t>(how_many);
      return true;
    });
    given_[i] += how_many;
    counts_[{i, static_cast<std::uint8_t>(way), ring}] += how_many;
    trail_.push_back({i, way, ring, how_many});
  }

  const SipRings& rings_;
  std::span<const SipDemand> demands_;
  const std::vector<int>& ways_;
  std::vector<std::vector<std::uint32_t>> load_;  // by direction and ring: of each segment
  std::vector<std::size_t> members_;
  std::map<std::size_t, int> given_;
  std::vector<Given> trail_;                                                    // since the smallest ratio last rose
  std::map<std::tuple<std::size_t, std::uint8_t, std::uint32_t>, int> counts_;  // by demand, direction, ring
};

}  // namespace

std::vector<SipShare> allocate(const SipRings& rings, std::span<const SipDemand> asked) {
  // In an order of their own, so that the same demands get the same shares however they are listed
  std::vector<std::size_t> order(asked.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::tuple(asked[i].from, asked[i].to, asked[i].direction, asked[i].amount);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<SipDemand> demands;
  for (const std::size_t i : order) demands.push_back(asked[i]);
  std::vector<SipShare> shares(demands.size());

  // Turn by turn
  std::vector<int> ways;
  const std::vector<Seat> seats = seat(rings, demands, ways);
  std::vector<std::vector<std::size_t>> members(turns_of(seats));
  for (std::size_t i = 0; i < demands.size(); ++i) members[seats[i].turn].push_back(i);
  for (std::uint32_t t = 0; t < members.size(); ++t) {
    Turn turn(rings, demands, ways);
    for (const std::size_t i : members[t]) turn.add(i, seats[i].ring);
    turn.raise_the_poorest();
    turn.fill();
    turn.write(t, shares);
  }
  std::vector<SipShare> as_asked(asked.size());
  for (std::size_t k = 0; k < order.size(); ++k) as_asked[order[k]] = std::move(shares[k]);
  return as_asked;
}

}  // namespace helio::fabric
