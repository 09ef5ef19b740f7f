// SPDX-License-Identifier: Apache-2.0
#include "schedule/request.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.h"

namespace helio::schedule {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kAllReduce: return "all-reduce";
    case Kind::kReduceScatter: return "reduce-scatter";
    case Kind::kAllGather: return "all-gather";
    case Kind::kBroadcast: return "broadcast";
    case Kind::kReduce: return "reduce";
    case Kind::kAllToAll: return "all-to-all";
  }
  return "";
}

Kind kind_named(std::string_view name, std::string_view place) {
  std::vector<std::string> legal;
  for (const Kind kind : kAllKinds) {
    if (name == name_of(kind)) return kind;
    legal.emplace_back(name_of(kind));
  }
  const Error unknown = unknown_name("collective", name, legal, std::string(place));
  throw Error(ErrorKind::kInput, unknown.message(), unknown.place(), unknown.advice());
}

CollectiveRequest request_on_all(Kind kind, Bytes bytes, Position ranks, Position root) {
  CollectiveRequest request{.kind = kind, .bytes = bytes, .groups = {}, .root = root};
  std::vector<NodeId>& group = request.groups.emplace_back();
  group.reserve(static_cast<std::size_t>(ranks));
  for (Position p = 0; p < ranks; ++p) group.push_back(NodeId{static_cast<std::uint32_t>(p)});
  return request;
}

void check(const CollectiveRequest& request) {
  // Groups of one size
  if (request.groups.empty() || request.groups.front().empty())
    throw Error(ErrorKind::kInput, "a collective needs at least one group of at least one node");
  const std::size_t size = request.groups.front().size();
  for (std::size_t g = 0; g < request.groups.size(); ++g)
    if (request.groups[g].size() != size)
      throw Error(ErrorKind::kInput,
                  fmt::format("group {} has {} nodes and group 0 has {}", g, request.groups[g].size(), size), "",
                  "groups of one request are of one size: make a request for each size");

  // No node twice; only a root may also be at the other end of another group, as in a pipeline of broadcasts
  std::vector<std::uint64_t> roles;
  roles.reserve(size * request.groups.size());
  for (const auto& group : request.groups)
    for (std::size_t p = 0; p < size; ++p) {
      if (!group[p].valid()) throw Error(ErrorKind::kInput, "a group names a node that does not exist");
      const bool root = has_root(request.kind) && p == static_cast<std::size_t>(request.root);
      if (root && std::ranges::count(group, group[p]) > 1)
        throw Error(ErrorKind::kInput, fmt::format("node {} is named twice", group[p].value), "",
                    "a node is in its group once");
      roles.push_back(std::uint64_t{group[p].value} << 1 | (root ? 1 : 0));
    }
  if (!std::is_sorted(roles.begin(), roles.end())) std::sort(roles.begin(), roles.end());
  if (const auto twice = std::adjacent_find(roles.begin(), roles.end()); twice != roles.end())
    throw Error(ErrorKind::kInput, fmt::format("node {} is named twice", *twice >> 1), "",
                "groups of one request are disjoint, and a node is in its group once");

  // A root that is there
  if (request.root < 0 || static_cast<std::size_t>(request.root) >= size)
    throw Error(ErrorKind::kInput, fmt::format("root {} is not a member of a group of {}", request.root, size), "",
                fmt::format("choose a root from 0 to {}", size - 1));
}

}  // namespace helio::schedule
