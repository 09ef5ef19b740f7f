// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_node.h"
#include "schedule/verify.h"

namespace helio::schedule {
namespace {

constexpr std::string_view kFormat = "heliograph-schedule", kScheme = "file:";
constexpr std::int64_t kVersion = 1;
constexpr const char* kPage = "docs/schedule-file.md";
constexpr std::size_t kLargest = 256 * kMiB;
constexpr std::size_t kMostMoves = 1 << 27;               // of a phase, all translates and runs counted
constexpr std::uint64_t kExplainingTouches = 20'000'000;  // to say by name what is missing
constexpr std::int64_t kMost32 = 0xffffffff;

// Names by value of their type.
constexpr std::string_view kBuffers[] = {"data", "output", "scratch"};
constexpr std::string_view kActions[] = {"store", "reduce"};
constexpr std::string_view kOrders[] = {"step", "dataflow"};
constexpr std::string_view kSymmetries[] = {"none", "rotation", "xor"};

std::string json_text(std::string_view text) { return json_dump(Json(text)); }

template <class Value, std::size_t n>
std::string_view named(const std::string_view (&names)[n], Value value) {
  return names[static_cast<std::size_t>(value)];
}

// Offsets of runs, which are what the moves of one listed move differ by.
std::vector<std::uint32_t> runs_of(const Moves& moves) {
  std::vector<std::uint32_t> offsets;
  if (moves.symmetry() != Symmetry::kNone || moves.each() == 1) return offsets;
  const std::uint32_t first = moves.listed().front().source_slot;
  for (std::uint32_t i = 0; i < moves.each(); ++i) offsets.push_back(moves[i].source_slot - first);
  return offsets;
}

std::string move_text(const Move& move) {
  static const Move usual;
  std::string text = "{";
  const auto field = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{}\"{}\": {}", text.size() > 1 ? ", " : "", name, value);
  };
  const auto number = [&](std::string_view name, auto value, auto fallback) {
    if (value != fallback) field(name, fmt::format("{}", value));
  };
  const auto end = [](Position p) { return p >= 0 ? fmt::format("{}", p) : fmt::format("{{\"set\": {}}}", ~p); };
  field("from", end(move.source));
  field("to", end(move.destination));
  number("from_slot", move.source_slot, 0U);
  number("to_slot", move.destination_slot, 0U);
  number("count", move.count, usual.count);
  number("stride", move.stride, usual.stride);
  number("first_round", move.first_round, usual.first_round);
  number("last_round", move.last_round, usual.last_round);
  number("queue", move.queue, usual.queue);
  number("way", move.way, usual.way);
  if (!(move.lane == usual.lane))
    field("lane", fmt::format("{{\"wavelength\": {}, \"width\": {}, \"direction\": {}}}", move.lane.wavelength,
                              move.lane.width, move.lane.direction));
  if (move.source_buffer != Buffer::kData) field("from_buffer", json_text(named(kBuffers, move.source_buffer)));
  if (move.destination_buffer != Buffer::kData) field("to_buffer", json_text(named(kBuffers, move.destination_buffer)));
  field("do", json_text(named(kActions, move.action)));
  return text + "}";
}

std::string phase_text(const Phase& phase) {
  std::string text = fmt::format("    {{\"name\": {}, \"repeat\": {},", json_text(phase.name), phase.repeat);
  if (phase.moves.symmetry() != Symmetry::kNone)
    text += fmt::format(" \"translates\": {},", json_text(named(kSymmetries, phase.moves.symmetry())));
  if (const auto runs = runs_of(phase.moves); !runs.empty())
    text += fmt::format(" \"runs\": [{}],", fmt::join(runs, ", "));
  text += " \"moves\": [";
  bool first = true;
  for (const Move& move : phase.moves.listed()) {
    text += (first ? "\n      " : ",\n      ") + move_text(move);
    first = false;
  }
  return text + (first ? "]}" : "\n    ]}");
}

template <class Value, std::size_t n>
Value value_named(const JsonNode& node, const char* what, const std::string_view (&names)[n]) {
  const auto found = std::ranges::find(names, node.text());
  if (found == std::end(names))
    throw unknown_name(what, node.text(), std::vector<std::string>(std::begin(names), std::end(names)), node.place());
  return static_cast<Value>(found - std::begin(names));
}

// What may be left out.
template <class Integer>
void read_integer(const JsonNode& node, const char* key, std::int64_t least, std::int64_t most, Integer& value) {
  if (node.has(key)) value = static_cast<Integer>(node.at(key).integer(least, most));
}

Position end_from(const JsonNode& node) {
  constexpr std::int64_t kMost = std::numeric_limits<Position>::max();
  if (!node.is_object()) return static_cast<Position>(node.integer(0, kMost));
  node.keys({"set"});
  return ~static_cast<Position>(node.at("set").integer(0, kMost - 1));
}

Move move_from(const JsonNode& node) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(),
                         kMost = std::numeric_limits<std::int32_t>::max();
  node.keys({"from", "to", "from_slot", "to_slot", "count", "stride", "first_round", "last_round", "queue", "way",
             "lane", "from_buffer", "to_buffer", "do"});
  Move move{.source = end_from(node.at("from")), .destination = end_from(node.at("to"))};
  read_integer(node, "from_slot", 0, kMost32, move.source_slot);
  read_integer(node, "to_slot", 0, kMost32, move.destination_slot);
  read_integer(node, "count", 1, kMost32, move.count);
  read_integer(node, "stride", kLeast, kMost, move.stride);
  read_integer(node, "first_round", 0, kMost32, move.first_round);
  read_integer(node, "last_round", 0, kMost32, move.last_round);
  read_integer(node, "queue", -1, kMost, move.queue);
  read_integer(node, "way", 0, std::numeric_limits<std::uint8_t>::max(), move.way);
  if (node.has("lane")) {
    const JsonNode lane = node.at("lane");
    lane.keys({"wavelength", "width", "direction"});
    read_integer(lane, "wavelength", -1, kMost, move.lane.wavelength);
    read_integer(lane, "width", 1, std::numeric_limits<std::int16_t>::max(), move.lane.width);
    read_integer(lane, "direction", -1, 1, move.lane.direction);
  }
  if (node.has("from_buffer")) move.source_buffer = value_named<Buffer>(node.at("from_buffer"), "buffer", kBuffers);
  if (node.has("to_buffer")) move.destination_buffer = value_named<Buffer>(node.at("to_buffer"), "buffer", kBuffers);
  move.action = value_named<Action>(node.at("do"), "action", kActions);
  return move;
}

// Whether a fabric has these links, and how long they are, is not known here (settle_ways).
std::vector<PlannedWay> ways_from(const JsonNode& node) {
  std::vector<PlannedWay> ways(node.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const JsonNode one = node.at(i), links = one.at("links");
    one.keys({"from", "to", "way", "links"});
    ways[i].from.value = static_cast<std::uint32_t>(one.at("from").integer(0, kMost32));
    ways[i].to.value = static_cast<std::uint32_t>(one.at("to").integer(0, kMost32));
    read_integer(one, "way", 0, std::numeric_limits<std::uint8_t>::max(), ways[i].number);
    for (std::size_t k = 0; k < links.size(); ++k)
      ways[i].links.push_back(static_cast<std::uint32_t>(links.at(k).integer(0, kMost32)));
    const auto same = [&](const PlannedWay& way) { return way.key() == ways[i].key(); };
    if (std::any_of(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(i), same))
      throw one.wrong("there is such a way already");
  }
  std::ranges::sort(ways, {}, &PlannedWay::key);
  return ways;
}

// What Moves::translated and in_runs require, which nobody else asks.
void check_translates(const JsonNode& node, const std::vector<Move>& moves, Symmetry symmetry, const Schedule& s) {
  const auto ranks = static_cast<std::uint32_t>(s.ranks);
  if (s.chunks % ranks != 0) throw node.wrong(fmt::format("{} slots are not cut alike by {} ranks", s.chunks, ranks));
  if (symmetry == Symmetry::kXor && !std::has_single_bit(ranks))
    throw node.wrong(fmt::format("{} ranks are no power of two, as xor needs", ranks));
  const std::uint32_t block = s.chunks / ranks;
  const auto whole = [&](std::uint32_t slot, std::uint32_t count) {
    if (symmetry == Symmetry::kRotation || count == s.chunks || slot % block + count <= block) return true;
    const std::uint32_t blocks = count / block;
    return slot % block == 0 && count % block == 0 && std::has_single_bit(blocks) && slot / block % blocks == 0;
  };
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move& m = moves[i];
    const auto wrong = [&](const char* what) { return node.at("moves").at(i).wrong(what); };
    if (m.source < 0 || m.destination < 0) throw wrong("sets of ranks have no translates");
    if (s.slots(m.source_buffer) != s.chunks || s.slots(m.destination_buffer) != s.chunks)
      throw wrong("a buffer with other slots than the vector has no translates");
    if (m.source_slot >= s.chunks || m.destination_slot >= s.chunks || m.count > s.chunks)
      throw wrong("its slots are not those of the vector");
    if (!whole(m.source_slot, m.count) || !whole(m.destination_slot, m.count)) throw wrong("xor tears its slots apart");
  }
}

Phase phase_from(const JsonNode& node, const Schedule& schedule) {
  node.keys({"name", "repeat", "translates", "runs", "moves"});
  Phase phase{.name = node.has("name") ? node.at("name").text() : ""};
  read_integer(node, "repeat", 1, kMost32, phase.repeat);
  const JsonNode listed = node.at("moves");
  std::vector<Move> moves(listed.size());
  for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = move_from(listed.at(i));
  const auto refuse_beyond = [&](std::size_t each) {
    if (moves.size() > kMostMoves / each)
      throw node.wrong(fmt::format("{} times {} moves are more than {}", moves.size(), each, kMostMoves));
  };
  if (node.has("translates") && node.has("runs")) throw node.wrong("moves have translates or runs, not both");
  if (node.has("translates")) {
    const auto symmetry = value_named<Symmetry>(node.at("translates"), "symmetry", kSymmetries);
    if (symmetry == Symmetry::kNone) throw node.at("translates").wrong("translates by what?");
    refuse_beyond(static_cast<std::size_t>(schedule.ranks));
    check_translates(node, moves, symmetry, schedule);
    phase.moves = Moves::translated(std::move(moves), symmetry, schedule.ranks, schedule.chunks);
  } else if (node.has("runs")) {
    const JsonNode runs = node.at("runs");
    std::vector<std::uint32_t> offsets(runs.size());
    for (std::size_t i = 0; i < offsets.size(); ++i)
      offsets[i] = static_cast<std::uint32_t>(runs.at(i).integer(0, kMost32));
    if (offsets.empty()) throw runs.wrong("no run at all");
    refuse_beyond(offsets.size());
    for (const Move& move : moves)
      for (const std::uint32_t slot : {move.source_slot, move.destination_slot})
        if (slot > kMost32 - *std::ranges::max_element(offsets)) throw runs.wrong("leads past the last slot");
    phase.moves = Moves::in_runs(std::move(moves), offsets);
  } else {
    phase.moves = Moves(std::move(moves));
  }
  return phase;
}

// The proof, and where it fails and that is not much work, by name what is wrong.
void prove(const Schedule& schedule, const std::string& source) {
  const Verification proof = verify(schedule);
  if (proof.verified) return;
  if (proof.method == "work-limit")
    throw Error(ErrorKind::kInfeasible, "a schedule that cannot be proven is not run: " + proof.failure, source,
                "give one with fewer ranks, slots or rounds");
  const Verification named =
      verify(schedule, {.method = VerifyMethod::kExplicitSets, .work_limit = kExplainingTouches});
  throw Error(ErrorKind::kInput,
              fmt::format("this is no {}: {}", name_of(schedule.kind),
                          named.method == "work-limit" || named.verified ? proof.failure : named.failure),
              source, "x(r,s) is what rank r had in slot s: correct the moves that bring it there");
}

}  // namespace

std::string_view schedule_path(std::string_view algorithm) {
  return algorithm.starts_with(kScheme) ? algorithm.substr(kScheme.size()) : std::string_view();
}

std::string schedule_text(const Schedule& schedule, std::string_view made_by) {
  std::string text = fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n", kFormat, kVersion);
  if (!made_by.empty()) text += fmt::format("  \"made_by\": {},\n", json_text(made_by));
  text += fmt::format(
      "  \"algorithm\": {},\n  \"kind\": \"{}\",\n  \"ranks\": {},\n  \"root\": {},\n  \"chunks\": {},\n  \"scratch\": "
      "{},\n  \"result\": \"{}\",\n  \"order\": \"{}\",\n  \"symmetry\": \"{}\",\n  \"pieces\": {},\n",
      json_text(schedule.algorithm), name_of(schedule.kind), schedule.ranks, schedule.root, schedule.chunks,
      schedule.scratch, named(kBuffers, schedule.result), named(kOrders, schedule.order),
      named(kSymmetries, schedule.symmetry), schedule.pieces);
  if (schedule.adds_commute) text += "  \"adds_commute\": true,\n";
  if (!schedule.ways.empty()) {
    std::vector<std::string> ways;
    for (const PlannedWay& way : schedule.ways)
      ways.push_back(fmt::format("{{\"from\": {}, \"to\": {}, \"way\": {}, \"links\": [{}]}}", way.from.value,
                                 way.to.value, way.number, fmt::join(way.links, ", ")));
    text += fmt::format("  \"ways\": [\n    {}\n  ],\n", fmt::join(ways, ",\n    "));
  }
  if (!schedule.sets.empty()) {
    std::vector<std::string> sets;
    for (const std::vector<Position>& set : schedule.sets) sets.push_back(fmt::format("[{}]", fmt::join(set, ", ")));
    text += fmt::format("  \"sets\": [\n    {}\n  ],\n", fmt::join(sets, ",\n    "));
  }
  text += "  \"phases\": [";
  bool first = true;
  for (const Phase& phase : schedule.phases) {
    text += (first ? "\n" : ",\n") + phase_text(phase);
    first = false;
  }
  return text + (first ? "]\n}\n" : "\n  ]\n}\n");
}

Schedule schedule_from_text(std::string_view text, const std::string& source, Trust trust) {
  constexpr std::int64_t kMost = std::numeric_limits<Position>::max();
  const JsonOrigin origin{source, std::string("see ") + kPage};
  const Json document = parse_json(text, source, origin.advice);
  const JsonNode root(document, origin);
  root.keys({"format", "version", "made_by", "algorithm", "kind", "ranks", "root", "chunks", "scratch", "result",
             "order", "adds_commute", "symmetry", "pieces", "ways", "sets", "phases"});
  if (root.at("format").text() != kFormat)
    throw root.at("format").wrong(fmt::format("not a schedule file: format is not '{}'", kFormat));
  if (root.at("version").integer(0, 1000) != kVersion)
    throw root.at("version").wrong(fmt::format("this program reads version {}", kVersion));
  if (root.has("made_by")) root.at("made_by").text();

  // The shape
  Schedule schedule{.algorithm = root.at("algorithm").text(),
                    .kind = kind_named(root.at("kind").text(), root.at("kind").place()),
                    .ranks = static_cast<Position>(root.at("ranks").integer(1, kMost))};
  read_integer(root, "root", 0, kMost, schedule.root);
  schedule.chunks = static_cast<std::uint32_t>(root.at("chunks").integer(1, kMost));
  read_integer(root, "scratch", 0, kMost, schedule.scratch);
  read_integer(root, "pieces", 1, kMost, schedule.pieces);
  if (root.has("result")) schedule.result = value_named<Buffer>(root.at("result"), "buffer", kBuffers);
  if (root.has("order")) schedule.order = value_named<Order>(root.at("order"), "order", kOrders);
  if (root.has("adds_commute")) schedule.adds_commute = root.at("adds_commute").truth();
  if (root.has("symmetry")) schedule.symmetry = value_named<Symmetry>(root.at("symmetry"), "symmetry", kSymmetries);
  if (root.has("ways")) schedule.ways = ways_from(root.at("ways"));
  if (root.has("sets"))
    for (std::size_t i = 0; i < root.at("sets").size(); ++i) {
      const JsonNode set = root.at("sets").at(i);
      schedule.sets.emplace_back();
      for (std::size_t k = 0; k < set.size(); ++k)
        schedule.sets.back().push_back(static_cast<Position>(set.at(k).integer(0, kMost)));
    }

  // Its moves, and the proof
  const JsonNode phases = root.at("phases");
  for (std::size_t i = 0; i < phases.size(); ++i) schedule.phases.push_back(phase_from(phases.at(i), schedule));
  try {
    check(schedule);
  } catch (const Error& error) {
    throw error.at(source);
  }
  if (trust == Trust::kNone) prove(schedule, source);
  return schedule;
}

Schedule read_schedule(const std::string& path, std::string_view place) {
  return schedule_from_text(read_text(path, place, "schedule file", kPage, kLargest), path);
}

void settle_ways(std::vector<PlannedWay>& ways, const Capabilities& capabilities, const std::string& source) {
  if (ways.empty()) return;
  if (!capabilities.network)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("the schedule names links, and fabric '{}' does not show its own", capabilities.fabric),
                source, "ask the fabric that it was made for, or make one for this: `helio export schedule`");
  const Network network = capabilities.network();
  std::vector<const Network::Arc*> by_link;
  for (const Network::Arc& arc : network.arcs) {
    if (arc.link >= by_link.size()) by_link.resize(arc.link + 1);
    by_link[arc.link] = &arc;
  }
  for (PlannedWay& way : ways) {
    std::uint32_t at = way.from.value;
    way.latency = Time();
    for (const std::uint32_t link : way.links) {
      if (link >= by_link.size() || !by_link[link] || by_link[link]->from != at)
        throw Error(ErrorKind::kInput,
                    fmt::format("link {} of the way from {} to {} does not begin where the one before it ends", link,
                                way.from.value, way.to.value),
                    source, "it was made for another network: `helio export schedule` makes one for this");
      at = by_link[link]->to;
      way.latency = way.latency + by_link[link]->latency;
    }
    if (at != way.to.value)
      throw Error(ErrorKind::kInput,
                  fmt::format("the way from {} to {} does not lead there", way.from.value, way.to.value), source,
                  "it was made for another network: `helio export schedule` makes one for this");
  }
}

Schedule read_schedule_for(const CollectiveRequest& request, const Capabilities& capabilities, const std::string& path,
                           std::string_view place) {
  Schedule schedule = read_schedule(path, place);
  if (schedule.kind != request.kind)
    throw Error(ErrorKind::kInfeasible, fmt::format("'{}' has no {}", path, name_of(request.kind)), std::string(place),
                fmt::format("it is a schedule of {}: ask for that", name_of(schedule.kind)));
  if (schedule.ranks != request.ranks())
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' is a schedule of {} ranks, and here are {}", path, schedule.ranks, request.ranks()),
                std::string(place), "make one for as many: `helio export schedule`");
  if (has_root(schedule.kind) && schedule.root != request.root)
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' has the root {}, and {} was asked for", path, schedule.root, request.root),
                std::string(place), "ask for that root");
  settle_ways(schedule.ways, capabilities, path);
  return schedule;
}

}  // namespace helio::schedule
