// SPDX-License-Identifier: Apache-2.0
#include "schedule/circulant.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/fact_kinds.h"

namespace helio::schedule {
namespace {

constexpr FactKind kRadicesFact = {"radices", "", "circulant: its jumps, level by level"};
constexpr FactKind kRetunesFact = {"retunes", "", "circulant: how often light changes"};

// Of one phase, 0.8 GB.
constexpr double kMostMoves = 1 << 24;

struct Level {
  Position span = 1, radix = 2;         // s and r
  std::uint32_t blocks = 1;             // of a class: n/(s r)
  std::vector<std::uint32_t> reversed;  // the s values of the digits before, their first digit slowest
  Position rounds() const { return radix / 2; }
  bool ties() const { return radix % 2 == 0; }
  bool walks() const { return rounds() > (ties() ? 2 : 1); }  // more than one round with whole classes
};

std::vector<Level> levels_of(Position ranks, const std::vector<Position>& radices) {
  std::vector<Level> levels;
  std::vector<std::uint32_t> reversed = {0};
  for (Position span = 1; const Position radix : radices) {
    levels.push_back({span, radix, static_cast<std::uint32_t>(ranks / span / radix), reversed});
    const std::size_t before = reversed.size();
    for (std::uint32_t& place : reversed) place *= static_cast<std::uint32_t>(radix);
    for (Position digit = 1; digit < radix; ++digit)
      for (std::size_t v = 0; v < before; ++v) reversed.push_back(reversed[v] + static_cast<std::uint32_t>(digit));
    span *= radix;
  }
  return levels;
}

std::vector<Position> radices_of(const CollectiveRequest& request, const Capabilities& capabilities,
                                 const Parameters& parameters) {
  const Position n = request.ranks();
  if (!parameters.has("radices"))
    return is_rank_indexed(request.kind) ? std::vector{n} : default_radices(n, capabilities.wavelengths);
  const std::vector<long long> asked = parameters.dimensions("radices");
  std::vector<Position> radices;
  Position rest = n;
  for (const long long radix : asked) {
    if (radix < 2 || rest % radix != 0) break;
    radices.push_back(static_cast<Position>(radix));
    rest /= static_cast<Position>(radix);
  }
  if (rest != 1 || radices.size() != asked.size())
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("radices {} are not factors, each at least 2, whose product is {} ranks", fmt::join(asked, "x"), n),
        parameters.place("radices"),
        fmt::format("give factors such as {}, or leave them out",
                    fmt::join(default_radices(n, capabilities.wavelengths), "x")));
  return radices;
}

// What light and memory do not admit.
void refuse_what_does_not_fit(const std::vector<Level>& levels, const std::vector<Position>& radices,
                              const CollectiveRequest& request, const Capabilities& capabilities, bool by_digits) {
  const int w = capabilities.wavelengths;
  if (w > 0 && capabilities.directions < 2)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("circulant sends both ways round, and the light of '{}' goes one way", capabilities.fabric),
                "", "use the fabric wdm-ring");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (w > 0 && levels[i].span > w)
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format("level {} of radices {} reaches {} ranks far and needs as many wavelengths per direction, and "
                      "there are {}",
                      i + 1, fmt::join(radices, "x"), levels[i].span, w),
          "",
          fmt::format("give radices whose product without the last is at most {}, such as {}", w,
                      fmt::join(default_radices(request.ranks(), w), "x")));
    if (by_digits) continue;
    if (w > 0 && levels[i].blocks > 1)
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format("in {} the {} blocks that a lightpath of level {} carries lie apart, and it carries one run",
                      name_of(request.kind), levels[i].blocks, i + 1),
          "", fmt::format("give radices {} (one level), or ask for all-reduce", request.ranks()));
    if (const double moves = 4.0 * request.ranks() * levels[i].blocks; moves > kMostMoves)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("the blocks of {} ranks lie so scattered that a round takes {:.2g} moves",
                              request.ranks(), moves),
                  "", "give a larger first radix, or ask for all-reduce");
  }
}

// Reduce-scatter on one level.
class Walk {
 public:
  Walk(const Schedule& schedule, const Capabilities& capabilities, const Level& level, int widest)
      : level_(level), n_(schedule.ranks), block_(schedule.block()) {
    const int w = capabilities.wavelengths;
    if (w > 0) width_ = std::min({w / level.span, widest, int{std::numeric_limits<std::int16_t>::max()}});
    // Half the ring away both ways lead to the same rank
    directed_ = w > 0 || (2 * level.span == n_ && capabilities.directions == 2);
  }

  // Blocks by reversed digits: a class is one run.
  void append_by_digits(Phase& phase) const {
    const std::uint32_t size = level_.blocks * block_;
    for (Position p = 0; p < n_; ++p)
      for_each_part([&](const Part& part) {
        const auto place =
            level_.reversed[static_cast<std::size_t>(p % level_.span)] * static_cast<std::uint32_t>(level_.radix);
        for (Position from = part.first, until = 0; from < part.last; from = until) {
          const Position digit = within(p / level_.span + part.way * (level_.rounds() - from), level_.radix);
          until = std::min(part.last, from + (part.way > 0 ? digit + 1 : level_.radix - digit));
          phase.moves.push_back(move(p, {part.way, part.half, from, until},
                                     (place + static_cast<std::uint32_t>(digit)) * size, size, size));
        }
      });
  }

  // Block b at place b: a class is `blocks` runs, and every run walks around all slots.
  void append_by_rank(Phase& phase) const {
    for_each_part([&](const Part& part) {
      for (std::uint32_t i = 0; i < level_.blocks; ++i)
        for (Position p = 0; p < n_; ++p) {
          const std::int64_t steps =
              part.way * (level_.rounds() - part.first) + static_cast<std::int64_t>(i) * level_.radix;
          const auto b = static_cast<std::uint32_t>(within(p + steps * level_.span, n_));
          phase.moves.push_back(move(p, part, b * block_, block_, static_cast<std::uint32_t>(level_.span) * block_));
        }
    });
  }

 private:
  // Rounds [first, last) one way, with whole classes or the half of one.
  struct Part {
    int way = +1;
    bool half = false;
    Position first = 0, last = 0;
  };

  template <class Visit>
  void for_each_part(Visit visit) const {
    for (const int way : {+1, -1}) {
      if (level_.ties()) visit(Part{way, true, 0, 1});
      if (const Position first = level_.ties() ? 1 : 0; first < level_.rounds())
        visit(Part{way, false, first, level_.rounds()});
    }
  }

  static Position within(std::int64_t i, std::int64_t size) { return static_cast<Position>((i % size + size) % size); }

  // Of `size` slots from `slot` on, in the next round those `spacing` nearer; the first half of them goes right, the
  // second left.
  Move move(Position p, const Part& part, std::uint32_t slot, std::uint32_t size, std::uint32_t spacing) const {
    if (part.half && part.way < 0) slot += size / 2;
    Move move{.source = p,
              .destination = within(std::int64_t{p} + part.way * level_.span, n_),
              .source_slot = slot,
              .destination_slot = slot,
              .count = part.half ? size / 2 : size,
              .stride = level_.walks() && !part.half ? -part.way * static_cast<std::int32_t>(spacing) : 0,
              .first_round = static_cast<std::uint32_t>(part.first),
              .last_round = static_cast<std::uint32_t>(part.last),
              .action = Action::kReduce};
    if (directed_) move.lane.direction = part.way > 0 ? 0 : 1;
    if (width_ > 0) move.lane.wavelength = p % level_.span * width_;
    if (width_ > 0) move.lane.width = static_cast<std::int16_t>(width_);
    return move;
  }

  const Level& level_;
  Position n_;
  std::uint32_t block_;  // slots
  int width_ = 0;        // wavelengths of a lightpath; 0: no light
  bool directed_ = false;
};

// The last round first, arrows turned round, copies instead of sums.
Phase mirrored(Phase phase, std::size_t number, std::uint32_t chunks) {
  phase.name = fmt::format("all-gather {}", number);
  for (Move& move : phase.moves) {
    const Window active = window(move, phase);
    move.source_slot = slot_in_round(move, move.source_slot, active.last - 1, chunks);
    move.destination_slot = move.source_slot;
    move.stride = -move.stride;
    move.first_round = phase.repeat - active.last;
    move.last_round = phase.repeat - active.first;
    std::swap(move.source, move.destination);
    if (move.lane.direction >= 0) move.lane.direction = static_cast<std::int8_t>(1 - move.lane.direction);
    move.action = Action::kStore;
  }
  return phase;
}

Schedule build_circulant(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters) {
  const Position n = request.ranks();
  const std::vector<Position> radices = radices_of(request, capabilities, parameters);
  const std::vector<Level> levels = levels_of(n, radices);
  const bool by_digits = !is_rank_indexed(request.kind) && levels.size() > 1;
  refuse_what_does_not_fit(levels, radices, request, capabilities, by_digits);

  // Two slots to a block where a class has to be halved
  const bool halves = std::any_of(levels.begin(), levels.end(), [](const Level& level) { return level.ties(); });
  Schedule schedule{.algorithm = "circulant",
                    .kind = request.kind,
                    .ranks = n,
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n) * (halves ? 2 : 1)};
  if (!by_digits) schedule.symmetry = Symmetry::kRotation;

  const int widest =
      parameters.has("stripe") ? static_cast<int>(parameters.integer("stripe")) : std::max(1, capabilities.wavelengths);

  // Reduce-scatter from the nearest level on, all-gather back again
  std::vector<Phase> up;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    up.push_back(
        {.name = fmt::format("reduce-scatter {}", i + 1), .repeat = static_cast<std::uint32_t>(levels[i].rounds())});
    const Walk walk(schedule, capabilities, levels[i], widest);
    by_digits ? walk.append_by_digits(up.back()) : walk.append_by_rank(up.back());
  }
  if (request.kind != Kind::kAllGather) schedule.phases = up;
  if (request.kind != Kind::kReduceScatter)
    for (std::size_t i = levels.size(); i > 0; --i)
      schedule.phases.push_back(mirrored(std::move(up[i - 1]), i, schedule.chunks));

  const double k = static_cast<double>(levels.size());
  schedule.facts = {{kRadicesFact, fmt::format("{}", fmt::join(radices, "x"))},
                    {kLevelsFact, k},
                    {kStripeFact, static_cast<double>(std::min(widest, std::max(1, capabilities.wavelengths)))},
                    {kRetunesFact, request.kind == Kind::kAllReduce ? 2 * k - 1 : k}};
  return schedule;
}

}  // namespace

std::vector<Position> default_radices(Position ranks, int wavelengths) {
  // Factors in increasing order, pairs of 2 as 4
  std::vector<Position> factors;
  Position rest = ranks;
  for (; rest % 4 == 0; rest /= 4) factors.push_back(4);
  for (Position factor = 2; factor <= rest / factor; factor += rest % factor != 0)
    for (; rest % factor == 0 && rest > factor; rest /= factor) factors.push_back(factor);
  if (rest > 1) factors.push_back(rest);
  std::sort(factors.begin(), factors.end());

  // A level for each while what comes after it can still be lit
  std::vector<Position> radices;
  Position span = 1;
  for (const Position factor : factors) {
    if (wavelengths > 0 && static_cast<std::int64_t>(span) * factor > wavelengths) break;
    radices.push_back(factor);
    span *= factor;
  }
  if (span < ranks) radices.push_back(ranks / span);
  return radices;
}

AlgorithmEntry circulant() {
  return {
      {.name = "circulant",
       .summary =
           "reduce-scatter and all-gather over neighbours at growing distances, both ways, all light in use; the "
           "fewest bytes, for a WDM ring",
       .reference = "papers/wrht.md 6.6; radices 3x3x… after Trivance, arXiv 2602.17254",
       .parameters =
           {{.name = "radices",
             .type = ParameterType::kDimensions,
             .description = "ranks as a product, such as 4x4x64, nearest level first; on w wavelengths the "
                            "product without the last is at most w; unset: prime factors in increasing order, "
                            "4 for 2x2, within that bound; one level for reduce-scatter and all-gather",
             .matters = {.question = "all-reduce fabric=ring nodes=64 bytes=1MB algorithm=circulant", .other = "64"},
             .optional = true},
            {.name = "stripe",
             .type = ParameterType::kInteger,
             .minimum = "1",
             .maximum = "4096",
             .description = "the most wavelengths that a lightpath takes; unset: all that its level leaves it",
             .matters = {.question = "all-reduce fabric=wdm-ring nodes=64 bytes=1MB algorithm=circulant", .other = "2"},
             .optional = true}},
       .facts = {kRadicesFact, kLevelsFact, kStripeFact, kRetunesFact}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}, .build = build_circulant}};
}

}  // namespace helio::schedule
