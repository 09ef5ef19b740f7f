// SPDX-License-Identifier: Apache-2.0
// Proof (f): one schedule whose phases are carried by two different parts, all drawing on one resource table.
//
//      ┌ switch ┐   ┌ switch ┐   ┌ switch ┐      part 0 "inside": one switch for each four nodes, with an operator
//      0  1  2  3   4  5  6  7   8  9 10 11
//      ╚════════════╩════════════╝               part 1 "between": a ring of nodes 0, 4, 8
//
// Hierarchical all-reduce: reduce inside to the first node of each four, ring all-reduce between these, multicast inside.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include <optional>

#include "fabric/routed.h"
#include "generality/proving.h"

namespace helio::generality {
namespace {

using fabric::Carrier;
using fabric::Lowered;
using fabric::LowerResult;
using fabric::Refusal;
using fabric::Site;
using schedule::Action;
using schedule::CollectiveRequest;
using schedule::Kind;
using schedule::Move;
using schedule::Phase;
using schedule::Position;
using schedule::Schedule;

enum : std::int32_t { kInside, kBetween };

// A fabric made of fabrics. Each instance of a part stands on nodes of its own; a phase's moves go to the instances of
// its part in which they lie, and these run side by side. Step order only: see docs/generality.md.
class Composite : public fabric::Fabric {
 public:
  struct Instance {
    std::int32_t part = 0;
    std::vector<NodeId> nodes;  // ours, in the order of the instance's own 0, 1, 2, …
    std::shared_ptr<const fabric::Fabric> fabric;
  };

  Composite(std::uint32_t nodes, std::vector<Instance> instances) : instances_(std::move(instances)) {
    capabilities_.fabric = "composite";
    capabilities_.nodes = nodes;
    for (const Instance& instance : instances_)
      if (static_cast<std::size_t>(instance.part) == capabilities_.parts.size())
        capabilities_.parts.push_back(
            {instance.part == kInside ? "inside" : "between", instance.fabric->capabilities()});
  }

  const std::vector<Instance>& instances() const { return instances_; }
  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

 private:
  std::vector<Instance> instances_;
};

class CompositeCarrier : public Carrier {
 public:
  CompositeCarrier(const Composite& composite, flow::Program& program)
      : Carrier(composite, program, {}), instances_(composite.instances()) {
    for (const Composite::Instance& instance : instances_)
      carriers_.push_back(instance.fabric->install(program, {instance.nodes, "part"}));
  }

 protected:
  void route(NodeId, NodeId, const fabric::Carriage&, fabric::Way&) override { FAIL() << "parts route"; }

  LowerResult lower_here(const Schedule& schedule, const CollectiveRequest& request,
                         const fabric::LowerOptions& options) override {
    if (options.order != schedule::Order::kStep)
      return Refusal{"parts are composed in step order only", "Use " + advised("sync", "step") + ".", 0, {}, {}};
    flow::Template entry{schedule.algorithm, {}, {}};
    for (std::uint32_t g = 0; g < request.groups.size(); ++g) {
      std::vector<std::uint32_t> before;
      for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
        // The phase's pieces, side by side
        std::vector<std::uint32_t> now;
        std::size_t moves = 0;
        for (std::size_t i = 0; i < instances_.size(); ++i) {
          if (instances_[i].part != schedule.phases[p].part) continue;
          const Piece piece = piece_of(instances_[i], schedule, schedule.phases[p], request, g);
          const std::size_t count = piece.schedule.phases[0].moves.size();
          if (count == 0) continue;
          moves += count;
          const LowerResult lowered = carriers_[i]->lower(piece.schedule, piece.request, options);
          if (const auto* refusal = std::get_if<Refusal>(&lowered)) return *refusal;
          flow::Operation call;
          call.kind = flow::OperationKind::kCall;
          call.callee = std::get<Lowered>(lowered).entry;
          now.push_back(static_cast<std::uint32_t>(entry.operations.size()));
          entry.operations.push_back(call);
        }
        if (moves != schedule.phases[p].moves.size())
          return Refusal{fmt::format("phase '{}' has moves that its part does not reach", schedule.phases[p].name),
                         "",
                         p,
                         {},
                         {g}};
        // After all pieces of the phase before
        for (const std::uint32_t from : before)
          for (const std::uint32_t to : now) entry.edges.push_back({from, to});
        before = now;
      }
    }
    return Lowered{program().add(std::move(entry)), 0};
  }

 private:
  struct Piece {
    Schedule schedule;
    CollectiveRequest request;
  };

  // What of a phase lies in an instance, told in positions of those of the group that stand there.
  static Piece piece_of(const Composite::Instance& instance, const Schedule& schedule, const Phase& phase,
                        const CollectiveRequest& request, std::uint32_t group) {
    Piece piece{schedule, request};
    piece.schedule.phases = {phase};
    piece.schedule.phases[0].moves = {};
    piece.schedule.sets.clear();
    piece.schedule.symmetry = schedule::Symmetry::kNone;
    piece.schedule.root = 0;
    piece.request.root = 0;
    piece.request.groups = {{}};

    // Members of the group that live here, and their positions here
    std::vector<Position> here(static_cast<std::size_t>(schedule.ranks), -1);
    for (std::size_t position = 0; position < here.size(); ++position)
      if (const NodeId node = request.groups[group][position]; std::ranges::count(instance.nodes, node) > 0) {
        here[position] = static_cast<Position>(piece.request.groups[0].size());
        piece.request.groups[0].push_back(node);
      }
    piece.schedule.ranks = piece.request.ranks();

    const auto renamed = [&](const Position& endpoint) -> std::optional<Position> {
      std::vector<Position> members;
      for (const Position member : schedule.members(endpoint)) {
        if (here[static_cast<std::size_t>(member)] < 0) return std::nullopt;
        members.push_back(here[static_cast<std::size_t>(member)]);
      }
      if (endpoint >= 0) return members.front();
      piece.schedule.sets.push_back(members);
      return ~static_cast<Position>(piece.schedule.sets.size() - 1);
    };
    for (Move move : phase.moves) {
      const auto source = renamed(move.source), destination = renamed(move.destination);
      if (!source || !destination) continue;
      move.source = *source;
      move.destination = *destination;
      piece.schedule.phases[0].moves.push_back(move);
    }
    return piece;
  }

  const std::vector<Composite::Instance>& instances_;
  std::vector<std::unique_ptr<Carrier>> carriers_;
};

std::unique_ptr<Carrier> Composite::install(flow::Program& program, Site) const {
  return std::make_unique<CompositeCarrier>(*this, program);
}

// Reduce inside (in the fabric), all-reduce between the first nodes (a ring of `blocks`), multicast inside.
Schedule hierarchical(Position blocks, Position size) {
  Schedule s{.algorithm = "hierarchical",
             .kind = Kind::kAllReduce,
             .ranks = blocks * size,
             .chunks = static_cast<std::uint32_t>(blocks)};
  Phase up{.name = "reduce inside", .part = kInside}, down{.name = "multicast inside", .part = kInside};
  for (Position b = 0; b < blocks; ++b) {
    std::vector<Position> all, rest;
    for (Position i = 0; i < size; ++i) all.push_back(b * size + i);
    rest.assign(all.begin() + 1, all.end());
    s.sets.push_back(all);
    up.moves.push_back(
        {.source = ~static_cast<Position>(s.sets.size() - 1), .destination = b * size, .count = s.chunks});
    s.sets.push_back(rest);
    down.moves.push_back(
        {.source = b * size, .destination = ~static_cast<Position>(s.sets.size() - 1), .count = s.chunks});
  }
  const auto rounds = static_cast<std::uint32_t>(blocks - 1);
  Phase scatter{.name = "reduce-scatter between", .repeat = rounds, .part = kBetween};
  Phase gather{.name = "all-gather between", .repeat = rounds, .part = kBetween};
  for (Position b = 0; b < blocks; ++b) {
    // Slot b-1 first, so that after all rounds block b is complete at b (as src/schedule/ring.h).
    const auto slot = static_cast<std::uint32_t>((b + blocks - 1) % blocks), own = static_cast<std::uint32_t>(b);
    const Position next = (b + 1) % blocks * size;
    scatter.moves.push_back({.source = b * size,
                             .destination = next,
                             .source_slot = slot,
                             .destination_slot = slot,
                             .stride = -1,
                             .action = Action::kReduce});
    gather.moves.push_back(
        {.source = b * size, .destination = next, .source_slot = own, .destination_slot = own, .stride = -1});
  }
  s.phases = {up, scatter, gather, down};
  return s;
}

Composite three_switches_and_a_ring() {
  std::vector<Composite::Instance> instances;
  for (std::uint32_t b = 0; b < 3; ++b)
    instances.push_back(
        {kInside, nodes(4 * b, 4),
         fabric::make("switch",
                      settings({{"nodes", "4"}, {"rate", "96 Gb/s"}, {"latency", "10 us"}, {"reducers", "1"}}))});
  instances.push_back({kBetween,
                       {NodeId{0}, NodeId{4}, NodeId{8}},
                       fabric::make("ring", settings({{"nodes", "3"}, {"rate", "32 Gb/s"}, {"latency", "50 us"}}))});
  return {12, std::move(instances)};
}

TEST(TwoParts, PhasesAreCarriedByTheirParts) {
  const Schedule s = hierarchical(3, 4);
  expect_verified(s);
  expect_all_reduced_on_integers(s);

  // 12 MB. Inside: two hops of 10 us and 12 MB at 12 GB/s = 1.02 ms, up and down. Between: 2 * 2 rounds of one hop of 50 us and
  // 4 MB at 4 GB/s = 1.05 ms each. 1.02 + 4 * 1.05 + 1.02 = 6.24 ms in 6 steps.
  Composite fabric = three_switches_and_a_ring();
  const flow::Program program = carried(fabric, s, schedule::request_on_all(Kind::kAllReduce, Bytes{12e6}, 12));
  EXPECT_FALSE(flow::find_conflict(program, program.entry).found);
  const simulate::Timeline t = timed(program);
  expect_time(t.end, 6.24e-3);
  EXPECT_EQ(t.steps, 6u);
  expect_time(t.critical.latency, 240e-6);

  // One table: 3 * (4 up + 4 down + 1 operator) + 3 clockwise + 3 counter-clockwise links.
  ASSERT_EQ(program.resources.size(), 33u);
  const std::vector<double> bytes = flow::traffic(program);
  EXPECT_DOUBLE_EQ(bytes[1], 12e6);  // node 1 up: the vector once
  EXPECT_DOUBLE_EQ(bytes[5], 12e6);  // down to node 1: the result once
  EXPECT_DOUBLE_EQ(bytes[4], 12e6);  // down to node 0: the reduction; its multicast goes up
  EXPECT_DOUBLE_EQ(bytes[0], 24e6);
  EXPECT_DOUBLE_EQ(bytes[27], 16e6);                             // a ring link clockwise: 4 rounds of 4 MB
  EXPECT_DOUBLE_EQ(bytes[30], 0);                                // and counter-clockwise
  EXPECT_FALSE(program.resources.is_link(flow::ResourceId{8}));  // an operator
  EXPECT_TRUE(program.resources.is_link(flow::ResourceId{27}));
}

TEST(TwoParts, WhatNoPartReachesIsRefused) {
  Schedule s = hierarchical(3, 4);
  s.phases[1].moves[0].destination = 5;  // not on the ring
  Composite fabric = three_switches_and_a_ring();
  flow::Program program;
  const auto carrier = fabric.install(program);
  const LowerResult result = carrier->lower(s, schedule::request_on_all(Kind::kAllReduce, Bytes{12e6}, 12), {});
  ASSERT_TRUE(std::holds_alternative<Refusal>(result));
  EXPECT_EQ(std::get<Refusal>(result).phase, 1u);
}

// A line of 10 B/s from every node to every other; and, where one is given, behind a port of its sender that it shares with
// whoever else uses the port.
class Lines : public fabric::RoutedFabric {
 public:
  Lines(std::vector<NodeId> nodes, std::shared_ptr<flow::ResourceId> ports)
      : nodes_(std::move(nodes)), ports_(std::move(ports)) {
    capabilities_.fabric = "lines";
    capabilities_.nodes = nodes_.size();
    capabilities_.link_rate = BitRate{80};
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    lines_ = resources_.add_links(count * count, capabilities_.link_rate, [](std::uint32_t) { return "line"; });
  }

 protected:
  void route(NodeId from, NodeId to, const fabric::Carriage&, fabric::Way& way) const override {
    if (ports_) way.links.push_back({flow::ResourceId{ports_->value + nodes_[from.value].value}, 1});
    way.cross({lines_.value + from.value * static_cast<std::uint32_t>(nodes_.size()) + to.value});
  }

 private:
  std::vector<NodeId> nodes_;
  std::shared_ptr<flow::ResourceId> ports_;  // first of one port per node of the composite
  flow::ResourceId lines_;
};

// Two nodes here, two there: reduce 1 -> 0 and 3 -> 2, exchange 0 <-> 2, broadcast 0 -> 1 and 2 -> 3.
Schedule pairs() {
  Schedule s{.algorithm = "pairs", .kind = Kind::kAllReduce, .ranks = 4};
  const auto both = [](Position a, Position b, Position c, Position d, Action action) {
    return std::vector<Move>{{.source = a, .destination = b, .action = action},
                             {.source = c, .destination = d, .action = action}};
  };
  s.phases = {{.name = "reduce inside", .moves = both(1, 0, 3, 2, Action::kReduce), .part = kInside},
              {.name = "exchange between", .moves = both(0, 2, 2, 0, Action::kReduce), .part = kBetween},
              {.name = "broadcast inside", .moves = both(0, 1, 2, 3, Action::kStore), .part = kInside}};
  return s;
}

// Two buckets of 100 B, the second ready at 10 s. Either the parts leave a node by one port of 10 B/s, or each by its own lines.
simulate::Timeline two_buckets(bool one_port) {
  auto ports = one_port ? std::make_shared<flow::ResourceId>() : nullptr;
  std::vector<Composite::Instance> instances;
  for (const auto& [part, members] :
       {std::pair{kInside, nodes(0, 2)}, {kInside, nodes(2, 2)}, {kBetween, {NodeId{0}, NodeId{2}}}})
    instances.push_back({part, members, std::make_unique<Lines>(members, ports)});
  Composite fabric(4, std::move(instances));

  flow::Program program;
  if (ports)
    *ports = program.resources.add_links(4, BitRate{80}, [](std::uint32_t i) { return fmt::format("port {}", i); });
  const auto carrier = fabric.install(program);
  const CollectiveRequest request = schedule::request_on_all(Kind::kAllReduce, Bytes{100}, 4);
  flow::Template training{"training", {}, {{1, 2}}};
  for (int bucket = 0; bucket < 2; ++bucket) {
    flow::Operation call, delay;
    call.kind = flow::OperationKind::kCall;
    call.callee = std::get<Lowered>(carrier->lower(pairs(), request, {})).entry;
    delay.duration = Time::seconds(10);
    if (bucket == 1) training.operations.push_back(delay);
    training.operations.push_back(call);
  }
  program.entry = program.add(training);
  return timed(program);
}

TEST(TwoParts, OneTableLetsThePartsCompete) {
  expect_verified(pairs());
  // Each phase is 100 B at 10 B/s = 10 s.
  //
  //   bucket 1    reduce 0-10    exchange 10-20    broadcast 20-30
  //   bucket 2                   reduce 10-20      exchange 20-30    broadcast 30-40      lines of their own: 40 s
  EXPECT_EQ(two_buckets(false).end, Time::seconds(40));
  // From 20 s on node 0 broadcasts bucket 1 inside and exchanges bucket 2 between, and node 2 too. Through one port each gets
  // 5 B/s: both until 40 s; then bucket 2 is broadcast until 50 s.
  EXPECT_EQ(two_buckets(true).end, Time::seconds(50));
}

}  // namespace
}  // namespace helio::generality
