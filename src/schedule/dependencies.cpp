// SPDX-License-Identifier: Apache-2.0
#include "schedule/dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "schedule/symmetry.h"

namespace helio::schedule {
namespace {

struct Instance {
  NodeIndex node;
  std::uint32_t index;
};

// A set of instances that later ones wait for. Past a few members it is waited for through a join.
struct Crowd {
  static constexpr std::size_t kFew = 3;
  std::vector<Instance> members;
  NodeIndex join = 0;
  bool joined = false;

  void clear() { members.clear(), joined = false; }
  void add(Instance instance) { members.push_back(instance), joined = false; }
};

// One slot of the rank at hand: who wrote it last, and who read it since (or in the same round).
struct Slot {
  std::uint64_t written = 0;  // the round, counted over all phases from 1
  Crowd writers, readers;
  bool added = false;  // the writers add, and each waited for these alone:
  Crowd before;
};

// A move's touch of the rank at hand.
struct Access {
  NodeIndex move;
  bool write;
  bool commutes = false;  // with others that add
};

class Analysis {
 public:
  Analysis(const Schedule& schedule, std::uint64_t work_limit) : schedule_(schedule) {
    for (const Phase& phase : schedule.phases) {
      first_move_.push_back(result_.moves);
      result_.moves += static_cast<std::uint32_t>(phase.moves.size());
    }
    // Queues and moves of sets of ranks do not come in runs of n, so that for them nothing is left out.
    bool in_runs = true;
    for (const Phase& phase : schedule.phases)
      for (const Move& move : phase.moves)
        in_runs = in_runs && move.queue < 0 && move.source >= 0 && move.destination >= 0;
    symmetric_ =
        schedule.symmetry != Symmetry::kNone && in_runs && keeps_slots(schedule) && symmetry_fault(schedule).empty();
    runs_.resize(result_.moves);
    gather();
    limit(work_limit);
  }

  Dependencies run() {
    for (std::size_t rank = 0; rank < accesses_.size(); ++rank)
      if (wanted_[rank]) follow(accesses_[rank]);
    queues();
    for (NodeIndex move = 0; move < result_.moves; ++move)
      result_.list.insert(result_.list.end(), runs_[move].begin(), runs_[move].end());
    if (symmetric_) replicate();
    return std::move(result_);
  }

 private:
  // Whether dependencies of this move are looked for; the others follow by symmetry.
  bool is_base(std::size_t move_in_phase) const {
    return !symmetric_ || move_in_phase % static_cast<std::size_t>(schedule_.ranks) == 0;
  }

  // Accesses of every rank that a base move touches.
  void gather() {
    wanted_.assign(static_cast<std::size_t>(schedule_.ranks), false);
    accesses_.resize(static_cast<std::size_t>(schedule_.ranks));
    const auto for_each_move = [&](auto&& what) {
      for (std::size_t p = 0; p < schedule_.phases.size(); ++p)
        for (std::size_t i = 0; i < schedule_.phases[p].moves.size(); ++i)
          what(schedule_.phases[p].moves[i], first_move_[p] + static_cast<NodeIndex>(i), i);
    };
    for_each_move([&](const Move& move, NodeIndex, std::size_t i) {
      if (!is_base(i)) return;
      for (Position r : schedule_.members(move.source)) wanted_[static_cast<std::size_t>(r)] = true;
      for (Position r : schedule_.members(move.destination)) wanted_[static_cast<std::size_t>(r)] = true;
    });
    for_each_move([&](const Move& move, NodeIndex index, std::size_t) {
      for (Position r : schedule_.members(move.source))
        if (wanted_[static_cast<std::size_t>(r)]) accesses_[static_cast<std::size_t>(r)].push_back({index, false});
      for (Position r : schedule_.members(move.destination))
        if (wanted_[static_cast<std::size_t>(r)])
          accesses_[static_cast<std::size_t>(r)].push_back(
              {index, true, schedule_.adds_commute && move.action == Action::kReduce});
    });
  }

  void limit(std::uint64_t work_limit) const {
    std::uint64_t work = 0;
    for (const auto& accesses : accesses_)
      for (const Access& access : accesses) {
        const auto [phase, move] = find(access.move);
        const Window window = schedule::window(move, *phase);
        work += static_cast<std::uint64_t>(window.last - window.first) * move.count;
      }
    if (work > work_limit)
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format(
              "dataflow order of {} on {} ranks needs {} slot touches to find its dependencies, the limit is {}",
              schedule_.algorithm, schedule_.ranks, work, work_limit),
          "", "use step order (sync step), or fewer ranks");
  }

  std::pair<const Phase*, Move> find(NodeIndex index) const {
    const auto after = std::upper_bound(first_move_.begin(), first_move_.end(), index);
    const std::size_t p = static_cast<std::size_t>(after - first_move_.begin()) - 1;
    return {&schedule_.phases[p], schedule_.phases[p].moves[index - first_move_[p]]};
  }

  // Notes that instance i of `to` waits for `from`, as part of a run where it continues one.
  static void note(std::vector<Dependency>& runs, NodeIndex to, std::uint32_t i, Instance from) {
    const std::int32_t offset = static_cast<std::int32_t>(from.index) - static_cast<std::int32_t>(i);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
      if (run->from != from.node || run->offset != offset) continue;
      if (run->last == i + 1) return;
      if (run->last == i) {
        run->last = i + 1;
        return;
      }
    }
    runs.push_back({from.node, to, offset, i, i + 1});
  }

  void wait_for(NodeIndex to, std::uint32_t i, Crowd& crowd) {
    if (crowd.members.size() > Crowd::kFew) {
      if (!crowd.joined) {
        crowd.join = result_.moves + result_.joins++;
        crowd.joined = true;
        for (const Instance& member : crowd.members)
          result_.list.push_back({member.node, crowd.join, static_cast<std::int32_t>(member.index), 0, 1});
      }
      return note(runs_[to], to, i, {crowd.join, 0});
    }
    for (const Instance& member : crowd.members)
      if (member.node != to) note(runs_[to], to, i, member);
  }

  // The slots that an access touches in a round of its phase.
  template <class What>
  void for_each_slot(const Move& move, bool write, std::uint32_t round, What&& what) {
    const Buffer buffer = write ? move.destination_buffer : move.source_buffer;
    const std::uint32_t size = schedule_.slots(buffer);
    const std::size_t base = buffer == Buffer::kData     ? 0
                             : buffer == Buffer::kOutput ? schedule_.chunks
                                                         : 2 * std::size_t{schedule_.chunks};
    std::uint32_t slot = slot_in_round(move, write ? move.destination_slot : move.source_slot, round, size);
    for (std::uint32_t c = 0; c < move.count; ++c) {
      what(slots_[base + slot]);
      slot = slot + 1 == size ? 0 : slot + 1;
    }
  }

  // Whether one that adds may be beside the writers.
  static bool joins(const Slot& slot) { return slot.added && slot.readers.members.empty(); }

  // One rank through all rounds.
  void follow(const std::vector<Access>& accesses) {
    slots_.assign(2 * std::size_t{schedule_.chunks} + schedule_.scratch, Slot{});
    std::uint64_t before = 1;
    for (std::size_t p = 0, begin = 0, end = 0; p < schedule_.phases.size(); ++p, begin = end) {
      const Phase& phase = schedule_.phases[p];
      const NodeIndex last_move = first_move_[p] + static_cast<NodeIndex>(phase.moves.size());
      while (end < accesses.size() && accesses[end].move < last_move) ++end;
      if (begin == end) {
        before += phase.repeat;
        continue;
      }
      for (std::uint32_t round = 0; round < phase.repeat; ++round) {
        const auto for_each_active = [&](auto&& what) {
          for (std::size_t a = begin; a < end; ++a) {
            const std::size_t in_phase = accesses[a].move - first_move_[p];
            const Move& move = phase.moves[in_phase];
            const Window window = schedule::window(move, phase);
            if (window.first <= round && round < window.last) what(accesses[a], move, in_phase, round - window.first);
          }
        };
        // What each waits for, as things stood before the round.
        for_each_active([&](const Access& access, const Move& move, std::size_t in_phase, std::uint32_t i) {
          if (!is_base(in_phase)) return;
          for_each_slot(move, access.write, round, [&](Slot& slot) {
            if (access.commutes && joins(slot)) return wait_for(access.move, i, slot.before);
            wait_for(access.move, i, slot.writers);
            if (access.write) wait_for(access.move, i, slot.readers);
          });
        });
        // Then the round leaves its traces.
        for_each_active([&](const Access& access, const Move& move, std::size_t, std::uint32_t i) {
          if (!access.write) return;
          for_each_slot(move, true, round, [&](Slot& slot) {
            if (access.commutes && joins(slot)) slot.written = before + round;
            if (slot.written != before + round) {
              slot.added = access.commutes;
              slot.before.clear();
              if (access.commutes)
                for (const Crowd* crowd : {&slot.writers, &slot.readers})
                  for (const Instance& member : crowd->members) slot.before.add(member);
              slot.writers.clear();
              slot.readers.clear();
              slot.written = before + round;
            }
            slot.writers.add({access.move, i});
          });
        });
        for_each_active([&](const Access& access, const Move& move, std::size_t, std::uint32_t i) {
          if (access.write) return;
          for_each_slot(move, false, round, [&](Slot& slot) { slot.readers.add({access.move, i}); });
        });
      }
      before += phase.repeat;
    }
  }

  // Moves of one rank and queue, in order of rounds and then of listing.
  void queues() {
    struct Entry {
      std::uint64_t round;
      Instance instance;
    };
    std::map<std::pair<Position, std::int32_t>, std::vector<Entry>> lines;
    std::uint64_t before = 0;
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      const Phase& phase = schedule_.phases[p];
      for (std::size_t m = 0; m < phase.moves.size(); ++m) {
        const Move& move = phase.moves[m];
        if (move.queue < 0) continue;
        const Window window = schedule::window(move, phase);
        for (std::uint32_t i = 0; i < window.last - window.first; ++i)
          for (Position r : schedule_.members(move.source))
            lines[{r, move.queue}].push_back(
                {before + window.first + i, {first_move_[p] + static_cast<NodeIndex>(m), i}});
      }
      before += phase.repeat;
    }
    for (auto& [key, line] : lines) {
      std::stable_sort(line.begin(), line.end(), [](const Entry& a, const Entry& b) { return a.round < b.round; });
      for (std::size_t k = 1; k < line.size(); ++k)
        if (line[k].instance.node != line[k - 1].instance.node)
          note(runs_[line[k].instance.node], line[k].instance.node, line[k].instance.index, line[k - 1].instance);
    }
  }

  // What holds for the first move of a run of n holds, shifted, for the others.
  void replicate() {
    const std::uint32_t n = static_cast<std::uint32_t>(schedule_.ranks);
    const std::uint32_t joins = result_.joins;
    const auto shifted = [&](NodeIndex node, std::uint32_t k) {
      if (node >= result_.moves) return result_.moves + k * joins + (node - result_.moves);
      const auto after = std::upper_bound(first_move_.begin(), first_move_.end(), node);
      const NodeIndex base = *std::prev(after);
      const std::uint32_t in_phase = node - base, p = in_phase % n;
      return base + in_phase - p + (schedule_.symmetry == Symmetry::kRotation ? (p + k) % n : p ^ k);
    };
    const std::size_t count = result_.list.size();
    result_.list.reserve(count * n);
    for (std::uint32_t k = 1; k < n; ++k)
      for (std::size_t i = 0; i < count; ++i) {
        Dependency copy = result_.list[i];
        copy.from = shifted(copy.from, k);
        copy.to = shifted(copy.to, k);
        result_.list.push_back(copy);
      }
    result_.joins = joins * n;
  }

  const Schedule& schedule_;
  bool symmetric_ = false;
  Dependencies result_;
  std::vector<NodeIndex> first_move_;  // of each phase
  std::vector<std::uint8_t> wanted_;
  std::vector<std::vector<Access>> accesses_;  // by rank, in order of moves
  std::vector<std::vector<Dependency>> runs_;  // by move
  std::vector<Slot> slots_;
};

}  // namespace

Dependencies dependencies(const Schedule& schedule, std::uint64_t work_limit) {
  return Analysis(schedule, work_limit).run();
}

}  // namespace helio::schedule
