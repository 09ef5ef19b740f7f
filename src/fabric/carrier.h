// SPDX-License-Identifier: Apache-2.0
// A fabric in one program: turns schedules into templates of the program, as often as it is asked, and owns what grows while it does
// (light that was given away, ways that were settled, circuits, the fabric's controller).
//
// The lowering is shared by all fabrics (lowering.h); a fabric only says which resources lie between two nodes.
//
// Two kinds of numbers. Requests name nodes of the program. What a fabric is asked for (`object`, `assign`, `route`, …) and answers is
// in its own nodes and resources, which count from 0; `Way` knows where those begin in the program.
//
// A fabric that remembers nothing is a RoutedFabric (routed.h) and writes no carrier; one that does has a carrier of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/picture.h"
#include "schedule/request.h"

namespace helio::fabric {

// What is to be carried, for fabrics whose ways depend on more than the two ends.
struct Carriage {
  const schedule::Schedule& schedule;
  const schedule::CollectiveRequest& request;
  const schedule::Move& move;
  std::uint32_t phase = 0;           // of the schedule
  std::uint32_t group = 0;           // of the request
  std::uint32_t operator_index = 0;  // in-fabric moves: counts those that may run at the same time, over all groups
};

// The way of one move, filled in by the fabric. Links, channels and latency add up where several carriers append to one; circuit, bytes on
// the wire and controller are of one carrier, the last.
struct Way {
  std::uint32_t offset = 0;  // of resource 0 of whoever fills it in now
  std::vector<flow::LinkUse> links;
  std::vector<flow::ResourceId> channels;
  Time latency;
  Time overhead;  // at the endpoint, before it starts: what the carrier charges a step, unless the way says otherwise
  double bytes_factor = 1;              // bytes on the wire per byte of the move
  flow::Circuit circuit = flow::kDark;  // kDark: the route is its own circuit
  bool always_setup = false;
  std::uint32_t hops = 0;        // segments crossed, where the fabric counts them
  bool controlled = false;       // a controller of the program starts it:
  std::uint16_t controller = 0;  // this one,
  std::uint32_t agent = 0;       // this agent of it is told,
  std::uint32_t claim = 0;       // and this is what it asks for

  // Empty again, keeping the memory.
  void clear() {
    links.clear();
    channels.clear();
    latency = overhead = Time();
    bytes_factor = 1;
    circuit = flow::kDark;
    always_setup = controlled = false;
    hops = 0;
    controller = 0;
    agent = claim = 0;
  }
  // Links and channels by the fabric's own numbers.
  void cross(flow::ResourceId link, float weight = 1) {
    links.push_back({flow::ResourceId{offset + link.value}, weight});
  }
  void hold(flow::ResourceId channel) { channels.push_back({offset + channel.value}); }
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

// Circuits by what they are: the same key, the same circuit; another key, another one. Keys lie one behind the other, and are
// compared word by word where their hashes agree.
class Circuits {
 public:
  flow::Circuit of(std::span<const std::uint64_t> key);

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> ends_;  // of the key of circuit 1, 2, …
  std::unordered_multimap<std::uint64_t, flow::Circuit> by_hash_;
};

// Another value for a while, also where an exception ends it.
template <class T>
class Meanwhile {
 public:
  Meanwhile(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Meanwhile() { variable_ = before_; }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

 private:
  T& variable_;
  T before_;
};

// What the collectives that were lowered so far took of one level of a composite.
struct LevelStory {
  std::uint32_t wavelengths_used = 0;  // the most of one
  Facts facts;                         // those that limit
};

class Carrier {
 public:
  virtual ~Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  const Fabric& fabric() const { return fabric_; }
  const schedule::Capabilities& capabilities() const { return fabric_.capabilities(); }
  flow::Program& program() const { return program_; }
  // Of the fabric's resource 0 in the program.
  std::uint32_t offset() const { return offset_; }
  // What bits pass of the fabric's bill, in resources of the program.
  virtual std::vector<Crossing> crossings() const;

  // A schedule as a template of the program. Requires: schedule and request are checked and belong together, and name nodes of the site.
  LowerResult lower(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                    const LowerOptions& options);
  // Settles beforehand what several requests that may run beside each other need together; `together` has all their groups. They are
  // then lowered one by one. Requires: as `lower`.
  std::optional<Refusal> settle(const schedule::Schedule& schedule, const schedule::CollectiveRequest& together);
  // Lowers what was refused in another way; none: the fabric has no such way. Requires: as `lower`.
  std::optional<Remedied> remedy(Remedy way, const schedule::Schedule& schedule,
                                 const schedule::CollectiveRequest& request, const LowerOptions& options);
  // Adds the way between two nodes of the site, or the in-fabric one from and to several, for a composite that this is a part of.
  // Requires: from != to; the fabric is able to.
  void add_way(NodeId from, NodeId to, const Carriage& carriage, Way& way);
  void add_way(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Carriage& carriage, Way& way);
  // For the same composite: what `assign` and `complete` answer, of a schedule some of whose moves cross this fabric.
  void assign_ways(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
                   std::vector<Assignment>& assignments) {
    assign(request, travellers, assignments);
  }
  std::optional<Refusal> complete_ways(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                       const LowerOptions& options, std::size_t first, Lowered& lowered) {
    return complete(schedule, request, options, first, lowered);
  }
  // What one byte of a stream through the fabric's I/O takes of each link, when it is spread over all channels. `shards`: the
  // stream in equal parts, each copied to all nodes of its list (inward) or added up from them on the way (outward).
  // False: the fabric has no I/O.
  bool stream(std::span<const std::vector<NodeId>> shards, bool inward, std::vector<flow::LinkUse>& links);
  // Of a composite: the level that a resource of the program belongs to (a gateway: the one that it leads to), and what each level was
  // used for, the lowest first. Elsewhere none.
  virtual std::optional<std::uint32_t> level_of(flow::ResourceId) const { return std::nullopt; }
  virtual std::vector<LevelStory> levels_told() const { return {}; }
  // What was carried, to be drawn. Requires: `lowered` is what `lower` made of schedule and request.
  Picture picture(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                  const Lowered& lowered);

 protected:
  Carrier(const Fabric& fabric, flow::Program& program, Site site);

  // What the lowering asks, in the fabric's own nodes and resources.
  //
  // A last word before a schedule is lowered: lanes that do not exist, operators that run out. Default: usual_objection.
  virtual std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                        const LowerOptions& options);
  // Lanes for moves that run in the same rounds, of all groups; those that a schedule fixed are kept. Where lanes run out a round
  // is divided into sub-rounds. Default: leaves `assignments` empty, which means that nothing needs a lane.
  virtual void assign(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
                      std::vector<Assignment>& assignments);
  // Adds the way of a unicast; of an in-fabric reduce or multicast. Requires: from != to; `object` let the schedule pass.
  virtual void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) = 0;
  // Default of the second: for fabrics without in-fabric abilities, never called.
  virtual void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage, Way& way);
  // What there is to do and to say when a schedule was lowered to the templates [first, …) of the program, or a late refusal. Default:
  // nothing.
  virtual std::optional<Refusal> complete(const schedule::Schedule& schedule,
                                          const schedule::CollectiveRequest& request, const LowerOptions& options,
                                          std::size_t first, Lowered& lowered);

  // What the public functions ask, in the fabric's own nodes. Defaults: the shared lowering; nothing to settle; no remedy; no I/O;
  // nothing to show.
  virtual LowerResult lower_here(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                 const LowerOptions& options);
  // Whether nobody may meet on a channel in a step, which is then checked. Default: where there are wavelengths.
  virtual bool lanes_are_promises() const { return capabilities().wavelengths > 0; }
  virtual std::optional<Refusal> settle_here(const schedule::Schedule& schedule,
                                             const schedule::CollectiveRequest& together);
  virtual std::optional<Remedied> remedy_here(Remedy way, const schedule::Schedule& schedule,
                                              const schedule::CollectiveRequest& request, const LowerOptions& options);
  virtual bool stream_here(std::span<const std::vector<NodeId>> shards, bool inward, Way& way);
  virtual Picture picture_here(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                               const Lowered& lowered);

  // Of the fabric's own numbers: of a node of the program, and back.
  NodeId here(NodeId node) const;
  NodeId in_program(NodeId node) const { return site_.nodes.empty() ? node : site_.nodes[node.value]; }

 private:
  friend class Lowering;
  schedule::CollectiveRequest here(const schedule::CollectiveRequest& request) const;
  std::vector<NodeId> here(const std::vector<NodeId>& nodes) const;

  const Fabric& fabric_;
  flow::Program& program_;
  const Site site_;
  std::uint32_t offset_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  // of the fabric, by node of the program; empty: the same
};

// The objections that every fabric has: to lanes and to in-fabric moves that its capabilities lack.
std::optional<Refusal> usual_objection(const schedule::Capabilities& capabilities, const schedule::Schedule& schedule);

// A share of a link as the weight of its use: the least single-precision number that is not below it, so that nothing is faster than
// the link.
float weight_of(double share);

}  // namespace helio::fabric
