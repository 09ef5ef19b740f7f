// SPDX-License-Identifier: Apache-2.0
// How a member of a group gets something to another without a third member: straight along one arc, or through vertices that only hand on.
//
//     a ── s ── t ── b      a, b members; s, t switches, or nodes outside the group
//     └─────────────┘       one hop of three arcs
//
// Of several groups that do the same at once a hop has the arcs of all: position p to q in each of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/network.h"
#include "schedule/request.h"

namespace helio::schedule {

struct Hop {
  Position from = 0, to = 0;
  std::vector<std::uint32_t> arcs;  // of the network; group after group
};

using HopId = std::uint32_t;

// The hops that were thought of so far, each under one number.
class Hops {
 public:
  Hops(const Network& network, const std::vector<std::vector<NodeId>>& groups);

  const Network& network() const { return network_; }
  const std::vector<std::vector<NodeId>>& groups() const { return groups_; }
  Position ranks() const { return static_cast<Position>(groups_.front().size()); }
  const Hop& operator[](HopId id) const { return hops_[id]; }
  std::size_t size() const { return hops_.size(); }
  bool straight() const { return straight_; }
  // Whether no other arc has the ends of this one.
  bool is_only(std::uint32_t arc) const;

  // Where arcs cost this much each: the hops worth considering, at most the cheapest for each pair, and what each costs.
  struct Offer {
    HopId hop;
    double cost;
  };
  std::vector<Offer> offers(std::span<const double> cost_of_arc);

 private:
  void cheapest_from(std::uint32_t start, std::uint32_t group, std::span<const double> cost_of_arc);
  HopId known(Position from, Position to, const std::vector<std::uint32_t>& arcs);

  const Network& network_;
  const std::vector<std::vector<NodeId>>& groups_;
  bool straight_ = false;                            // nobody hands on: every arc is a hop and there are no others
  std::vector<std::vector<std::uint32_t>> leaving_;  // arcs by vertex
  std::vector<std::vector<Position>> position_;      // by group and vertex; -1: no member
  std::vector<Hop> hops_;
  std::vector<std::vector<HopId>> between_;  // by from * ranks + to; not where all is straight
  struct Reached {
    std::vector<double> far;          // by vertex
    std::vector<std::uint32_t> last;  // the arc by which it was reached
  };
  std::vector<Reached> reached_;  // by group, of the last search
};

}  // namespace helio::schedule
