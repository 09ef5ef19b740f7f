// SPDX-License-Identifier: Apache-2.0
// The flow program: the physical plan. Operations with dependencies, priorities and resources; no fabric in sight.
//
// A Template is a small graph of operations. A call runs a template `rounds` times, each round starting when the one
// before it has ended. The program is a call of its `entry` template. Repetition is therefore two-fold, and neither is
// ever expanded:
//
//   rounds   whole template again and again, with a barrier between       (step order)
//   repeat   one operation again and again, each instance after the last  (dataflow order; edges say which instance
//            of one operation waits for which instance of another)
//
//     call A x 1023 ──▶ call B x 1023            template A:  transfer 0→1 · transfer 1→2 · … · transfer 1023→0
//
// The life of an operation instance:
//
//   dependencies met ─▶ [controller] ─▶ overhead ─▶ takes all channels of its route, or waits ─▶ setup where a circuit
//   changes ─▶ latency ─▶ bytes flow at the weighted max-min rate of its links and its channels' rate ─▶ done, channels released
//
// A delay has only its duration; a compute holds its channels for its duration; a call holds its channels while its
// template runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "flow/controller.h"
#include "flow/resource.h"

namespace helio::flow {

using TemplateId = Id<struct TemplateTag>;
using RouteId = Id<struct RouteTag>;

// How much of a link's rate one unit of an operation's rate takes; 1 for a plain unicast.
struct LinkUse {
  ResourceId link;
  float weight = 1;
};

// Routes are shared by operations: links and channels that are used together, and the latency of the way.
class RouteTable {
 public:
  RouteId add(std::span<const LinkUse> links, std::span<const ResourceId> channels, Time latency);
  void reserve(std::size_t routes, std::size_t uses);

  std::uint32_t size() const { return static_cast<std::uint32_t>(latency_.size()); }
  std::span<const LinkUse> links(RouteId id) const {
    return {links_.data() + link_begin_[id.value], link_begin_[id.value + 1] - link_begin_[id.value]};
  }
  std::span<const ResourceId> channels(RouteId id) const {
    return {channels_.data() + channel_begin_[id.value], channel_begin_[id.value + 1] - channel_begin_[id.value]};
  }
  Time latency(RouteId id) const { return latency_[id.value]; }
  std::size_t uses() const { return links_.size() + channels_.size(); }  // of all routes together

 private:
  std::vector<LinkUse> links_;
  std::vector<ResourceId> channels_;
  std::vector<std::size_t> link_begin_{0}, channel_begin_{0};
  std::vector<Time> latency_;
};

// Shares lie between these, so that no flow's rate drowns in the rounding of another's.
inline constexpr float kSmallestShare = 0.001f, kLargestShare = 1000;

enum class OperationKind : std::uint8_t { kDelay, kCompute, kTransfer, kCall };

struct Operation {
  OperationKind kind = OperationKind::kDelay;
  std::uint8_t priority = 0;       // 0 is the most urgent class
  bool step = false;               // counts in `steps`: charged the fabric's step overhead
  bool always_setup = false;       // pays setup even when the circuit is the channel's own (WRHT's accounting)
  bool controlled = false;         // does not start by itself: a controller of the program starts it,
  std::uint16_t controller = 0;    // this one
  std::uint16_t alternatives = 1;  // routes route, route+1, …; the controller may choose
  std::uint32_t agent = 0;         // its agent that is told about it
  std::uint32_t claim = 0;         // what it asks the controller for
  RouteId route;                   // none: no resources
  float share = 1;                 // kTransfer: within its class, twice the share flows at twice the rate
  std::uint32_t repeat = 1;        // instances, one after the other
  Circuit circuit = kDark;         // what its channels are set to; kDark: the route's own id + 1
  TemplateId callee;               // kCall
  std::uint32_t tag = 0;           // the lowering's own: which move, which layer
  std::uint64_t rounds = 1;        // kCall
  double bytes = 0;                // kTransfer
  Time duration;                   // kDelay, kCompute: how long; kTransfer: overhead at the endpoint before it starts
};

// Instance i of `to`, for i in [first, last), waits for instance i + offset of `from`.
struct Edge {
  std::uint32_t from = 0, to = 0;
  std::int32_t offset = 0;
  std::uint32_t first = 0, last = 1;
};

struct Template {
  std::string name;
  std::vector<Operation> operations;
  std::vector<Edge> edges;
  bool visible = false;    // what a reader wants to see: its operations are spans, and links of the critical path
  bool condensed = false;  // its operations stand for others too (condense.h)
};

// A controller in a program, and how its agents hear each other. Agents of different controllers do not.
struct Control {
  std::shared_ptr<const Controller> controller;
  MessageChannel messages = {};
};

struct Program {
  ResourceTable resources;
  RouteTable routes;
  std::vector<Template> templates;
  TemplateId entry;
  std::vector<Control> controls;  // empty: nothing is decided at run time
  std::vector<double>
      condensed;  // bytes that each resource carries in condensed templates, over the whole program; empty: none

  TemplateId add(Template body) {
    templates.push_back(std::move(body));
    return TemplateId{static_cast<std::uint32_t>(templates.size() - 1)};
  }
};

inline constexpr std::uint32_t kDeepestCalls = 1000;  // templates that call each other, the entry among them

// Throws Error(kInput) when an index is out of range, a call recurses or reaches deeper, or operations wait for each other in a circle
// (the circle is named). Every consumer may rely on a checked program.
void check(const Program& program);

// Bytes that each resource carries over the whole program, by counting; no simulation.
std::vector<double> traffic(const Program& program);

// Channels [first, first + count) in stretches of `each`, one behind the other: wavelengths of the segments of a ring.
struct Stretches {
  ResourceId first;
  std::uint32_t count = 0, each = 1;
};
// Bytes that set out on such channels: a transfer that holds channels of several stretches counts on those of the first alone.
// Requires: `of` in increasing order, none overlaps another.
std::vector<double> launched(const Program& program, std::span<const Stretches> of);

// Two operations of one template that may run together and would hold the same channel.
struct Conflict {
  TemplateId where;
  std::uint32_t first = 0, second = 0;  // operations
  ResourceId channel;
};

// The first conflict among operations that nothing orders, template by template; none: the assignment is proven free of
// conflicts inside each template. Operations that a controller starts are its responsibility.
struct ConflictReport {
  bool found = false;
  Conflict conflict;
};
ConflictReport find_conflict(const Program& program, TemplateId where);

}  // namespace helio::flow
