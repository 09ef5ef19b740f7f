// SPDX-License-Identifier: Apache-2.0
#include "schedule/one_slot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace helio::schedule {
namespace {

// Slots whose moves are picked out together, so that a slot does not look at every move of the schedule.
constexpr std::uint32_t kBatch = 256;

// a^-1 modulo m by the extended Euclidean algorithm. Requires: gcd(a, m) = 1, 0 <= a < m.
std::int64_t inverse(std::int64_t a, std::int64_t m) {
  std::int64_t r0 = m, r1 = a, t0 = 0, t1 = 1;
  while (r1 != 0) {
    const std::int64_t quotient = r0 / r1;
    r0 -= quotient * r1, std::swap(r0, r1);
    t0 -= quotient * t1, std::swap(t0, t1);
  }
  return t0 < 0 ? t0 + m : t0;
}

// Whether a move may touch one of slots [first, last): sure for a move that stays, assumed for one that walks.
bool may_touch(const Move& move, std::uint32_t size, std::uint32_t first, std::uint32_t last) {
  if (move.stride != 0) return true;
  const auto distance = [&](std::uint32_t from, std::uint32_t to) {
    return to >= from ? to - from : to + (size - from);
  };
  return distance(move.source_slot, first) < move.count || distance(first, move.source_slot) < last - first;
}

// The values of one slot in every rank, buffer by buffer.
class OneSlot {
 public:
  explicit OneSlot(const Schedule& schedule) : schedule_(schedule) {
    std::array<bool, 3> used{};
    used[index(schedule.result)] = true;
    for (const Phase& phase : schedule.phases)
      for (const Move& move : phase.moves)
        used[index(move.source_buffer)] = used[index(move.destination_buffer)] = true;
    for (std::size_t b = 0; b < used.size(); ++b) {
      if (used[b]) values_[b].resize(static_cast<std::size_t>(schedule.ranks));
      if (used[b]) written_[b].resize(static_cast<std::size_t>(schedule.ranks));
    }
  }

  void start(std::uint32_t slot) {
    slot_ = slot;
    for (std::size_t b = 0; b < values_.size(); ++b) {
      std::fill(written_[b].begin(), written_[b].end(), 0);
      for (std::size_t r = 0; r < values_[b].size(); ++r)
        values_[b][r] = b != index(Buffer::kScratch) && holds_input(schedule_, static_cast<Position>(r), slot)
                            ? Fingerprint::input(static_cast<Position>(r), slot)
                            : Fingerprint();
    }
  }

  // Runs the touches of one phase; `candidates` are the moves that may touch the slot. A race, or "".
  std::string run(const Phase& phase, std::span<const std::uint32_t> candidates, std::uint64_t rounds_before) {
    // When which move touches the slot, round in the upper half
    touches_.clear();
    for (const std::uint32_t m : candidates) {
      rounds_.clear();
      append_rounds_touching(phase.moves[m], window(phase.moves[m], phase), schedule_.chunks, slot_, rounds_);
      for (const std::uint32_t round : rounds_) touches_.push_back((static_cast<std::uint64_t>(round) << 32) | m);
    }
    if (!std::is_sorted(touches_.begin(), touches_.end())) std::sort(touches_.begin(), touches_.end());

    // Round by round: read everything, then write everything
    for (auto begin = touches_.begin(); begin != touches_.end();) {
      const std::uint64_t round = *begin >> 32;
      const auto end = std::find_if(begin, touches_.end(), [&](std::uint64_t touch) { return touch >> 32 != round; });
      arriving_.clear();
      for (auto touch = begin; touch != end; ++touch) arriving_.push_back(read(phase.moves[*touch & 0xffffffffu]));
      for (auto touch = begin; touch != end; ++touch)
        if (auto fault = write(phase.moves[*touch & 0xffffffffu], arriving_[static_cast<std::size_t>(touch - begin)],
                               rounds_before + round);
            !fault.empty())
          return fault;
      begin = end;
    }
    return "";
  }

  std::string compare() const {
    const Fingerprint sum = sum_of_inputs<Fingerprint>(schedule_, slot_);
    for (Position r = 0; r < schedule_.ranks; ++r) {
      const Demand wanted = demand(schedule_, r, slot_);
      if (wanted.what == Demand::kNothing) continue;
      const Fingerprint expected = wanted.what == Demand::kSum ? sum : Fingerprint::input(wanted.rank, wanted.slot);
      const Fingerprint& value = values_[index(schedule_.result)][static_cast<std::size_t>(r)];
      if (!(value == expected))
        return describe_result(schedule_, r, slot_, written_[index(schedule_.result)][static_cast<std::size_t>(r)] / 2,
                               value.difference(expected));
    }
    return "";
  }

 private:
  static std::size_t index(Buffer buffer) { return static_cast<std::size_t>(buffer); }

  Fingerprint read(const Move& move) const {
    const auto& values = values_[index(move.source_buffer)];
    const auto sources = schedule_.members(move.source);
    Fingerprint sum = values[static_cast<std::size_t>(sources[0])];
    for (const Position source : sources.subspan(1)) sum.add(values[static_cast<std::size_t>(source)]);
    return sum;
  }

  std::string write(const Move& move, const Fingerprint& value, std::uint64_t global_round) {
    const std::size_t buffer = index(move.destination_buffer);
    const bool stores = move.action == Action::kStore;
    for (const Position destination : schedule_.members(move.destination)) {
      const auto at = static_cast<std::size_t>(destination);
      std::uint64_t& written = written_[buffer][at];
      if (written / 2 == global_round + 1 && (stores || written % 2 == 1))
        return describe_race(schedule_, global_round, destination, move.destination_buffer, slot_);
      written = 2 * (global_round + 1) + (stores ? 1 : 0);
      if (stores)
        values_[buffer][at] = value;
      else
        values_[buffer][at].add(value);
    }
    return "";
  }

  const Schedule& schedule_;
  std::uint32_t slot_ = 0;
  std::array<std::vector<Fingerprint>, 3> values_;     // [buffer][rank]
  std::array<std::vector<std::uint64_t>, 3> written_;  // 2*(round+1), plus 1 for a store; 0: never
  std::vector<std::uint32_t> rounds_;
  std::vector<std::uint64_t> touches_;
  std::vector<Fingerprint> arriving_;
};

}  // namespace

void append_rounds_touching(const Move& move, Window active, std::uint32_t size, std::uint32_t slot,
                            std::vector<std::uint32_t>& rounds) {
  const std::int64_t m = size, length = active.last - active.first;
  const std::int64_t stride = ((move.stride % m) + m) % m;
  const std::int64_t distance = (static_cast<std::int64_t>(slot) - move.source_slot + m) % m;  // s - first

  // A move that stays: every round or none
  if (stride == 0) {
    if (distance < move.count)
      for (std::int64_t t = 0; t < length; ++t) rounds.push_back(active.first + static_cast<std::uint32_t>(t));
    return;
  }

  // Few rounds: look at each
  const std::int64_t g = std::gcd(stride, m), period = m / g;
  if (length <= move.count / g) {
    for (std::int64_t t = 0; t < length; ++t)
      if (((distance - stride * t) % m + m) % m < move.count)
        rounds.push_back(active.first + static_cast<std::uint32_t>(t));
    return;
  }

  // Many rounds: one congruence for every place d in the range that has a solution
  const std::int64_t unit = inverse(stride / g, period);
  for (std::int64_t d = distance % g; d < move.count; d += g) {
    const std::int64_t steps = (distance - d + m) % m / g;
    for (std::int64_t t = steps % period * unit % period; t < length; t += period)
      rounds.push_back(active.first + static_cast<std::uint32_t>(t));
  }
}

double touches_of_a_slot(const Schedule& schedule) {
  double most = 0;
  std::vector<double> change(schedule.chunks + std::size_t{1});  // of the touches from one slot to the next
  for (const Phase& phase : schedule.phases) {
    std::fill(change.begin(), change.end(), 0);
    double walking = 0;
    for (const Move& move : phase.moves) {
      const Window active = window(move, phase);
      const double length = active.last - active.first;
      const std::size_t first = move.source_slot, last = first + move.count, size = schedule.chunks;
      const std::int64_t stride = move.stride % static_cast<std::int64_t>(size);
      // A walk comes back to where it began after size/g rounds, and on it meets a slot count/g times
      if (stride != 0) {
        const auto g = static_cast<double>(std::gcd(stride, static_cast<std::int64_t>(size)));
        walking += std::min(length, std::ceil(move.count / g) * std::ceil(length * g / static_cast<double>(size)));
        continue;
      }
      change[first] += length;
      change[std::min(size, last)] -= length;
      if (last > size) change[0] += length, change[last - size] -= length;
    }
    double touches = walking;
    for (const double step : change) most = std::max(most, touches += step);
  }
  return most;
}

std::string fault_in_slots(const Schedule& schedule, std::uint32_t first, std::uint32_t last) {
  OneSlot state(schedule);
  std::vector<std::vector<std::uint32_t>> candidates(schedule.phases.size());
  for (std::uint32_t batch = first; batch < last; batch += std::min(kBatch, last - batch)) {
    // The moves that concern these slots
    const std::uint32_t end = batch + std::min(kBatch, last - batch);
    for (std::size_t f = 0; f < schedule.phases.size(); ++f) {
      const Moves& moves = schedule.phases[f].moves;
      candidates[f].clear();
      for (std::uint32_t m = 0; m < moves.size(); ++m)
        if (may_touch(moves[m], schedule.chunks, batch, end)) candidates[f].push_back(m);
    }

    // Each slot through all phases
    for (std::uint32_t slot = batch; slot < end; ++slot) {
      state.start(slot);
      std::uint64_t rounds_before = 0;
      for (std::size_t f = 0; f < schedule.phases.size(); ++f) {
        if (auto fault = state.run(schedule.phases[f], candidates[f], rounds_before); !fault.empty()) return fault;
        rounds_before += schedule.phases[f].repeat;
      }
      if (auto fault = state.compare(); !fault.empty()) return fault;
    }
  }
  return "";
}

}  // namespace helio::schedule
