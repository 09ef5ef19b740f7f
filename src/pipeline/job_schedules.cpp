// SPDX-License-Identifier: Apache-2.0
#include "pipeline/job_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "schedule/levels/by_level.h"

namespace helio::pipeline {
namespace {

using schedule::CollectiveRequest;

constexpr const char* kByDimensions = "dimension-ordered";

// The server that each node stands in; empty where the fabric has none.
std::vector<std::uint32_t> servers_of(const schedule::Capabilities& capabilities) {
  if (capabilities.parts.empty()) return {};
  std::vector<std::uint32_t> server(capabilities.nodes, 0);
  const auto& instances = capabilities.parts.front().instances;
  for (std::uint32_t i = 0; i < instances.size(); ++i)
    for (const std::uint32_t node : instances[i]) server[node] = i;
  return server;
}

// How many members each server holds, if the members of every group stand server by server in equal numbers; else 1.
std::size_t members_per_server(const CollectiveRequest& request, const std::vector<std::uint32_t>& server) {
  std::size_t together = 0;
  if (server.empty()) return 1;
  for (const auto& group : request.groups)
    for (std::size_t begin = 0; begin < group.size();) {
      std::size_t end = begin;
      while (end < group.size() && server[group[end].value] == server[group[begin].value]) ++end;
      if (together == 0) together = end - begin;
      if (end - begin != together) return 1;
      begin = end;
    }
  return std::max<std::size_t>(together, 1);
}

// Whether sums in the fabric take less than a ring at best. Where nothing is known of what they take (capabilities without a part for
// them), they do; those of a server's switch serve all its NPUs, or none.
bool sums_pay(const CollectiveRequest& request, const schedule::Capabilities& capabilities,
              const std::vector<std::uint32_t>& servers) {
  if (capabilities.parts.empty() || capabilities.parts.front().capabilities.parts.empty()) return true;
  const schedule::Capabilities& server = capabilities.parts.front().capabilities;
  const auto ranks = static_cast<double>(request.ranks());
  if (ranks != static_cast<double>(server.nodes)) return false;
  for (const auto& group : request.groups)
    for (const NodeId node : group)
      if (servers[node.value] != servers[group.front().value]) return false;
  const schedule::Capabilities& sums = server.parts.front().capabilities;
  const double rounds = 2 * (ranks - 1),
               ring = server.first_setup.to_seconds() + rounds * (server.nearest_latency.to_seconds() +
                                                                  seconds_at(request.bytes / ranks, server.link_rate));
  return sums.first_setup.to_seconds() + seconds_at(request.bytes, sums.link_rate) < ring;
}

Choice usual(const CollectiveRequest& request, const schedule::Capabilities& capabilities,
             const std::vector<std::uint32_t>& servers) {
  using schedule::Kind;
  Choice choice;
  choice.place = "default";
  switch (request.kind) {
    case Kind::kAllToAll: choice.name = "direct"; return choice;
    case Kind::kBroadcast:
    case Kind::kReduce: {
      const bool able = request.kind == Kind::kBroadcast ? capabilities.multicasts : capabilities.reduces;
      choice.name = request.ranks() == 2                                                            ? "direct"
                    : able && !has_levels(capabilities) && sums_pay(request, capabilities, servers) ? "in-fabric"
                                                                                                    : "binary-tree";
      return choice;
    }
    case Kind::kAllReduce:
      if (capabilities.reduces && capabilities.multicasts && !has_levels(capabilities) &&
          sums_pay(request, capabilities, servers)) {
        choice.name = "in-fabric";
        return choice;
      }
      break;
    default: break;
  }
  choice.name = "ring";
  const std::size_t together = members_per_server(request, servers);
  if (together > 1 && together < static_cast<std::size_t>(request.ranks())) {
    choice.name = "hierarchical-ring";
    choice.settings["group"] = {fmt::format("{}", together), "default"};
  }
  return choice;
}

}  // namespace

bool has_levels(const schedule::Capabilities& capabilities) {
  return !capabilities.parts.empty() && capabilities.parts.front().unit > 0;
}

Advice beside_averages(Advice advice, const schedule::Capabilities& capabilities, placement::Activity activity,
                       schedule::Kind kind) {
  const bool levels = has_levels(capabilities);
  const auto averages = [](const schedule::Capabilities::Part& part) {
    return part.capabilities.averaging.has_value();
  };
  if (!capabilities.averaging && !(levels && std::ranges::any_of(capabilities.parts, averages))) return advice;
  const bool replicas = activity == placement::Activity::kDp;
  if (replicas && kind != schedule::Kind::kAllGather && kind != schedule::Kind::kReduceScatter) return advice;
  advice += advice.empty() || advice.text().ends_with('.') ? " " : ". ";
  if (replicas)
    advice += "An averager carries no parameters that are gathered: set job.zero=0";
  else if (levels)
    advice += fmt::format(
        "Only gradients can be averaged: let groups of {} lie within units of the level below, such as "
        "job.rank_order=tp,pp,dp",
        placement::name_of(activity));
  else
    advice += fmt::format(
        "Only gradients can be averaged: put a level below for {}, such as fabric composite with "
        "switch:nodes=8/optinc",
        placement::name_of(activity));
  return advice;
}

std::string in_one_text(const Choice& choice) {
  std::string text = choice.name;
  for (const auto& [name, setting] : choice.settings)
    text += fmt::format("{}{}={}", text.size() == choice.name.size() ? ":" : ",", name, setting.text);
  return text;
}

Choice usual_algorithm(const CollectiveRequest& request, const schedule::Capabilities& capabilities) {
  return usual(request, capabilities, servers_of(capabilities));
}

JobSchedules::JobSchedules(const schedule::Capabilities& capabilities)
    : capabilities_(capabilities), servers_(servers_of(capabilities)) {}

Choice JobSchedules::algorithm_for(const PlacedJob& job, std::size_t r) {
  const placement::Request& asked = job.program.requests[r];
  const std::optional<Choice>& named = job.transport.algorithm[static_cast<std::size_t>(asked.activity)];
  const bool pair = asked.request.kind == schedule::Kind::kBroadcast && asked.request.ranks() == 2;
  if (named && !pair) return *named;
  if (!named && r < job.chosen.size() && job.chosen[r]) return *job.chosen[r];
  return usual_for(asked.request);
}

Choice JobSchedules::usual_for(const CollectiveRequest& request) {
  if (has_levels(capabilities_)) {
    Choice by_level{schedule::kByLevel, "default", {}};
    try {
      schedule_for(by_level, request);
      return by_level;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;  // groups that lie unevenly go without
    }
  }
  return usual(request, capabilities_, servers_);
}

const schedule::Schedule& JobSchedules::schedule_for(const Choice& algorithm, const CollectiveRequest& request) {
  std::string settings = in_one_text(algorithm);
  if (algorithm.name == schedule::kByLevel) settings += fmt::format(";{}", request.bytes.value);  // asks how much,
  if (algorithm.name == schedule::kByLevel || algorithm.name == kByDimensions)                    // or where nodes are
    for (const NodeId node : request.groups.front()) settings += fmt::format(",{}", node.value);
  const auto key = std::tuple(algorithm.name, settings, request.kind, request.ranks(), request.root);
  if (const auto found = schedules_.find(key); found != schedules_.end()) return found->second;
  try {
    return schedules_
        .emplace(key, schedule::build(algorithm.name, request, capabilities_, algorithm.settings, algorithm.place))
        .first->second;
  } catch (const Error& error) {
    throw error.at(algorithm.place);
  }
}

std::vector<const schedule::Schedule*> JobSchedules::all(const std::vector<PlacedJob>& jobs) {
  std::set<const schedule::Schedule*> known;
  std::vector<const schedule::Schedule*> all;
  for (const PlacedJob& job : jobs)
    for (std::size_t r = 0; r < job.program.requests.size(); ++r) {
      const CollectiveRequest& request = job.program.requests[r].request;
      if (request.ranks() < 2) continue;
      try {
        const schedule::Schedule* schedule = &schedule_for(algorithm_for(job, r), request);
        if (known.insert(schedule).second) all.push_back(schedule);
      } catch (const Error& error) {
        const placement::Activity activity = job.program.requests[r].activity;
        Advice advice = beside_averages(error.advice(), capabilities_, activity, request.kind);
        if (advice.text() == error.advice().text()) throw;
        throw Error(error.kind(),
                    fmt::format("{} traffic of '{}': {}", placement::name_of(activity), job.name, error.message()),
                    error.place(), std::move(advice));
      }
    }
  return all;
}

}  // namespace helio::pipeline
