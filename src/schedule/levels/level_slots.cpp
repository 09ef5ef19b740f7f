// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_slots.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

constexpr std::uint64_t kMostSlots = 1u << 30;
constexpr std::uint64_t kMostMoves = 1u << 23;  // 0.4 GB

// A stretch of a move, in rounds and in slots, that does not go around the end of its buffer.
struct Stretch {
  std::uint32_t first_round, last_round, source_slot, destination_slot, count;
  std::int32_t stride;
};

// Adds a round to stretches that it continues, or begins others.
void extend(std::vector<Stretch>& open, std::vector<Stretch>& done, const std::vector<Stretch>& round) {
  const auto continues = [&] {
    if (open.size() != round.size()) return false;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Stretch &so_far = open[i], &next = round[i];
      const auto steps = static_cast<std::int64_t>(so_far.last_round - so_far.first_round);
      const std::int64_t by = static_cast<std::int64_t>(next.source_slot) - so_far.source_slot;
      if (so_far.last_round != next.first_round || so_far.count != next.count ||
          by != static_cast<std::int64_t>(next.destination_slot) - so_far.destination_slot ||
          (steps > 1 && by != so_far.stride * steps))
        return false;
    }
    return true;
  };
  if (continues()) {
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].last_round - open[i].first_round == 1)
        open[i].stride =
            static_cast<std::int32_t>(static_cast<std::int64_t>(round[i].source_slot) - open[i].source_slot);
      open[i].last_round = round[i].last_round;
    }
    return;
  }
  done.insert(done.end(), open.begin(), open.end());
  open = round;
}

// The slots of a move round by round, in stretches. `place(slot)`: where a slot of the stage's schedule lies.
template <class Place>
std::vector<Stretch> stretches_of(const Move& move, const Phase& phase, std::uint32_t size, Place place) {
  std::vector<Stretch> open, done, round;
  const Window window = schedule::window(move, phase);
  for (std::uint32_t r = window.first; r < window.last; ++r) {
    const std::uint32_t from = slot_in_round(move, move.source_slot, r, size),
                        to = slot_in_round(move, move.destination_slot, r, size);
    round.clear();
    for (std::uint32_t i = 0; i < move.count; ++i) {
      const std::uint32_t x = place((from + i) % size), y = place((to + i) % size);
      if (!round.empty() && round.back().source_slot + round.back().count == x &&
          round.back().destination_slot + round.back().count == y)
        ++round.back().count;
      else
        round.push_back({r, r + 1, x, y, 1, 0});
    }
    extend(open, done, round);
  }
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

}  // namespace

LevelSlots::LevelSlots(Layout layout, std::vector<Position> width, std::vector<std::uint32_t> chunks,
                       std::vector<std::vector<Position>> coordinate)
    : layout_(layout), width_(std::move(width)), chunks_(std::move(chunks)), coordinate_(std::move(coordinate)) {
  std::uint64_t total = 1;
  for (const std::uint32_t count : chunks_)
    if ((total *= count) > kMostSlots)
      throw Error(ErrorKind::kInfeasible, "the levels cut the vector into more slots than can be told apart", "",
                  "choose algorithms with fewer slots, or fewer chunks of them");
  total_ = static_cast<std::uint32_t>(total);
}

LevelSlots LevelSlots::by_digits(const std::vector<std::size_t>& order, const std::vector<Position>& width,
                                 const std::vector<std::uint32_t>& chunks,
                                 const std::vector<std::vector<Position>>& coordinate) {
  std::vector<Position> widths;
  std::vector<std::uint32_t> counts;
  std::vector<std::vector<Position>> coordinates;
  for (const std::size_t k : order) {
    widths.push_back(width[k]);
    counts.push_back(chunks[k]);
    coordinates.push_back(coordinate[k]);
  }
  LevelSlots slots(Layout::kDigits, std::move(widths), std::move(counts), std::move(coordinates));
  slots.place_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) slots.place_[order[i]] = i;
  return slots;
}

LevelSlots LevelSlots::inside(std::uint32_t first, std::uint32_t each) const {
  LevelSlots part = *this;
  part.first_ = first;
  part.each_ = each;
  return part;
}

LevelSlots LevelSlots::by_rank(std::vector<Position> width, std::vector<std::uint32_t> chunks,
                               std::vector<std::vector<Position>> coordinate) {
  return {Layout::kRanks, std::move(width), std::move(chunks), std::move(coordinate)};
}

LevelSlots LevelSlots::whole(std::uint32_t chunks) { return {Layout::kWhole, {}, {chunks}, {}}; }

std::uint32_t LevelSlots::run_length(std::size_t k) const {
  std::uint32_t length = 1;
  if (layout_ == Layout::kWhole) return length;
  for (std::size_t j = k + 1; j < chunks_.size(); ++j) length *= chunks_[j];
  return length;
}

std::vector<std::uint32_t> LevelSlots::runs_of(std::size_t k, Position rank) const {
  std::vector<std::uint32_t> starts{0};
  if (layout_ == Layout::kWhole) return starts;
  for (std::size_t j = 0; j < k; ++j) {
    const std::uint32_t block = chunks_[j] / static_cast<std::uint32_t>(width_[j]);
    const auto mine = static_cast<std::uint32_t>(coordinate_[j][static_cast<std::size_t>(rank)]);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t start : starts)
      for (std::uint32_t t = 0; t < block; ++t) next.push_back(start + (mine * block + t) * run_length(j));
    starts = std::move(next);
  }
  return starts;
}

std::vector<std::vector<std::uint32_t>> LevelSlots::places_of(std::size_t k, Position rank, bool all) const {
  const std::size_t levels = chunks_.size();
  std::vector<std::uint32_t> block(levels);
  std::uint32_t of_rank = 1;
  for (std::size_t j = 0; j < levels; ++j) of_rank *= block[j] = chunks_[j] / static_cast<std::uint32_t>(width_[j]);

  // Positions by coordinates, the lowest level counting fastest
  std::vector<std::uint32_t> position(coordinate_.front().size());
  const auto number = [&](const std::vector<std::uint32_t>& c) {
    std::uint32_t at = 0;
    for (std::size_t j = levels; j-- > 0;) at = at * static_cast<std::uint32_t>(width_[j]) + c[j];
    return at;
  };
  std::vector<std::uint32_t> c(levels);
  for (std::size_t p = 0; p < position.size(); ++p) {
    for (std::size_t j = 0; j < levels; ++j) c[j] = static_cast<std::uint32_t>(coordinate_[j][p]);
    position[number(c)] = static_cast<std::uint32_t>(p);
  }

  // Digits of other levels: below, one's own block, or all; above, any
  std::vector<std::uint32_t> least(levels, 0), most(chunks_);
  for (std::size_t j = 0; j < k && !all; ++j) {
    least[j] = static_cast<std::uint32_t>(coordinate_[j][static_cast<std::size_t>(rank)]) * block[j];
    most[j] = least[j] + block[j];
  }
  std::vector<std::vector<std::uint32_t>> places;
  std::vector<std::uint32_t> digits = least;
  digits[k] = 0;
  for (;;) {
    std::vector<std::uint32_t>& line = places.emplace_back();
    for (std::uint32_t x = 0; x < chunks_[k]; ++x) {
      std::uint32_t within = 0;
      for (std::size_t j = levels; j-- > 0;) {
        const std::uint32_t digit = j == k ? x : digits[j];
        c[j] = digit / block[j];
        within = within * block[j] + digit % block[j];
      }
      line.push_back(position[number(c)] * of_rank + within);
    }
    std::size_t j = 0;
    for (; j < levels; ++j) {
      if (j == k) continue;
      if (++digits[j] < most[j]) break;
      digits[j] = least[j];
    }
    if (j == levels) return places;
  }
}

void LevelSlots::append(const LevelStage& stage, std::string_view level, Schedule& schedule) const {
  const Schedule& inner = *stage.schedule;
  const std::size_t k = layout_ == Layout::kWhole ? 0 : place_.empty() ? stage.part : place_[stage.part];
  const std::uint32_t finer = chunks_[k] / inner.chunks;  // slots of the level that are one of its schedule
  std::uint64_t moves = 0;
  for (const Phase& phase : schedule.phases) moves += phase.moves.size();

  const std::size_t first = schedule.phases.size();
  for (const Phase& phase : inner.phases)
    schedule.phases.push_back(
        {.name = fmt::format("{} in {}", phase.name, level), .repeat = phase.repeat, .moves = {}});

  // Where runs are alike for all holders, stretches are too
  std::vector<std::vector<std::vector<Stretch>>> stretches(inner.phases.size());
  if (layout_ != Layout::kRanks)
    for (std::size_t p = 0; p < inner.phases.size(); ++p)
      for (const Move& move : inner.phases[p].moves)
        stretches[p].push_back(stretches_of(move, inner.phases[p], inner.chunks, [](std::uint32_t x) { return x; }));

  for (const LevelStage::Team& team : stage.teams)
    for (std::size_t j = 0; j < team.holders.front().size(); ++j) {
      std::map<Position, Position> sets;  // of the stage's schedule, and of this one
      const auto endpoint = [&](Position end) {
        if (end >= 0) return team.holders[static_cast<std::size_t>(end)][j];
        const auto [at, fresh] = sets.try_emplace(end);
        if (fresh) {
          std::vector<Position> members;
          for (const Position p : inner.members(end)) members.push_back(team.holders[static_cast<std::size_t>(p)][j]);
          std::ranges::sort(members);
          schedule.sets.push_back(std::move(members));
          at->second = ~static_cast<Position>(schedule.sets.size() - 1);
        }
        return at->second;
      };
      const Position holder = team.holders.front()[j];
      const auto add = [&](std::size_t p, const Move& move, const Stretch& stretch, std::uint32_t scale,
                           std::uint32_t from) {
        if (++moves > kMostMoves)
          throw Error(ErrorKind::kInfeasible, fmt::format("by level this is more than {} moves", kMostMoves), "",
                      "use fewer nodes, or an algorithm that knows no levels");
        Move flat = move;
        flat.source = endpoint(move.source);
        flat.destination = endpoint(move.destination);
        flat.source_slot = first_ + (from + stretch.source_slot * scale) * each_;
        flat.destination_slot = first_ + (from + stretch.destination_slot * scale) * each_;
        flat.count = stretch.count * scale * each_;
        flat.stride = stretch.stride * static_cast<std::int32_t>(scale * each_);
        flat.first_round = stretch.first_round;
        flat.last_round = stretch.last_round;
        flat.lane = {};
        flat.queue = -1;
        flat.source_buffer = flat.destination_buffer = Buffer::kData;
        schedule.phases[first + p].moves.push_back(flat);
      };

      if (layout_ != Layout::kRanks) {
        const std::vector<std::uint32_t> runs = runs_of(k, holder);
        const std::uint32_t scale = finer * run_length(k);
        for (std::size_t p = 0; p < inner.phases.size(); ++p)
          for (std::size_t m = 0; m < stretches[p].size(); ++m)
            for (const Stretch& stretch : stretches[p][m])
              for (const std::uint32_t run : runs) add(p, std::as_const(inner.phases[p].moves)[m], stretch, scale, run);
        continue;
      }
      for (const std::vector<std::uint32_t>& place : places_of(k, holder, inner.kind == Kind::kAllToAll))
        for (std::uint32_t i = 0; i < finer; ++i)
          for (std::size_t p = 0; p < inner.phases.size(); ++p)
            for (const Move& move : inner.phases[p].moves)
              for (const Stretch& stretch : stretches_of(move, inner.phases[p], inner.chunks,
                                                         [&](std::uint32_t x) { return place[x * finer + i]; }))
                add(p, move, stretch, 1, 0);
    }
}

}  // namespace helio::schedule
