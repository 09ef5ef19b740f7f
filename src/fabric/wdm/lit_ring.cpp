// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/lit_ring.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace helio::fabric {
namespace {

using flow::Operation;
using flow::OperationKind;

// A lightpath from where light enters the first segment to where it leaves the last. Requires: segments in the order of travel, of one
// direction, by their lower node.
Lightpath path_over(const RingNumbers& ring, std::uint32_t direction, std::uint32_t first, std::uint32_t last) {
  Lightpath path{.direction = direction};
  path.source = direction == 0 ? first : (first + 1) % ring.nodes;
  path.destination = direction == 0 ? (last + 1) % ring.nodes : last;
  return path;
}

void add_paths(const flow::Program& program, const Operation& op, const RingNumbers& ring,
               std::vector<Lightpath>& paths) {
  if (op.kind != OperationKind::kTransfer || !op.route.valid()) return;
  if (ring.numbered) {
    const auto channels = program.routes.channels(op.route);
    if (channels.empty()) return;
    const std::uint32_t bundles = ring.wavelengths / ring.bundle;
    const auto segment = [&](flow::ResourceId id) { return (id.value - ring.segments_from) / bundles; };
    const std::uint32_t first = segment(channels.front()), last = segment(channels.back());
    const std::uint32_t direction = first / ring.nodes;
    Lightpath path = path_over(ring, direction, first % ring.nodes, last % ring.nodes);
    path.first = (channels.front().value - ring.segments_from) % bundles * ring.bundle;
    path.width = ring.bundle * static_cast<std::uint32_t>(std::ranges::count_if(
                                   channels, [&](flow::ResourceId id) { return segment(id) == first; }));
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
void add_steps(const flow::Program& program, const Operation& call, const RingNumbers& ring,
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
std::vector<LitStep> beside_each_other(const flow::Program& program, flow::TemplateId entry, const RingNumbers& ring) {
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

// Resources on the ways of all transfers that a template runs, each of which is counted once, however often it runs.
std::uint64_t crossings(const flow::Program& program, flow::TemplateId where, std::set<std::uint32_t>& counted) {
  std::uint64_t sum = 0;
  if (!counted.insert(where.value).second) return sum;
  for (const Operation& op : program.templates[where.value].operations)
    if (op.kind == OperationKind::kCall)
      sum += crossings(program, op.callee, counted);
    else if (op.route.valid())
      sum += program.routes.links(op.route).size() + program.routes.channels(op.route).size();
  return sum;
}

}  // namespace

std::uint32_t hops_of(const Lightpath& path, std::uint32_t nodes) {
  return (path.direction == 0 ? path.destination + nodes - path.source : path.source + nodes - path.destination) %
         nodes;
}

LitRing lit_ring(const flow::Program& program, flow::TemplateId entry, const RingNumbers& numbers) {
  LitRing ring{.nodes = numbers.nodes, .wavelengths = numbers.wavelengths, .numbered = numbers.numbered, .steps = {}};
  std::set<std::uint32_t> counted;
  if (crossings(program, entry, counted) * numbers.bundle > kMostLitCrossings) return ring;
  std::size_t paths = 0;
  for (LitStep& step : beside_each_other(program, entry, numbers)) {
    paths += step.paths.size();
    if (paths > kMostLightpaths && !ring.steps.empty()) {
      ++ring.steps_left_out;
      continue;
    }
    settle_trees(step);
    ring.steps.push_back(std::move(step));
  }
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

}  // namespace helio::fabric
