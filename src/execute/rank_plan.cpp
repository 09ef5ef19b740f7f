// SPDX-License-Identifier: Apache-2.0
#include "execute/rank_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"

namespace helio::execute {
namespace {

using schedule::Action;
using schedule::Buffer;
using schedule::Kind;
using schedule::Move;
using schedule::Position;
using schedule::Schedule;

// Who wrote a cell last, and who read it since.
struct Cell {
  std::uint32_t writer = kNone;
  std::vector<std::uint32_t> readers;
};

// Cells of a buffer, and the elements of each.
struct Grid {
  std::size_t width = 0;     // elements of a slot
  std::size_t cell = 0;      // elements of a cell, but for the last of a slot
  std::size_t per_slot = 1;  // cells of a slot

  Grid(std::size_t slot_width, std::size_t piece)
      : width(slot_width), cell(std::min(slot_width, piece)), per_slot((slot_width + cell - 1) / cell) {}
  // First element of cell c, counted over all slots.
  std::size_t start(std::size_t c) const { return c / per_slot * width + c % per_slot * cell; }
};

struct Cells {
  Buffer buffer;
  std::size_t first, count;
};

class Planner {
 public:
  Planner(const Schedule& schedule, Position rank, std::size_t elements, std::size_t piece)
      : schedule_(schedule),
        me_(rank),
        grid_((elements + schedule.chunks - 1) / schedule.chunks, piece),
        // as many whole slots as a piece holds, or one cell
        together_(grid_.per_slot > 1 ? 1 : std::max<std::size_t>(1, piece / grid_.width)) {
    plan_.rank = rank;
    plan_.ranks = schedule.ranks;
    plan_.elements = elements;
    plan_.width = grid_.width;
    plan_.result = schedule.result;
    for (const Buffer buffer : {Buffer::kData, Buffer::kOutput, Buffer::kScratch})
      cells_[static_cast<std::size_t>(buffer)].resize(schedule.slots(buffer) * grid_.per_slot);
    never_written_.assign(cells_[1].size(), false);
    runs();
  }

  RankPlan run() {
    std::uint32_t before = 0;
    for (const schedule::Phase& phase : schedule_.phases) {
      std::vector<Move> mine;
      for (const Move move : phase.moves)
        if (has(move.source) || has(move.destination)) mine.push_back(move);
      for (std::uint32_t r = 0; r < phase.repeat && !mine.empty(); ++r) {
        round_ = before + r;
        for (const Move& move : mine)
          if (const schedule::Window active = schedule::window(move, phase); active.first <= r && r < active.last)
            add(move, r);
        write_all();
      }
      before += phase.repeat;
    }
    plan_.rounds = before;
    finish();
    return std::move(plan_);
  }

 private:
  bool has(const Position& endpoint) const {
    const auto members = schedule_.members(endpoint);
    return members.size() == 1 ? members[0] == me_ : std::ranges::binary_search(members, me_);
  }

  // Before and after, as the kind has it.
  void runs() {
    const RankPlan::Run all{0, plan_.elements}, none{0, 0};
    const auto mine = [&](Position of) { return block_run(schedule_, plan_.elements, of); };
    plan_.input = plan_.result_run = all;
    if (schedule_.kind == Kind::kAllGather) plan_.input = mine(me_);
    if (schedule_.kind == Kind::kReduceScatter) plan_.result_run = mine(me_);
    if (schedule_.kind == Kind::kBroadcast && me_ != schedule_.root) plan_.input = none;
    if (schedule_.kind == Kind::kReduce && me_ != schedule_.root) plan_.result_run = none;
  }

  // A move in one round, message after message.
  void add(const Move& move, std::uint32_t round) {
    const std::uint32_t from_size = schedule_.slots(move.source_buffer),
                        to_size = schedule_.slots(move.destination_buffer);
    std::size_t from = schedule::slot_in_round(move, move.source_slot, round, from_size) * grid_.per_slot;
    std::size_t to = schedule::slot_in_round(move, move.destination_slot, round, to_size) * grid_.per_slot;
    const std::size_t from_end = from_size * grid_.per_slot, to_end = to_size * grid_.per_slot;
    for (std::size_t left = move.count * grid_.per_slot; left > 0;) {
      const std::size_t count = std::min({left, together_, from_end - from, to_end - to});
      message(move, {move.source_buffer, from, count}, {move.destination_buffer, to, count});
      left -= count;
      from = from + count == from_end ? 0 : from + count;
      to = to + count == to_end ? 0 : to + count;
    }
  }

  void message(const Move& move, const Cells& from, const Cells& to) {
    const auto sources = schedule_.members(move.source), destinations = schedule_.members(move.destination);
    const std::size_t count = elements_of(from);

    // Between two, or from one to many: each gets a message
    const Position hub = sources.size() == 1 ? sources[0] : destinations[from.first % destinations.size()];
    if (sources.size() == 1) {
      for (const Position to_rank : destinations) {
        if (hub == to_rank) {  // the fabric hands a copy back
          if (me_ == hub) local(move.action, from, to, count);
          continue;
        }
        const std::uint32_t tag = next_tag(hub, to_rank);
        if (me_ == hub) read(from, send(to_rank, tag, place(from), count));
        if (me_ == to_rank) arrive(move.action, hub, tag, to, count);
      }
      return;
    }

    // Where many meet: all send to one of the receivers, which adds and hands on
    std::vector<std::pair<std::uint32_t, Place>> contributions;  // the step that brings it
    for (const Position source : sources) {
      if (source == hub) {
        if (me_ == hub) contributions.push_back({kNone, place(from)});
        continue;
      }
      const std::uint32_t tag = next_tag(source, hub);
      if (me_ == source) read(from, send(hub, tag, place(from), count));
      if (me_ == hub) {
        const Place temporary = new_temporary();
        contributions.push_back({receive(source, tag, temporary, count, true), temporary});
      }
    }
    std::uint32_t combined = kNone;
    Place sum;
    if (me_ == hub) {
      sum = new_temporary();
      Step step{.kind = StepKind::kCombine, .count = count, .to = sum};
      for (const auto& [brings, where] : contributions) step.meeting.push_back(where);
      combined = push(std::move(step));
      for (const auto& [brings, where] : contributions)
        if (brings == kNone)
          read(from, combined);
        else
          edge(brings, combined);
    }
    for (const Position to_rank : destinations) {
      if (to_rank == hub) {
        if (me_ == hub) apply(move.action, sum, combined, to, count);
        continue;
      }
      const std::uint32_t tag = next_tag(hub, to_rank);
      if (me_ == hub) edge(combined, send(to_rank, tag, sum, count));
      if (me_ == to_rank) arrive(move.action, hub, tag, to, count);
    }
  }

  // What is written is noted when all of the round was read.
  struct Write {
    std::uint32_t step;  // that writes; or a receive that may go straight to its place
    Cells cells;
    Action action;
    std::uint32_t after = kNone;  // the step that brings what is written
    Place brought = {};
  };

  void arrive(Action action, Position peer, std::uint32_t tag, const Cells& to, std::size_t count) {
    writes_.push_back({receive(peer, tag, place(to), count, false), to, action, kNone, {}});
  }
  void apply(Action action, const Place& from, std::uint32_t after, const Cells& to, std::size_t count) {
    Step step{.kind = action == Action::kStore ? StepKind::kStore : StepKind::kAdd,
              .count = count,
              .from = from,
              .to = place(to)};
    const std::uint32_t made = push(std::move(step));
    edge(after, made);
    writes_.push_back({made, to, Action::kStore, after, from});
    if (action == Action::kReduce) needs_output(to);
  }
  // Through a temporary, for another move of the round may write where this one reads.
  void local(Action action, const Cells& from, const Cells& to, std::size_t count) {
    const Place temporary = new_temporary();
    const std::uint32_t taken = push({.kind = StepKind::kStore, .count = count, .from = place(from), .to = temporary});
    read(from, taken);
    apply(action, temporary, taken, to, count);
  }

  void write_all() {
    for (const Write& write : writes_) {
      std::uint32_t writer = write.step;
      const bool direct = write.after == kNone && write.action == Action::kStore && !is_read_now(write.cells);
      if (write.after == kNone && !direct) {  // a receive, which needs a temporary
        Step& receives = plan_.steps[write.step];
        receives.to = new_temporary();
        receives.early = true;
        Step step{.kind = write.action == Action::kStore ? StepKind::kStore : StepKind::kAdd,
                  .count = receives.count,
                  .from = receives.to,
                  .to = place(write.cells)};
        writer = push(std::move(step));
        edge(write.step, writer);
        if (write.action == Action::kReduce) needs_output(write.cells);
      }
      for (std::size_t c = write.cells.first; c < write.cells.first + write.cells.count; ++c) {
        Cell& cell = cells_[static_cast<std::size_t>(write.cells.buffer)][c];
        if (cell.writer != kNone) edge(cell.writer, writer);
        for (const std::uint32_t reader : cell.readers) edge(reader, writer);
        cell.writer = writer;
        cell.readers.clear();
      }
    }
    writes_.clear();
  }

  bool is_read_now(const Cells& cells) const {
    for (std::size_t c = cells.first; c < cells.first + cells.count; ++c)
      for (const std::uint32_t reader : cells_[static_cast<std::size_t>(cells.buffer)][c].readers)
        if (plan_.steps[reader].round == round_) return true;
    return false;
  }

  void read(const Cells& cells, std::uint32_t step) {
    needs_output(cells);
    for (std::size_t c = cells.first; c < cells.first + cells.count; ++c) {
      Cell& cell = cells_[static_cast<std::size_t>(cells.buffer)][c];
      if (cell.writer != kNone) edge(cell.writer, step);
      if (cell.readers.empty() || cell.readers.back() != step) cell.readers.push_back(step);
    }
  }

  // Of output, what is read before anybody wrote it starts as a copy of data.
  void needs_output(const Cells& cells) {
    if (cells.buffer != Buffer::kOutput) return;
    for (std::size_t c = cells.first; c < cells.first + cells.count; ++c)
      if (cells_[1][c].writer == kNone) never_written_[c] = true;
  }

  std::uint32_t send(Position peer, std::uint32_t tag, const Place& from, std::size_t count) {
    return push({.kind = StepKind::kSend, .peer = peer, .tag = tag, .count = count, .from = from});
  }
  std::uint32_t receive(Position peer, std::uint32_t tag, const Place& to, std::size_t count, bool early) {
    return push({.kind = StepKind::kReceive, .peer = peer, .tag = tag, .count = count, .to = to, .early = early});
  }
  std::uint32_t push(Step step) {
    step.round = round_;
    plan_.steps.push_back(std::move(step));
    return static_cast<std::uint32_t>(plan_.steps.size() - 1);
  }
  void edge(std::uint32_t from, std::uint32_t to) {
    if (!edges_.empty() && edges_.back() == std::pair(from, to)) return;
    edges_.emplace_back(from, to);
  }

  std::uint32_t next_tag(Position from, Position to) {
    if (from == me_) return tags_[to]++;
    return to == me_ ? tags_[~from]++ : 0;
  }
  Place new_temporary() { return {.temporary = plan_.temporaries++}; }
  Place place(const Cells& cells) const { return {.buffer = cells.buffer, .first = grid_.start(cells.first)}; }
  std::size_t elements_of(const Cells& cells) const {
    const std::size_t last = cells.first + cells.count;
    return (last % grid_.per_slot == 0 ? last / grid_.per_slot * grid_.width : grid_.start(last)) -
           grid_.start(cells.first);
  }

  void finish() {
    // Buffers that are used, and what of output begins as data does
    bool output = schedule_.result == Buffer::kOutput;
    for (const Cell& cell : cells_[1]) output = output || cell.writer != kNone || !cell.readers.empty();
    plan_.rows[0] = grid_.width * schedule_.chunks;
    plan_.rows[1] = output ? plan_.rows[0] : 0;
    plan_.rows[2] = grid_.width * schedule_.scratch;
    for (std::size_t c = 0; output && c < cells_[1].size(); ++c) {
      const bool kept = schedule_.result == Buffer::kOutput && cells_[1][c].writer == kNone;
      if (!kept && !never_written_[c]) continue;
      const std::size_t first = grid_.start(c), count = elements_of({Buffer::kOutput, c, 1});
      if (!plan_.copied.empty() && plan_.copied.back().first + plan_.copied.back().count == first)
        plan_.copied.back().count += count;
      else
        plan_.copied.push_back({first, count});
    }

    // Who waits for whom
    std::ranges::sort(edges_);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    plan_.waits.assign(plan_.steps.size(), 0);
    plan_.first_next.assign(plan_.steps.size() + 1, 0);
    plan_.next.reserve(edges_.size());
    for (const auto& [from, to] : edges_) {
      ++plan_.waits[to];
      ++plan_.first_next[from + 1];
      plan_.next.push_back(to);
    }
    for (std::size_t s = 1; s < plan_.first_next.size(); ++s) plan_.first_next[s] += plan_.first_next[s - 1];
  }

  const Schedule& schedule_;
  const Position me_;
  const Grid grid_;
  const std::size_t together_;
  RankPlan plan_;
  std::uint32_t round_ = 0;
  std::vector<Cell> cells_[3];
  std::vector<bool> never_written_;  // cells of output that are read as they began
  std::vector<Write> writes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::map<Position, std::uint32_t> tags_;  // messages so far, to position p and (~p) from it
};

}  // namespace

RankPlan::Run block_run(const Schedule& schedule, std::size_t elements, Position of) {
  const std::size_t width = (elements + schedule.chunks - 1) / schedule.chunks * schedule.block();
  const std::size_t first = std::min(elements, width * static_cast<std::size_t>(of));
  return {first, std::min(elements, first + width) - first};
}

void check_dealing(const Schedule& schedule, std::size_t elements) {
  if (schedule.kind == Kind::kAllToAll && elements % schedule.chunks != 0)
    throw Error(
        ErrorKind::kInput,
        fmt::format("{} elements cannot be dealt to {} equal slots, as all-to-all needs", elements, schedule.chunks),
        "", fmt::format("take a multiple of {} elements", schedule.chunks));
}

RankPlan plan_rank(const Schedule& schedule, Position rank, std::size_t elements, std::size_t piece) {
  return Planner(schedule, rank, elements, piece).run();
}

}  // namespace helio::execute
