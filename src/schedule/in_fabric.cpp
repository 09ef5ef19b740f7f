// SPDX-License-Identifier: Apache-2.0
#include "schedule/in_fabric.h"

#include <numeric>
#include <string>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

constexpr FactKind kBucketsFact = {"buckets", "", "in-fabric: parts of the vector in flight"};

// All-gather keeps a set of n-1 destinations for each rank: past this more than 1 GB.
constexpr Position kMostGathered = 16384;
// Of an all-reduce taken apart, 0.2 GB.
constexpr std::uint64_t kMostMoves = 1u << 22;

// Adds a set to the schedule and returns the endpoint that names it.
Position endpoint_of(Schedule& schedule, std::vector<Position> members) {
  schedule.sets.push_back(std::move(members));
  return ~static_cast<Position>(schedule.sets.size() - 1);
}

std::vector<Position> everyone(Position n) {
  std::vector<Position> members(static_cast<std::size_t>(n));
  std::iota(members.begin(), members.end(), 0);
  return members;
}

std::vector<Position> everyone_but(Position n, Position absent) {
  std::vector<Position> members = everyone(n);
  members.erase(members.begin() + absent);
  return members;
}

void refuse_unless_able(const CollectiveRequest& request, const Capabilities& capabilities) {
  const bool adds = request.kind != Kind::kBroadcast && request.kind != Kind::kAllGather;
  const bool copies = request.kind != Kind::kReduce && request.kind != Kind::kReduceScatter;
  const auto refuse = [&](std::string_view ability) {
    throw Error(ErrorKind::kInfeasible,
                fmt::format("in-fabric {} needs a fabric that {}, and '{}' does not", name_of(request.kind), ability,
                            capabilities.fabric),
                "",
                fmt::format("use a fabric that {}, an algorithm of the endpoints such as ring, or ", ability) +
                    advised("remedy", "endpoint"));
  };
  if (!adds && capabilities.averaging) refuse("copies what one rank has");
  if (adds && !capabilities.reduces) refuse("reduces");
  if (copies && !capabilities.multicasts) refuse("multicasts");
}

// B of the header; 0: fused.
std::uint32_t buckets_apart(Kind kind, const Parameters& parameters) {
  const auto refuse = [&](std::string_view name, const std::string& what, std::string advice) {
    throw Error(ErrorKind::kInput, what, parameters.place(name), std::move(advice));
  };
  const bool fused = parameters.boolean("fused");
  if (!fused && kind != Kind::kAllReduce)
    refuse("fused", fmt::format("in-fabric all-reduce can be taken apart, and {} cannot", name_of(kind)),
           "leave it out");
  if (!parameters.has("buckets")) return fused ? 0 : 1;
  if (fused)
    refuse("buckets", fmt::format("a fused in-fabric {} has no buckets", name_of(kind)),
           kind == Kind::kAllReduce ? "set fused to false, or leave it out" : "leave it out");
  return static_cast<std::uint32_t>(parameters.integer("buckets"));
}

// Sums of a bucket beside copies of the bucket before it.
Schedule sums_beside_copies(Schedule schedule, std::uint32_t buckets) {
  const auto n = static_cast<std::uint32_t>(schedule.ranks);
  if (const std::uint64_t moves = std::uint64_t{2} * n * buckets; moves > kMostMoves)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("in-fabric all-reduce of {} ranks in {} buckets is {} moves", n, buckets, moves), "",
                "take fewer buckets or ranks");
  schedule.chunks = n * buckets;
  Phase phase{.name = "reduce-scatter beside all-gather", .repeat = n * (buckets + 1)};
  std::vector<Position> others;
  for (Position r = 0; r < schedule.ranks; ++r)
    others.push_back(endpoint_of(schedule, everyone_but(schedule.ranks, r)));
  for (std::uint32_t round = 0; round < phase.repeat; ++round) {
    const auto r = static_cast<Position>(round % n);
    const auto move = [&](bool sum, std::uint32_t slot) {
      const Position rest = others[static_cast<std::size_t>(r)];
      phase.moves.push_back({.source = sum ? rest : r,
                             .destination = sum ? r : rest,
                             .source_slot = slot,
                             .destination_slot = slot,
                             .first_round = round,
                             .last_round = round + 1,
                             .action = sum ? Action::kReduce : Action::kStore});
    };
    if (round < schedule.chunks) move(true, round);
    if (round >= n) move(false, round - n);
  }
  schedule.phases.push_back(std::move(phase));
  schedule.facts.push_back({kBucketsFact, static_cast<double>(buckets)});
  return schedule;
}

Schedule build_in_fabric(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters) {
  const std::uint32_t buckets = buckets_apart(request.kind, parameters);
  refuse_unless_able(request, capabilities);
  const Position n = request.ranks();
  if ((request.kind == Kind::kAllGather || buckets > 0) && n > kMostGathered)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("in-fabric {} of {} ranks is a multicast set for each of them",
                            buckets > 0 ? "all-reduce, taken apart," : "all-gather", n),
                "", fmt::format("take at most {} ranks, or ring", kMostGathered));
  Schedule schedule{.algorithm = "in-fabric", .kind = request.kind, .ranks = n, .root = request.root};
  if (buckets > 0) return sums_beside_copies(std::move(schedule), buckets);
  Phase phase{.name = std::string(name_of(request.kind))};

  // Block r is a move of its own in round r
  if (is_rank_indexed(request.kind)) {
    schedule.chunks = phase.repeat = static_cast<std::uint32_t>(n);
    const bool adds = request.kind == Kind::kReduceScatter;
    const Position all = adds ? endpoint_of(schedule, everyone(n)) : 0;
    for (Position r = 0; r < n; ++r) {
      const auto round = static_cast<std::uint32_t>(r);
      phase.moves.push_back({.source = adds ? all : r,
                             .destination = adds ? r : endpoint_of(schedule, everyone_but(n, r)),
                             .source_slot = round,
                             .destination_slot = round,
                             .first_round = round,
                             .last_round = round + 1});
    }
    // The whole vector at once
  } else if (request.kind == Kind::kBroadcast) {
    phase.moves.push_back(
        {.source = request.root, .destination = endpoint_of(schedule, everyone_but(n, request.root))});
  } else {
    const Position all = endpoint_of(schedule, everyone(n));
    phase.moves.push_back({.source = all, .destination = request.kind == Kind::kReduce ? request.root : all});
  }
  schedule.phases.push_back(std::move(phase));
  return schedule;
}

}  // namespace

AlgorithmEntry in_fabric() {
  static const std::string kApart = "all-reduce fabric=switch nodes=8 bytes=1MB fabric.reducers=2 algorithm=in-fabric";
  return {{.name = "in-fabric",
           .summary = "the fabric adds and copies in flight; every rank sends its vector once",
           .reference = "Graham et al. 2016; FRED and OptINC are such fabrics",
           .parameters = {{.name = "fused",
                           .type = ParameterType::kBoolean,
                           .fallback = "true",
                           .description = "whether all-reduce adds and copies in one go; false: reduce-scatter and "
                                          "all-gather in the switch, overlapped over buckets",
                           .matters = {.question = kApart, .other = "false"}},
                          {.name = "buckets",
                           .type = ParameterType::kInteger,
                           .minimum = "1",
                           .maximum = "65536",
                           .description = "buckets of an all-reduce that is not fused: the sums of one pass beside the "
                                          "copies of the one before; unset: 1, nothing overlaps",
                           .matters = {.question = kApart + " algorithm.fused=false", .other = "4"},
                           .optional = true}},
           .facts = {kBucketsFact}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = build_in_fabric}};
}

}  // namespace helio::schedule
