// SPDX-License-Identifier: Apache-2.0
// The lowering that every routed fabric shares: a fabric only says which links lie between two nodes.
//
// step order      every phase becomes a template with one transfer per move and group; the collective is the chain of
//                 their calls. A phase whose moves are not active in all rounds is cut where the active set changes.
// dataflow order  every move becomes one operation with as many instances as it has rounds, and the exact dependencies
//                 between slots (schedule/dependencies.h) become edges.
#pragma once

#include <optional>
#include <span>

#include "fabric/fabric.h"

namespace helio::fabric {

// What is to be carried, for fabrics whose ways depend on more than the two ends.
struct Carriage {
  const schedule::Schedule& schedule;
  const schedule::CollectiveRequest& request;
  const schedule::Move& move;
  std::uint32_t phase = 0;           // of the schedule
  std::uint32_t group = 0;           // of the request
  std::uint32_t operator_index = 0;  // in-fabric moves: counts those that may run at the same time, over all groups
  std::int32_t part() const { return schedule.phases[phase].part; }
};

// The way of one move, filled in by the fabric. Ways add up: a composite may let several parts append to one.
struct Way {
  std::vector<flow::LinkUse> links;
  std::vector<flow::ResourceId> channels;
  Time latency;
  double bytes_factor = 1;              // bytes on the wire per byte of the move
  flow::Circuit circuit = flow::kDark;  // kDark: the route is its own circuit
  bool always_setup = false;
  std::uint32_t hops = 0;   // segments crossed, where the fabric counts them
  bool controlled = false;  // the program's controller starts it,
  std::uint32_t agent = 0;  // this agent of it is told,
  std::uint32_t claim = 0;  // and this is what it asks for

  // Empty again, keeping the memory.
  void clear() {
    links.clear();
    channels.clear();
    latency = Time();
    bytes_factor = 1;
    circuit = flow::kDark;
    always_setup = controlled = false;
    hops = 0;
    agent = claim = 0;
  }
  void cross(flow::ResourceId link, float weight = 1) { links.push_back({link, weight}); }
};

// A move of one group that shares its rounds with others.
struct Traveller {
  const schedule::Schedule* schedule = nullptr;
  const schedule::Move* move = nullptr;
  std::uint32_t group = 0;
};

// The lane that a fabric gave a move, and in which part of a round it goes when a round must be divided.
struct Assignment {
  schedule::Lane lane;
  std::uint32_t sub_round = 0;
};

class RoutedFabric : public Fabric {
 public:
  LowerResult lower(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                    const LowerOptions& options, flow::Program& program) const override;

  // Adds the way of a unicast to `way`. Public, as the others: a composite fabric asks its parts.
  // Requires: from != to; installed.
  virtual void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) const = 0;
  // Adds the way of an in-fabric reduce or multicast. Requires: `object` let the schedule pass. Default: for fabrics without
  // in-fabric abilities, never called.
  virtual void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                         Way& way) const;
  // Lanes for moves that run in the same rounds, of all groups; those that a schedule fixed are kept. Where lanes run out a round
  // is divided into sub-rounds. Default: leaves `assignments` empty, which means that nothing needs a lane.
  virtual void assign(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
                      std::vector<Assignment>& assignments) const;
  // A last word before a schedule is lowered: lanes that do not exist, operators that run out. Default: objects to lanes
  // and to in-fabric moves that capabilities() lacks.
  virtual std::optional<Refusal> object(const schedule::Schedule& schedule,
                                        const schedule::CollectiveRequest& request) const;
};

// A share of a link as the weight of its use: the least single-precision number that is not below it, so that nothing is faster than
// the link.
float weight_of(double share);

// The sets of moves (by index) that run in the same rounds of a phase, each set once.
std::vector<std::vector<std::uint32_t>> moves_together(const schedule::Phase& phase);

// The most in-fabric moves that one group has active in one round of any phase.
std::uint32_t most_in_fabric_moves(const schedule::Schedule& schedule);

}  // namespace helio::fabric
