// SPDX-License-Identifier: Apache-2.0
// The questions of the study: 1 GB, and nothing costs time but bytes on links. The latency of a switch is not published, so it is 0 here.
#pragma once

#include <string>

#include "studies/asking.h"
#include "studies/fred/strategy_flows.h"
#include "studies/fred/wafer.h"

namespace helio::studies::fred_study {

inline constexpr double kBytes = 1e9;
inline constexpr int kPieces = 16384;  // of software pipelining: fine enough for 0.01 %

struct Question {
  Wafer wafer = Wafer::kMesh;
  std::string algorithm = "ring";
  std::string kind = "all-reduce";
  std::string strategy, phase;  // "2-5-2", "dp"; empty: all NPUs
  int pieces = 1;
  std::string split;        // dimension-ordered: "11:13", rows first to columns first
  std::string radix;        // of a tree; empty: the wafer's
  std::string compression;  // at its ports; empty: none; of top-k 1 % is kept
  int buckets = 0;          // in-fabric all-reduce as reduce-scatter and all-gather over so many; 0: in one go

  operator studies::Question() const;
};

// The fabric of the product that is this wafer, with its I/O. The mesh copies on the way, which only multicasts use.
Words machine_settings(Wafer wafer);

// How the paper carries a phase of a strategy (2.5, 2.6): in the switches where they add, by rings elsewhere, hierarchical over
// the whole wafer; from stage to stage by multicast everywhere.
Question as_published(const placement::StrategyPhase& phase, Wafer wafer);

using Runs = RunsOf<Question>;

}  // namespace helio::studies::fred_study
