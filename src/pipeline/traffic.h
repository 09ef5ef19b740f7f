// SPDX-License-Identifier: Apache-2.0
// Traffic that changes from iteration to iteration: the all-to-all of a mixture of experts, and how long its flows take.
//
// Every node has one expert and, in every iteration, tokens worth `bytes`. Expert j gets the part p_j of everybody's tokens;
// which experts are popular, and how much, is drawn anew each time: p_j ∝ exp(skew·z_j), z_j standard normal, so that the
// popularity is log-normal and `skew` is its spread. Skew 0 is the even all-to-all.
//
//     iteration 0        iteration 1            to expert j
//     from │ ▒█▒░        from │ ░▒▒█      row i: p_0·bytes … p_(n-1)·bytes, of which p_i·bytes stays at home
//     node │ ▒█▒░        node │ ░▒▒█      all rows of one iteration are alike: a hot expert is hot for everybody
//     i    │ ▒█▒░        i    │ ░▒▒█
//
//     [compute] ─▶ all flows of matrix 0 ─▶ [compute] ─▶ all flows of matrix 1 ─▶ …       a barrier after each
//
// All flows of an iteration are ready when it starts; a flow's latency runs from then until its last byte has arrived, so that
// waiting for a circuit, a wavelength or a turn counts. All of it is ours; no trace of a real model is behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "base/quantity.h"
#include "base/time.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "schedule/schedule.h"

namespace helio::pipeline {

struct TrafficQuestion {
  Choice fabric;
  Placed<Bytes> bytes;  // of one node and iteration, what stays at home included
  std::uint32_t iterations = 8;
  double skew = 1;
  std::uint64_t seed = 1;
  Time compute;  // before each iteration's exchange
};

// Names, defaults and bounds of iterations, skew, seed and compute.
const std::vector<Parameter>& traffic_parameters();
// Requires: of traffic_parameters().
void read_traffic(const Parameters& parameters, TrafficQuestion& question);

// The p_j of one iteration; they sum to 1. The same for the same seed and iteration, however many there are.
std::vector<double> popularity(std::uint32_t nodes, double skew, std::uint64_t seed, std::uint32_t iteration);

// One exchange as a schedule: move i → j has c_j of the row's slots, with c_j / chunks nearest to p_j (largest remainders). A
// pair whose part rounds to no slot has no move. It is a checked schedule, but not a uniform all-to-all: blocks are
// unequal and arrive in scratch, so that schedule::verify does not apply. Requires: 2 to 4096 parts.
schedule::Schedule exchange(const std::vector<double>& popularity);

struct TrafficIteration {
  Time time;  // of the exchange, without compute
  std::uint64_t flows = 0;
  double hottest = 0;      // p of the most popular expert
  double bound_s = 0;      // the busiest sender or receiver at full rate
  Time p50, p99, slowest;  // latency of flows
};

struct TrafficResult {
  std::string fabric, version, label;
  std::uint64_t nodes = 0;
  TrafficQuestion asked;
  Configuration configuration;  // of the fabric
  Time time;                    // of all iterations, compute included
  Time mean;                    // of the exchanges
  Bytes moved;                  // by all nodes in all iterations
  double utilisation = 0;       // moved / (what all nodes could inject in `time`)
  std::uint64_t flows = 0;
  Time p50, p99, slowest;  // latency over the flows of all iterations, by nearest rank
  Facts facts;             // of the fabric, those that limit over all exchanges
  std::vector<TrafficIteration> iterations;
  std::vector<std::string> assumptions;
};

// Throws Error(kInput) for a fabric of fewer than two nodes, Error(kInfeasible) where the fabric refuses, and for more flows than
// can be kept. `progress` is called now and then with the stage.
TrafficResult run_traffic(const TrafficQuestion& question, const std::function<void(std::string_view)>& progress = {});

}  // namespace helio::pipeline
