// SPDX-License-Identifier: Apache-2.0
#include "fabric/routed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "schedule/dependencies.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Move;
using schedule::Phase;
using schedule::Schedule;

namespace {

bool in_fabric(const Move& move) { return move.source < 0 || move.destination < 0; }

// Rounds [first, last) of a phase in which the same moves are active.
struct Segment {
  std::uint32_t first = 0, last = 0;
};

std::vector<Segment> segments(const Phase& phase) {
  std::vector<std::uint32_t> bounds{0, phase.repeat};
  for (const Move& move : phase.moves) {
    const schedule::Window window = schedule::window(move, phase);
    if (window.first != 0) bounds.push_back(window.first);
    if (window.last != phase.repeat) bounds.push_back(window.last);
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<Segment> result;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) result.push_back({bounds[i], bounds[i + 1]});
  return result;
}

bool active(const Move& move, const Phase& phase, const Segment& segment) {
  const schedule::Window window = schedule::window(move, phase);
  return window.first <= segment.first && segment.last <= window.last;
}

// Whether two moves put the same load on the same way, whatever slots they carry.
bool same_traffic(const Move& a, const Move& b) {
  return a.source == b.source && a.destination == b.destination && a.count == b.count && a.lane == b.lane;
}

// Turns the moves of one schedule into operations of one program.
class Lowering {
 public:
  using Router = std::function<void(const Move&, const std::vector<NodeId>& group, std::uint32_t operator_index, Way&)>;

  Lowering(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options, Time overhead,
           flow::Program& program, Router router)
      : schedule_(schedule), request_(request), options_(options), overhead_(overhead), program_(program),
        router_(std::move(router)), slot_bytes_(schedule.slot_bytes(request.bytes)) {}

  flow::TemplateId step_order();
  flow::TemplateId dataflow_order();

 private:
  flow::Operation transfer(const Move& move, std::uint32_t tag, std::uint32_t group, std::uint32_t operator_index);
  flow::TemplateId segment_template(const Phase& phase, const Segment& segment, std::uint32_t group);

  struct Built {
    const Phase* phase;
    Segment segment;
    flow::TemplateId id;
  };

  const Schedule& schedule_;
  const CollectiveRequest& request_;
  const LowerOptions& options_;
  Time overhead_;
  flow::Program& program_;
  Router router_;
  Bytes slot_bytes_;
  Way way_;
  std::unordered_multimap<std::uint64_t, Built> built_;  // of the group at hand
};

flow::Operation Lowering::transfer(const Move& move, std::uint32_t tag, std::uint32_t group, std::uint32_t operator_index) {
  way_.clear();
  router_(move, request_.groups[group], operator_index, way_);
  flow::Operation op;
  op.kind = flow::OperationKind::kTransfer;
  op.priority = options_.priority;
  op.step = true;
  op.duration = overhead_;
  op.bytes = slot_bytes_.value * move.count * way_.bytes_factor;
  op.route = program_.routes.add(way_.links, way_.channels, way_.latency);
  op.circuit = way_.circuit;
  op.always_setup = way_.always_setup;
  op.tag = tag;
  return op;
}

// The template of a segment, made once for all segments that put the same load on the fabric.
flow::TemplateId Lowering::segment_template(const Phase& phase, const Segment& segment, std::uint32_t group) {
  std::uint64_t hash = 0;
  std::size_t count = 0;
  for (const Move& move : phase.moves) {
    if (!active(move, phase, segment)) continue;
    ++count;
    for (std::uint64_t word : {static_cast<std::uint64_t>(move.source) << 32 | static_cast<std::uint32_t>(move.destination),
                               static_cast<std::uint64_t>(move.count) << 32 | static_cast<std::uint32_t>(move.lane.wavelength)})
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  }
  if (count == 0) return {};
  const auto equal = [&](const Built& other) {
    auto mine = phase.moves.begin(), theirs = other.phase->moves.begin();
    for (;;) {
      while (mine != phase.moves.end() && !active(*mine, phase, segment)) ++mine;
      while (theirs != other.phase->moves.end() && !active(*theirs, *other.phase, other.segment)) ++theirs;
      if (mine == phase.moves.end() || theirs == other.phase->moves.end())
        return mine == phase.moves.end() && theirs == other.phase->moves.end();
      if (!same_traffic(*mine++, *theirs++)) return false;
    }
  };
  for (auto [at, end] = built_.equal_range(hash); at != end; ++at)
    if (equal(at->second)) return at->second.id;

  flow::Template body;
  body.name = phase.name;
  body.operations.reserve(count);
  std::uint32_t operators = 0;
  for (std::uint32_t i = 0; i < phase.moves.size(); ++i)
    if (active(phase.moves[i], phase, segment))
      body.operations.push_back(transfer(phase.moves[i], i, group, in_fabric(phase.moves[i]) ? operators++ : 0));
  const flow::TemplateId id = program_.add(std::move(body));
  built_.insert({hash, {&phase, segment, id}});
  return id;
}

// One chain of calls per group.
flow::TemplateId Lowering::step_order() {
  flow::Template entry;
  entry.name = schedule_.algorithm;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group) {
    built_.clear();
    std::uint32_t previous = 0xffffffffu;
    for (const Phase& phase : schedule_.phases)
      for (const Segment& segment : segments(phase)) {
        const flow::TemplateId body = segment_template(phase, segment, group);
        if (!body.valid()) continue;
        flow::Operation call;
        call.kind = flow::OperationKind::kCall;
        call.callee = body;
        call.rounds = segment.last - segment.first;
        call.tag = group;
        const std::uint32_t index = static_cast<std::uint32_t>(entry.operations.size());
        entry.operations.push_back(call);
        if (previous != 0xffffffffu) entry.edges.push_back({previous, index});
        previous = index;
      }
  }
  return program_.add(std::move(entry));
}

// One operation per move, with as many instances as it has rounds.
flow::TemplateId Lowering::dataflow_order() {
  flow::Template entry;
  entry.name = schedule_.algorithm;
  const schedule::Dependencies waits = schedule::dependencies(schedule_);
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group) {
    const std::uint32_t base = static_cast<std::uint32_t>(entry.operations.size());
    std::uint32_t operators = 0;
    std::uint32_t tag = 0;
    for (const Phase& phase : schedule_.phases)
      for (const Move& move : phase.moves) {
        const schedule::Window window = schedule::window(move, phase);
        flow::Operation op;
        // A move that is never active keeps its place, so that indices agree, as a delay of nothing.
        if (window.first < window.last) {
          op = transfer(move, tag, group, in_fabric(move) ? operators++ : 0);
          op.repeat = window.last - window.first;
        }
        ++tag;
        entry.operations.push_back(op);
      }
    entry.operations.resize(entry.operations.size() + waits.joins);  // delays of nothing
    for (const schedule::Dependency& wait : waits.list)
      entry.edges.push_back({base + wait.from, base + wait.to, wait.offset, wait.first, wait.last});
  }
  return program_.add(std::move(entry));
}

}  // namespace

std::uint32_t most_in_fabric_moves(const Schedule& schedule) {
  std::uint32_t most = 0;
  for (const Phase& phase : schedule.phases) {
    if (std::none_of(phase.moves.begin(), phase.moves.end(), in_fabric)) continue;
    for (const Segment& segment : segments(phase)) {
      std::uint32_t count = 0;
      for (const Move& move : phase.moves) count += in_fabric(move) && active(move, phase, segment);
      most = std::max(most, count);
    }
  }
  return most;
}

void RoutedFabric::route_set(std::span<const NodeId>, std::span<const NodeId>, std::uint32_t, Way&) const {
  assert(false && "a fabric that lets in-fabric moves pass must route them");
}

std::optional<Refusal> RoutedFabric::object(const Schedule& schedule, const CollectiveRequest&) const {
  for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
    for (std::uint32_t i = 0; i < schedule.phases[p].moves.size(); ++i) {
      const Move& move = schedule.phases[p].moves[i];
      if (move.source < 0 && !capabilities_.reduces)
        return Refusal{fmt::format("{} cannot reduce inside the fabric", capabilities_.fabric),
                       "Use an endpoint algorithm, or --remedy endpoint.", p, {i}, {}};
      if (move.destination < 0 && !capabilities_.multicasts)
        return Refusal{fmt::format("{} cannot multicast inside the fabric", capabilities_.fabric),
                       "Use an endpoint algorithm, or --remedy endpoint.", p, {i}, {}};
      if ((move.lane.wavelength >= 0 || move.lane.width != 1) && capabilities_.wavelengths == 0)
        return Refusal{fmt::format("{} has no wavelengths to put a move on", capabilities_.fabric),
                       "Use a WDM fabric, or a schedule without lanes.", p, {i}, {}};
    }
  return std::nullopt;
}

LowerResult RoutedFabric::lower(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options,
                                flow::Program& program) const {
  if (std::optional<Refusal> refusal = object(schedule, request)) return *std::move(refusal);

  const std::uint32_t per_group = most_in_fabric_moves(schedule);
  std::vector<NodeId> from, to;
  const auto router = [&](const Move& move, const std::vector<NodeId>& group, std::uint32_t operator_index, Way& way) {
    if (!in_fabric(move)) return route(group[static_cast<std::size_t>(move.source)], group[static_cast<std::size_t>(move.destination)], move.lane, way);
    from.clear();
    to.clear();
    for (schedule::Position p : schedule.members(move.source)) from.push_back(group[static_cast<std::size_t>(p)]);
    for (schedule::Position p : schedule.members(move.destination)) to.push_back(group[static_cast<std::size_t>(p)]);
    const std::uint32_t ordinal = static_cast<std::uint32_t>(&group - request.groups.data());
    route_set(from, to, ordinal * per_group + operator_index % std::max(1u, per_group), way);
  };
  Lowering lowering(schedule, request, options, capabilities_.step_overhead, program, router);
  Lowered lowered;
  lowered.entry = options.order == schedule::Order::kStep ? lowering.step_order() : lowering.dataflow_order();
  return lowered;
}

}  // namespace helio::fabric
