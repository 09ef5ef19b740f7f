// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

// What is wrong with a slot range of a move, or "".
std::string range_fault(const Schedule& schedule, const Move& move, Buffer buffer, std::uint32_t slot,
                        const char* side) {
  if (buffer > Buffer::kScratch) return fmt::format("has an unknown {} buffer", side);
  const std::uint32_t size = schedule.slots(buffer);
  if (slot >= size) return fmt::format("names {} slot {} of a buffer of {}", side, slot, size);
  if (move.count < 1 || move.count > size)
    return fmt::format("names {} slots of a {} buffer of {}", move.count, side, size);
  return "";
}

std::string endpoint_fault(const Schedule& schedule, Position endpoint, const char* side) {
  if (endpoint >= schedule.ranks) return fmt::format("names {} {} of {} ranks", side, endpoint, schedule.ranks);
  if (endpoint < 0 && static_cast<std::size_t>(~endpoint) >= schedule.sets.size())
    return fmt::format("names {} set {} of {}", side, ~endpoint, schedule.sets.size());
  return "";
}

std::string move_fault(const Schedule& schedule, const Phase& phase, const Move& move) {
  if (auto fault = endpoint_fault(schedule, move.source, "source"); !fault.empty()) return fault;
  if (auto fault = endpoint_fault(schedule, move.destination, "destination"); !fault.empty()) return fault;
  const auto sources = schedule.members(move.source), destinations = schedule.members(move.destination);
  if (sources.size() == 1 && destinations.size() == 1 && sources[0] == destinations[0])
    return fmt::format("sends from rank {} to itself", sources[0]);
  if (auto fault = range_fault(schedule, move, move.source_buffer, move.source_slot, "source"); !fault.empty())
    return fault;
  if (auto fault = range_fault(schedule, move, move.destination_buffer, move.destination_slot, "destination");
      !fault.empty())
    return fault;
  if (const Window active = window(move, phase); active.first >= active.last)
    return fmt::format("is never active: rounds [{}, {}) of {}", move.first_round, move.last_round, phase.repeat);
  if (move.action > Action::kReduce) return "has an unknown action";
  if (move.queue < -1) return fmt::format("names queue {}", move.queue);
  if (move.lane.wavelength < -1 || move.lane.width < 1 || move.lane.direction < -1 || move.lane.direction > 1)
    return fmt::format("names lane {} of width {} in direction {}", move.lane.wavelength, move.lane.width,
                       move.lane.direction);
  return "";
}

}  // namespace

bool is_rank_indexed(Kind kind) {
  return kind == Kind::kReduceScatter || kind == Kind::kAllGather || kind == Kind::kAllToAll;
}

std::uint32_t slot_in_round(const Move& move, std::uint32_t first_slot, std::uint32_t round, std::uint32_t size) {
  const std::int64_t slot =
      static_cast<std::int64_t>(first_slot) +
      static_cast<std::int64_t>(move.stride) * static_cast<std::int64_t>(round - move.first_round);
  const std::int64_t within = slot % static_cast<std::int64_t>(size);
  return static_cast<std::uint32_t>(within < 0 ? within + static_cast<std::int64_t>(size) : within);
}

void check(const Schedule& schedule) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::kInput, fmt::format("schedule '{}': {}", schedule.algorithm, what));
  };

  // The shape
  if (schedule.ranks < 1) refuse(fmt::format("has {} ranks", schedule.ranks));
  if (schedule.root < 0 || schedule.root >= schedule.ranks)
    refuse(fmt::format("root {} is not one of {} ranks", schedule.root, schedule.ranks));
  if (schedule.chunks < 1) refuse("has no slots");
  if (is_rank_indexed(schedule.kind) && schedule.chunks % static_cast<std::uint32_t>(schedule.ranks) != 0)
    refuse(fmt::format("{} needs a multiple of {} slots and has {}", name_of(schedule.kind), schedule.ranks,
                       schedule.chunks));
  if (schedule.result != Buffer::kData && schedule.result != Buffer::kOutput)
    refuse("the result is in neither data nor output");

  // Sets: sorted members without repeats
  for (std::size_t i = 0; i < schedule.sets.size(); ++i) {
    const std::vector<Position>& set = schedule.sets[i];
    if (set.empty()) refuse(fmt::format("set {} is empty", i));
    if (std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) != set.end())
      refuse(fmt::format("set {} is not sorted or names a rank twice", i));
    if (set.front() < 0 || set.back() >= schedule.ranks)
      refuse(fmt::format("set {} names a rank outside [0, {})", i, schedule.ranks));
  }

  // Moves
  for (std::size_t f = 0; f < schedule.phases.size(); ++f) {
    const Phase& phase = schedule.phases[f];
    if (phase.repeat < 1) refuse(fmt::format("phase {} '{}' has no rounds", f, phase.name));
    if (!phase.moves.fit(schedule.ranks, schedule.chunks))
      refuse(fmt::format("phase {} '{}' has translates of other ranks or slots", f, phase.name));
    // One that is shifted is right where the first of its translates is
    const std::size_t step = phase.moves.symmetry() == Symmetry::kNone ? 1 : phase.moves.each();
    for (std::size_t m = 0; m < phase.moves.size(); m += step)
      if (const std::string fault = move_fault(schedule, phase, phase.moves[m]); !fault.empty())
        refuse(fmt::format("phase {} '{}', move {} {}", f, phase.name, m, fault));
  }
}

std::uint64_t rounds(const Schedule& schedule) {
  std::uint64_t total = 0;
  for (const Phase& phase : schedule.phases) total += phase.repeat;
  return total;
}

}  // namespace helio::schedule
