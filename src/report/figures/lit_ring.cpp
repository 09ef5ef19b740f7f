// SPDX-License-Identifier: Apache-2.0
#include "report/figures/lit_ring.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <variant>

#include "base/error.h"
#include "fabric/fabric.h"
#include "flow/program.h"
#include "report/figures/schedule_again.h"

namespace helio::report {
namespace {

using flow::Operation;
using flow::OperationKind;

// Resources of the two rings, by number. wdm-ring: channels by direction, segment, wavelength. sip-ring: transmitters, then segments by
// direction and the node that they leave.
struct Numbering {
  bool numbered = true;
  std::uint32_t nodes = 0, wavelengths = 0;
  std::uint32_t segments_from = 0;  // sip-ring
};

// A lightpath from where light enters the first segment to where it leaves the last. Requires: segments in the order of travel, of one
// direction, by their lower node.
Lightpath path_over(const Numbering& ring, std::uint32_t direction, std::uint32_t first, std::uint32_t last) {
  Lightpath path{.direction = direction};
  path.source = direction == 0 ? first : (first + 1) % ring.nodes;
  path.destination = direction == 0 ? (last + 1) % ring.nodes : last;
  return path;
}

void add_paths(const flow::Program& program, const Operation& op, const Numbering& ring,
               std::vector<Lightpath>& paths) {
  if (op.kind != OperationKind::kTransfer || !op.route.valid()) return;
  if (ring.numbered) {
    const auto channels = program.routes.channels(op.route);
    if (channels.empty()) return;
    const auto segment = [&](flow::ResourceId id) { return id.value / ring.wavelengths; };
    const std::uint32_t first = segment(channels.front()), last = segment(channels.back());
    const std::uint32_t direction = first / ring.nodes;
    Lightpath path = path_over(ring, direction, first % ring.nodes, last % ring.nodes);
    path.first = channels.front().value % ring.wavelengths;
    path.width = static_cast<std::uint32_t>(
        std::ranges::count_if(channels, [&](flow::ResourceId id) { return segment(id) == first; }));
    path.bytes = op.bytes * path.width;
    paths.push_back(path);
    return;
  }
  // One lightpath each way that is taken; segments are named after the node that they leave
  std::array<std::vector<flow::LinkUse>, 2> ways;
  for (const flow::LinkUse& use : program.routes.links(op.route))
    ways[(use.link.value - ring.segments_from) / ring.nodes].push_back(use);
  for (std::uint32_t direction = 0; direction < 2; ++direction) {
    if (ways[direction].empty()) continue;
    const auto leaves = [&](const flow::LinkUse& use) { return (use.link.value - ring.segments_from) % ring.nodes; };
    const std::uint32_t last = leaves(ways[direction].back());
    Lightpath path{.source = leaves(ways[direction].front()), .direction = direction};
    path.destination = direction == 0 ? (last + 1) % ring.nodes : (last + ring.nodes - 1) % ring.nodes;
    path.width = static_cast<std::uint32_t>(ways[direction].front().weight);
    path.bytes = op.bytes * path.width;
    paths.push_back(path);
  }
}

// Steps of one call, in order: a template of transfers, or one of sub-rounds.
void add_steps(const flow::Program& program, const Operation& call, const Numbering& ring,
               std::vector<LitStep>& steps) {
  const flow::Template& body = program.templates[call.callee.value];
  LitStep step{.name = body.name, .rounds = call.rounds, .paths = {}, .representatives = {}};
  for (const Operation& op : body.operations) {
    if (op.kind == OperationKind::kCall)
      add_steps(program, op, ring, steps);
    else
      add_paths(program, op, ring, step.paths);
  }
  if (!step.paths.empty()) steps.push_back(std::move(step));
}

auto key_of(const Lightpath& p) { return std::tuple(p.source, p.destination, p.direction, p.first, p.width, p.bytes); }

// Steps that light the same are one; a first round that is apart only because it is dark before is no step of its own.
void add_or_join(std::vector<LitStep>& steps, LitStep step) {
  const auto alike = [](const Lightpath& a, const Lightpath& b) { return key_of(a) == key_of(b); };
  if (!steps.empty() && steps.back().name == step.name && std::ranges::equal(steps.back().paths, step.paths, alike))
    steps.back().rounds += step.rounds;
  else
    steps.push_back(std::move(step));
}

// The k-th steps of all groups run beside each other.
std::vector<LitStep> beside_each_other(const flow::Program& program, flow::TemplateId entry, const Numbering& ring) {
  std::map<std::uint32_t, std::vector<LitStep>> chains;  // by group
  for (const Operation& call : program.templates[entry.value].operations) {
    if (call.kind != OperationKind::kCall) continue;
    std::vector<LitStep> fresh;
    add_steps(program, call, ring, fresh);
    for (LitStep& step : fresh) add_or_join(chains[call.tag], std::move(step));
  }
  std::vector<LitStep> steps;
  for (auto& [group, chain] : chains)
    for (std::size_t k = 0; k < chain.size(); ++k) {
      if (k == steps.size()) {
        steps.push_back(std::move(chain[k]));
        continue;
      }
      steps[k].paths.insert(steps[k].paths.end(), chain[k].paths.begin(), chain[k].paths.end());
    }
  return steps;
}

}  // namespace

std::uint32_t hops_of(const Lightpath& path, std::uint32_t nodes) {
  return (path.direction == 0 ? path.destination + nodes - path.source : path.source + nodes - path.destination) %
         nodes;
}

std::optional<LitRing> light_of(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                                const pipeline::Result& result) {
  const bool wdm = experiment.fabric.name == "wdm-ring";
  if (!wdm && experiment.fabric.name != "sip-ring") return std::nullopt;
  if (result.sync != schedule::Order::kStep || result.ranks < 2 || !result.attempts.empty()) return std::nullopt;

  // The same program again
  const ScheduleAgain again = schedule_again(experiment, collective, result);
  const schedule::Capabilities& capabilities = again.fabric->capabilities();
  flow::Program program;
  again.fabric->install(program);
  fabric::LowerResult lowered;
  try {
    lowered = again.fabric->lower(again.schedule, again.request,
                                  {.order = result.sync, .crossing_limit = kMostLitCrossings}, program);
  } catch (const WorkLimitError&) {
    return std::nullopt;
  }
  if (!std::holds_alternative<fabric::Lowered>(lowered)) return std::nullopt;

  // Its light. Of n nodes with w wavelengths each way wdm-ring has 2nw channels; sip-ring as many transmitters, then 2n segments
  LitRing ring{.name = collective.name, .algorithm = result.algorithm, .fabric = experiment.fabric.name};
  ring.nodes = static_cast<std::uint32_t>(capabilities.nodes);
  ring.numbered = wdm;
  const std::uint32_t resources = program.resources.size();
  const std::uint32_t transmitters = wdm ? resources : resources - 2 * ring.nodes;
  ring.wavelengths = transmitters / (2 * ring.nodes);
  const Numbering numbering{wdm, ring.nodes, ring.wavelengths, transmitters};
  std::size_t paths = 0;
  for (LitStep& step : beside_each_other(program, std::get<fabric::Lowered>(lowered).entry, numbering)) {
    paths += step.paths.size();
    if (paths > kMostLightpaths && !ring.steps.empty()) {
      ++ring.steps_left_out;
      continue;
    }
    settle_trees(step);
    ring.steps.push_back(std::move(step));
  }
  if (ring.steps.empty()) return std::nullopt;
  return ring;
}

void settle_trees(LitStep& step) {
  // Nodes that are joined get the number of the smallest of them
  std::map<std::uint32_t, std::uint32_t> joined;
  const auto root = [&](std::uint32_t node) {
    joined.try_emplace(node, node);
    while (joined[node] != node) node = joined[node] = joined[joined[node]];
    return node;
  };
  for (const Lightpath& path : step.paths) {
    const std::uint32_t a = root(path.source), b = root(path.destination);
    joined[std::max(a, b)] = std::min(a, b);
  }
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const auto& [node, next] : joined) numbers.try_emplace(root(node), static_cast<std::uint32_t>(numbers.size()));
  std::vector<std::set<std::uint32_t>> sources(numbers.size()), destinations(numbers.size());
  for (Lightpath& path : step.paths) {
    path.tree = numbers.at(root(path.source));
    sources[path.tree].insert(path.source);
    destinations[path.tree].insert(path.destination);
  }

  // Whom all share; a single lightpath has two such ends, and goes with the others
  std::size_t gathers = 0, spreads = 0;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    gathers += destinations[t].size() == 1 && sources[t].size() > 1;
    spreads += sources[t].size() == 1 && destinations[t].size() > 1;
  }
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    const bool one_in = destinations[t].size() == 1, one_out = sources[t].size() == 1;
    if (one_in && (!one_out || gathers > spreads))
      step.representatives.push_back(*destinations[t].begin());
    else if (one_out && (!one_in || spreads > gathers))
      step.representatives.push_back(*sources[t].begin());
  }
  std::ranges::sort(step.representatives);
}

nlohmann::ordered_json to_json(const LitRing& ring) {
  nlohmann::ordered_json data = {{"nodes", ring.nodes}, {"wavelengths", ring.wavelengths}, {"numbered", ring.numbered}};
  data["steps"] = nlohmann::ordered_json::array();
  for (const LitStep& step : ring.steps) {
    std::vector<std::uint32_t> flat;
    std::vector<double> bytes;
    for (const Lightpath& p : step.paths) {
      flat.insert(flat.end(), {p.source, p.destination, p.direction, p.first, p.width, p.tree});
      bytes.push_back(p.bytes);
    }
    const bool equal = std::ranges::adjacent_find(bytes, std::not_equal_to<>()) == bytes.end();
    data["steps"].push_back(
        {{"name", step.name}, {"rounds", step.rounds}, {"paths", flat}, {"hubs", step.representatives}});
    data["steps"].back()["bytes"] = equal ? nlohmann::ordered_json(bytes.front()) : nlohmann::ordered_json(bytes);
  }
  data["cut"] = ring.steps_left_out;
  return data;
}

}  // namespace helio::report
