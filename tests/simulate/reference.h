// SPDX-License-Identifier: Apache-2.0
// A second engine, slow and plain: what a flow program means (flow/program.h), without frames, leaps, lines or heaps.
//
// All rounds and instances are written out as nodes that wait for other nodes; a round is fenced by markers that take no
// time. Then, at every time: what is due advances; the waiting operation that comes first and can have its channels gets
// them, again and again, until none can; the links are shared by filling. Every step looks at everything.
//
//     call of {a, b} x 2:   call ─▶ a ─┬─▶ marker ─▶ a ─┬─▶ end of the call: its channels are free
//                              └──▶ b ─┘        └──▶ b ─┘
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "flow/program.h"

namespace helio::simulate {

class Reference {
 public:
  explicit Reference(const flow::Program& program)
      : held(program.resources.size()),
        program_(program),
        holder_(program.resources.size(), kNobody),
        circuit_(program.resources.size(), flow::kDark),
        taken_(program.resources.size()) {
    last_ = expand(program.entry, add({}), {});
  }

  struct Run {  // of one instance of one operation
    flow::TemplateId where;
    std::uint32_t operation;
    Time start, end;
    friend auto operator<=>(const Run&, const Run&) = default;
  };
  bool finished = false;  // false after run(): operations wait for each other for ever
  Time end;
  std::vector<Run> runs;   // sorted
  std::vector<Time> held;  // by resource: how long somebody had it

  void run() {
    for (;;) {
      for (bool served = true; served;) {
        settle();
        served = serve();
        while (serve()) continue;
      }
      share();
      if (nodes_[last_].stage == Stage::kDone) break;
      Time next = Time::max();
      for (const Node& node : nodes_) next = std::min(next, node.due);
      if (next == Time::max()) return;
      now_ = next;
    }
    finished = true;
    end = nodes_[last_].done;
    for (const Node& node : nodes_) {
      if (node.op != nullptr && node.op->kind != flow::OperationKind::kCall)
        runs.push_back({node.where, node.index, node.ready, node.done});
      if (node.ends == kNobody) continue;
      const Node& call = nodes_[node.ends];
      runs.push_back({call.where, call.index, call.ready, node.done});
    }
    std::sort(runs.begin(), runs.end());
  }

 private:
  using NodeNumber = std::size_t;
  static constexpr NodeNumber kNobody = ~NodeNumber{0};
  enum class Stage { kWaiting, kOverhead, kRequesting, kSetup, kLatency, kRunning, kDone };

  struct Node {
    const flow::Operation* op = nullptr;  // none: a marker
    flow::TemplateId where;
    std::uint32_t index = 0;
    std::vector<std::uint32_t> path;  // the calls around it
    std::vector<NodeNumber> after;
    NodeNumber ends = kNobody;  // marker: the call whose end it is
    Stage stage = Stage::kWaiting;
    Time ready, asked, since, due = Time::max(), left, done;
    double bytes = 0, rate = 0, next_rate = 0;
    bool flows = false;
  };

  // Writing out
  NodeNumber add(std::vector<NodeNumber> after) {
    nodes_.emplace_back().after = std::move(after);
    return nodes_.size() - 1;
  }

  // One round of a template after `start`; returns the marker of its end.
  NodeNumber expand(flow::TemplateId where, NodeNumber start, const std::vector<std::uint32_t>& path) {
    const flow::Template& body = program_.templates[where.value];
    std::vector<std::vector<NodeNumber>> first(body.operations.size()), last(body.operations.size());  // by instance
    for (std::uint32_t i = 0; i < body.operations.size(); ++i) {
      const flow::Operation& op = body.operations[i];
      for (std::uint32_t instance = 0; instance < op.repeat; ++instance) {
        const NodeNumber node = add({instance == 0 ? start : last[i].back()});
        nodes_[node].op = &op, nodes_[node].where = where, nodes_[node].index = i, nodes_[node].path = path;
        first[i].push_back(node);
        NodeNumber close = node;
        if (op.kind == flow::OperationKind::kCall) {
          std::vector<std::uint32_t> inner = path;
          inner.push_back(i);
          for (std::uint64_t round = 0; round < op.rounds; ++round) close = expand(op.callee, close, inner);
          close = add({close});
          nodes_[close].ends = node;
        }
        last[i].push_back(close);
      }
    }
    for (const flow::Edge& edge : body.edges)
      for (std::uint32_t i = edge.first; i < edge.last; ++i)
        nodes_[first[edge.to][i]].after.push_back(
            last[edge.from][static_cast<std::size_t>(static_cast<std::int64_t>(i) + edge.offset)]);
    std::vector<NodeNumber> all{start};
    for (const auto& instances : last) all.insert(all.end(), instances.begin(), instances.end());
    return add(all);
  }

  // The life of a node
  std::span<const flow::LinkUse> links(NodeNumber n) const {
    const flow::RouteId way = nodes_[n].op->route;
    return way.valid() ? program_.routes.links(way) : std::span<const flow::LinkUse>{};
  }
  std::span<const flow::ResourceId> channels(const Node& node) const {
    if (node.op == nullptr || !node.op->route.valid()) return {};
    return program_.routes.channels(node.op->route);
  }

  void settle() {
    for (bool again = true; again;) {
      again = false;
      for (NodeNumber n = 0; n < nodes_.size(); ++n) {
        Node& node = nodes_[n];
        const bool free = std::all_of(node.after.begin(), node.after.end(),
                                      [&](NodeNumber other) { return nodes_[other].stage == Stage::kDone; });
        if (node.stage == Stage::kWaiting && free)
          begin(n), again = true;
        else if (node.due == now_)
          advance(n), again = true;
      }
    }
  }
  void begin(NodeNumber n) {
    Node& node = nodes_[n];
    node.ready = now_;
    if (node.op == nullptr) return finish(n);
    node.bytes = node.op->bytes, node.left = node.op->duration;
    if (node.op->kind != flow::OperationKind::kTransfer || node.op->duration.is_zero()) return request(n);
    wait(n, Stage::kOverhead, node.op->duration);
  }
  void wait(NodeNumber n, Stage stage, Time duration) {
    nodes_[n].stage = stage, nodes_[n].since = now_, nodes_[n].due = now_ + duration;
  }
  void advance(NodeNumber n) {
    Node& node = nodes_[n];
    node.due = Time::max();
    if (node.stage == Stage::kOverhead)
      request(n);
    else if (node.stage == Stage::kSetup)
      launch(n);
    else if (node.stage == Stage::kLatency)
      flow_bytes(n);
    else
      finish(n);
  }
  void request(NodeNumber n) {
    nodes_[n].stage = Stage::kRequesting, nodes_[n].asked = now_;
    if (channels(nodes_[n]).empty()) launch(n);
  }
  void launch(NodeNumber n) {
    Node& node = nodes_[n];
    if (node.op->kind == flow::OperationKind::kCall) return void(node.stage = Stage::kDone);  // its end comes later
    if (node.op->kind != flow::OperationKind::kTransfer) return wait(n, Stage::kRunning, node.left);
    wait(n, Stage::kLatency, node.op->route.valid() ? program_.routes.latency(node.op->route) : Time());
  }
  double channel_rate(const Node& node) const {  // bytes per second; 0: not limited
    double rate = 0;
    for (flow::ResourceId id : channels(node))
      if (const double own = rate_of(id.value); own > 0 && (rate == 0 || own < rate)) rate = own;
    return rate;
  }
  double rate_of(std::uint32_t resource) const { return program_.resources.rate(flow::ResourceId{resource}).value / 8; }
  void flow_bytes(NodeNumber n) {
    Node& node = nodes_[n];
    node.stage = Stage::kRunning, node.since = now_;
    node.flows = !links(n).empty();
    node.rate = node.flows ? 0 : channel_rate(node);
    if (node.bytes <= 0 || (!node.flows && node.rate == 0)) return finish(n);
    if (!node.flows) node.due = now_ + Time::seconds(node.bytes / node.rate);
  }
  void finish(NodeNumber n) {
    Node& node = nodes_[n];
    node.stage = Stage::kDone, node.done = now_, node.due = Time::max(), node.flows = false;
    if (node.op != nullptr)
      release(n);
    else if (node.ends != kNobody)
      release(node.ends);
  }

  // Channels
  void release(NodeNumber n) {
    for (flow::ResourceId id : channels(nodes_[n])) {
      holder_[id.value] = kNobody;
      held[id.value] += now_ - taken_[id.value];
    }
  }

  // Gives channels to the first that can have them; false: nobody can.
  bool serve() {
    std::vector<NodeNumber> asking;
    for (NodeNumber n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].stage == Stage::kRequesting) asking.push_back(n);
    const auto order = [&](NodeNumber n) {
      return std::tuple(nodes_[n].op->priority, nodes_[n].asked, nodes_[n].path.size(), nodes_[n].path,
                        nodes_[n].index);
    };
    std::sort(asking.begin(), asking.end(), [&](NodeNumber a, NodeNumber b) { return order(a) < order(b); });
    return std::any_of(asking.begin(), asking.end(), [&](NodeNumber n) { return try_take(n); });
  }

  bool try_take(NodeNumber n) {
    const flow::Operation& op = *nodes_[n].op;
    for (flow::ResourceId id : channels(nodes_[n]))
      if (const NodeNumber other = holder_[id.value];
          other != kNobody && (!program_.resources.rules(id).preemptive || nodes_[other].op->priority <= op.priority))
        return false;
    for (flow::ResourceId id : channels(nodes_[n]))
      if (const NodeNumber other = holder_[id.value]; other != kNobody) suspend(other);
    const flow::Circuit circuit = op.circuit != flow::kDark ? op.circuit : flow::Circuit{op.route.value} + 1;
    Time setup;
    for (flow::ResourceId id : channels(nodes_[n])) {
      if (op.always_setup || circuit_[id.value] != circuit) setup = std::max(setup, program_.resources.rules(id).setup);
      circuit_[id.value] = circuit, holder_[id.value] = n, taken_[id.value] = now_;
    }
    wait(n, Stage::kSetup, setup);
    return true;
  }

  // What it has achieved is kept; a setup or a latency under way starts over.
  void suspend(NodeNumber n) {
    Node& node = nodes_[n];
    if (node.stage == Stage::kRunning && node.op->kind == flow::OperationKind::kTransfer)
      node.bytes = std::max(0.0, node.bytes - node.rate * (now_ - node.since).to_seconds());
    else if (node.stage == Stage::kRunning)
      node.left -= now_ - node.since;
    else if (node.stage == Stage::kSetup && node.due > node.since)
      for (flow::ResourceId id : channels(node)) circuit_[id.value] = flow::kDark;
    release(n);
    node.stage = Stage::kRequesting, node.due = Time::max(), node.flows = false;
  }

  // Links: class after class, all flows of a class grow at the pace of their share until their cap or a full link stops them.
  void share() {
    std::vector<double> left(program_.resources.size());
    for (std::uint32_t i = 0; i < left.size(); ++i) left[i] = rate_of(i);
    std::map<std::uint8_t, std::vector<NodeNumber>> classes;
    for (NodeNumber n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].flows) classes[nodes_[n].op->priority].push_back(n);
    for (auto& [priority, growing] : classes) fill(growing, left);
    for (Node& node : nodes_) {
      if (!node.flows || node.next_rate == node.rate) continue;
      node.bytes -= node.rate * (now_ - node.since).to_seconds();
      if (node.bytes <= 1e-11 * node.op->bytes) node.bytes = 0;  // ends now, but for rounding
      node.since = now_, node.rate = node.next_rate;
      node.due = node.bytes == 0 ? now_ : node.rate > 0 ? now_ + Time::seconds(node.bytes / node.rate) : Time::max();
    }
  }

  double share_of(NodeNumber n) const { return nodes_[n].op->share; }

  void fill(std::vector<NodeNumber>& growing, std::vector<double>& left) {
    while (!growing.empty()) {
      // The first to stop: a link that is full, or a flow at its cap
      std::map<std::uint32_t, double> weight;
      for (NodeNumber n : growing)
        for (const flow::LinkUse& use : links(n)) weight[use.link.value] += double{use.weight} * share_of(n);
      double pace = std::numeric_limits<double>::infinity();
      std::uint32_t full = 0;
      NodeNumber capped = kNobody;
      for (const auto& [link, sum] : weight) {
        const bool used_up = left[link] <= 1e-12 * rate_of(link);
        if (const double share = used_up ? 0 : left[link] / sum; share < pace) pace = share, full = link;
      }
      for (NodeNumber n : growing)
        if (const double cap = channel_rate(nodes_[n]) / share_of(n); cap > 0 && cap <= pace) pace = cap, capped = n;

      const auto stops = [&](NodeNumber n) {
        if (capped != kNobody) return n == capped;
        return std::any_of(links(n).begin(), links(n).end(),
                           [&](const flow::LinkUse& use) { return use.link.value == full; });
      };
      for (NodeNumber n : growing) {
        if (!stops(n)) continue;
        nodes_[n].next_rate = capped != kNobody ? channel_rate(nodes_[n]) : pace * share_of(n);
        for (const flow::LinkUse& use : links(n)) left[use.link.value] -= nodes_[n].next_rate * use.weight;
      }
      std::erase_if(growing, stops);
    }
  }

  const flow::Program& program_;
  std::vector<Node> nodes_;
  NodeNumber last_ = 0;
  Time now_;
  std::vector<NodeNumber> holder_;
  std::vector<flow::Circuit> circuit_;
  std::vector<Time> taken_;
};

}  // namespace helio::simulate
