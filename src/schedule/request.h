// SPDX-License-Identifier: Apache-2.0
// What is asked for: one collective, on one or many groups of nodes at once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/quantity.h"

namespace helio::schedule {

// A member of a group, 0..n-1. Schedules speak of positions; only groups know nodes.
using Position = std::int32_t;

enum class Kind : std::uint8_t { kAllReduce, kReduceScatter, kAllGather, kBroadcast, kReduce, kAllToAll };

inline constexpr Kind kAllKinds[] = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather,
                                     Kind::kBroadcast, Kind::kReduce,        Kind::kAllToAll};

inline bool has_root(Kind kind) { return kind == Kind::kBroadcast || kind == Kind::kReduce; }
std::string_view name_of(Kind kind);                                  // "all-reduce"
Kind kind_named(std::string_view name, std::string_view place = {});  // throws Error(kInput) with the legal names

// `bytes` is the full vector: the buffer of all-reduce, reduce, broadcast; the input per rank of reduce-scatter;
// the output per rank of all-gather; all that a rank sends in all-to-all, its own part included.
struct CollectiveRequest {
  Kind kind = Kind::kAllReduce;
  Bytes bytes;
  std::vector<std::vector<NodeId>>
      groups;                // all of one size, disjoint, at least one; a root may be a non-root of another
  Position root = 0;         // broadcast and reduce
  double element_bytes = 4;  // of one number of the vector: float32, unless a placement knows better

  Position ranks() const { return groups.empty() ? 0 : static_cast<Position>(groups.front().size()); }
};

// One group of nodes 0..n-1 in order.
CollectiveRequest request_on_all(Kind kind, Bytes bytes, Position ranks, Position root = 0);

// Throws Error(kInput) when groups are empty, of unequal size, overlapping, or the root is not a member.
void check(const CollectiveRequest& request);

}  // namespace helio::schedule
