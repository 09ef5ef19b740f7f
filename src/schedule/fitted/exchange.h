// SPDX-License-Identifier: Apache-2.0
// An exchange as a flow: the ways by which every member of a group gets an equal part to every other, all at once, so that the busiest link
// is busy for as short as can be (maximum concurrent flow).
//
//     a ──1/2──▶ c ──1/2──▶ b      what a has for b goes in two parts, one by c and one by d
//     └───1/2──▶ d ──1/2────┘
//
// Ways are found by prices that grow exponentially in the load of a link (Plotkin, Shmoys and Tardos, 1995; Fleischer, 2000), pair by pair: what
// is on the dearest way of a pair moves to the cheapest, as much as makes the sum of e^(A load/T) over all links least (a step of Newton's). A
// grows when a pass over all pairs gains little.
//
// The prices q of a pass are its proof as well. Whatever the ways are, within the time T a link is busy for at most T:
//
//     T * sum over links q  >=  sum over links q * load  >=  sum over pairs of (cheapest way, where a link costs q * seconds for a byte)
//
// Invariant: `least` is that quotient for `prices`, added up over all pairs, so it is a bound whatever the search left undone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schedule/network.h"
#include "schedule/request.h"

namespace helio::schedule {

// Ways out of vertices, each under one number: a way is another and one arc more, so that those of a million pairs share what they have in
// common.
class WayTree {
 public:
  explicit WayTree(std::uint32_t vertices) : ways_(vertices) {}
  static std::uint32_t out_of(std::uint32_t vertex) { return vertex; }  // a way of no arcs
  std::uint32_t longer(std::uint32_t way, std::uint32_t arc);
  // From its last arc to its first.
  template <class Visit>
  void for_each_arc(std::uint32_t way, Visit visit) const {
    for (; ways_[way].arc != kNone; way = ways_[way].before) visit(ways_[way].arc);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Way {
    std::uint32_t before = kNone, arc = kNone;
    std::uint32_t first = kNone, next = kNone;  // of those that are longer by an arc; beside it
  };
  std::vector<Way> ways_;
};

struct Exchange {
  struct Part {
    std::uint32_t way = 0, units = 0;
  };
  std::uint32_t units = 1;               // into which what one member has for another is cut
  std::vector<std::vector<Part>> pairs;  // group after group, by from * ranks + to; to itself: none
  WayTree ways{0};
  double busiest = 0;          // seconds that the busiest link takes for a byte of each pair
  double least = 0;            // no exchange has less
  std::vector<double> prices;  // by arc: why
};

// Least load; or ways of the least latency only, and of these the least load.
enum class Spread : std::uint8_t { kThrifty, kShort };

// `groups`: of one size, 2 or more, which exchange at the same time. `units`: 0: as many as are worth it. What was found is remembered.
// `least` and `prices` are for kThrifty. Throws Error(kInfeasible) where a member cannot be reached from another, with the names of both.
std::shared_ptr<const Exchange> exchange_on(const Network& network, const std::vector<std::vector<NodeId>>& groups,
                                            Spread spread = Spread::kThrifty, std::uint32_t units = 0);

// The search is worth its time: a second or two.
bool can_be_searched(const Network& network, const std::vector<std::vector<NodeId>>& groups);

// The links that bind, those of which no price is much less than the highest: "a to b, b to c and 14 more".
struct Binding {
  std::vector<std::uint32_t> arcs;
  std::string words;
};
Binding binding_links(const Exchange& exchange, const Network& network);

}  // namespace helio::schedule
