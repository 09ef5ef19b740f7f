// SPDX-License-Identifier: Apache-2.0
#include "schedule/pipelined.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace helio::schedule {
namespace {

constexpr FactKind kPiecesFact = {"pieces", "", "that the vector goes in, one behind the other"};

// Of the pipelined schedule, 0.2 GB; and over the different rounds in which it fills and drains, where a fabric keeps each
// of them with its ways, 2 GB.
constexpr std::uint64_t kMostMoves = 1u << 22, kMostMovesOfRounds = 1u << 24;
constexpr std::uint64_t kMostSlots = 1u << 31, kMostRounds = 1u << 31;

const char* const kAdvice = "take fewer pieces, fewer ranks, or another algorithm";

// w of the header.
std::uint32_t width_of(const Schedule& base) { return is_rank_indexed(base.kind) ? base.block() : base.chunks; }

// Where the slots of the base lie.
struct Layout {
  std::uint32_t width, pieces;

  std::uint32_t run() const { return width * pieces; }  // slots of one block, all pieces
  std::uint32_t in_first_piece(std::uint32_t slot) const { return slot / width * run() + slot % width; }
  std::uint32_t in_base(std::uint32_t slot) const { return slot / run() * width + slot % run(); }
  bool starts_in_first_piece(std::uint32_t slot, std::uint32_t count) const {
    return slot % run() < width && count <= width - slot % run();
  }
};

[[noreturn]] void refuse(const Schedule& base, std::uint32_t pieces, const std::string& what) {
  throw Error(ErrorKind::kInfeasible,
              fmt::format("{} of {} ranks by {} in {} pieces is {}", name_of(base.kind), base.ranks, base.algorithm,
                          pieces, what),
              "", kAdvice);
}

// Calls visit(source slot, destination slot, count) for the parts of a move of the base in `round` that lie in one block of
// `width` slots on either side.
template <class Visit>
void for_each_part(const Schedule& base, const Move& move, std::uint32_t round, std::uint32_t width, Visit visit) {
  const std::uint32_t from_size = base.slots(move.source_buffer), to_size = base.slots(move.destination_buffer);
  std::uint32_t from = slot_in_round(move, move.source_slot, round, from_size);
  std::uint32_t to = slot_in_round(move, move.destination_slot, round, to_size);
  for (std::uint32_t left = move.count; left > 0;) {
    const std::uint32_t count =
        std::min({left, width - from % width, from_size - from, width - to % width, to_size - to});
    visit(from, to, count);
    left -= count;
    from = (from + count) % from_size;
    to = (to + count) % to_size;
  }
}

// The moves of every round of the base, cut at blocks, where they lie in the first piece.
std::vector<std::vector<Move>> stages_of(const Schedule& base, const Layout& layout) {
  std::vector<std::vector<Move>> stages(rounds(base));
  std::uint64_t moves = 0;
  std::size_t before = 0;
  for (const Phase& phase : base.phases) {
    for (const Move& move : phase.moves) {
      const Window active = window(move, phase);
      for (std::uint32_t round = active.first; round < active.last; ++round)
        for_each_part(base, move, round, layout.width, [&](std::uint32_t from, std::uint32_t to, std::uint32_t count) {
          if (++moves > kMostMoves) refuse(base, layout.pieces, fmt::format("more than {} moves", kMostMoves));
          Move part = move;
          part.source_slot = layout.in_first_piece(from);
          part.destination_slot = layout.in_first_piece(to);
          part.count = count;
          part.stride = static_cast<std::int32_t>(layout.width);
          part.first_round = static_cast<std::uint32_t>(before + round);
          part.last_round = part.first_round + layout.pieces;
          stages[part.first_round].push_back(part);
        });
    }
    before += phase.repeat;
  }
  if (const std::uint64_t filling = moves * std::min<std::uint64_t>(layout.pieces, stages.size());
      filling > kMostMovesOfRounds)
    refuse(base, layout.pieces,
           fmt::format("{} stages that take {:.2g} moves to fill and drain", stages.size(), 1.0 * filling));
  return stages;
}

}  // namespace

Schedule pipelined(const Schedule& base, std::uint32_t pieces) {
  if (pieces == 1 || rounds(base) == 0) return base;

  // What 32 bits hold, and what one phase can be
  const Layout layout{width_of(base), pieces};
  const std::uint64_t runs = base.chunks / layout.width;
  const std::uint64_t scratch_runs = (std::uint64_t{base.scratch} + layout.width - 1) / layout.width;
  const std::uint64_t run = std::uint64_t{layout.width} * pieces, last = rounds(base) - 1 + pieces;
  if (std::max(runs, scratch_runs) * run >= kMostSlots)
    refuse(base, pieces, fmt::format("{:.2g} slots", 1.0 * static_cast<double>(std::max(runs, scratch_runs) * run)));
  if (rounds(base) > kMostMoves || last >= kMostRounds) refuse(base, pieces, fmt::format("{} rounds", last));

  // Every round of the base is a stage that all pieces pass
  Schedule schedule = base;
  schedule.stages.clear();  // pieces go move by move
  schedule.chunks = static_cast<std::uint32_t>(runs * run);
  schedule.scratch = static_cast<std::uint32_t>(scratch_runs * run);
  schedule.pieces = pieces;
  Phase pipeline{
      .name = fmt::format("pipeline of {} pieces", pieces), .repeat = static_cast<std::uint32_t>(last), .moves = {}};
  for (const std::vector<Move>& stage : stages_of(base, layout))
    for (const Move& move : stage) pipeline.moves.push_back(move);
  schedule.phases = {std::move(pipeline)};
  schedule.facts.push_back({kPiecesFact, static_cast<double>(pieces)});
  return schedule;
}

AlgorithmEntry pipelined(AlgorithmEntry entry) {
  Parameter pieces{
      .name = "pieces",
      .type = ParameterType::kInteger,
      .fallback = "1",
      .minimum = "1",
      .maximum = "1048576",
      .description =
          "pieces of the vector that follow each other through the rounds, so that stages on different links "
          "overlap; each adds a round",
      .matters = {
          "all-reduce fabric=torus nodes=16 fabric.dimensions=4x4 bytes=1MB algorithm=" + entry.description.name, "4",
          ""}};
  entry.description.parameters.push_back(std::move(pieces));
  entry.description.facts.push_back(kPiecesFact);
  entry.factory.build = [build = std::move(entry.factory.build)](const CollectiveRequest& request,
                                                                 const Capabilities& capabilities,
                                                                 const Parameters& parameters) {
    const auto number = static_cast<std::uint32_t>(parameters.integer("pieces"));
    Schedule base = build(request, capabilities, parameters);
    return number == 1 ? std::move(base) : pipelined(base, number);
  };
  return entry;
}

std::string pieces_fault(const Schedule& schedule) {
  // Claims that cannot be true of the shape
  const std::uint32_t pieces = schedule.pieces;
  if (pieces < 2) return "no pieces are claimed";
  const std::uint64_t blocks = is_rank_indexed(schedule.kind) ? static_cast<std::uint64_t>(schedule.ranks) : 1;
  if (schedule.chunks % (blocks * pieces) != 0)
    return fmt::format("{} slots are not {} blocks of {} pieces", schedule.chunks, blocks, pieces);
  const Layout layout{static_cast<std::uint32_t>(schedule.chunks / blocks / pieces), pieces};
  if (schedule.scratch % layout.run() != 0)
    return fmt::format("{} slots of scratch are not {} pieces of {}", schedule.scratch, pieces, layout.width);
  if (schedule.phases.size() != 1) return fmt::format("there are {} phases", schedule.phases.size());
  const Phase& phase = schedule.phases.front();
  if (phase.repeat < pieces) return fmt::format("{} pieces do not pass in {} rounds", pieces, phase.repeat);

  // Every move takes piece i in its i-th round
  for (std::size_t m = 0; m < phase.moves.size(); ++m) {
    const Move& move = phase.moves[m];
    const auto fault = [&](const std::string& what) { return fmt::format("move {} {}", m, what); };
    const Window active = window(move, phase);
    if (active.first != move.first_round || active.last - active.first != pieces)
      return fault(fmt::format("is active in rounds [{}, {})", active.first, active.last));
    if (move.stride < 0 || static_cast<std::uint32_t>(move.stride) != layout.width)
      return fault(fmt::format("advances by {} slots where a piece has {}", move.stride, layout.width));
    if (!layout.starts_in_first_piece(move.source_slot, move.count) ||
        !layout.starts_in_first_piece(move.destination_slot, move.count))
      return fault("does not start in the first piece");
  }
  return "";
}

Schedule first_piece(const Schedule& schedule) {
  const Phase& pipeline = schedule.phases.front();
  const Layout layout{static_cast<std::uint32_t>(pipeline.moves.empty() ? 1 : pipeline.moves.front().stride),
                      schedule.pieces};
  Schedule piece = schedule;
  piece.chunks = schedule.chunks / schedule.pieces;
  piece.scratch = schedule.scratch / schedule.pieces;
  piece.pieces = 1;
  piece.phases.assign(pipeline.repeat - schedule.pieces + 1, {});
  for (std::size_t k = 0; k < piece.phases.size(); ++k) piece.phases[k].name = fmt::format("stage {}", k);
  for (Move move : pipeline.moves) {
    Phase& stage = piece.phases[move.first_round];
    move.source_slot = layout.in_base(move.source_slot);
    move.destination_slot = layout.in_base(move.destination_slot);
    move.stride = 0;
    move.first_round = 0;
    move.last_round = 1;
    stage.moves.push_back(move);
  }
  return piece;
}

}  // namespace helio::schedule
