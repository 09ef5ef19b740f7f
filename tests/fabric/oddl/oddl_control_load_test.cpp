// SPDX-License-Identifier: Apache-2.0
// How fast control is simulated: random flows between 1,024 nodes under srpt. The small case always runs; the million is asked for
// with --gtest_also_run_disabled_tests --gtest_filter=*Million*, and prints its figures.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <iostream>

#include "base/random.h"
#include "fabric/oddl/oddl_control.h"
#include "simulate/simulate.h"

namespace helio::fabric {
namespace {

// Every source has a chain of arrivals with exponential gaps; sizes are exponential, 10 kB on average (0.8 us and 0.22 us dark),
// and the gaps are such that receivers are busy half of the time.
flow::Program random_flows(std::uint32_t nodes, std::uint32_t per_source) {
  const OddlControlOptions options{.nodes = nodes};
  flow::Program program;
  const auto channels = [&](std::uint32_t count, const char* name) {
    return program.resources.add_channels(count, options.rate, {options.dark, false},
                                          [name](std::uint32_t) { return std::string(name); });
  };
  const std::uint32_t transmitter = channels(nodes, "transmitter").value, receiver = channels(nodes, "receiver").value;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t to = 0; to < nodes; ++to) {
      const flow::ResourceId way[] = {{transmitter + from}, {receiver + to}};
      program.routes.add({}, way, Time());
    }

  Random random(1);
  const auto exponential = [&](double mean) { return -mean * std::log(1 - random.uniform()); };
  flow::Template body;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t i = 0; i < per_source; ++i) {
      const auto to = static_cast<std::uint32_t>((from + 1 + random.below(nodes - 1)) % nodes);
      flow::Operation gap, flow;
      gap.duration = Time::seconds(exponential(2 * (10'000 / 12.5e9 + 220e-9)));
      flow.kind = flow::OperationKind::kTransfer;
      flow.controlled = true;
      flow.agent = from;
      flow.claim = OddlClaim{to}.pack();
      flow.route = flow::RouteId{from * nodes + to};
      flow.bytes = exponential(10'000);
      const auto at = static_cast<std::uint32_t>(body.operations.size());
      body.operations.insert(body.operations.end(), {gap, flow});
      if (i > 0) body.edges.push_back({at - 2, at});
      body.edges.push_back({at, at + 1});
    }
  program.entry = program.add(std::move(body));
  program.controls.push_back({std::make_shared<OddlController>(options)});
  flow::check(program);
  return program;
}

// 10 flows of each of 1,024 sources. All end; per flow at least REQUEST, GRANT and DONE are sent.
TEST(OddlLoad, TenThousandFlowsEnd) {
  const simulate::Timeline timeline = simulate::simulate(random_flows(1024, 10));
  EXPECT_GE(timeline.control_messages, 3u * 10'240 - 1024);  // some follow in a lease
  EXPECT_EQ(timeline.messages_lost, 0u);
}

TEST(OddlLoad, DISABLED_MillionFlows) {
  const flow::Program program = random_flows(1024, 977);
  const std::clock_t before = std::clock();
  const simulate::Timeline timeline = simulate::simulate(program);
  std::cout << 977 * 1024 << " flows: " << static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC
            << " s of processor time, " << timeline.control_messages << " messages, " << timeline.events << " events, "
            << timeline.end.to_seconds() * 1e6 << " us simulated\n";
}

}  // namespace
}  // namespace helio::fabric
