// SPDX-License-Identifier: Apache-2.0
#include "pipeline/lower_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

#include "base/error.h"
#include "pipeline/bandwidth.h"
#include "pipeline/job_schedules.h"
#include "pipeline/remedy.h"
#include "schedule/levels/by_level.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::TaskKind;
using schedule::CollectiveRequest;

class JobLowering {
 public:
  JobLowering(Assembly& assembly, const std::vector<PlacedJob>& jobs, JobSchedules& schedules)
      : assembly_(assembly),
        capabilities_(assembly.capabilities()),
        jobs_(jobs),
        schedules_(schedules),
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
    std::vector<Run> collectives;
    lowered_.algorithms.emplace_back();
    lowered_.facts.emplace_back();
    lowered_.wavelengths_used.push_back(0);
    lowered_.other_hardware.push_back(false);

    level_.assign(job.program.requests.size(), LoweredJobs::kNoLevel);
    for (std::size_t r = 0; r < job.program.requests.size(); ++r) collectives.push_back(lower(job, r));

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
        told.push_back({task.activity, task.verb, task.row, task.number,
                        task.kind == TaskKind::kCollective ? level_[task.index] : LoweredJobs::kNoLevel});
        flow::Operation op;
        op.priority = job.transport.priority[static_cast<std::size_t>(task.activity)];
        switch (task.kind) {
          case TaskKind::kCompute: op.duration = task.duration; break;
          case TaskKind::kCollective:
            if (!collectives[task.index].callee.valid()) break;  // of one rank: nothing moves
            op.kind = flow::OperationKind::kCall;
            op.callee = collectives[task.index].callee;
            op.rounds = collectives[task.index].rounds;
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
    for (std::size_t r = 0; r < job.program.requests.size(); ++r) {
      const CollectiveRequest& request = job.program.requests[r].request;
      sent.push_back(
          request.ranks() < 2 ? 0 : sent_bytes(schedules_.schedule_for(algorithm_for(job, r), request), request));
    }
    return shares_by_demand(demand(job.program, sent));
  }

  Choice algorithm_for(const PlacedJob& job, std::size_t r) {
    const placement::Request& asked = job.program.requests[r];
    const auto found = instead_.find({asked.activity, asked.request.kind});
    return found == instead_.end() ? schedules_.algorithm_for(job, r) : found->second;
  }

  // Collectives of one class, kind and size of all stages and cells may run beside each other: the fabric sees their groups together.
  void settle(const PlacedJob& job) {
    if (!capabilities_.reduces && !capabilities_.multicasts) return;
    if (has_levels_) return;  // each sees its own
    struct Beside {
      CollectiveRequest request;
      std::unordered_set<std::uint64_t> taken = {};  // nodes, and whether as a root
      // Whether its nodes are free. There and back between stages are not one set: nobody sends, or receives, twice.
      bool takes(const std::vector<NodeId>& group) {
        std::vector<std::uint64_t> roles;
        for (std::size_t p = 0; p < group.size(); ++p) {
          const bool root = has_root(request.kind) && p == static_cast<std::size_t>(request.root);
          roles.push_back(std::uint64_t{group[p].value} << 1 | (root ? 1 : 0));
        }
        if (std::ranges::any_of(roles, [&](std::uint64_t role) { return taken.contains(role); })) return false;
        taken.insert(roles.begin(), roles.end());
        request.groups.push_back(group);
        return true;
      }
    };
    struct Class {
      Choice algorithm;
      std::vector<Beside> sets;
      std::set<std::vector<NodeId>> known;
    };
    std::map<std::tuple<Activity, schedule::Kind, schedule::Position, std::string>, Class> classes;
    for (std::size_t r = 0; r < job.program.requests.size(); ++r) {
      const placement::Request& asked = job.program.requests[r];
      if (asked.request.ranks() < 2) continue;
      Choice algorithm = algorithm_for(job, r);
      Class& mine = classes[{asked.activity, asked.request.kind, asked.request.ranks(), in_one_text(algorithm)}];
      mine.algorithm = std::move(algorithm);
      for (const auto& group : asked.request.groups) {
        if (!mine.known.insert(group).second) continue;
        if (std::ranges::any_of(mine.sets, [&](Beside& set) { return set.takes(group); })) continue;
        mine.sets.push_back({{asked.request.kind, asked.request.bytes, {}, asked.request.root}});
        mine.sets.back().takes(group);
      }
    }
    for (const auto& [which, mine] : classes)
      for (const Beside& beside : mine.sets) {
        const CollectiveRequest& together = beside.request;
        const auto instead = instead_.find({std::get<0>(which), together.kind});
        const Choice& algorithm = instead == instead_.end() ? mine.algorithm : instead->second;
        const auto refusal = assembly_.carrier().settle(schedules_.schedule_for(algorithm, together), together);
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
    throw refused(job, activity, together.kind, algorithm, refusal);
  }

  Error refused(const PlacedJob& job, Activity activity, schedule::Kind kind, const Choice& algorithm,
                const fabric::Refusal& refusal) const {
    const std::string other =
        fmt::format("another algorithm for {} under [job.algorithm], or another fabric", placement::name_of(activity));
    return Error(
        ErrorKind::kInfeasible,
        fmt::format("{} traffic of '{}' by {}: {}", placement::name_of(activity), job.name, algorithm.name,
                    refusal.reason),
        algorithm.place,
        beside_averages(refusal.advice.empty() ? Advice("choose " + other)
                                               : refusal.advice.renamed("remedy", "job.remedy") + " Or choose " + other,
                        capabilities_, activity, kind));
  }

  // What a task calls for its collective.
  struct Run {
    flow::TemplateId callee;
    std::uint64_t rounds = 1;
  };

  Run lower(const PlacedJob& job, std::size_t r) {
    const placement::Request& asked = job.program.requests[r];
    const CollectiveRequest& request = asked.request;
    if (request.ranks() < 2) {
      lowered_.algorithms.back().push_back("none");
      return {};
    }
    const auto activity = static_cast<std::size_t>(asked.activity);
    const Choice algorithm = algorithm_for(job, r);
    lowered_.algorithms.back().push_back(algorithm.name);
    const schedule::Schedule& schedule = schedules_.schedule_for(algorithm, request);
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
      if (has_levels_ && carried.attempts.empty()) level_[r] = level_of(carried.lowered.entry, schedule, request);
      return shortened(carried.lowered.entry);
    } catch (const RefusedError& error) {
      throw refused(job, asked.activity, request.kind, algorithm, error.refusal());
    }
  }

  // The same with fewer calls, which a job makes a million times. Transfers over links alone, one of them or rounds of them, need no template
  // between them and who runs them:
  //
  //     [call (a) x 1 | call (b) x 1]   is   [a | b]          call [call A x 7 ─▶ call A x 7]   is   call A x 14
  Run shortened(flow::TemplateId entry) {
    std::vector<flow::Template>& templates = assembly_.program.templates;
    flow::Template& body = templates[entry.value];
    const auto only_calls = [&](const flow::Operation& op) {
      return op.kind == flow::OperationKind::kCall && !op.route.valid() && !op.controlled && op.repeat == 1 &&
             goes_over_links(templates[op.callee.value]);
    };
    if (body.operations.empty() || body.visible || body.condensed || !std::ranges::all_of(body.operations, only_calls))
      return {entry};

    // Rounds of one template behind each other
    if (chains_one_template(body)) {
      for (std::size_t i = 1; i < body.operations.size(); ++i)
        body.operations.front().rounds += body.operations[i].rounds;
      body.operations.resize(1);
      body.edges.clear();
    }
    for (flow::Operation& op : body.operations)
      if (const flow::Template& called = templates[op.callee.value]; op.rounds == 1 && called.operations.size() == 1)
        op = called.operations.front();
    const flow::Operation& only = body.operations.front();
    if (body.operations.size() > 1 || only.kind != flow::OperationKind::kCall) return {entry};
    const Run run{only.callee, only.rounds};
    if (entry.value + 1 == templates.size()) templates.pop_back();
    return run;
  }

  bool goes_over_links(const flow::Template& body) const {
    return !body.visible && body.edges.empty() && std::ranges::all_of(body.operations, [&](const flow::Operation& op) {
      return op.kind == flow::OperationKind::kTransfer && !op.controlled && op.alternatives == 1 &&
             (!op.route.valid() || assembly_.program.routes.channels(op.route).empty());
    });
  }

  static bool chains_one_template(const flow::Template& body) {
    if (body.operations.empty() || body.edges.size() + 1 != body.operations.size()) return false;
    for (std::uint32_t i = 0; i < body.edges.size(); ++i) {
      const flow::Edge& edge = body.edges[i];
      if (edge.from != i || edge.to != i + 1 || edge.offset != 0 ||
          body.operations[i].callee != body.operations[i + 1].callee)
        return false;
    }
    return true;
  }

  // The level of a composite that carries all of it; or none, and the templates that go over the levels become visible.
  std::uint32_t level_of(flow::TemplateId entry, const schedule::Schedule& schedule, const CollectiveRequest& request) {
    if (schedule.stages.empty())
      return static_cast<std::uint32_t>(schedule::levels_spanned(request, capabilities_) - 1);
    const auto goes_over_levels = [&](flow::TemplateId id) {
      return assembly_.program.templates[id.value].name == schedule::kByLevel;
    };
    if (!goes_over_levels(entry)) return schedule.stages.front().part;
    flow::Template* body = &assembly_.program.templates[entry.value];
    std::vector<flow::Template*> shown{body};
    if (body->operations.size() == 1 && body->operations.front().rounds > 1) {  // waves, one after the other
      entry = body->operations.front().callee;
      if (!goes_over_levels(entry)) return schedule.stages.front().part;
      body = &assembly_.program.templates[entry.value];
      shown.push_back(body);
    }
    for (flow::Template* each : shown) each->visible = true;
    std::vector<std::uint32_t>& levels = lowered_.stages[entry.value];
    for (const flow::Operation& op : body->operations) levels.push_back(op.tag);
    return LoweredJobs::kNoLevel;
  }

  Assembly& assembly_;
  const schedule::Capabilities& capabilities_;
  const std::vector<PlacedJob>& jobs_;
  JobSchedules& schedules_;
  const bool has_levels_;
  LoweredJobs lowered_;
  std::vector<std::uint32_t> level_;                               // of the job at hand: of every request
  std::map<std::pair<Activity, schedule::Kind>, Choice> instead_;  // of the job at hand
};

}  // namespace

LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs) {
  JobSchedules schedules(assembly.capabilities());
  return lower_jobs(assembly, jobs, schedules);
}

LoweredJobs lower_jobs(Assembly& assembly, const std::vector<PlacedJob>& jobs, JobSchedules& schedules) {
  return JobLowering(assembly, jobs, schedules).run();
}

}  // namespace helio::pipeline
