// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_slice_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/units.h"

namespace helio::fabric {
std::string_view name_of(Isolation isolation) { return isolation == Isolation::kPhysical ? "physical" : "masked"; }

SlicePlanner::SlicePlanner(const OddlGeometry& geometry, const SliceOptions& options)
    : geometry_(geometry), options_(options) {
  check(geometry);
  if (options.wss < Time())
    throw Error(ErrorKind::kInput, fmt::format("a WSS change cannot take {}", format(options.wss)), "oddl wss",
                "Give a time of zero or more.");
  holder_.resize(geometry.lights());
  owner_.resize(geometry.nodes());
  failed_.resize(geometry.nodes(), false);
}

std::vector<JobId> SlicePlanner::jobs() const {
  std::vector<JobId> ids;
  for (const auto& [id, job] : jobs_) ids.push_back(id);
  return ids;
}

Isolation SlicePlanner::isolation(JobId id) const {
  const std::uint32_t n = geometry_.nodes_per_group;
  for (const NodeId node : nodes(id))
    for (std::uint32_t at = node.value / n * n, end = at + n; at < end; ++at)
      if (owner_[at].valid() && owner_[at] != id) return Isolation::kMasked;
  return Isolation::kPhysical;
}

std::vector<std::uint32_t> SlicePlanner::free_in_groups() const {
  std::vector<std::uint32_t> free(geometry_.groups, 0);
  for (std::uint32_t i = 0; i < geometry_.nodes(); ++i)
    free[i / geometry_.nodes_per_group] += !owner_[i].valid() && !failed_[i];
  return free;
}

std::uint32_t SlicePlanner::free_nodes() const {
  const std::vector<std::uint32_t> free = free_in_groups();
  return std::accumulate(free.begin(), free.end(), 0u);
}

double SlicePlanner::fragmented() const {
  std::vector<bool> used(geometry_.groups, false);
  for (std::uint32_t i = 0; i < geometry_.nodes(); ++i)
    if (owner_[i].valid()) used[i / geometry_.nodes_per_group] = true;
  const std::vector<std::uint32_t> free = free_in_groups();
  double pieces = 0;
  for (std::uint32_t g = 0; g < geometry_.groups; ++g)
    if (used[g]) pieces += free[g];
  return pieces / geometry_.nodes();
}

// Free nodes: first in the groups of `beside`, then untouched groups, then those with most room. Fewer than asked: not enough.
std::vector<NodeId> SlicePlanner::place(std::uint32_t count, const std::vector<NodeId>& beside) const {
  const std::vector<std::uint32_t> free = free_in_groups();
  std::vector<bool> own(geometry_.groups, false), used(geometry_.groups, false);
  for (const NodeId node : beside) own[geometry_.group_of(node)] = true;
  for (std::uint32_t i = 0; i < geometry_.nodes(); ++i)
    if (owner_[i].valid()) used[i / geometry_.nodes_per_group] = true;
  std::vector<std::uint32_t> order(geometry_.groups);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (own[a] != own[b]) return static_cast<bool>(own[a]);
    if (used[a] != used[b]) return static_cast<bool>(used[b]);
    return free[a] > free[b];
  });
  std::vector<NodeId> found;
  for (const std::uint32_t group : order)
    for (std::uint32_t j = 0; j < geometry_.nodes_per_group && found.size() < count; ++j)
      if (const NodeId node{group * geometry_.nodes_per_group + j}; !owner_[node.value].valid() && !failed_[node.value])
        found.push_back(node);
  return found;
}

// Gives the job these nodes and channels for them, or leaves all as it is. A job that runs keeps what it has when it says no.
bool SlicePlanner::settle(JobId id, const JobRequest& request, std::vector<NodeId> nodes, SliceReport& report) {
  const auto taken = [&](std::uint32_t light) { return holder_[light].valid() && holder_[light] != id; };
  std::optional<SliceWay> way =
      fit_collective(geometry_, options_, request.algorithm, request.kind, nodes, taken, report.attempts);
  if (!way) {
    report.reason = fmt::format("no channels for '{}' on {} nodes: {}", request.name, nodes.size(),
                                report.attempts.empty() ? std::string("nothing was tried") : report.attempts.back());
    return false;
  }

  // Nodes and lights change hands
  release(id);
  for (const NodeId node : nodes) owner_[node.value] = id;
  for (const SliceEntry& entry : way->slice)
    holder_[geometry_.light(entry.source_group, entry.plane, entry.channel)] = id;
  Job& job = jobs_[id] = {request, std::move(nodes), std::move(way->slice)};

  // What became of it
  report.job = id;
  report.runs = report.done = true;
  report.algorithm = std::move(way->algorithm);
  report.group = way->group;
  report.nodes = job.nodes;
  report.channels = way->channels;
  report.planes = way->planes;
  report.parts = way->parts;
  report.isolation = isolation(id);
  report.wss_changes = job.slice.empty() ? 0 : 1;
  report.wss_time = options_.wss * report.wss_changes;
  report.wss_changes_per_run = way->changes_per_run;
  report.wss_time_per_run = options_.wss * report.wss_changes_per_run;
  report.fragmented = fragmented();
  return true;
}

void SlicePlanner::release(JobId id) {
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return;
  for (const NodeId node : at->second.nodes) owner_[node.value] = {};
  for (const SliceEntry& entry : at->second.slice)
    holder_[geometry_.light(entry.source_group, entry.plane, entry.channel)] = {};
  jobs_.erase(at);
}

SlicePlanner::Job& SlicePlanner::running(JobId id) {
  const auto at = jobs_.find(id);
  if (at == jobs_.end())
    throw Error(ErrorKind::kInput,
                fmt::format("no job {} is running", id.valid() ? fmt::to_string(id.value) : "without a number"),
                "oddl slices", "Name a job that was admitted and has not left.");
  return at->second;
}

SliceReport SlicePlanner::admit(const JobRequest& request) {
  // Named nodes are checked; others are looked for
  const std::size_t count = request.nodes.empty() ? request.wanted : request.nodes.size();
  const auto wrong = [&](ErrorKind kind, const std::string& what, const std::string& advice) {
    return Error(kind, fmt::format("job '{}': {}", request.name, what), "oddl slices", advice);
  };
  if (count == 0) throw wrong(ErrorKind::kInput, "no nodes are wanted", "Name nodes, or how many.");
  if (count > geometry_.nodes())
    throw wrong(ErrorKind::kInfeasible, fmt::format("{} nodes are more than the fabric's {}", count, geometry_.nodes()),
                "Ask for fewer nodes, or build more groups.");
  if (!request.nodes.empty() && request.wanted != 0 && request.wanted != count)
    throw wrong(ErrorKind::kInput, fmt::format("{} nodes are wanted and {} named", request.wanted, count),
                "Say one of them.");
  std::set<NodeId> seen;
  for (const NodeId node : request.nodes) {
    if (node.value >= geometry_.nodes())
      throw wrong(ErrorKind::kInput, fmt::format("node {} does not exist", node.value),
                  fmt::format("Nodes are 0 to {}.", geometry_.nodes() - 1));
    if (!seen.insert(node).second)
      throw wrong(ErrorKind::kInput, fmt::format("node {} is named twice", node.value), "");
    if (failed_[node.value]) throw wrong(ErrorKind::kInput, fmt::format("node {} failed", node.value), "Name another.");
    if (owner_[node.value].valid())
      throw wrong(ErrorKind::kInput,
                  fmt::format("node {} belongs to job '{}': slices would overlap", node.value,
                              jobs_.at(owner_[node.value]).request.name),
                  "Name free nodes, or only how many.");
  }

  SliceReport report;
  std::vector<NodeId> nodes = request.nodes.empty() ? place(request.wanted, {}) : request.nodes;
  if (nodes.size() < count)
    report.reason = fmt::format("'{}' wants {} nodes and {} are free", request.name, count, nodes.size());
  else if (settle(JobId{next_}, request, std::move(nodes), report))
    ++next_;
  return report;
}

SliceReport SlicePlanner::grow(JobId id, std::uint32_t more) {
  const Job& job = running(id);
  JobRequest request = job.request;
  SliceReport report;
  report.job = id;
  report.runs = true;
  const std::vector<NodeId> added = place(more, job.nodes);
  if (added.size() < more) {
    report.reason = fmt::format("'{}' wants {} more nodes and {} are free", request.name, more, added.size());
    return report;
  }

  // In the order of nodes, so that groups stay together
  std::vector<NodeId> nodes = job.nodes;
  nodes.insert(nodes.end(), added.begin(), added.end());
  std::sort(nodes.begin(), nodes.end());
  settle(id, request, std::move(nodes), report);
  return report;
}

SliceReport SlicePlanner::fail(NodeId node) {
  if (node.value >= geometry_.nodes() || failed_[node.value])
    throw Error(
        ErrorKind::kInput,
        fmt::format("node {} {}", node.value, node.value < geometry_.nodes() ? "failed before" : "does not exist"),
        "oddl slices");
  failed_[node.value] = true;
  SliceReport report;
  const JobId id = owner_[node.value];
  if (!id.valid()) {
    report.done = true;
    return report;
  }

  // Another node in its place, which keeps every position
  const Job job = jobs_.at(id);
  report.job = id;
  if (const std::vector<NodeId> spare = place(1, job.nodes); !spare.empty()) {
    std::vector<NodeId> nodes = job.nodes;
    std::replace(nodes.begin(), nodes.end(), node, spare.front());
    if (settle(id, job.request, std::move(nodes), report)) return report;
  } else {
    report.attempts.emplace_back("no node is free to take its place");
  }

  // One less
  std::vector<NodeId> rest = job.nodes;
  std::erase(rest, node);
  if (!rest.empty() && settle(id, job.request, std::move(rest), report)) return report;
  report.reason =
      fmt::format("'{}' cannot go on without node {}: {}", job.request.name, node.value, report.attempts.back());
  release(id);
  return report;
}

void SlicePlanner::leave(JobId id) {
  running(id);
  release(id);
}

}  // namespace helio::fabric
