// SPDX-License-Identifier: Apache-2.0
#include "fabric/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/budget.h"
#include "base/error.h"
#include "schedule/dependencies.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Move;
using schedule::Phase;
using schedule::Schedule;

namespace {

bool in_fabric(const Move& move) { return move.source < 0 || move.destination < 0; }

// Whether two moves put the same load on the same way, whatever slots they carry; where `adding` takes time, also the same on memory.
auto traffic_of(const Move& move, bool adding) {
  return std::tuple(move.source, move.destination, move.count, move.lane.wavelength, move.lane.width,
                    move.lane.direction, move.way, adding && move.action == schedule::Action::kReduce);
}
bool same_traffic(const Move& a, const Move& b, bool adding) { return traffic_of(a, adding) == traffic_of(b, adding); }

// Whether a move is active in all rounds.
bool lasts(const Move& move, const Phase& phase) {
  const schedule::Window window = schedule::window(move, phase);
  return window.first == 0 && window.last == phase.repeat;
}

// Cuts a phase where its traffic changes. A move that ends where another with the same traffic begins changes nothing.
std::vector<Segment> segments(const Phase& phase, bool adding) {
  struct Edge {
    decltype(traffic_of({}, false)) traffic;
    std::uint32_t round;
    int change;
  };
  // Translates are active together
  if (std::ranges::all_of(phase.moves.listed(), [&](const Move& move) { return lasts(move, phase); }))
    return {{0, phase.repeat}};
  Budget::spend(static_cast<std::int64_t>(8 * phase.moves.size()));
  std::vector<Edge> edges;
  for (const Move& move : phase.moves) {
    const schedule::Window window = schedule::window(move, phase);
    if (window.first != 0) edges.push_back({traffic_of(move, adding), window.first, +1});
    if (window.last != phase.repeat) edges.push_back({traffic_of(move, adding), window.last, -1});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.traffic != b.traffic ? a.traffic < b.traffic : a.round < b.round;
  });
  Budget::spend(static_cast<std::int64_t>(64 * edges.size()));
  std::vector<std::uint32_t> bounds{0, phase.repeat};
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    int change = 0;
    for (end = begin;
         end < edges.size() && edges[end].round == edges[begin].round && edges[end].traffic == edges[begin].traffic;
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

// The moves of each segment.
std::vector<std::vector<std::uint32_t>> moves_of(const Phase& phase, const std::vector<Segment>& cuts) {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint32_t> coming;
  if (std::ranges::all_of(phase.moves.listed(), [&](const Move& move) { return lasts(move, phase); })) {
    coming.resize(phase.moves.size());
    std::iota(coming.begin(), coming.end(), 0u);
    return {std::move(coming)};
  }
  const auto window = [&](std::uint32_t i) { return schedule::window(phase.moves[i], phase); };
  for (std::uint32_t i = 0; i < phase.moves.size(); ++i)
    if (window(i).first < window(i).last) coming.push_back(i);
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
    std::erase_if(now, [&](std::uint32_t i) { return window(i).last <= segment.first; });
    const auto before = static_cast<std::ptrdiff_t>(now.size());
    for (; next < coming.size() && window(coming[next]).first <= segment.first; ++next)
      if (window(coming[next]).last > segment.first) now.push_back(coming[next]);
    std::sort(now.begin() + before, now.end());
    std::inplace_merge(now.begin(), now.begin() + before, now.end());
    Budget::spend(static_cast<std::int64_t>(4 * now.size()));
    sets.push_back(now);
  }
  return sets;
}

}  // namespace

void Lowering::count_crossings(std::size_t links) {
  crossings_ += links;
  if (options_.crossing_limit != 0 && crossings_ > options_.crossing_limit)
    throw WorkLimitError(
        fmt::format("its moves cross more than {:.3g} links", static_cast<double>(options_.crossing_limit)));
}

// Bytes are counted by holder, so that weights stay whole numbers; where there are channels, which carry all, by what those carry.
void Lowering::pass_doors(const Doors& doors) {
  const double factor = way_.bytes_factor, holders = doors.holders;
  double each = 1 / factor;
  if (way_.channels.empty()) {
    for (flow::LinkUse& use : way_.links) use.weight *= static_cast<float>(doors.holders);
    way_.bytes_factor /= holders;
  } else {
    each /= holders;
  }
  const auto pass = [&](const std::vector<Doors::Door>& side, const std::vector<NodeId>& nodes) {
    Time longest;
    for (const NodeId node : nodes) {
      const Doors::Door& door = side[node.value];
      for (const flow::LinkUse& use : door.links) way_.links.push_back({use.link, weight_of(use.weight * each)});
      longest = std::max(longest, door.latency);
    }
    way_.latency += longest;
  };
  pass(doors.out, from_);
  pass(doors.in, to_);
}

// A sum that a fabric makes on its way is only stored.
void Lowering::pass_memory(const Move& move, NodeId node) {
  if (move.action != schedule::Action::kReduce) return;
  const Memories& memories = *options_.memories;
  const double each = memories.added / way_.bytes_factor;
  const auto pass = [&](NodeId at, double share) {
    way_.links.push_back({flow::ResourceId{memories.first.value + at.value}, weight_of(share)});
  };
  if (memories.holders.empty()) return pass(carrier_.in_program(node), each);
  const std::vector<NodeId>& holders = memories.holders[node.value];
  for (const NodeId holder : holders) pass(holder, each / static_cast<double>(holders.size()));
}

bool Lowering::take_planned_way(NodeId from, NodeId to, const Move& move) {
  const auto key = std::tuple(from.value, to.value, move.way);
  const auto way = std::ranges::lower_bound(schedule_.ways, key, {}, &schedule::PlannedWay::key);
  if (way == schedule_.ways.end() || way->key() != key) return false;
  for (const std::uint32_t link : way->links) way_.cross(flow::ResourceId{link});
  way_.latency = way->latency;
  return true;
}

flow::Operation Lowering::carry(std::uint32_t phase, const Move& move, std::uint32_t tag, std::uint32_t group,
                                std::uint32_t in_fabric_before) {
  const std::vector<NodeId>& nodes = request_.groups[group];
  const auto node = [&](schedule::Position p) { return nodes[static_cast<std::size_t>(p)]; };
  Carriage carriage{schedule_, request_, move, phase, group};
  way_.clear();
  way_.offset = carrier_.offset_;
  way_.overhead = carrier_.capabilities().step_overhead;
  from_.clear();
  to_.clear();
  if (in_fabric(move)) {
    carriage.operator_index = group * operators_ + in_fabric_before % operators_;
    for (schedule::Position p : schedule_.members(move.source)) from_.push_back(node(p));
    for (schedule::Position p : schedule_.members(move.destination)) to_.push_back(node(p));
    carrier_.route_set(from_, to_, carriage, way_);
  } else {
    if (!take_planned_way(node(move.source), node(move.destination), move))
      carrier_.route(node(move.source), node(move.destination), carriage, way_);
    if (options_.doors) from_ = {node(move.source)}, to_ = {node(move.destination)};
  }
  if (options_.doors) pass_doors(*options_.doors);
  if (adding_ && !in_fabric(move)) pass_memory(move, node(move.destination));
  flow::Operation op;
  op.kind = flow::OperationKind::kTransfer;
  op.priority = options_.priority;
  op.share = options_.share;
  op.step = true;
  op.duration = way_.overhead;
  Budget::spend(static_cast<std::int64_t>(16 + way_.links.size()));
  op.bytes = slot_bytes_.value * move.count * way_.bytes_factor;
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

flow::Operation Lowering::transfer(std::uint32_t phase, const Move& move, std::uint32_t tag, std::uint32_t group,
                                   std::uint32_t in_fabric_before, std::uint32_t& alike) {
  flow::Operation op = carry(phase, move, tag, group, in_fabric_before);
  count_crossings(way_.links.size() + way_.channels.size());
  if (!way_.channels.empty() || way_.controlled) alike = 1;
  if (alike > 1)
    for (flow::LinkUse& use : way_.links) use.weight *= static_cast<float>(alike);
  op.route = program_.routes.add(way_.links, way_.channels, way_.latency);
  return op;
}

// What segments that put the same load on the fabric have in common; none where nothing moves.
Lowering::Load* Lowering::load_of(std::uint32_t phase_index, const Segment& segment,
                                  const std::vector<std::uint32_t>& together) {
  if (together.empty()) return nullptr;
  const Phase& phase = schedule_.phases[phase_index];
  const bool translates =
      condensing_ && phase.moves.symmetry() != schedule::Symmetry::kNone && together.size() == phase.moves.size();

  // Translates are told by those out of rank 0
  const auto told = [&](const schedule::Moves& moves, std::uint32_t i) {
    Move move = translates ? moves.listed()[i] : moves[i];
    if (!translates) return move;
    const auto apart = moves.symmetry() == schedule::Symmetry::kXor
                           ? move.source ^ move.destination
                           : (move.destination - move.source + schedule_.ranks) % schedule_.ranks;
    move.source = 0;
    move.destination = apart;
    return move;
  };
  const std::size_t count = translates ? phase.moves.listed().size() : together.size();
  std::uint64_t hash = translates;
  for (std::size_t k = 0; k < count; ++k) {
    const Move move = told(phase.moves, translates ? static_cast<std::uint32_t>(k) : together[k]);
    for (std::uint64_t word :
         {static_cast<std::uint64_t>(move.source) << 32 | static_cast<std::uint32_t>(move.destination),
          static_cast<std::uint64_t>(move.count) << 32 | static_cast<std::uint32_t>(move.lane.wavelength)})
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  }
  const auto equal = [&](const Load& other) {
    const Phase& theirs = schedule_.phases[other.phase];
    if (other.together->size() != together.size()) return false;
    if (translates && (theirs.moves.symmetry() != phase.moves.symmetry() || theirs.moves.listed().size() != count))
      return false;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t mine = translates ? static_cast<std::uint32_t>(k) : together[k];
      const std::uint32_t their = translates ? static_cast<std::uint32_t>(k) : (*other.together)[k];
      if (!same_traffic(told(phase.moves, mine), told(theirs.moves, their), adding_)) return false;
    }
    return true;
  };
  for (auto [at, end] = loads_.equal_range(hash); at != end; ++at)
    if (equal(at->second)) return &at->second;
  return &loads_.insert({hash, {phase_index, segment, &together, 0, {}}})->second;
}

// A round as what decides how long it takes; nothing where that cannot be told.
std::optional<flow::Template> Lowering::condensed(const Load& load, std::uint32_t group) {
  const Phase& phase = schedule_.phases[load.phase];
  const auto for_each = [&](auto visit) {
    flow::Operation op;
    std::optional<Move> last;
    std::uint32_t operators = 0;
    for (const std::uint32_t i : *load.together) {
      const Move move = phase.moves[i];
      if (in_fabric(move) || !last || !same_traffic(move, *last, adding_))  // else beside the last, the same way
        op = carry(load.phase, move, i, group, in_fabric(move) ? operators++ : 0);
      last = move;
      if (!visit(op)) return false;
    }
    return true;
  };
  const std::uint64_t before = crossings_;
  condensing_->begin(load.runs);
  if (!for_each([&](const flow::Operation& op) {
        count_crossings(way_.links.size());
        return way_.channels.empty() && condensing_->note(op, way_.links, way_.latency);
      })) {
    crossings_ = before;
    return std::nullopt;
  }
  if (condensing_->may_have_classes())
    for_each([&](const flow::Operation&) {
      condensing_->compare(way_.links);
      return true;
    });
  for_each([&](const flow::Operation& op) {
    condensing_->keep(op, way_.links, way_.latency);
    return true;
  });
  return condensing_->made();
}

// The template of a load, made once.
flow::TemplateId Lowering::template_of(Load& load, std::uint32_t group) {
  if (load.id.valid()) return load.id;
  const Phase& phase = schedule_.phases[load.phase];
  const std::size_t count = load.together->size();

  // The moves with the lanes that they have or are given, by sub-round
  const std::vector<Assignment>& lanes = assigned(load.phase, load.segment, *load.together);
  if (condensing_ && lanes.empty())
    if (std::optional<flow::Template> few = condensed(load, group)) {
      few->name = phase.name;
      return load.id = program_.add(*std::move(few));
    }
  std::vector<flow::Template> bodies(1);
  std::uint32_t operators = 0;
  std::size_t at = group * count;
  Move last;
  if (lanes.empty() && !options_.merged) bodies.front().operations.reserve(count);
  for (std::size_t k = 0; k < count;) {
    const std::uint32_t i = (*load.together)[k];
    Move move = phase.moves[i];
    std::uint32_t sub_round = 0, alike = 1;
    if (options_.merged && lanes.empty() && !in_fabric(move))
      while (k + alike < count && same_traffic(phase.moves[(*load.together)[k + alike]], move, adding_)) ++alike;
    if (!lanes.empty()) {
      move.lane = lanes[at].lane;
      sub_round = lanes[at++].sub_round;
    }
    if (bodies.size() <= sub_round) bodies.resize(sub_round + 1);
    std::vector<flow::Operation>& operations = bodies[sub_round].operations;
    if (condensing_ && !operations.empty() && lanes.empty() && !in_fabric(move) && same_traffic(move, last, adding_)) {
      count_crossings(program_.routes.links(operations.back().route).size());
      operations.push_back(operations.back());  // beside the last, the same way
    } else {
      operations.push_back(transfer(load.phase, move, i, group, in_fabric(move) ? operators++ : 0, alike));
    }
    last = move;
    k += alike;
  }
  if (options_.merged)
    for (flow::Template& body : bodies) body.operations.shrink_to_fit();

  // One template, or one that runs those of the sub-rounds in turn
  flow::Template round{phase.name, {}, {}};
  for (flow::Template& body : bodies) {
    body.name = phase.name;
    load.id = program_.add(std::move(body));
    if (bodies.size() == 1) break;
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = load.id;
    const auto index = static_cast<std::uint32_t>(round.operations.size());
    if (index > 0) round.edges.push_back({index - 1, index});
    round.operations.push_back(call);
  }
  if (bodies.size() > 1) load.id = program_.add(std::move(round));
  return load.id;
}

// What the fabric gives the moves of a segment, those of group 0 first.
const std::vector<Assignment>& Lowering::assigned(std::uint32_t phase_index, const Segment& segment,
                                                  const std::vector<std::uint32_t>& together) {
  if (request_.groups.size() == 1) assignments_.clear();
  const auto [at, fresh] = assignments_.try_emplace({phase_index, segment.first});
  if (!fresh) return at->second;
  const Phase& phase = schedule_.phases[phase_index];
  if (!carrier_.lanes_are_promises()) return at->second;
  std::vector<Move> moves;
  for (const std::uint32_t i : together) moves.push_back(phase.moves[i]);
  std::vector<Traveller> travellers;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group)
    for (const Move& move : moves) travellers.push_back({&schedule_, &move, group});
  carrier_.assign(request_, travellers, at->second);
  return at->second;
}

// In dataflow order every move of a phase, active or not, as if all of them might meet; who comes second waits for the channel.
const std::vector<Assignment>& Lowering::assigned_to_all(std::uint32_t phase_index) {
  const auto [at, fresh] = assignments_.try_emplace({phase_index, 0});
  if (!fresh) return at->second;
  if (!carrier_.lanes_are_promises()) return at->second;
  schedule::Moves moves = schedule_.phases[phase_index].moves;
  std::vector<Traveller> travellers;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group)
    for (const Move& move : moves.list()) travellers.push_back({&schedule_, &move, group});
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
    cuts.push_back(segments(phase, adding_));
    sets.push_back(moves_of(phase, cuts.back()));
  }
  // A group that is alone is met by nobody
  if (options_.condense && request_.groups.size() == 1) condensing_.emplace(program_);
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group) {
    // What runs, and how often
    loads_.clear();
    std::vector<Load*> loads;
    for (std::uint32_t phase = 0; phase < schedule_.phases.size(); ++phase)
      for (std::size_t k = 0; k < cuts[phase].size(); ++k) {
        loads.push_back(load_of(phase, cuts[phase][k], sets[phase][k]));
        if (loads.back()) loads.back()->runs += cuts[phase][k].last - cuts[phase][k].first;
      }

    // One after the other
    std::uint32_t previous = 0xffffffffu;
    auto load = loads.begin();
    for (std::uint32_t phase = 0; phase < schedule_.phases.size(); ++phase)
      for (const Segment& segment : cuts[phase]) {
        Load* const ran = *load++;
        if (!ran) continue;
        flow::Operation call;
        call.kind = flow::OperationKind::kCall;
        call.callee = template_of(*ran, group);
        if (const std::string& name = schedule_.phases[phase].name; name != schedule_.phases[ran->phase].name)
          program_.templates[call.callee.value].name += " / " + name;
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

void Lowering::share_links(flow::Template& body, std::span<const std::uint32_t> queue_of,
                           std::vector<Queue> queues) const {
  std::vector<double> load(program_.resources.size(), 0);  // seconds
  for (std::size_t i = 0; i < queue_of.size(); ++i) {
    const flow::Operation& op = body.operations[i];
    if (!op.route.valid()) continue;
    for (const flow::LinkUse& use : program_.routes.links(op.route))
      load[use.link.value] += seconds_at(Bytes{op.bytes * use.weight * op.repeat}, program_.resources.rate(use.link));
    Queue& queue = queues[queue_of[i]];
    queue.bytes += op.bytes * op.repeat;
    queue.waits += (program_.routes.latency(op.route) + op.duration).to_seconds() * op.repeat;
  }

  // A queue that would wait for longer than this part of the whole is not given more for it
  constexpr double kMostWaiting = 0.75, kReducesFirst = 16;
  const double whole = load.empty() ? 0 : *std::ranges::max_element(load);
  if (whole <= 0) return;  // nothing is shared
  std::vector<double> shares;
  for (const Queue& queue : queues)
    shares.push_back((queue.reduces ? kReducesFirst : 1) * queue.bytes /
                     (whole - std::min(queue.waits, kMostWaiting * whole)));
  const double mean = std::reduce(shares.begin() + 1, shares.end()) / static_cast<double>(shares.size() - 1);
  for (std::size_t i = 0; i < queue_of.size(); ++i)
    if (queue_of[i] > 0)
      body.operations[i].share = std::clamp(body.operations[i].share * static_cast<float>(shares[queue_of[i]] / mean),
                                            flow::kSmallestShare, flow::kLargestShare);
}

// One operation per move, with as many instances as it has rounds.
flow::TemplateId Lowering::dataflow_order() {
  flow::Template entry;
  entry.name = schedule_.algorithm;
  const schedule::Dependencies waits = schedule::dependencies(schedule_);
  std::vector<std::uint32_t> queue_of;  // operations
  std::vector<Queue> queues(1);
  std::map<std::tuple<std::uint32_t, schedule::Position, std::int32_t>, std::uint32_t> numbers;
  for (std::uint32_t group = 0; group < request_.groups.size(); ++group) {
    const std::uint32_t base = static_cast<std::uint32_t>(entry.operations.size());
    std::uint32_t operators = 0;
    std::uint32_t tag = 0;
    for (std::uint32_t p = 0; p < schedule_.phases.size(); ++p) {
      const Phase& phase = schedule_.phases[p];
      const std::vector<Assignment>& lanes = assigned_to_all(p);
      for (std::size_t m = 0; m < phase.moves.size(); ++m) {
        const Move move = phase.moves[m];
        const schedule::Window window = schedule::window(move, phase);
        flow::Operation op;
        // A move that is never active keeps its place, so that indices agree, as a delay of nothing.
        if (window.first < window.last) {
          Move carried = move;
          if (!lanes.empty()) carried.lane = lanes[group * phase.moves.size() + m].lane;
          std::uint32_t alone = 1;
          op = transfer(p, carried, tag, group, in_fabric(move) ? operators++ : 0, alone);
          op.repeat = window.last - window.first;
        }
        ++tag;
        entry.operations.push_back(op);
        if (move.queue < 0) continue;
        const auto number = static_cast<std::uint32_t>(queues.size());
        const auto [at, is_new] = numbers.try_emplace({group, move.source, move.queue}, number);
        if (is_new) queues.push_back({.reduces = move.action == schedule::Action::kReduce});
        queue_of.resize(entry.operations.size(), 0);
        queue_of.back() = at->second;
      }
    }
    entry.operations.resize(entry.operations.size() + waits.joins);  // delays of nothing
    for (const schedule::Dependency& wait : waits.list)
      entry.edges.push_back({base + wait.from, base + wait.to, wait.offset, wait.first, wait.last});
  }
  if (!queue_of.empty()) share_links(entry, queue_of, std::move(queues));
  return program_.add(std::move(entry));
}

std::vector<std::vector<std::uint32_t>> moves_together(const Phase& phase) {
  return moves_of(phase, segments(phase, false));
}

std::uint32_t most_in_fabric_moves(const Schedule& schedule) {
  std::uint32_t most = 0;
  for (const Phase& phase : schedule.phases) {
    if (std::ranges::none_of(phase.moves.listed(), in_fabric)) continue;
    for (const std::vector<std::uint32_t>& together : moves_together(phase)) {
      const auto count = std::ranges::count_if(together, [&](std::uint32_t i) { return in_fabric(phase.moves[i]); });
      most = std::max(most, static_cast<std::uint32_t>(count));
    }
  }
  return most;
}

}  // namespace helio::fabric
