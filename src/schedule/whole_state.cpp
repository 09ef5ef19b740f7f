// SPDX-License-Identifier: Apache-2.0
#include "schedule/whole_state.h"

#include <algorithm>
#include <array>

namespace helio::schedule {
namespace {

bool uses(const Schedule& schedule, Buffer buffer) {
  if (schedule.result == buffer) return true;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves)
      if (move.source_buffer == buffer || move.destination_buffer == buffer) return true;
  return false;
}

// Where the slots of a rank lie in one flat array: buffer by buffer, rank by rank.
struct Layout {
  explicit Layout(const Schedule& schedule) {
    for (const Buffer buffer : {Buffer::kData, Buffer::kOutput, Buffer::kScratch}) {
      const auto b = static_cast<std::size_t>(buffer);
      start[b] = size;
      width[b] = schedule.slots(buffer);
      if (buffer != Buffer::kOutput || uses(schedule, buffer))
        size += static_cast<std::size_t>(width[b]) * static_cast<std::size_t>(schedule.ranks);
    }
  }
  std::size_t row(Buffer buffer, Position rank) const {
    const auto b = static_cast<std::size_t>(buffer);
    return start[b] + static_cast<std::size_t>(rank) * width[b];
  }
  std::array<std::size_t, 3> start{};
  std::array<std::uint32_t, 3> width{};
  std::size_t size = 0;
};

template <class Value>
class WholeState {
 public:
  explicit WholeState(const Schedule& schedule)
      : schedule_(schedule), layout_(schedule), values_(layout_.size), written_(layout_.size, 0) {
    const bool output = layout_.start[1] != layout_.start[2];
    for (Position r = 0; r < schedule.ranks; ++r)
      for (std::uint32_t s = 0; s < schedule.chunks; ++s)
        if (holds_input(schedule, r, s)) {
          values_[layout_.row(Buffer::kData, r) + s] = Value::input(r, s);
          if (output) values_[layout_.row(Buffer::kOutput, r) + s] = Value::input(r, s);
        }
  }

  // All active moves of one round; a race, or "".
  std::string run_round(const Phase& phase, std::uint32_t round, std::uint32_t global_round) {
    arriving_.clear();
    for (const Move& move : phase.moves)
      if (is_active(move, phase, round)) read(move, round);
    std::size_t next = 0;
    for (const Move& move : phase.moves)
      if (is_active(move, phase, round))
        if (std::string fault = write(move, round, global_round, next); !fault.empty()) return fault;
    return "";
  }

  // The first result that is not what the kind demands, or "".
  std::string compare() const {
    for (std::uint32_t s = 0; s < schedule_.chunks; ++s) {
      const Value sum = sum_of_inputs<Value>(schedule_, s);
      for (Position r = 0; r < schedule_.ranks; ++r) {
        const Demand wanted = demand(schedule_, r, s);
        if (wanted.what == Demand::kNothing) continue;
        const Value expected = wanted.what == Demand::kSum ? sum : Value::input(wanted.rank, wanted.slot);
        const std::size_t at = layout_.row(schedule_.result, r) + s;
        if (!(values_[at] == expected))
          return describe_result(schedule_, r, s, written_[at] / 2, values_[at].difference(expected));
      }
    }
    return "";
  }

 private:
  static bool is_active(const Move& move, const Phase& phase, std::uint32_t round) {
    const Window active = window(move, phase);
    return round >= active.first && round < active.last;
  }

  void read(const Move& move, std::uint32_t round) {
    const std::uint32_t size = schedule_.slots(move.source_buffer);
    std::uint32_t slot = slot_in_round(move, move.source_slot, round, size);
    const auto sources = schedule_.members(move.source);
    for (std::uint32_t k = 0; k < move.count; ++k, slot = slot + 1 == size ? 0 : slot + 1) {
      arriving_.push_back(values_[layout_.row(move.source_buffer, sources[0]) + slot]);
      for (const Position source : sources.subspan(1))
        arriving_.back().add(values_[layout_.row(move.source_buffer, source) + slot]);
    }
  }

  // `next` walks along what was read.
  std::string write(const Move& move, std::uint32_t round, std::uint32_t global_round, std::size_t& next) {
    const std::uint32_t size = schedule_.slots(move.destination_buffer);
    const bool stores = move.action == Action::kStore;
    std::uint32_t slot = slot_in_round(move, move.destination_slot, round, size);
    for (std::uint32_t k = 0; k < move.count; ++k, ++next, slot = slot + 1 == size ? 0 : slot + 1)
      for (const Position destination : schedule_.members(move.destination)) {
        const std::size_t at = layout_.row(move.destination_buffer, destination) + slot;
        const bool already = written_[at] / 2 == global_round + 1;
        if (already && (stores || written_[at] % 2 == 1))
          return describe_race(schedule_, global_round, destination, move.destination_buffer, slot);
        written_[at] = 2 * (global_round + 1) + (stores ? 1 : 0);
        if (stores)
          values_[at] = arriving_[next];
        else
          values_[at].add(arriving_[next]);
      }
    return "";
  }

  const Schedule& schedule_;
  Layout layout_;
  std::vector<Value> values_;
  std::vector<std::uint32_t> written_;  // 2*(round+1), plus 1 for a store; 0: never
  std::vector<Value> arriving_;
};

}  // namespace

template <class Value>
std::string fault_in_whole_state(const Schedule& schedule) {
  WholeState<Value> state(schedule);
  std::uint32_t global_round = 0;
  for (const Phase& phase : schedule.phases) {
    if (!phase.moves.empty())
      for (std::uint32_t round = 0; round < phase.repeat; ++round)
        if (std::string fault = state.run_round(phase, round, global_round + round); !fault.empty()) return fault;
    global_round += phase.repeat;
  }
  return state.compare();
}

template std::string fault_in_whole_state<Multiset>(const Schedule&);
template std::string fault_in_whole_state<Fingerprint>(const Schedule&);

double fingerprint_memory(const Schedule& schedule) {
  double most_read = 0;
  for (const Phase& phase : schedule.phases) {
    double read = 0;
    for (const Move& move : phase.moves) read += move.count;
    most_read = std::max(most_read, read);
  }
  return static_cast<double>(Layout(schedule).size) * (sizeof(Fingerprint) + sizeof(std::uint32_t)) +
         most_read * sizeof(Fingerprint);
}

}  // namespace helio::schedule
