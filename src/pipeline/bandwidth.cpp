// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/split.h"
#include "base/units.h"
#include "flow/program.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::TaskKind;

ClassShare share_in(const std::string& item, const std::string& place) {
  const auto wrong = [&](std::string what) {
    return Error(
        ErrorKind::kInput, std::move(what), place,
        fmt::format("Write tp=4,pp=2,dp=1 with shares between {} and {}.", flow::kSmallestShare, flow::kLargestShare));
  };
  const std::size_t equals = item.find('=');
  if (equals == std::string::npos) throw wrong(fmt::format("'{}' is no share of a class of traffic", item));
  ClassShare result{{item.substr(0, equals), place}, 1};
  try {
    result.share = static_cast<float>(parse_number(item.substr(equals + 1)));
  } catch (const Error& error) {
    throw error.at(place);
  }
  if (!(result.share >= flow::kSmallestShare) || result.share > flow::kLargestShare)
    throw wrong(fmt::format("'{}' cannot have a share of {}", result.name.value, item.substr(equals + 1)));
  return result;
}

void refuse_twice(const std::vector<Placed<std::string>>& names) {
  std::set<std::string> seen;
  for (const Placed<std::string>& name : names)
    if (!seen.insert(name.value).second)
      throw Error(ErrorKind::kInput, fmt::format("'{}' stands twice", name.value), name.place,
                  "name each class of traffic once");
}

std::string_view name_of(Bandwidth bandwidth) {
  switch (bandwidth) {
    case Bandwidth::kStrict: return "strict";
    case Bandwidth::kWeighted: return "weighted";
    case Bandwidth::kDemand: return "demand";
  }
  return "";
}

}  // namespace

std::size_t class_named(const std::string& name, const std::string& place, bool io) {
  std::vector<std::string> legal;
  for (const Activity activity : {Activity::kTp, Activity::kPp, Activity::kDp, Activity::kEp, Activity::kCp,
                                  Activity::kLoad, Activity::kStreaming}) {
    if (!io && (activity == Activity::kLoad || activity == Activity::kStreaming)) continue;
    legal.emplace_back(placement::name_of(activity));
    if (legal.back() == name) return static_cast<std::size_t>(activity);
  }
  throw unknown_name("class of traffic", name, legal, place);
}

void read_bandwidth(const Parameters& keys, Job& job) {
  const std::string& rule = keys.text("bandwidth");
  job.bandwidth = rule == "strict"     ? Bandwidth::kStrict
                  : rule == "weighted" ? Bandwidth::kWeighted
                                       : Bandwidth::kDemand;
  if (keys.has("priorities")) {
    if (job.bandwidth != Bandwidth::kStrict)
      throw Error(ErrorKind::kInput, fmt::format("priorities say nothing where bandwidth is {}", rule),
                  keys.place("priorities"), "Leave them out, or write bandwidth = \"strict\".");
    for (const std::string& name : split(without_blanks(keys.text("priorities")), ','))
      job.priorities.push_back({name, keys.place("priorities")});
  }
  if (keys.has("shares")) {
    if (job.bandwidth != Bandwidth::kWeighted)
      throw Error(ErrorKind::kInput, fmt::format("shares say nothing where bandwidth is {}", rule),
                  keys.place("shares"), "Write bandwidth = \"weighted\", or leave them out.");
    for (const std::string& item : split(without_blanks(keys.text("shares")), ','))
      job.shares.push_back(share_in(item, keys.place("shares")));
  } else if (job.bandwidth == Bandwidth::kWeighted) {
    throw Error(ErrorKind::kInput, "weighted bandwidth needs shares", keys.place("bandwidth"),
                "Write shares = \"tp=4,pp=2,dp=1\", or bandwidth = \"demand\".");
  }
}

void divide_links(const Job& job, Transport& transport) {
  transport.bandwidth = job.bandwidth;

  // Strict: those not named come last
  refuse_twice(job.priorities);
  transport.priority.fill(static_cast<std::uint8_t>(job.priorities.size()));
  for (std::size_t i = 0; i < job.priorities.size(); ++i)
    transport.priority[class_named(job.priorities[i].value, job.priorities[i].place, true)] =
        static_cast<std::uint8_t>(i);

  // Weighted: those not named have 1
  std::vector<Placed<std::string>> names;
  for (const ClassShare& share : job.shares) names.push_back(share.name);
  refuse_twice(names);
  for (const ClassShare& share : job.shares)
    transport.share[class_named(share.name.value, share.name.place, true)] = share.share;
}

double sent_bytes(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request) {
  double slots = 0;
  for (const schedule::Phase& phase : schedule.phases)
    for (const schedule::Move& move : phase.moves) {
      const schedule::Window active = window(move, phase);
      slots += static_cast<double>(active.last - active.first) * move.count *
               static_cast<double>(schedule.members(move.source).size());
    }
  return slots * schedule.slot_bytes(request.bytes).value * static_cast<double>(request.groups.size());
}

std::array<double, placement::kActivities> demand(const placement::Program& program, const std::vector<double>& sent) {
  std::array<double, placement::kActivities> bytes{};
  std::vector<double> runs(program.bodies.size(), 0);
  runs[program.entry] = 1;
  for (std::size_t b = program.bodies.size(); b-- > 0;)  // bodies that others run come before those
    for (const placement::Task& task : program.bodies[b].tasks) {
      double& mine = bytes[static_cast<std::size_t>(task.activity)];
      switch (task.kind) {
        case TaskKind::kCompute: break;
        case TaskKind::kCollective: mine += runs[b] * sent[task.index]; break;
        case TaskKind::kInput:
        case TaskKind::kOutput: mine += runs[b] * task.bytes.value; break;
        case TaskKind::kBody: runs[task.index] += runs[b] * static_cast<double>(task.rounds); break;
      }
    }
  return bytes;
}

ClassShares shares_by_demand(const std::array<double, placement::kActivities>& demand) {
  ClassShares shares = kEqualShares;
  const double most = *std::max_element(demand.begin(), demand.end());
  for (std::size_t a = 0; a < shares.size(); ++a)
    if (demand[a] > 0) shares[a] = std::max(flow::kSmallestShare, static_cast<float>(demand[a] / most));
  return shares;
}

Configuration described(const Transport& transport, const ClassShares& shares, const placement::Program& program) {
  Configuration result{"bandwidth", {{"rule", std::string(name_of(transport.bandwidth))}}};
  std::set<std::size_t> present;
  for (const placement::Request& request : program.requests) present.insert(static_cast<std::size_t>(request.activity));
  const bool strict = transport.bandwidth == Bandwidth::kStrict;
  for (const std::size_t a : present)
    result.values.emplace_back(
        fmt::format("{}_of_{}", strict ? "priority" : "share", placement::name_of(static_cast<Activity>(a))),
        strict ? fmt::format("{}", transport.priority[a]) : fmt::format("{:.4g}", shares[a]));
  return result;
}

}  // namespace helio::pipeline
