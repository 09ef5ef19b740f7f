// SPDX-License-Identifier: Apache-2.0
#include "fabric/carrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/mix.h"
#include "schedule/dependencies.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Move;
using schedule::Phase;
using schedule::Schedule;

namespace {

bool in_fabric(const Move& move) { return move.source < 0 || move.destination < 0; }

// Whether two moves put the same load on the same way, whatever slots they carry.
auto traffic_of(const Move& move) {
  return std::tuple(move.source, move.destination, move.count, move.lane.wavelength, move.lane.width,
                    move.lane.direction);
}
bool same_traffic(const Move& a, const Move& b) { return traffic_of(a) == traffic_of(b); }

// Rounds [first, last) of a phase in which the traffic is the same.
struct Segment {
  std::uint32_t first = 0, last = 0;
};

// Cuts a phase where its traffic changes. A move that ends where another with the same traffic begins changes nothing.
std::vector<Segment> segments(const Phase& phase) {
  struct Edge {
    const Move* move;
    std::uint32_t round;
    int change;
  };
  std::vector<Edge> edges;
  for (const Move& move : phase.moves) {
    const schedule::Window window = schedule::window(move, phase);
    if (window.first == 0 && window.last == phase.repeat) continue;
    if (window.first != 0) edges.push_back({&move, window.first, +1});
    if (window.last != phase.repeat) edges.push_back({&move, window.last, -1});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    const auto x = traffic_of(*a.move), y = traffic_of(*b.move);
    return x != y ? x < y : a.round < b.round;
  });
  std::vector<std::uint32_t> bounds{0, phase.repeat};
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    int change = 0;
    for (end = begin; end < edges.size() && edges[end].round == edges[begin].round &&
                      same_traffic(*edges[end].move, *edges[begin].move);
         ++end)
      change += edges[end].change;
    if (change != 0) bounds.push_back(edges[begin].round);
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<Segment> result;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) result.push_back({bounds[i], bounds[i + 1]});
  return result;
}

}  // namespace

// Turns the moves of one schedule into operations of one program.
class Lowering {
 public:
  Lowering(Carrier& carrier, const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options)
      : carrier_(carrier),
        schedule_(schedule),
        request_(request),
        options_(options),
        program_(carrier.program_),
        slot_bytes_(schedule.slot_bytes(request.bytes)),
        operators_(most_in_fabric_moves(schedule)) {}

  flow::TemplateId step_order();
  flow::TemplateId dataflow_order();

  std::uint32_t wavelengths_used = 0, longest_path_hops = 0;

 private:
  // `in_fabric_before` in-fabric moves of the group are carried beside this one.
  flow::Operation transfer(std::uint32_t phase, const Move& move, std::uint32_t tag, std::uint32_t group,
                           std::uint32_t in_fabric_before);
  // `together`: the moves of the segment.
  flow::TemplateId segment_template(std::uint32_t phase, const Segment& segment,
                                    const std::vector<std::uint32_t>& together, std::uint32_t group);
  const std::vector<Assignment>& assigned(std::uint32_t phase, const Segment& segment,
                                          const std::vector<std::uint32_t>& together);
  const std::vector<Assignment>& assigned_to_all(std::uint32_t phase);

  struct Built {
    const Phase* phase;
    const std::vector<std::uint32_t>* together;
    flow::TemplateId id;
  };

  Carrier& carrier_;
  const Schedule& schedule_;
  const CollectiveRequest& request_;
  const LowerOptions& options_;
  flow::Program& program_;
  Bytes slot_bytes_;
  std::uint32_t operators_;  // that each group may need at once
  std::uint64_t crossings_ = 0;
  Way way_;
  std::vector<NodeId> from_, to_;
  std::unordered_multimap<std::uint64_t, Built> built_;                                     // of the group at hand
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Assignment>> assignments_;  // by phase and first round
};

flow::Operation Lowering::transfer(std::uint32_t phase, const Move& move, std::uint32_t tag, std::uint32_t group,
                                   std::uint32_t in_fabric_before) {
  const std::vector<NodeId>& nodes = request_.groups[group];
  const auto node = [&](schedule::Position p) { return nodes[static_cast<std::size_t>(p)]; };
  Carriage carriage{schedule_, request_, move, phase, group};
  way_.clear();
  way_.offset = carrier_.offset_;
  if (in_fabric(move)) {
    carriage.operator_index = group * operators_ + in_fabric_before % operators_;
    from_.clear();
    to_.clear();
    for (schedule::Position p : schedule_.members(move.source)) from_.push_back(node(p));
    for (schedule::Position p : schedule_.members(move.destination)) to_.push_back(node(p));
    carrier_.route_set(from_, to_, carriage, way_);
  } else {
    carrier_.route(node(move.source), node(move.destination), carriage, way_);
  }
  flow::Operation op;
  op.kind = flow::OperationKind::kTransfer;
  op.priority = options_.priority;
  op.share = options_.share;
  op.step = true;
  op.duration = carrier_.capabilities().step_overhead;
  crossings_ += way_.links.size() + way_.channels.size();
  if (options_.crossing_limit != 0 && crossings_ > options_.crossing_limit)
    throw WorkLimitError(fmt::format("its moves cross more than {:.3g} links", 1.0 * options_.crossing_limit));
  op.bytes = slot_bytes_.value * move.count * way_.bytes_factor;
  op.route = program_.routes.add(way_.links, way_.channels, way_.latency);
  op.circuit = way_.circuit;
  op.always_setup = way_.always_setup;
  if (move.lane.wavelength >= 0)
    wavelengths_used = std::max(wavelengths_used, static_cast<std::uint32_t>(move.lane.wavelength + move.lane.width));
  longest_path_hops = std::max(longest_path_hops, way_.hops);
  op.controlled = way_.controlled;
  op.controller = way_.controller;
  op.agent = way_.agent;
  op.claim = way_.claim;
  op.tag = tag;
  return op;
}

// The template of a segment, made once for all segments that put the same load on the fabric.
flow::TemplateId Lowering::segment_template(std::uint32_t phase_index, const Segment& segment,
                                            const std::vector<std::uint32_t>& together, std::uint32_t group) {
  const Phase& phase = schedule_.phases[phase_index];
  std::uint64_t hash = 0;
  const std::size_t count = together.size();
  for (const std::uint32_t i : together) {
    const Move& move = phase.moves[i];
    for (std::uint64_t word :
         {static_cast<std::uint64_t>(move.source) << 32 | static_cast<std::uint32_t>(move.destination),
          static_cast<std::uint64_t>(move.count) << 32 | static_cast<std::uint32_t>(move.lane.wavelength)})
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  }
  if (count == 0) return {};
  const auto equal = [&](const Built& other) {
    if (other.phase->part != phase.part) return false;
    return std::ranges::equal(together, *other.together, [&](std::uint32_t mine, std::uint32_t theirs) {
      return same_traffic(phase.moves[mine], other.phase->moves[theirs]);
    });
  };
  for (auto [at, end] = built_.equal_range(hash); at != end; ++at)
    if (equal(at->second)) {
      if (at->second.phase->name != phase.name) program_.templates[at->second.id.value].name += " / " + phase.name;
      return at->second.id;
    }

  // The moves with the lanes that they have or are given, by sub-round
  const std::vector<Assignment>& lanes = assigned(phase_index, segment, together);
  std::vector<flow::Template> bodies(1);
  std::uint32_t operators = 0;
  std::size_t at = group * count;
  for (const std::uint32_t i : together) {
    Move move = phase.moves[i];
    std::uint32_t sub_round = 0;
    if (!lanes.empty()) {
      move.lane = lanes[at].lane;
      sub_round = lanes[at++].sub_round;
    }
    if (bodies.size() <= sub_round) bodies.resize(sub_round + 1);
    bodies[sub_round].operations.push_back(transfer(phase_index, move, i, group, in_fabric(move) ? operators++ : 0));
  }

  // One template, or one that runs those of the sub-rounds in turn
  flow::TemplateId id;
  flow::Template round{phase.name, {}, {}};
  for (flow::Template& body : bodies) {
    body.name = phase.name;
    id = program_.add(std::move(body));
    if (bodies.size() == 1) break;
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = id;
    const auto index = static_cast<std::uint32_t>(round.operations.size());
    if (index > 0) round.edges.push_back({index - 1, index});
    round.operations.push_back(call);
  }
  if (bodies.size() > 1) id = program_.add(std::move(round));
  built_.insert({hash, {&phase, &together, id}});
  return id;
}

// What the fabric gives the moves of a segment, those of group 0 first.
const std::vector<Assignment>& Lowering::assigned(std::uint32_t phase_index, const Segment& segment,
                                                  const std::vector<std::uint32_t>& together) {
  if (request_.groups.size() == 1) assignments_.clear();
  const auto [at, fresh] = assignments_.try_emplace({phase_index, segment.first});
  if (!fresh) return at->second;
  const Phase& phase = schedule_.phases[phase_index];
  std::vector<Traveller> travellers;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group)
    for (const std::uint32_t i : together) travellers.push_back({&schedule_, &phase.moves[i], group});
  carrier_.assign(request_, travellers, at->second);
  return at->second;
}

// In dataflow order every move of a phase, active or not, as if all of them might meet; who comes second waits for the channel.
const std::vector<Assignment>& Lowering::assigned_to_all(std::uint32_t phase_index) {
  const auto [at, fresh] = assignments_.try_emplace({phase_index, 0});
  if (!fresh) return at->second;
  std::vector<Traveller> travellers;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group)
    for (const Move& move : schedule_.phases[phase_index].moves) travellers.push_back({&schedule_, &move, group});
  carrier_.assign(request_, travellers, at->second);
  return at->second;
}

// One chain of calls per group.
flow::TemplateId Lowering::step_order() {
  flow::Template entry;
  entry.name = schedule_.algorithm;
  std::vector<std::vector<Segment>> cuts;
  std::vector<std::vector<std::vector<std::uint32_t>>> sets;  // of moves, by phase and segment
  for (const Phase& phase : schedule_.phases) {
    cuts.push_back(segments(phase));
    sets.push_back(moves_together(phase));
  }
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group) {
    built_.clear();
    std::uint32_t previous = 0xffffffffu;
    for (std::uint32_t phase = 0; phase < schedule_.phases.size(); ++phase)
      for (std::size_t k = 0; k < cuts[phase].size(); ++k) {
        const Segment& segment = cuts[phase][k];
        const flow::TemplateId body = segment_template(phase, segment, sets[phase][k], group);
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
    for (std::uint32_t p = 0; p < schedule_.phases.size(); ++p) {
      const Phase& phase = schedule_.phases[p];
      const std::vector<Assignment>& lanes = assigned_to_all(p);
      for (const Move& move : phase.moves) {
        const schedule::Window window = schedule::window(move, phase);
        flow::Operation op;
        // A move that is never active keeps its place, so that indices agree, as a delay of nothing.
        if (window.first < window.last) {
          Move carried = move;
          if (!lanes.empty())
            carried.lane =
                lanes[group * phase.moves.size() + static_cast<std::size_t>(&move - phase.moves.data())].lane;
          op = transfer(p, carried, tag, group, in_fabric(move) ? operators++ : 0);
          op.repeat = window.last - window.first;
        }
        ++tag;
        entry.operations.push_back(op);
      }
    }
    entry.operations.resize(entry.operations.size() + waits.joins);  // delays of nothing
    for (const schedule::Dependency& wait : waits.list)
      entry.edges.push_back({base + wait.from, base + wait.to, wait.offset, wait.first, wait.last});
  }
  return program_.add(std::move(entry));
}

std::vector<std::vector<std::uint32_t>> moves_together(const Phase& phase) {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint32_t> coming;
  const auto window = [&](std::uint32_t i) { return schedule::window(phase.moves[i], phase); };
  for (std::uint32_t i = 0; i < phase.moves.size(); ++i)
    if (window(i).first < window(i).last) coming.push_back(i);
  const std::vector<Segment> cuts = segments(phase);
  if (cuts.size() == 1) {  // the same all along: those of the first round stand for it
    std::erase_if(coming, [&](std::uint32_t i) { return window(i).first > 0; });
    return {std::move(coming)};
  }
  std::stable_sort(coming.begin(), coming.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return window(a).first < window(b).first; });

  // From segment to segment: who has ended goes, who has begun comes
  std::vector<std::uint32_t> now;
  std::size_t next = 0;
  for (const Segment& segment : cuts) {
    for (; next < coming.size() && window(coming[next]).first <= segment.first; ++next) now.push_back(coming[next]);
    std::erase_if(now, [&](std::uint32_t i) { return window(i).last <= segment.first; });
    std::sort(now.begin(), now.end());
    sets.push_back(now);
  }
  return sets;
}

float weight_of(double share) {
  const auto nearest = static_cast<float>(share);
  return nearest < share ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

std::uint32_t most_in_fabric_moves(const Schedule& schedule) {
  std::uint32_t most = 0;
  for (const Phase& phase : schedule.phases) {
    if (std::none_of(phase.moves.begin(), phase.moves.end(), in_fabric)) continue;
    for (const std::vector<std::uint32_t>& together : moves_together(phase)) {
      const auto count = std::ranges::count_if(together, [&](std::uint32_t i) { return in_fabric(phase.moves[i]); });
      most = std::max(most, static_cast<std::uint32_t>(count));
    }
  }
  return most;
}

flow::Circuit Circuits::of(std::span<const std::uint64_t> key) {
  std::uint64_t hash = key.size();
  for (const std::uint64_t word : key) hash = mixed(hash ^ word, 0);
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at) {
    const std::size_t last = ends_[at->second - 1], first = at->second == 1 ? 0 : ends_[at->second - 2];
    if (std::ranges::equal(key, std::span(words_).subspan(first, last - first))) return at->second;
  }
  words_.insert(words_.end(), key.begin(), key.end());
  ends_.push_back(words_.size());
  return by_hash_.emplace(hash, ends_.size())->second;
}

Carrier::Carrier(const Fabric& fabric, flow::Program& program, Site site)
    : fabric_(fabric), program_(program), site_(std::move(site)) {
  assert((site_.nodes.empty() || site_.nodes.size() == fabric.capabilities().nodes) && "a site has a node for each");
  offset_ = program.resources.append(fabric.resources(), site_.name);
  for (std::uint32_t i = 0; i < site_.nodes.size(); ++i) number_.emplace(site_.nodes[i].value, i);
}

NodeId Carrier::here(NodeId node) const { return site_.nodes.empty() ? node : NodeId{number_.at(node.value)}; }

std::vector<NodeId> Carrier::here(const std::vector<NodeId>& nodes) const {
  std::vector<NodeId> mine;
  mine.reserve(nodes.size());
  for (const NodeId node : nodes) mine.push_back(here(node));
  return mine;
}

CollectiveRequest Carrier::here(const CollectiveRequest& request) const {
  CollectiveRequest mine = request;
  for (std::vector<NodeId>& group : mine.groups) group = here(group);
  return mine;
}

LowerResult Carrier::lower(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options) {
  if (site_.nodes.empty()) return lower_here(schedule, request, options);
  return lower_here(schedule, here(request), options);
}

std::optional<Refusal> Carrier::settle(const Schedule& schedule, const CollectiveRequest& together) {
  return site_.nodes.empty() ? settle_here(schedule, together) : settle_here(schedule, here(together));
}

std::optional<Remedied> Carrier::remedy(Remedy way, const Schedule& schedule, const CollectiveRequest& request,
                                        const LowerOptions& options) {
  return remedy_here(way, schedule, site_.nodes.empty() ? request : here(request), options);
}

void Carrier::add_way(NodeId from, NodeId to, const Carriage& carriage, Way& way) {
  const std::uint32_t others = std::exchange(way.offset, offset_);
  route(here(from), here(to), carriage, way);
  way.offset = others;
}

void Carrier::add_way(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Carriage& carriage,
                      Way& way) {
  const std::uint32_t others = std::exchange(way.offset, offset_);
  route_set(here(from), here(to), carriage, way);
  way.offset = others;
}

bool Carrier::stream(std::span<const std::vector<NodeId>> shards, bool inward, std::vector<flow::LinkUse>& links) {
  Way way;
  way.offset = offset_;
  std::vector<std::vector<NodeId>> mine;
  if (!site_.nodes.empty())
    for (const std::vector<NodeId>& shard : shards) mine.push_back(here(shard));
  if (!stream_here(site_.nodes.empty() ? shards : std::span<const std::vector<NodeId>>(mine), inward, way))
    return false;
  links.insert(links.end(), way.links.begin(), way.links.end());
  return true;
}

Picture Carrier::picture(const Schedule& schedule, const CollectiveRequest& request, const Lowered& lowered) {
  return picture_here(schedule, site_.nodes.empty() ? request : here(request), lowered);
}

LowerResult Carrier::lower_here(const Schedule& schedule, const CollectiveRequest& request,
                                const LowerOptions& options) {
  if (std::optional<Refusal> refusal = object(schedule, request, options)) return *std::move(refusal);
  const std::size_t first = program_.templates.size();
  Lowering lowering(*this, schedule, request, options);
  Lowered lowered;
  lowered.entry = options.order == schedule::Order::kStep ? lowering.step_order() : lowering.dataflow_order();
  lowered.wavelengths_used = lowering.wavelengths_used;
  lowered.longest_path_hops = lowering.longest_path_hops;

  // Lanes are a promise that nobody meets in a step: whoever assigned them, the lowered program is what is checked. In dataflow
  // order there are no steps; there whoever comes second waits for the channel.
  if (lanes_are_promises() && options.order == schedule::Order::kStep)
    if (const flow::ConflictReport report = flow::find_conflict(program_, lowered.entry); report.found)
      return Refusal{fmt::format("two moves of '{}' would hold {} at the same time",
                                 program_.templates[report.conflict.where.value].name,
                                 program_.resources.name(report.conflict.channel)),
                     "Use other lanes or more wavelengths, or let groups go one after the other (" +
                         advised("remedy", "block") + ").",
                     0,
                     {},
                     {}};
  if (std::optional<Refusal> refusal = complete(schedule, request, options, first, lowered)) return *std::move(refusal);
  return lowered;
}

std::optional<Refusal> Carrier::object(const Schedule& schedule, const CollectiveRequest&, const LowerOptions&) {
  return usual_objection(capabilities(), schedule);
}

void Carrier::assign(const CollectiveRequest&, std::span<const Traveller>, std::vector<Assignment>&) {}

void Carrier::route_set(std::span<const NodeId>, std::span<const NodeId>, const Carriage&, Way&) {
  assert(false && "a fabric that lets in-fabric moves pass must route them");
}

std::optional<Refusal> Carrier::complete(const Schedule&, const CollectiveRequest&, const LowerOptions&, std::size_t,
                                         Lowered&) {
  return std::nullopt;
}

std::optional<Refusal> Carrier::settle_here(const Schedule&, const CollectiveRequest&) { return std::nullopt; }

std::optional<Remedied> Carrier::remedy_here(Remedy, const Schedule&, const CollectiveRequest&, const LowerOptions&) {
  return std::nullopt;
}

bool Carrier::stream_here(std::span<const std::vector<NodeId>>, bool, Way&) { return false; }

Picture Carrier::picture_here(const Schedule&, const CollectiveRequest&, const Lowered&) { return {}; }

std::optional<Refusal> usual_objection(const schedule::Capabilities& capabilities, const Schedule& schedule) {
  for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
    for (std::uint32_t i = 0; i < schedule.phases[p].moves.size(); ++i) {
      const Move& move = schedule.phases[p].moves[i];
      if (move.source < 0 && !capabilities.reduces)
        return Refusal{fmt::format("{} cannot reduce inside the fabric", capabilities.fabric),
                       "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + ".",
                       p,
                       {i},
                       {}};
      if (move.destination < 0 && !capabilities.multicasts)
        return Refusal{fmt::format("{} cannot multicast inside the fabric", capabilities.fabric),
                       "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + ".",
                       p,
                       {i},
                       {}};
      if ((move.lane.wavelength >= 0 || move.lane.width != 1) && capabilities.wavelengths == 0)
        return Refusal{fmt::format("{} has no wavelengths to put a move on", capabilities.fabric),
                       "Use a WDM fabric, or a schedule without lanes.",
                       p,
                       {i},
                       {}};
    }
  return std::nullopt;
}

}  // namespace helio::fabric
