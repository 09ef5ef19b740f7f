// SPDX-License-Identifier: Apache-2.0
// Questions of the study, asked of the product: Question ─▶ plan::answer ─▶ Answer, each once. 1 GB, and nothing costs time but
// bytes on links: the latency of a switch is not published, so it is 0 here.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>

#include "fabric/fred/fred_phases.h"
#include "pipeline/run.h"
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
  std::string compression;  // at its ports; empty: none
  int buckets = 0;          // in-fabric all-reduce as reduce-scatter and all-gather over so many; 0: in one go

  auto operator<=>(const Question&) const = default;
};

// The fabric of the product that is this wafer, with its I/O. The mesh copies on the way, which only multicasts use.
Settings machine_settings(Wafer wafer);

// How the paper carries a phase of a strategy (2.5, 2.6): in the switches where they add, by rings elsewhere, hierarchical over
// the whole wafer; from stage to stage by multicast everywhere.
Question as_published(const fabric::StrategyPhase& phase, Wafer wafer);

struct Answer {
  double seconds = 0;
  double injected = 0;             // bytes, the most that an NPU sends
  std::optional<double> io_share;  // where the fabric says it
};

class Runs {
 public:
  explicit Runs(const pipeline::RunOptions& options) : options_(options) {}
  const Answer& operator()(const Question& question);

 private:
  pipeline::RunOptions options_;
  std::map<Question, Answer> answers_;
};

}  // namespace helio::studies::fred_study
