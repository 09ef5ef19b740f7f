// SPDX-License-Identifier: Apache-2.0
#include "schedule/in_fabric.h"

#include <numeric>
#include <string>

#include <fmt/format.h>

namespace helio::schedule {
namespace {

// All-gather keeps a set of n-1 destinations for each rank: past this more than 1 GB.
constexpr Position kMostGathered = 16384;

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
                "", fmt::format("use a fabric that {}, an algorithm of the endpoints such as ring, or --remedy endpoint", ability));
  };
  if (adds && !capabilities.reduces) refuse("reduces");
  if (copies && !capabilities.multicasts) refuse("multicasts");
}

Schedule build_in_fabric(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters&) {
  refuse_unless_able(request, capabilities);
  const Position n = request.ranks();
  if (request.kind == Kind::kAllGather && n > kMostGathered)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("in-fabric all-gather of {} ranks is a multicast set for each of them", n),
                "", fmt::format("take at most {} ranks, or ring", kMostGathered));
  Schedule schedule{.algorithm = "in-fabric", .kind = request.kind, .ranks = n, .root = request.root};
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
                             .source_slot = round, .destination_slot = round,
                             .first_round = round, .last_round = round + 1});
    }
  // The whole vector at once
  } else if (request.kind == Kind::kBroadcast) {
    phase.moves.push_back({.source = request.root, .destination = endpoint_of(schedule, everyone_but(n, request.root))});
  } else {
    const Position all = endpoint_of(schedule, everyone(n));
    phase.moves.push_back({.source = all, .destination = request.kind == Kind::kReduce ? request.root : all});
  }
  schedule.phases.push_back(std::move(phase));
  return schedule;
}

}  // namespace

AlgorithmEntry in_fabric() {
  return {{.name = "in-fabric",
           .summary = "the fabric adds and copies in flight; every rank sends its vector once",
           .reference = "Graham et al. 2016; FRED and OptINC are such fabrics",
           .parameters = {}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = build_in_fabric}};
}

}  // namespace helio::schedule
