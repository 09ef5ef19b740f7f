// SPDX-License-Identifier: Apache-2.0
// One schedule on its way into a program: moves become operations, whatever the fabric; its carrier says which way each takes.
//
//   step order      every phase becomes a template with one transfer per move and group; the collective is the chain of
//                   their calls. A phase whose moves are not active in all rounds is cut where the active set changes. Where only the
//                   time is asked for, each template is condensed as soon as it is made (flow/condense.h), so that of a million moves few stay.
//   dataflow order  every move becomes one operation with as many instances as it has rounds, and the exact dependencies
//                   between slots (schedule/dependencies.h) become edges. Queues that meet on a link share it so that they end together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/carrier.h"
#include "flow/condense.h"

namespace helio::fabric {

// The sets of moves (by index) that run in the same rounds of a phase, each set once.
std::vector<std::vector<std::uint32_t>> moves_together(const schedule::Phase& phase);

// The most in-fabric moves that one group has active in one round of any phase.
std::uint32_t most_in_fabric_moves(const schedule::Schedule& schedule);

// Rounds [first, last) of a phase in which the traffic is the same.
struct Segment {
  std::uint32_t first = 0, last = 0;
};

// Turns the moves of one schedule into operations of one program.
class Lowering {
 public:
  Lowering(Carrier& carrier, const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
           const LowerOptions& options)
      : carrier_(carrier),
        schedule_(schedule),
        request_(request),
        options_(options),
        program_(carrier.program_),
        slot_bytes_(schedule.slot_bytes(request.bytes)),
        operators_(most_in_fabric_moves(schedule)),
        adding_(options.memories && !carrier.capabilities().adding_included) {}

  flow::TemplateId step_order();
  flow::TemplateId dataflow_order();

  std::uint32_t wavelengths_used = 0, longest_path_hops = 0;

 private:
  // `in_fabric_before` in-fabric moves of the group are carried beside this one. Its way is left in way_, and no route is made of it.
  flow::Operation carry(std::uint32_t phase, const schedule::Move& move, std::uint32_t tag, std::uint32_t group,
                        std::uint32_t in_fabric_before);
  // The same with its route. The operation stands for `alike` equal moves; where they would wait for each other, for a channel or a
  // controller, for the first alone, and `alike` becomes 1.
  flow::Operation transfer(std::uint32_t phase, const schedule::Move& move, std::uint32_t tag, std::uint32_t group,
                           std::uint32_t in_fabric_before, std::uint32_t& alike);
  // Whether the schedule says which way the move takes between the two.
  bool take_planned_way(NodeId from, NodeId to, const schedule::Move& move);
  // Moves of one rank that follow each other, in one group.
  struct Queue {
    bool reduces = false;
    double bytes = 0, waits = 0;  // of all of them
  };
  // Gives operations of queues their share of links: what a queue carries in all, over the time that the busiest link leaves it beside
  // waiting; more where it reduces, since what it brings is waited for. `queue_of`: each operation's place among `queues`; 0: none.
  void share_links(flow::Template& body, std::span<const std::uint32_t> queue_of, std::vector<Queue> queues) const;
  void count_crossings(std::size_t links);
  void pass_doors(const Doors& doors);
  void pass_memory(const schedule::Move& move, NodeId node);

  // A set of moves that some segments have in common, whatever slots they carry.
  struct Load {
    std::uint32_t phase;
    Segment segment;  // the first
    const std::vector<std::uint32_t>* together;
    double runs;          // rounds of all its segments
    flow::TemplateId id;  // once it is made
  };
  Load* load_of(std::uint32_t phase, const Segment& segment, const std::vector<std::uint32_t>& together);
  flow::TemplateId template_of(Load& load, std::uint32_t group);
  std::optional<flow::Template> condensed(const Load& load, std::uint32_t group);
  // `together`: the moves of the segment.
  const std::vector<Assignment>& assigned(std::uint32_t phase, const Segment& segment,
                                          const std::vector<std::uint32_t>& together);
  const std::vector<Assignment>& assigned_to_all(std::uint32_t phase);

  Carrier& carrier_;
  const schedule::Schedule& schedule_;
  const schedule::CollectiveRequest& request_;
  const LowerOptions& options_;
  flow::Program& program_;
  Bytes slot_bytes_;
  std::uint32_t operators_;  // that each group may need at once
  bool adding_;              // at endpoints takes time
  std::uint64_t crossings_ = 0;
  Way way_;
  std::vector<NodeId> from_, to_;
  std::unordered_multimap<std::uint64_t, Load> loads_;                                      // of the group at hand
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Assignment>> assignments_;  // by phase and first round
  std::optional<flow::Condensing> condensing_;
};

}  // namespace helio::fabric
