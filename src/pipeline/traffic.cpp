// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/random.h"
#include "base/units.h"
#include "flow/program.h"
#include "pipeline/assembly.h"
#include "pipeline/bound.h"
#include "pipeline/foretold.h"
#include "pipeline/version.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

// As many as the largest direct all-to-all: a few GB of operations and spans.
constexpr std::uint64_t kMostFlows = 1u << 24;
constexpr std::uint64_t kMostNodes = 4096;

// Whole numbers in proportion to `parts` that sum to `total`: rounded down, and the largest remainders rounded up.
std::vector<std::uint32_t> apportion(const std::vector<double>& parts, std::uint32_t total) {
  std::vector<std::uint32_t> counts;
  std::vector<double> remainders;
  std::uint64_t given = 0;
  for (const double part : parts) {
    const double exact = part * total;
    counts.push_back(static_cast<std::uint32_t>(std::floor(exact + 1e-6)));
    remainders.push_back(exact - counts.back());
    given += counts.back();
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; given < total; ++i, ++given) ++counts[order[i % order.size()]];
  return counts;
}

// As fine as lets one receiver hold what all senders have.
std::uint32_t slots_for(std::uint32_t nodes) { return nodes * ((1u << 31) / (nodes * nodes)); }

// Of one exchange: everybody else sends to an expert whose part is a slot or more.
double flows_of(const std::vector<double>& popularity) {
  const auto nodes = static_cast<std::uint32_t>(popularity.size());
  const std::vector<std::uint32_t> counts = apportion(popularity, slots_for(nodes));
  return 1.0 * static_cast<double>(std::ranges::count_if(counts, [](std::uint32_t c) { return c > 0; })) * (nodes - 1);
}

// The smallest that at least `part` of them do not exceed. Requires: sorted, not empty.
Time nearest_rank(const std::vector<Time>& sorted, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// Slots that the busiest sender and the busiest receiver of an exchange have.
struct Busiest {
  double sends = 0, receives = 0, all = 0;
};
Busiest busiest(const schedule::Schedule& schedule) {
  std::vector<double> sends(static_cast<std::size_t>(schedule.ranks), 0), receives = sends;
  Busiest most;
  for (const schedule::Move& move : schedule.phases.front().moves) {
    sends[static_cast<std::size_t>(move.source)] += move.count;
    receives[static_cast<std::size_t>(move.destination)] += move.count;
    most.all += move.count;
  }
  most.sends = std::ranges::max(sends);
  most.receives = std::ranges::max(receives);
  return most;
}

// What no fabric can beat, as pipeline/bound.h has it of the even exchange: senders, receivers, cuts, whichever nodes are within these, and
// the way of a first byte. `parts` of what every node has go to each; light may be there since the exchange before.
double least_seconds(const schedule::Capabilities& capabilities, const schedule::CollectiveRequest& request,
                     std::vector<double> parts, const Busiest& most, Bytes slot, bool even, bool first) {
  if (even) {
    schedule::Capabilities now = capabilities;
    if (!first) now.first_setup = Time();
    return lower_bound(now, request, schedule::Order::kStep).seconds;
  }
  double least = std::max(seconds_at(slot * most.sends, capabilities.injection),
                          seconds_at(slot * most.receives, capabilities.ejection));
  std::ranges::sort(parts);
  std::vector<double> liked(parts.size() + 1, 0);  // by the least liked so many
  for (std::size_t i = 0; i < parts.size(); ++i) liked[i + 1] = liked[i] + parts[i];
  for (const schedule::Cut& cut : capabilities.cuts) {
    if (cut.inside == 0 || cut.inside >= parts.size()) continue;
    const std::size_t outside = parts.size() - cut.inside;
    // Slots round what is sent down, by a part in a million at most
    constexpr double kRounding = 1 - 1e-6;
    const double inward = static_cast<double>(outside) * liked[cut.inside] * kRounding,
                 outward = static_cast<double>(cut.inside) * liked[outside] * kRounding;
    if (cut.inward.value > 0) least = std::max(least, seconds_at(request.bytes * inward, cut.inward));
    if (cut.outward.value > 0) least = std::max(least, seconds_at(request.bytes * outward, cut.outward));
  }
  return least * capabilities.least_wire_factor +
         (capabilities.step_overhead + capabilities.nearest_latency).to_seconds();
}

// All exchanges in a chain, and which templates belong to which.
struct Chain {
  std::vector<std::uint32_t> first_template;  // of each iteration, and one past the last
  std::vector<std::uint32_t> call;            // the entry's operation that runs it
};

fabric::Lowered carried(Assembly& assembly, const schedule::Schedule& schedule,
                        const schedule::CollectiveRequest& request) {
  try {
    return assembly.lower(schedule.algorithm, schedule, request, {}, {}).lowered;
  } catch (const RefusedError& error) {
    throw Error(ErrorKind::kInfeasible,
                fmt::format("fabric '{}' refuses the traffic: {}", assembly.fabric().name(), error.refusal().reason),
                assembly.fabric().place(), error.refusal().advice);
  }
}

void append(flow::Template& entry, flow::Operation operation) {
  const auto at = static_cast<std::uint32_t>(entry.operations.size());
  if (at > 0) entry.edges.push_back({at - 1, at});
  entry.operations.push_back(operation);
}

void check_size(const TrafficQuestion& question, std::uint64_t nodes) {
  if (nodes < 2)
    throw Error(ErrorKind::kInput, fmt::format("traffic between experts needs two nodes, and there are {}", nodes),
                question.fabric.place, "Give more nodes.");
  const std::uint64_t flows = nodes <= kMostNodes ? nodes * (nodes - 1) * question.iterations : 0;
  if (nodes > kMostNodes || flows > kMostFlows)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} nodes for {} iterations are {:.2g} flows", nodes, question.iterations,
                            1.0 * static_cast<double>(nodes) * static_cast<double>(nodes - 1) * question.iterations),
                "", fmt::format("Take at most {} nodes and {:.2g} flows.", kMostNodes, 1.0 * kMostFlows));
}

// Latencies of the flows of each iteration, sorted. Sub-rounds that a fabric makes run inside the iteration.
std::vector<std::vector<Time>> latencies(const flow::Program& program, const Chain& chain,
                                         const simulate::Timeline& timeline,
                                         std::vector<TrafficIteration>& iterations) {
  std::vector<Time> start(iterations.size());
  for (const simulate::Span& span : timeline.spans) {
    if (span.where != program.entry) continue;
    const auto at = std::ranges::find(chain.call, span.operation);
    if (at == chain.call.end()) continue;
    const auto k = static_cast<std::size_t>(at - chain.call.begin());
    start[k] = span.start;
    iterations[k].time = span.end - span.start;
  }
  std::vector<std::vector<Time>> found(iterations.size());
  for (const simulate::Span& span : timeline.spans) {
    const flow::Operation& operation = program.templates[span.where.value].operations[span.operation];
    if (operation.kind != flow::OperationKind::kTransfer) continue;
    const auto next = std::ranges::upper_bound(chain.first_template, span.where.value);
    const auto k = static_cast<std::size_t>(next - chain.first_template.begin()) - 1;
    found[k].push_back(span.end - start[k]);
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].size() != iterations[k].flows)
      throw std::logic_error(
          fmt::format("iteration {} has {} flows and {} ended", k, iterations[k].flows, found[k].size()));
    std::ranges::sort(found[k]);
  }
  return found;
}

}  // namespace

const std::vector<Parameter>& traffic_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "iterations",
       .type = ParameterType::kInteger,
       .fallback = "8",
       .minimum = "1",
       .maximum = "100000",
       .description = "exchanges, each with a matrix of its own"},
      {.name = "skew",
       .type = ParameterType::kNumber,
       .fallback = "1",
       .minimum = "0",
       .maximum = "8",
       .description = "spread of the logarithm of the experts' popularity; 0: even"},
      {.name = "seed",
       .type = ParameterType::kInteger,
       .fallback = "1",
       .minimum = "0",
       .description = "of the draws of popularity"},
      {.name = "compute",
       .type = ParameterType::kTime,
       .fallback = "0 s",
       .minimum = "0 s",
       .maximum = "1000000 s",
       .description = "before each exchange, at all nodes"}};
  return parameters;
}

void read_traffic(const Parameters& parameters, TrafficQuestion& question) {
  question.iterations = static_cast<std::uint32_t>(parameters.integer("iterations"));
  question.skew = parameters.number("skew");
  question.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  question.compute = parameters.time("compute");
}

std::vector<double> popularity(std::uint32_t nodes, double skew, std::uint64_t seed, std::uint32_t iteration) {
  Random random = Random(seed).split(iteration);
  std::vector<double> parts(nodes);
  for (double& part : parts) part = std::exp(skew * random.normal());
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double& part : parts) part /= sum;
  return parts;
}

schedule::Schedule exchange(const std::vector<double>& popularity) {
  const auto n = static_cast<std::uint32_t>(popularity.size());
  assert(n >= 2 && n <= kMostNodes && "slots of all senders to one receiver must be countable");

  schedule::Schedule schedule{.algorithm = "traffic",
                              .kind = schedule::Kind::kAllToAll,
                              .ranks = static_cast<schedule::Position>(n),
                              .chunks = slots_for(n)};
  const std::vector<std::uint32_t> counts = apportion(popularity, schedule.chunks);
  schedule.scratch = n * std::ranges::max(counts);

  // Block j of every row goes to expert j, who keeps the rows apart; by distance, as direct does
  std::vector<std::uint32_t> begin(n, 0);
  for (std::uint32_t j = 1; j < n; ++j) begin[j] = begin[j - 1] + counts[j - 1];
  schedule::Phase phase{.name = "exchange"};
  for (std::uint32_t distance = 1; distance < n; ++distance)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t j = (i + distance) % n;
      if (counts[j] == 0) continue;
      phase.moves.push_back({.source = static_cast<schedule::Position>(i),
                             .destination = static_cast<schedule::Position>(j),
                             .source_slot = begin[j],
                             .destination_slot = i * counts[j],
                             .count = counts[j],
                             .destination_buffer = schedule::Buffer::kScratch});
    }
  schedule.phases.push_back(std::move(phase));
  return schedule;
}

TrafficResult run_traffic(const TrafficQuestion& question, const std::function<void(std::string_view)>& progress) {
  Assembly assembly{ChosenFabric(question.fabric)};
  const schedule::Capabilities& capabilities = assembly.capabilities();
  check_size(question, capabilities.nodes);
  const auto nodes = static_cast<std::uint32_t>(capabilities.nodes);
  double flows = 0;
  for (std::uint32_t k = 0; k < question.iterations; ++k)
    flows += flows_of(popularity(nodes, question.skew, question.seed, k));
  refuse_beyond_budget(foretold_flows(flows, !assembly.program.controls.empty()));
  const auto request =
      schedule::request_on_all(schedule::Kind::kAllToAll, question.bytes.value, static_cast<schedule::Position>(nodes));
  TrafficResult result{.fabric = question.fabric.name,
                       .version = std::string(kVersion),
                       .label = assembly.fabric().label(),
                       .nodes = nodes,
                       .asked = question,
                       .configuration = assembly.fabric().configuration()};

  // Matrix by matrix into one program
  Chain chain;
  flow::Template entry{.name = "traffic"};
  for (std::uint32_t k = 0; k < question.iterations; ++k) {
    if (progress) progress("lowering");
    const std::vector<double> parts = popularity(nodes, question.skew, question.seed, k);
    const schedule::Schedule schedule = exchange(parts);
    schedule::check(schedule);
    chain.first_template.push_back(static_cast<std::uint32_t>(assembly.program.templates.size()));
    const fabric::Lowered lowered = carried(assembly, schedule, request);
    combine(result.facts, lowered.facts);
    if (!question.compute.is_zero()) append(entry, {.kind = flow::OperationKind::kDelay, .duration = question.compute});
    chain.call.push_back(static_cast<std::uint32_t>(entry.operations.size()));
    append(entry, {.kind = flow::OperationKind::kCall, .callee = lowered.entry});

    // What no fabric can beat
    const Busiest most = busiest(schedule);
    const Bytes slot = schedule.slot_bytes(request.bytes);
    result.moved += slot * most.all;
    result.iterations.push_back(
        {.flows = schedule.phases.front().moves.size(),
         .hottest = std::ranges::max(parts),
         .bound_s = least_seconds(capabilities, request, parts, most, slot, question.skew == 0, k == 0)});
    result.flows += result.iterations.back().flows;
  }
  assembly.program.entry = assembly.program.add(std::move(entry));

  // When, and how long each flow took
  const simulate::Timeline timeline =
      assembly.simulate({.record = true, .span_limit = 2 * kMostFlows + 2'000'000}, progress);
  assembly.note_control(timeline, result.facts);
  if (timeline.spans_cut) throw std::logic_error("more spans than flows");
  std::vector<Time> all;
  all.reserve(result.flows);
  Time exchanges;
  const std::vector<std::vector<Time>> per_iteration = latencies(assembly.program, chain, timeline, result.iterations);
  for (std::size_t k = 0; k < per_iteration.size(); ++k) {
    TrafficIteration& iteration = result.iterations[k];
    const std::vector<Time>& sorted = per_iteration[k];
    iteration.p50 = nearest_rank(sorted, 0.5);
    iteration.p99 = nearest_rank(sorted, 0.99);
    iteration.slowest = sorted.back();
    iteration.bound_s = kept_bound(iteration.bound_s, iteration.time.to_seconds(), 1);
    exchanges += iteration.time;
    all.insert(all.end(), sorted.begin(), sorted.end());
  }
  std::ranges::sort(all);
  result.p50 = nearest_rank(all, 0.5);
  result.p99 = nearest_rank(all, 0.99);
  result.slowest = all.back();
  result.time = timeline.end;
  result.mean = Time::zeptoseconds(exchanges.count() / question.iterations);
  if (!result.time.is_zero())
    result.utilisation = seconds_at(result.moved, capabilities.injection * nodes) / result.time.to_seconds();

  result.assumptions = {"one expert at each node; all nodes' tokens like the same experts (ours)",
                        "all flows of an iteration are ready when it starts, and a barrier ends it",
                        "the way back (combine) is not part of it"};
  assembly.fabric().note_fitted(result.assumptions);
  result.assumptions.insert(result.assumptions.end(), capabilities.assumptions.begin(), capabilities.assumptions.end());
  return result;
}

}  // namespace helio::pipeline
