// SPDX-License-Identifier: Apache-2.0
// What a k = 16 fat-tree with per-flow ECMP leaves to the slowest of 1024 flows (papers/oddl.md 3.2): the mean over seeds of
// the share of line rate, found by runs of the product without latency and step cost.
//
//     time of a round = bytes / (share of the slowest flow x line rate)
#pragma once

#include <array>
#include <functional>

#include "studies/oddl/runs.h"

namespace helio::studies::oddl_study {

inline constexpr int kSeeds = 20;

// The mean of a quantity over the seeds 1 … kSeeds.
double mean_over_seeds(const std::function<double(int seed)>& quantity);

// Of a ring; `rank_order` is host, racks (kept together, in random order) or random.
double ring_share(Runs& runs, const char* rank_order);

// Of the exchange with the node at `distance` (a power of two), ranks in host order.
double exchange_share(Runs& runs, int distance);

// All-reduce by halving/doubling on the tree: `near` sends the large halves within the rack, else to the other half of the tree.
Question tree_halving(double step, bool near, int seed);
// Line rates of its ten steps by exchange_share.
std::array<double, 10> tree_halving_rates(Runs& runs, bool near);

}  // namespace helio::studies::oddl_study
