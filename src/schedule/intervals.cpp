// SPDX-License-Identifier: Apache-2.0
#include "schedule/intervals.h"

#include <algorithm>

#include "base/mix.h"
#include "schedule/symmetry.h"
#include "schedule/value.h"

namespace helio::schedule {
namespace {

// A move in one round.
struct Touch {
  std::uint32_t move = 0, round = 0;
};

// The touches of one phase by the slot where their run begins, rounds in order; and where runs begin or end.
struct Index {
  std::vector<Touch> touches;
  std::vector<std::size_t> begin;   // of each slot, into touches
  std::vector<std::uint32_t> cuts;  // slots at which a run begins or ends, increasing
  std::uint32_t longest = 0;
};

template <class Visit>
void for_each_touch(const Phase& phase, std::uint32_t chunks, Visit visit) {
  for (std::uint32_t round = 0; round < phase.repeat; ++round)
    for (std::uint32_t m = 0; m < phase.moves.size(); ++m) {
      const Move& move = phase.moves[m];
      const Window active = window(move, phase);
      if (round >= active.first && round < active.last)
        visit(m, round, slot_in_round(move, move.source_slot, round, chunks));
    }
}

Index index_of(const Phase& phase, std::uint32_t chunks) {
  Index index;
  std::vector<bool> cut(chunks + std::size_t{1}, false);
  index.begin.assign(chunks + std::size_t{1}, 0);
  for_each_touch(phase, chunks, [&](std::uint32_t m, std::uint32_t, std::uint32_t slot) {
    ++index.begin[slot + 1];
    cut[slot] = cut[slot + phase.moves[m].count] = true;
    index.longest = std::max(index.longest, phase.moves[m].count);
  });
  for (std::size_t s = 0; s < chunks; ++s) index.begin[s + 1] += index.begin[s];
  index.touches.resize(index.begin[chunks]);
  std::vector<std::size_t> at(index.begin.begin(), index.begin.end() - 1);
  for_each_touch(phase, chunks, [&](std::uint32_t m, std::uint32_t round, std::uint32_t slot) {
    index.touches[at[slot]++] = {m, round};
  });
  for (std::uint32_t s = 0; s <= chunks; ++s)
    if (cut[s]) index.cuts.push_back(s);
  return index;
}

class Follower {
 public:
  explicit Follower(const Schedule& schedule)
      : schedule_(schedule),
        values_(static_cast<std::size_t>(schedule.ranks)),
        written_(values_.size(), 0),
        seen_(values_.size(), 0) {
    for (const Phase& phase : schedule.phases) index_.push_back(index_of(phase, schedule.chunks));
    for (std::size_t r = 0; r < values_.size(); ++r) values_[r] = Fingerprint::input(static_cast<Position>(r), 0);
  }

  std::optional<std::string> run() {
    if (!follow(0, schedule_.chunks, 0, index_.size())) return fault_.empty() ? std::nullopt : std::optional(fault_);
    const Fingerprint sum = sum_of_inputs<Fingerprint>(schedule_, 0);
    for (Position r = 0; r < schedule_.ranks; ++r)
      if (!(values_[static_cast<std::size_t>(r)] == sum))
        return describe_result(schedule_, r, 0, written_[static_cast<std::size_t>(r)] / 2,
                               values_[static_cast<std::size_t>(r)].difference(sum));
    return "";
  }

 private:
  struct Old {
    std::uint32_t rank = 0;
    Fingerprint value;
  };
  struct Hash {
    std::uint64_t low = 0, high = 0;
    friend bool operator==(const Hash&, const Hash&) = default;
  };

  // The cuts of a phase strictly inside [first, last).
  std::pair<const std::uint32_t*, const std::uint32_t*> cuts_inside(std::size_t phase, std::uint32_t first,
                                                                    std::uint32_t last) const {
    const std::vector<std::uint32_t>& cuts = index_[phase].cuts;
    const std::uint32_t* all = cuts.data();
    return {std::upper_bound(all, all + cuts.size(), first), std::lower_bound(all, all + cuts.size(), last)};
  }
  bool is_cut(std::size_t phase, std::uint32_t first, std::uint32_t last) const {
    const auto [from, to] = cuts_inside(phase, first, last);
    return from < to;
  }

  // Follows a run through phases [from, to). False: there is a fault, or pieces do not come together.
  bool follow(std::uint32_t first, std::uint32_t last, std::size_t from, std::size_t to) {
    for (std::size_t phase = from; phase < to; ++phase) {
      if (!is_cut(phase, first, last)) {
        if (!apply(phase, first, last)) return false;
        continue;
      }
      std::size_t end = phase + 1;
      while (end < to && is_cut(end, first, last)) ++end;
      if (!follow_pieces(first, last, phase, end)) return false;
      phase = end - 1;
    }
    return true;
  }

  bool follow_pieces(std::uint32_t first, std::uint32_t last, std::size_t from, std::size_t to) {
    const auto [begin, end] = cuts_inside(from, first, last);
    ++depth_;
    Hash expected;
    std::uint32_t start = first;
    for (const std::uint32_t* cut = begin; cut <= end; ++cut) {
      const std::uint32_t stop = cut < end ? *cut : last;
      const std::size_t mark = undo_.size();
      if (!follow(start, stop, from, to)) return false;
      const Hash hash = changes_since(mark);
      if (start == first)
        expected = hash;
      else if (!(hash == expected))
        return false;
      start = stop;
      if (cut == end) break;  // what the last piece left stands for all
      while (undo_.size() > mark) {
        values_[undo_.back().rank] = undo_.back().value;
        undo_.pop_back();
      }
    }
    if (--depth_ == 0) undo_.clear();
    return true;
  }

  // Of every rank whose value differs from what it was at the mark: who, and what it holds now.
  Hash changes_since(std::size_t mark) {
    Hash hash;
    ++stamp_;
    for (std::size_t i = mark; i < undo_.size(); ++i) {
      const Old& old = undo_[i];
      if (seen_[old.rank] == stamp_) continue;  // the oldest value counts
      seen_[old.rank] = stamp_;
      const Fingerprint& value = values_[old.rank];
      if (value == old.value) continue;
      const auto [low, high] = value.words();
      const std::uint64_t one = mixed(low + mixed(high ^ mixed(old.rank + 1)));
      hash.low += one;
      hash.high += mixed(one ^ kGolden);
    }
    return hash;
  }

  // All touches of a run in one phase, in order of rounds. Those that cover it begin at most `longest` slots before its end.
  bool apply(std::size_t phase_index, std::uint32_t first, std::uint32_t last) {
    const Phase& phase = schedule_.phases[phase_index];
    const Index& index = index_[phase_index];
    touches_.clear();
    const std::uint32_t earliest = last > index.longest ? last - index.longest : 0;
    const std::vector<std::uint32_t>& cuts = index.cuts;
    for (auto cut = std::lower_bound(cuts.begin(), cuts.end(), earliest); cut != cuts.end() && *cut <= first; ++cut) {
      const std::size_t middle = touches_.size();
      for (std::size_t i = index.begin[*cut]; i < index.begin[*cut + std::size_t{1}]; ++i)
        if (*cut + phase.moves[index.touches[i].move].count >= last) touches_.push_back(index.touches[i]);
      const auto earlier = [](const Touch& a, const Touch& b) { return a.round < b.round; };
      std::inplace_merge(touches_.begin(), touches_.begin() + static_cast<std::ptrdiff_t>(middle), touches_.end(),
                         earlier);
    }

    for (std::size_t begin = 0, end = 0; begin < touches_.size(); begin = end) {
      ++round_stamp_;
      arriving_.clear();
      for (end = begin; end < touches_.size() && touches_[end].round == touches_[begin].round; ++end)
        arriving_.push_back(values_[static_cast<std::size_t>(phase.moves[touches_[end].move].source)]);
      for (std::size_t i = begin; i < end; ++i) {
        const Move& move = phase.moves[touches_[i].move];
        const auto at = static_cast<std::size_t>(move.destination);
        const bool stores = move.action == Action::kStore;
        if (written_[at] / 2 == round_stamp_ && (stores || written_[at] % 2 == 1)) {
          fault_ = describe_race(schedule_, rounds_before(phase_index) + touches_[i].round, move.destination,
                                 Buffer::kData, first);
          return false;
        }
        written_[at] = 2 * round_stamp_ + (stores ? 1 : 0);
        if (depth_ > 0) undo_.push_back({static_cast<std::uint32_t>(at), values_[at]});
        if (stores)
          values_[at] = arriving_[i - begin];
        else
          values_[at].add(arriving_[i - begin]);
      }
    }
    return true;
  }

  std::uint64_t rounds_before(std::size_t phase) const {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < phase; ++p) sum += schedule_.phases[p].repeat;
    return sum;
  }

  const Schedule& schedule_;
  std::vector<Index> index_;
  std::vector<Fingerprint> values_;
  std::vector<std::uint64_t> written_;
  std::uint64_t round_stamp_ = 0;
  std::vector<std::uint64_t> seen_;
  std::uint64_t stamp_ = 0;
  int depth_ = 0;  // of pieces within pieces
  std::vector<Old> undo_;
  std::vector<Touch> touches_;
  std::vector<Fingerprint> arriving_;
  std::string fault_;
};

}  // namespace

bool intervals_apply(const Schedule& schedule) {
  if (schedule.kind != Kind::kAllReduce || schedule.result != Buffer::kData || !schedule.sets.empty() ||
      !keeps_slots(schedule))
    return false;
  double touches = 0;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves) {
      const Window active = window(move, phase);
      const double length = active.last - active.first;
      touches += length;
      if (move.source_buffer != Buffer::kData || move.destination_buffer != Buffer::kData) return false;
      if (length == 0) continue;
      // A run that passes the end of the vector would be two: from the first slot the walk must stay inside
      const double from = move.source_slot, to = from + static_cast<double>(move.stride) * (length - 1);
      if (std::min(from, to) < 0 || std::max(from, to) + move.count > schedule.chunks) return false;
    }
  return touches <= kMostIntervalTouches;
}

std::optional<std::string> fault_in_intervals(const Schedule& schedule) { return Follower(schedule).run(); }

}  // namespace helio::schedule
