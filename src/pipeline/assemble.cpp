// SPDX-License-Identifier: Apache-2.0
#include "pipeline/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::TaskKind;
using schedule::CollectiveRequest;

// How many members each server holds, if the members of every group stand server by server in equal numbers; else 1.
std::size_t members_per_server(const CollectiveRequest& request, const schedule::Capabilities& capabilities) {
  for (const schedule::Capabilities::Part& part : capabilities.parts) {
    std::vector<std::uint32_t> server(capabilities.nodes, 0);
    for (std::uint32_t i = 0; i < part.instances.size(); ++i)
      for (const std::uint32_t node : part.instances[i]) server[node] = i;
    std::size_t together = 0;
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
  return 1;
}

class Assembler {
 public:
  Assembler(fabric::Fabric& fabric, const std::vector<PlacedJob>& jobs) : fabric_(fabric), jobs_(jobs) {
    fabric.install(assembled_.program);
  }

  Assembled run() {
    flow::Template entry{"jobs", {}, {}, true};
    for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
      flow::Operation call;
      call.kind = flow::OperationKind::kCall;
      call.callee = add_job(j);
      call.rounds = jobs_[j].iterations;
      entry.operations.push_back(call);
    }
    assembled_.program.entry = assembled_.program.add(std::move(entry));
    assembled_.origin.resize(assembled_.program.templates.size());
    return std::move(assembled_);
  }

 private:
  flow::TemplateId add_job(std::uint32_t j) {
    const PlacedJob& job = jobs_[j];
    flow::Program& program = assembled_.program;

    // Ways in and out of the job
    flow::RouteId in, out;
    if (job.program.io_rate > BitRate{0}) {
      const flow::ResourceId links = program.resources.add_links(
          2, job.program.io_rate,
          [name = job.name](std::uint32_t i) { return fmt::format("I/O {} of {}", i == 0 ? "in" : "out", name); });
      const flow::LinkUse first{links, 1}, second{flow::ResourceId{links.value + 1}, 1};
      in = program.routes.add({&first, 1}, {}, Time());
      out = program.routes.add({&second, 1}, {}, Time());
    }

    // Collectives
    std::vector<flow::TemplateId> collectives;
    assembled_.algorithms.emplace_back();
    for (const placement::Request& request : job.program.requests) collectives.push_back(lower(job, request));

    // Bodies: those that others run come first, so the templates that they call exist
    std::vector<flow::TemplateId> bodies;
    for (std::uint32_t b = 0; b < job.program.bodies.size(); ++b) {
      const placement::Body& body = job.program.bodies[b];
      flow::Template made{body.name, {}, {}, true};
      made.operations.reserve(body.tasks.size());
      for (const placement::Task& task : body.tasks) {
        flow::Operation op;
        op.priority = job.carriers.priority[static_cast<std::size_t>(task.activity)];
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
            op.route = task.kind == TaskKind::kInput ? in : out;
            op.bytes = task.bytes.value;
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
      assembled_.origin.resize(program.templates.size());
      assembled_.origin.back() = {j, b, true};
    }
    return bodies[job.program.entry];
  }

  flow::TemplateId lower(const PlacedJob& job, const placement::Request& asked) {
    const CollectiveRequest& request = asked.request;
    if (request.ranks() < 2) {
      assembled_.algorithms.back().push_back("none");
      return {};
    }
    const auto activity = static_cast<std::size_t>(asked.activity);
    const std::optional<Choice>& chosen = job.carriers.algorithm[activity];
    const bool pair = request.kind == schedule::Kind::kBroadcast && request.ranks() == 2;
    const Choice algorithm = chosen && !pair ? *chosen : usual_algorithm(request, fabric_.capabilities());
    assembled_.algorithms.back().push_back(algorithm.name);
    const schedule::Schedule& schedule = schedule_for(algorithm, request);
    fabric::LowerOptions options;
    options.order = schedule.order;
    options.priority = job.carriers.priority[activity];
    const fabric::LowerResult result = fabric_.lower(schedule, request, options, assembled_.program);
    if (const auto* refusal = std::get_if<fabric::Refusal>(&result))
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("{} traffic of '{}' by {}: {}", placement::name_of(asked.activity), job.name,
                              algorithm.name, refusal->reason),
                  algorithm.place,
                  fmt::format("choose another algorithm for {} under [job.algorithm], or another fabric",
                              placement::name_of(asked.activity)));
    return std::get<fabric::Lowered>(result).entry;
  }

  // Schedules speak of positions, so all groups of one size share one.
  const schedule::Schedule& schedule_for(const Choice& algorithm, const CollectiveRequest& request) {
    std::string settings;
    for (const auto& [name, setting] : algorithm.settings) settings += name + "=" + setting.text + ";";
    const auto key = std::tuple(algorithm.name, settings, request.kind, request.ranks(), request.root);
    if (const auto found = schedules_.find(key); found != schedules_.end()) return found->second;
    try {
      return schedules_[key] =
                 schedule::build(algorithm.name, request, fabric_.capabilities(), algorithm.settings, algorithm.place);
    } catch (const Error& error) {
      throw error.at(algorithm.place);
    }
  }

  fabric::Fabric& fabric_;
  const std::vector<PlacedJob>& jobs_;
  Assembled assembled_;
  std::map<std::tuple<std::string, std::string, schedule::Kind, schedule::Position, schedule::Position>,
           schedule::Schedule>
      schedules_;
};

}  // namespace

Choice usual_algorithm(const CollectiveRequest& request, const schedule::Capabilities& capabilities) {
  using schedule::Kind;
  Choice choice;
  choice.place = "default";
  switch (request.kind) {
    case Kind::kAllToAll: choice.name = "direct"; return choice;
    case Kind::kBroadcast:
    case Kind::kReduce: choice.name = request.ranks() == 2 ? "direct" : "binary-tree"; return choice;
    default: break;
  }
  choice.name = "ring";
  const std::size_t together = members_per_server(request, capabilities);
  if (together > 1 && together < static_cast<std::size_t>(request.ranks())) {
    choice.name = "hierarchical-ring";
    choice.settings["group"] = {fmt::format("{}", together), "default"};
  }
  return choice;
}

Assembled assemble(fabric::Fabric& fabric, const std::vector<PlacedJob>& jobs) { return Assembler(fabric, jobs).run(); }

}  // namespace helio::pipeline
