// SPDX-License-Identifier: Apache-2.0
#include "pipeline/lower_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "base/error.h"
#include "pipeline/bandwidth.h"
#include "pipeline/remedy.h"
#include "schedule/algorithm.h"
#include "schedule/by_level.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::TaskKind;
using schedule::CollectiveRequest;

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

// Whether it is made of fabrics, none of which adds or copies for nodes of several.
bool has_levels(const schedule::Capabilities& capabilities) {
  return !capabilities.parts.empty() && capabilities.parts.front().unit > 0;
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
      choice.name = request.ranks() == 2 ? "direct" : able && !has_levels(capabilities) ? "in-fabric" : "binary-tree";
      return choice;
    }
    case Kind::kAllReduce:
      if (capabilities.reduces && capabilities.multicasts && !has_levels(capabilities)) {
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

class JobLowering {
 public:
  JobLowering(Assembly& assembly, const std::vector<PlacedJob>& jobs)
      : assembly_(assembly),
        capabilities_(assembly.capabilities()),
        jobs_(jobs),
        servers_(servers_of(assembly.capabilities())),
        has_levels_(has_levels(assembly.capabilities())) {}

  LoweredJobs run() {
    flow::Template entry{"jobs", {}, {}, true};
    for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
      flow::Operation call;
      call.kind = flow::OperationKind::kCall;
      call.callee = add_job(j);
      call.rounds = jobs_[j].iterations;
      entry.operations.push_back(call);
    }
    lowered_.entry = assembly_.program.entry = assembly_.program.add(std::move(entry));
    lowered_.origin.resize(assembly_.program.templates.size());
    return std::move(lowered_);
  }

 private:
  flow::TemplateId add_job(std::uint32_t j) {
    const PlacedJob& job = jobs_[j];
    flow::Program& program = assembly_.program;

    // Ways in and out: of the job's own, or through the fabric
    std::vector<flow::RouteId> in, out;  // by stream
    if (!(job.program.io_rate > BitRate{0})) {
      for (const auto& shards : job.program.streams) {
        in.push_back(through_fabric(shards, true));
        out.push_back(through_fabric(shards, false));
      }
    } else {
      const flow::ResourceTable::Namer name = [job = job.name](std::uint32_t i) {
        return fmt::format("I/O {} of {}", i == 0 ? "in" : "out", job);
      };
      const flow::ResourceId links = program.resources.add_links(2, job.program.io_rate, {name, name});
      const flow::LinkUse first{links, 1}, second{flow::ResourceId{links.value + 1}, 1};
      const std::size_t streams = std::max<std::size_t>(job.program.streams.size(), 1);
      in.assign(streams, program.routes.add({&first, 1}, {}, Time()));
      out.assign(streams, program.routes.add({&second, 1}, {}, Time()));
    }

    // Collectives: which algorithms first, because shares follow from what these move
    lowered_.attempts.emplace_back();
    instead_.clear();
    settle(job);
    lowered_.shares.push_back(shares_of(job));
    std::vector<flow::TemplateId> collectives;
    lowered_.algorithms.emplace_back();
    lowered_.facts.emplace_back();
    lowered_.wavelengths_used.push_back(0);
    lowered_.other_hardware.push_back(false);

    for (const placement::Request& request : job.program.requests) collectives.push_back(lower(job, request));

    // Bodies: those that others run come first, so the templates that they call exist
    std::vector<flow::TemplateId> bodies;
    lowered_.told.emplace_back();
    for (std::uint32_t b = 0; b < job.program.bodies.size(); ++b) {
      const placement::Body& body = job.program.bodies[b];
      flow::Template made{body.name, {}, {}, true};
      made.operations.reserve(body.tasks.size());
      std::vector<LoweredJobs::Told>& told = lowered_.told.back().emplace_back();
      told.reserve(body.tasks.size());
      for (const placement::Task& task : body.tasks) {
        told.push_back({task.activity, task.verb, task.row, task.number});
        flow::Operation op;
        op.priority = job.transport.priority[static_cast<std::size_t>(task.activity)];
        switch (task.kind) {
          case TaskKind::kCompute: op.duration = task.duration; break;
          case TaskKind::kCollective:
            if (!collectives[task.index].valid()) break;  // of one rank: nothing moves
            op.kind = flow::OperationKind::kCall;
            op.callee = collectives[task.index];
            break;
          case TaskKind::kInput:
          case TaskKind::kOutput:
            op.kind = flow::OperationKind::kTransfer;
            op.route = (task.kind == TaskKind::kInput ? in : out)[task.index];
            op.bytes = task.bytes.value;
            op.share = lowered_.shares.back()[static_cast<std::size_t>(task.activity)];
            break;
          case TaskKind::kBody:
            op.kind = flow::OperationKind::kCall;
            op.callee = bodies[task.index];
            op.rounds = task.rounds;
            break;
        }
        made.operations.push_back(op);
      }
      made.edges.reserve(body.dependencies.size());
      for (const placement::Dependency& dependency : body.dependencies)
        made.edges.push_back({dependency.from, dependency.to});
      bodies.push_back(program.add(std::move(made)));
      lowered_.origin.resize(program.templates.size());
      lowered_.origin.back() = {j, b, true};
    }
    return bodies[job.program.entry];
  }

  flow::RouteId through_fabric(const std::vector<std::vector<NodeId>>& shards, bool inward) {
    std::vector<flow::LinkUse> links;
    if (!assembly_.carrier().stream(shards, inward, links))
      throw std::logic_error("a job streams through a fabric that has no I/O");
    return assembly_.program.routes.add(links, {}, Time());
  }

  ClassShares shares_of(const PlacedJob& job) {
    if (job.transport.bandwidth != Bandwidth::kDemand) return job.transport.share;
    std::vector<double> sent;
    for (const placement::Request& asked : job.program.requests)
      sent.push_back(asked.request.ranks() < 2
                         ? 0
                         : sent_bytes(schedule_for(algorithm_for(job, asked), asked.request), asked.request));
    return shares_by_demand(demand(job.program, sent));
  }

  Choice algorithm_for(const PlacedJob& job, const placement::Request& asked) {
    if (const auto found = instead_.find({asked.activity, asked.request.kind}); found != instead_.end())
      return found->second;
    const std::optional<Choice>& chosen = job.transport.algorithm[static_cast<std::size_t>(asked.activity)];
    const bool pair = asked.request.kind == schedule::Kind::kBroadcast && asked.request.ranks() == 2;
    if (chosen && !pair) return *chosen;
    if (has_levels_) {
      Choice by_level{schedule::kByLevel, "default", {}};
      try {
        schedule_for(by_level, asked.request);
        return by_level;
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInfeasible) throw;  // groups that lie unevenly go without
      }
    }
    return usual(asked.request, capabilities_, servers_);
  }

  // Collectives of one class, kind and size of all stages and cells may run beside each other: the fabric sees their groups together.
  void settle(const PlacedJob& job) {
    if (!capabilities_.reduces && !capabilities_.multicasts) return;
    if (has_levels_) return;  // each sees its own
    std::map<std::tuple<Activity, schedule::Kind, schedule::Position>, std::vector<CollectiveRequest>> classes;
    for (const placement::Request& asked : job.program.requests) {
      if (asked.request.ranks() < 2) continue;
      auto& sets = classes[{asked.activity, asked.request.kind, asked.request.ranks()}];
      for (const auto& group : asked.request.groups) {
        const auto has = [&](const CollectiveRequest& set) { return std::ranges::count(set.groups, group) > 0; };
        if (std::ranges::any_of(sets, has)) continue;
        // There and back between stages are not one set: nobody sends, or receives, twice
        const auto takes = [&](CollectiveRequest set) {
          set.groups.push_back(group);
          try {
            check(set);
          } catch (const Error&) {
            return false;
          }
          return true;
        };
        auto found = std::ranges::find_if(sets, takes);
        if (found == sets.end()) {
          sets.push_back({asked.request.kind, asked.request.bytes, {}, asked.request.root});
          found = sets.end() - 1;
        }
        found->groups.push_back(group);
      }
    }
    for (const auto& [which, sets] : classes)
      for (const CollectiveRequest& together : sets) {
        const Choice algorithm = algorithm_for(job, {std::get<0>(which), together});
        const auto refusal = assembly_.carrier().settle(schedule_for(algorithm, together), together);
        if (refusal) at_endpoints(job, std::get<0>(which), algorithm, together, *refusal);
      }
  }

  // What is refused of collectives that run beside each other: only endpoints can help, because whoever waits, moves or is cut into
  // parts would do so beside others.
  void at_endpoints(const PlacedJob& job, Activity activity, const Choice& algorithm, const CollectiveRequest& together,
                    const fabric::Refusal& refusal) {
    const Choice ends = endpoint_algorithm(together.kind);
    std::vector<Attempt>& attempts = lowered_.attempts.back();
    attempts.push_back({"none", "refused", refusal.reason});
    for (const Remedy remedy : job.transport.remedies.value) {
      const bool helps = remedy == Remedy::kEndpoint && !ends.name.empty() && algorithm.name != ends.name;
      attempts.push_back({std::string(name_of(remedy)), helps ? "carried" : "not applicable",
                          helps ? fmt::format("{} traffic runs '{}' instead", placement::name_of(activity), ends.name)
                                : "collectives of several stages run beside each other"});
      if (!helps) continue;
      instead_[{activity, together.kind}] = ends;
      return;
    }
    throw refused(job, activity, algorithm, refusal);
  }

  static Error refused(const PlacedJob& job, Activity activity, const Choice& algorithm,
                       const fabric::Refusal& refusal) {
    const std::string other =
        fmt::format("another algorithm for {} under [job.algorithm], or another fabric", placement::name_of(activity));
    return Error(ErrorKind::kInfeasible,
                 fmt::format("{} traffic of '{}' by {}: {}", placement::name_of(activity), job.name, algorithm.name,
                             refusal.reason),
                 algorithm.place,
                 refusal.advice.empty() ? Advice("choose " + other)
                                        : refusal.advice.renamed("remedy", "job.remedy") + " Or choose " + other);
  }

  flow::TemplateId lower(const PlacedJob& job, const placement::Request& asked) {
    const CollectiveRequest& request = asked.request;
    if (request.ranks() < 2) {
      lowered_.algorithms.back().push_back("none");
      return {};
    }
    const auto activity = static_cast<std::size_t>(asked.activity);
    const Choice algorithm = algorithm_for(job, asked);
    lowered_.algorithms.back().push_back(algorithm.name);
    const schedule::Schedule& schedule = schedule_for(algorithm, request);
    fabric::LowerOptions options;
    options.order = schedule.order;
    options.priority = job.transport.priority[activity];
    options.share = lowered_.shares.back()[activity];
    options.merged = true;
    try {
      Carried carried = assembly_.lower(algorithm.name, schedule, request, options, job.transport.remedies);
      if (carried.endpoint)
        lowered_.algorithms.back().back() =
            carried.original ? algorithm.name + "+" + carried.endpoint->algorithm : carried.endpoint->algorithm;
      lowered_.other_hardware.back() = lowered_.other_hardware.back() || carried.other_hardware;
      for (Attempt& attempt : carried.attempts)  // of many alike, one is told
        if (std::vector<Attempt>& told = lowered_.attempts.back(); std::ranges::count(told, attempt) == 0)
          told.push_back(std::move(attempt));
      combine(lowered_.facts.back(), carried.lowered.facts);
      std::uint32_t& most = lowered_.wavelengths_used.back();
      most = std::max(most, carried.lowered.wavelengths_used);
      return carried.lowered.entry;
    } catch (const RefusedError& error) {
      throw refused(job, asked.activity, algorithm, error.refusal());
    }
  }

  // Schedules speak of positions, so all groups of one size share one.
  const schedule::Schedule& schedule_for(const Choice& algorithm, const CollectiveRequest& request) {
    std::string settings;
    for (const auto& [name, setting] : algorithm.settings) settings += name + "=" + setting.text + ";";
    if (algorithm.name == schedule::kByLevel) {  // the one that asks where nodes are, and how much they have
      settings += fmt::format("{}", request.bytes.value);
      for (const NodeId node : request.groups.front()) settings += fmt::format(",{}", node.value);
    }
    const auto key = std::tuple(algorithm.name, settings, request.kind, request.ranks(), request.root);
    if (const auto found = schedules_.find(key); found != schedules_.end()) return found->second;
    try {
      return schedules_[key] =
                 schedule::build(algorithm.name, request, capabilities_, algorithm.settings, algorithm.place);
    } catch (const Error& error) {
      throw error.at(algorithm.place);
    }
  }

  Assembly& assembly_;
  const schedule::Capabilities& capabilities_;
  const std::vector<PlacedJob>& jobs_;
  const std::vector<std::uint32_t> servers_;
  const bool has_levels_;
  LoweredJobs lowered_;
  std::map<std::pair<Activity, schedule::Kind>, Choice> instead_;  // of the job at hand
  std::map<std::tuple<std::string, std::string, schedule::Kind, schedule::Position, schedule::Position>,
           schedule::Schedule>
      schedules_;
};

}  // namespace

Choice usual_algorithm(const CollectiveRequest& request, const schedule::Capabilities& capabilities) {
  return usual(request, capabilities, servers_of(capabilities));
}

LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs) {
  return JobLowering(assembly, jobs).run();
}

}  // namespace helio::pipeline
