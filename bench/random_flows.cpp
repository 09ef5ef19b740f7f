// SPDX-License-Identifier: Apache-2.0
#include "random_flows.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "fabric/oddl/oddl_control.h"
#include "simulate/simulate.h"
#include "stopwatch.h"

namespace helio::bench {
namespace {

constexpr double kMeanBytes = 10'000;  // 0.8 us at 100 Gb/s

}  // namespace

flow::Program random_flows(std::uint32_t nodes, std::uint32_t per_source, Carriage carriage) {
  const fabric::OddlControlOptions options{.nodes = nodes};
  const bool controlled = carriage == Carriage::kControlled;

  // A way from each to each
  flow::Program program;
  const auto name = [](std::uint32_t i) { return "port " + std::to_string(i); };
  const std::uint32_t out =
      (controlled ? program.resources.add_channels(2 * nodes, options.rate, {options.dark, false}, name)
                  : program.resources.add_links(2 * nodes, options.rate, name))
          .value;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t to = 0; to < nodes; ++to) {
      const flow::ResourceId channels[] = {{out + from}, {out + nodes + to}};
      const flow::LinkUse links[] = {{channels[0], 1}, {channels[1], 1}};
      if (controlled)
        program.routes.add({}, channels, Time());
      else
        program.routes.add(links, {}, Time());
    }

  // Arrivals: as long as a flow and its dark time on average, so that receivers are busy half of the time
  Random random(1);
  const auto exponential = [&](double mean) { return -mean * std::log(1 - random.uniform()); };
  const double gap_seconds = 2 * (kMeanBytes * 8 / options.rate.value + options.dark.to_seconds());
  flow::Template body;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t i = 0; i < per_source; ++i) {
      const auto to = static_cast<std::uint32_t>((from + 1 + random.below(nodes - 1)) % nodes);
      flow::Operation gap, flow;
      gap.duration = Time::seconds(exponential(gap_seconds));
      flow.kind = flow::OperationKind::kTransfer;
      flow.controlled = controlled;
      flow.agent = controlled ? from : 0;
      flow.claim = controlled ? fabric::OddlClaim{to}.pack() : 0;
      flow.route = flow::RouteId{from * nodes + to};
      flow.bytes = exponential(kMeanBytes);
      const auto at = static_cast<std::uint32_t>(body.operations.size());
      body.operations.insert(body.operations.end(), {gap, flow});
      if (i > 0) body.edges.push_back({at - 2, at});
      body.edges.push_back({at, at + 1});
    }
  program.entry = program.add(std::move(body));
  if (controlled) program.controls.push_back({std::make_shared<fabric::OddlController>(options)});
  flow::check(program);
  return program;
}

double seconds_per_random_flow(std::uint32_t nodes, std::uint32_t per_source, Carriage carriage) {
  const flow::Program program = random_flows(nodes, per_source, carriage);
  const double start = processor_seconds();
  simulate::simulate(program);
  return (processor_seconds() - start) / (static_cast<double>(nodes) * per_source);
}

}  // namespace helio::bench
