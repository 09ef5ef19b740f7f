// SPDX-License-Identifier: Apache-2.0
#include "execute/rank_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "base/random.h"
#include "execute/cases.h"

namespace helio::execute {
namespace {

using schedule::Kind;
using schedule::Position;
using schedule::Schedule;

// All ranks in one process, whose steps are done in any order that they allow: messages wait in a map.
class Ranks {
 public:
  Ranks(const Schedule& schedule, std::size_t elements, std::size_t piece, std::uint64_t seed)
      : schedule_(schedule), draws_(seed) {
    for (Position p = 0; p < schedule.ranks; ++p) {
      Rank& rank = ranks_.emplace_back();
      rank.plan = plan_rank(schedule, p, elements, piece);
      for (int b = 0; b < 3; ++b) rank.rows[b].assign(rank.plan.rows[b], 0);
      for (std::size_t i = 0; i < rank.plan.input.count; ++i) {
        const std::size_t at = rank.plan.input.first + i;
        rank.rows[0][at] = input(p, at);
      }
      for (const RankPlan::Run& run : rank.plan.copied)
        std::copy_n(rank.rows[0].begin() + static_cast<std::ptrdiff_t>(run.first), run.count,
                    rank.rows[1].begin() + static_cast<std::ptrdiff_t>(run.first));
      rank.temporaries.resize(rank.plan.temporaries);
      rank.waits = rank.plan.waits;
      for (std::uint32_t s = 0; s < rank.plan.steps.size(); ++s)
        if (rank.waits[s] == 0) ready_.emplace_back(p, s);
    }
  }

  static std::int64_t input(Position rank, std::size_t at) {
    return static_cast<std::int64_t>(1000 * (at + 1)) + rank * rank + 1;
  }

  // Whether every step was done.
  bool run() {
    std::size_t idle = 0;
    while (!ready_.empty() && idle <= 4 * ready_.size() + 100) {
      const std::size_t pick = draws_.below(ready_.size());
      const auto [p, s] = ready_[pick];
      if (!done(ranks_[static_cast<std::size_t>(p)], s)) {
        ++idle;  // its message has not come
        continue;
      }
      idle = 0;
      std::swap(ready_[pick], ready_.back());
      ready_.pop_back();
      const RankPlan& plan = ranks_[static_cast<std::size_t>(p)].plan;
      for (std::uint32_t i = plan.first_next[s]; i < plan.first_next[s + 1]; ++i)
        if (--ranks_[static_cast<std::size_t>(p)].waits[plan.next[i]] == 0) ready_.emplace_back(p, plan.next[i]);
    }
    return ready_.empty() && messages_.empty();
  }

  void expect_result() {
    for (const Rank& rank : ranks_) {
      const RankPlan& plan = rank.plan;
      for (std::size_t i = 0; i < plan.result_run.count; ++i) {
        const std::size_t at = plan.result_run.first + i;
        ASSERT_EQ(rank.rows[static_cast<std::size_t>(schedule_.result)][at], expected(plan, at))
            << "rank " << plan.rank << " element " << at;
      }
    }
  }

 private:
  struct Rank {
    RankPlan plan;
    std::vector<std::int64_t> rows[3];
    std::vector<std::vector<std::int64_t>> temporaries;
    std::vector<std::uint32_t> waits;
  };

  std::int64_t expected(const RankPlan& plan, std::size_t at) const {
    std::int64_t sum = 0;
    switch (schedule_.kind) {
      case Kind::kBroadcast: return input(schedule_.root, at);
      case Kind::kAllGather:
        for (Position p = 0; p < schedule_.ranks; ++p)
          if (const auto block = block_run(schedule_, plan.elements, p);
              block.first <= at && at < block.first + block.count)
            return input(p, at);
        return -1;
      case Kind::kAllToAll: {
        const std::size_t block = plan.elements / static_cast<std::size_t>(schedule_.ranks);
        return input(static_cast<Position>(at / block), static_cast<std::size_t>(plan.rank) * block + at % block);
      }
      default:
        for (Position p = 0; p < schedule_.ranks; ++p) sum += input(p, at);
        return sum;
    }
  }

  std::int64_t* at(Rank& rank, const Place& place, std::size_t count) {
    if (place.temporary == kNone) return rank.rows[static_cast<std::size_t>(place.buffer)].data() + place.first;
    rank.temporaries[place.temporary].resize(count);
    return rank.temporaries[place.temporary].data();
  }

  bool done(Rank& rank, std::uint32_t s) {
    const Step& step = rank.plan.steps[s];
    const auto key = [&](Position from, Position to) { return std::tuple(from, to, step.tag); };
    if (step.kind == StepKind::kSend) {
      const std::int64_t* from = at(rank, step.from, step.count);
      EXPECT_TRUE(messages_.try_emplace(key(rank.plan.rank, step.peer), from, from + step.count).second);
      return true;
    }
    if (step.kind == StepKind::kReceive) {
      const auto found = messages_.find(key(step.peer, rank.plan.rank));
      if (found == messages_.end()) return false;
      EXPECT_EQ(found->second.size(), step.count);
      std::copy(found->second.begin(), found->second.end(), at(rank, step.to, step.count));
      messages_.erase(found);
      return true;
    }
    std::int64_t* const to = at(rank, step.to, step.count);
    if (step.kind == StepKind::kCombine) {
      std::fill_n(to, step.count, 0);
      for (const Place& place : step.meeting) {
        const std::int64_t* from = at(rank, place, step.count);
        for (std::size_t i = 0; i < step.count; ++i) to[i] += from[i];
      }
      return true;
    }
    const std::int64_t* from = at(rank, step.from, step.count);
    for (std::size_t i = 0; i < step.count; ++i) to[i] = from[i] + (step.kind == StepKind::kAdd ? to[i] : 0);
    return true;
  }

  const Schedule& schedule_;
  Random draws_;
  std::vector<Rank> ranks_;
  std::vector<std::pair<Position, std::uint32_t>> ready_;
  std::map<std::tuple<Position, Position, std::uint32_t>, std::vector<std::int64_t>> messages_;
};

// Each schedule in random orders of its steps, odd sizes and pieces: slots that are short, that are empty, several in a message, several messages
// of a slot.
TEST(RankPlan, AnyOrderThatItAllowsGivesTheResult) {
  int count = 0;
  for (const Position ranks : {2, 3, 4, 8, 9})
    for_each_schedule(ranks, [&](const Schedule& schedule) {
      for (const auto& [elements, piece] : {std::pair<std::size_t, std::size_t>{97, 3}, {1, 8}, {1000, 64}}) {
        const std::size_t dealt = schedule.kind == Kind::kAllToAll
                                      ? (elements + schedule.chunks - 1) / schedule.chunks * schedule.chunks
                                      : elements;
        SCOPED_TRACE(schedule.algorithm + " " + std::string(schedule::name_of(schedule.kind)) + " on " +
                     std::to_string(ranks) + ", " + std::to_string(dealt) + " elements");
        Ranks all(schedule, dealt, piece, static_cast<std::uint64_t>(++count));
        ASSERT_TRUE(all.run());
        all.expect_result();
      }
    });
  EXPECT_GT(count, 300);
}

// Two ranks, both send slot 0 and overwrite it in the same round: each needs a temporary. In a ring all-gather nobody does.
TEST(RankPlan, ATemporaryOnlyWhereTheRoundStillReads) {
  Schedule swap{.algorithm = "swap", .ranks = 2, .chunks = 1};
  swap.phases.push_back({.moves = {{.source = 0, .destination = 1}, {.source = 1, .destination = 0}}});
  EXPECT_EQ(plan_rank(swap, 0, 10, 10).temporaries, 1u);
  const Schedule ring =
      schedule::build("ring", schedule::request_on_all(Kind::kAllGather, Bytes{64}, 4), everything(4));
  EXPECT_EQ(plan_rank(ring, 0, 16, 16).temporaries, 0u);
}

// 10 elements in 4 slots are 3, 3, 3 and 1.
TEST(RankPlan, TheLastBlockMayBeShort) {
  const Schedule ring =
      schedule::build("ring", schedule::request_on_all(Kind::kAllGather, Bytes{64}, 4), everything(4));
  EXPECT_EQ(block_run(ring, 10, 0).count, 3u);
  EXPECT_EQ(block_run(ring, 10, 3).first, 9u);
  EXPECT_EQ(block_run(ring, 10, 3).count, 1u);
  EXPECT_EQ(block_run(ring, 2, 3).count, 0u);
  Schedule exchange{.algorithm = "x", .kind = Kind::kAllToAll, .ranks = 4, .chunks = 4};
  EXPECT_THROW(check_dealing(exchange, 10), Error);
}

}  // namespace
}  // namespace helio::execute
