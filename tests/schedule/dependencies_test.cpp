// SPDX-License-Identifier: Apache-2.0
// Dataflow order against its definition, instance by instance.
#include "schedule/dependencies.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "schedule/cases.h"

namespace helio::schedule {
namespace {

using InstanceOfMove = std::pair<NodeIndex, std::uint32_t>;
using Waits = std::set<std::pair<InstanceOfMove, InstanceOfMove>>;  // (who waits, for whom), two different moves

// Every active round of every move, with what it reads and writes: (rank, buffer, slot).
struct Step {
  InstanceOfMove instance;
  std::uint64_t round = 0;  // over all phases
  bool adds = false;
  std::set<std::tuple<Position, Buffer, std::uint32_t>> reads, writes;
  std::set<std::pair<Position, std::int32_t>> queues;
};

std::vector<Step> all_steps(const Schedule& schedule) {
  std::vector<Step> steps;
  std::uint64_t before = 0;
  NodeIndex number = 0;
  for (const Phase& phase : schedule.phases) {
    for (const Move& move : phase.moves) {
      const Window active = window(move, phase);
      for (std::uint32_t round = active.first; round < active.last; ++round) {
        Step step{{number, round - active.first}, before + round, move.action == Action::kReduce, {}, {}, {}};
        const auto touch = [&](const Position& endpoint, Buffer buffer, std::uint32_t first, auto& set) {
          const std::uint32_t size = schedule.slots(buffer), slot = slot_in_round(move, first, round, size);
          for (const Position rank : schedule.members(endpoint))
            for (std::uint32_t c = 0; c < move.count; ++c) set.insert({rank, buffer, (slot + c) % size});
        };
        touch(move.source, move.source_buffer, move.source_slot, step.reads);
        touch(move.destination, move.destination_buffer, move.destination_slot, step.writes);
        if (move.queue >= 0)
          for (const Position rank : schedule.members(move.source)) step.queues.insert({rank, move.queue});
        steps.push_back(step);
      }
      ++number;
    }
    before += phase.repeat;
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.round < b.round; });
  return steps;
}

// dependencies.h word for word: for every slot that is touched, who touched it in earlier rounds. Where adds commute, what adds joins those who
// added last if nobody has read since, and waits for whom the first of them waited for.
Waits by_definition(const Schedule& schedule) {
  Waits waits;
  const std::vector<Step> steps = all_steps(schedule);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const auto note = [&](const Step& other) {
      if (other.instance.first != step.instance.first) waits.insert({step.instance, other.instance});
    };
    const auto look = [&](const auto& slot, bool overwrites) {
      std::vector<const Step*> writers, readers, before_writers;
      std::uint64_t last_write = ~std::uint64_t{0};
      bool added = false;
      const auto joins = [&](const Step& one) { return schedule.adds_commute && one.adds && added && readers.empty(); };
      for (std::size_t first = 0, end = 0; first < steps.size() && steps[first].round < step.round; first = end) {
        for (end = first; end < steps.size() && steps[end].round == steps[first].round;) ++end;
        for (std::size_t k = first; k < end; ++k) {
          const Step& other = steps[k];
          if (!other.writes.count(slot)) continue;
          if (last_write != other.round && !joins(other)) {
            before_writers = std::exchange(writers, {});
            before_writers.insert(before_writers.end(), readers.begin(), readers.end());
            readers.clear();
            added = schedule.adds_commute && other.adds;
          }
          last_write = other.round;
          writers.push_back(&other);
        }
        for (std::size_t k = first; k < end; ++k)
          if (steps[k].reads.count(slot)) readers.push_back(&steps[k]);
      }
      const bool beside = overwrites && joins(step);
      for (const Step* other : beside ? before_writers : writers) note(*other);
      if (overwrites && !beside)
        for (const Step* other : readers) note(*other);
    };
    for (const auto& slot : step.reads) look(slot, false);
    for (const auto& slot : step.writes) look(slot, true);
    for (const auto& queue : step.queues)
      for (std::size_t k = i; k-- > 0;)
        if (steps[k].queues.count(queue)) {
          note(steps[k]);
          break;
        }
  }
  return waits;
}

// What dependencies() says, with runs written out and joins replaced by what they stand for.
Waits written_out(const Schedule& schedule) {
  const Dependencies dependencies = schedule::dependencies(schedule);
  std::map<InstanceOfMove, std::vector<InstanceOfMove>> waits;
  for (const Dependency& d : dependencies.list) {
    EXPECT_LT(d.from, dependencies.moves + dependencies.joins);
    EXPECT_LT(d.to, dependencies.moves + dependencies.joins);
    for (std::uint32_t i = d.first; i < d.last; ++i)
      waits[{d.to, i}].push_back({d.from, static_cast<std::uint32_t>(static_cast<std::int64_t>(i) + d.offset)});
  }
  Waits result;
  for (const auto& [who, others] : waits) {
    if (who.first >= dependencies.moves) continue;
    std::vector<InstanceOfMove> open = others;
    while (!open.empty()) {
      const InstanceOfMove other = open.back();
      open.pop_back();
      if (other.first >= dependencies.moves) {
        const auto& behind = waits[other];
        open.insert(open.end(), behind.begin(), behind.end());
      } else if (other.first != who.first) {
        result.insert({who, other});
      } else {
        EXPECT_LT(other.second, who.second) << "a move waits for itself";
      }
    }
  }
  return result;
}

Schedule without_claim(Schedule schedule) {
  schedule.symmetry = Symmetry::kNone;
  return schedule;
}

TEST(Dependencies, EveryAlgorithmAsDefined) {
  for_every_case({2, 3, 4, 5, 6, 7, 8, 9, 12, 16}, [](const Schedule& schedule) {
    const Waits expected = by_definition(schedule);
    EXPECT_EQ(written_out(schedule), expected) << describe(schedule);
    EXPECT_EQ(written_out(without_claim(schedule)), expected) << describe(schedule) << " without its symmetry";
  });
}

// 0 → 1 twice into one scratch slot, and 1 → 2 out of it between:
//     round 0  0 --store data 0--> scratch 0 of 1
//     round 1  1 --store scratch 0--> data 0 of 2      reads what round 0 wrote
//     round 2  0 --store data 1--> scratch 0 of 1      overwrites what round 0 wrote and round 1 read
TEST(Dependencies, AScratchSlotIsNotOverwrittenBeforeItIsRead) {
  Schedule s;
  s.ranks = 3, s.chunks = 2, s.scratch = 1;
  Move in, out, again;
  in.source = 0, in.destination = 1, in.destination_buffer = Buffer::kScratch, in.last_round = 1;
  out.source = 1, out.destination = 2, out.source_buffer = Buffer::kScratch, out.first_round = 1, out.last_round = 2;
  again = in, again.source_slot = 1, again.first_round = 2, again.last_round = 3;
  s.phases = {{"pass on", 3, {in, out, again}}};
  check(s);
  EXPECT_EQ(written_out(s), (Waits{{{1, 0}, {0, 0}}, {{2, 0}, {0, 0}}, {{2, 0}, {1, 0}}}));
}

// What is read in the round in which it is overwritten was read before, and who writes later still waits for that reader.
TEST(Dependencies, ReadersOfTheRoundOfTheLastWriteCount) {
  Schedule s;
  s.ranks = 3;
  Move read, write, later;
  read.source = 0, read.destination = 1, read.last_round = 1;
  write.source = 2, write.destination = 0, write.last_round = 1;
  later.source = 2, later.destination = 0, later.first_round = 1;
  s.phases = {{"exchange", 2, {read, write, later}}};
  check(s);
  EXPECT_EQ(written_out(s), (Waits{{{2, 0}, {0, 0}}, {{2, 0}, {1, 0}}}));
}

TEST(Dependencies, AQueueIsARankAndANumber) {
  Schedule s;
  s.ranks = 4, s.chunks = 4;
  Move a, b, other_rank, other_queue;
  a.source = 0, a.destination = 1, a.queue = 7;
  b = a, b.destination = 2, b.source_slot = b.destination_slot = 1;
  other_rank = a, other_rank.source = 3, other_rank.source_slot = other_rank.destination_slot = 2;
  other_queue = a, other_queue.queue = 8, other_queue.source_slot = other_queue.destination_slot = 3;
  s.phases = {{"two rounds", 2, {a, b, other_rank, other_queue}}};
  check(s);
  EXPECT_EQ(written_out(s), (Waits{{{1, 0}, {0, 0}}, {{0, 1}, {1, 0}}, {{1, 1}, {0, 1}}}));
}

// A move of all ranks stands alone among moves that come in runs of n: the claim holds, and so must what is derived from it.
TEST(Dependencies, ASymmetricRunAfterAMoveOfAllRanks) {
  Schedule s;
  s.ranks = 3, s.chunks = 3, s.symmetry = Symmetry::kRotation;
  s.sets = {{0, 1, 2}};
  Move all;
  all.source = all.destination = ~0;
  all.count = 3;
  std::vector<Move> ring(3);
  for (Position p = 0; p < 3; ++p) {
    Move& move = ring[static_cast<std::size_t>(p)];
    move.source = p;
    move.destination = (p + 1) % 3;
    move.source_slot = move.destination_slot = static_cast<std::uint32_t>(p);
  }
  std::vector<Move> both = ring;
  both.insert(both.begin(), all);
  s.phases = {{"in the fabric", 1, {all}}, {"mixed", 1, both}, {"ring", 2, ring}};
  check(s);
  ASSERT_EQ(symmetry_fault(s), "");
  EXPECT_EQ(written_out(s), by_definition(s));
}

TEST(Dependencies, PastTheLimitItSaysSo) {
  EXPECT_THROW(dependencies(build_case("ring", Kind::kAllReduce, 8), 10), Error);
}

// Schedules of any moves at all: windows, strides, scratch, queues, sets.
Schedule random_schedule(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  Schedule s;
  s.ranks = static_cast<Position>(2 + below(4));
  s.chunks = 1 + below(6);
  s.scratch = below(4);
  for (Position r = 0; r + 1 < s.ranks; ++r) s.sets.push_back({r, r + 1});
  for (std::uint32_t p = 0, phases = 1 + below(3); p < phases; ++p) {
    Phase phase{"phase", 1 + below(5), {}};
    for (std::uint32_t m = 0, moves = 1 + below(5); m < moves; ++m) {
      const auto endpoint = [&] {
        if (below(5) == 0) return ~static_cast<Position>(below(s.sets.size()));
        return static_cast<Position>(below(static_cast<std::uint64_t>(s.ranks)));
      };
      Move move;
      move.source = endpoint(), move.destination = endpoint();
      if (move.source == move.destination && move.source >= 0) move.destination = (move.source + 1) % s.ranks;
      const auto buffer = [&] { return static_cast<Buffer>(below(s.scratch > 0 ? 3 : 2)); };
      move.source_buffer = buffer(), move.destination_buffer = buffer();
      const std::uint32_t from = s.slots(move.source_buffer), to = s.slots(move.destination_buffer);
      move.source_slot = below(from), move.destination_slot = below(to);
      move.count = 1 + below(std::min(from, to));
      move.stride = static_cast<std::int32_t>(below(5)) - 2;
      move.action = below(2) == 0 ? Action::kStore : Action::kReduce;
      if (below(3) == 0) move.first_round = below(phase.repeat);
      if (below(3) == 0) move.last_round = move.first_round + 1 + below(3);
      if (below(2) == 0) move.queue = static_cast<std::int32_t>(below(2));
      phase.moves.push_back(move);
    }
    s.phases.push_back(phase);
  }
  return s;
}

RC_GTEST_PROP(Dependencies, RandomSchedulesAsDefined, (std::uint64_t seed)) {
  const Schedule schedule = random_schedule(seed);
  check(schedule);
  RC_ASSERT(written_out(schedule) == by_definition(schedule));
}

}  // namespace
}  // namespace helio::schedule
