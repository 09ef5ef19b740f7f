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
      return Refusal{"parts are composed in step order only", "Keep rounds in step.", 0, {}, {}};
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
    piece.schedule.phases[0].moves.clear();
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
