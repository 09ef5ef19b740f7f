// SPDX-License-Identifier: Apache-2.0
// The answer to one collective: a time, and every reason for it.
//
// Invariant: a Result is complete by itself. It names what really ran (algorithm, configuration, order, engine, version),
// how far the best conceivable schedule is away, what the time was spent on, and what had to be assumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fact.h"
#include "base/quantity.h"
#include "base/time.h"
#include "fabric/composite/levels_picture.h"
#include "fabric/picture.h"
#include "schedule/request.h"
#include "schedule/schedule.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

// One try to have the schedule carried. The first is the schedule as asked (remedy "none"); they are listed only when the
// fabric refused it.
struct Attempt {
  std::string remedy;
  std::string outcome;  // "carried", "refused", "not applicable"
  std::string reason;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

// Every parameter of one owner as it was used, defaults included.
struct Configuration {
  std::string owner;  // "fabric", "algorithm"
  std::vector<std::pair<std::string, std::string>> values;
};

// Another algorithm for the same question, when one was searched for (plan/auto.h).
struct Alternative {
  std::string algorithm;
  std::string verdict;  // "slower", "equal", "beaten", "cut", "infeasible", "skipped"
  std::string reason;
  std::optional<Time> time;  // with steps: of those that ran
  std::uint64_t steps = 0;
};

// One bar of a trace.
struct TraceEvent {
  std::string name;
  std::uint32_t depth = 0;  // nesting of calls
  std::uint32_t row = 0;    // bars of one depth and row do not overlap
  Time start, duration;
  std::uint64_t rounds = 1;  // how many equal rounds the bar stands for
  std::uint32_t levels = 0;  // of a composite: those that it goes over, a bit each
};

// What one level of a composite carried.
struct LevelUse {
  double mean = 0, most = 0;  // share of the time that its links carry bytes: on average, and the busiest of them
  std::string busiest;        // the name of that
  std::vector<std::pair<std::string, double>> carried = {};  // by class of traffic: bytes over its links
};

// What the parts of the network took: between `low` and `high`, the middle where one number is asked for.
struct NetworkEnergy {
  Energy moving, being_on;
  Energy low, high;                        // of both together
  std::vector<std::string> recalled = {};  // parts that something was remembered of
  Energy total() const { return moving + being_on; }
};

struct Result {
  // What ran
  std::string name;
  schedule::Kind kind = schedule::Kind::kAllReduce;
  std::string fabric;
  std::string algorithm;
  std::string built_by;  // the algorithm of the catalogue that made the schedule, also where a search is named instead
  std::uint64_t nodes = 0;  // of the fabric
  std::uint64_t ranks = 0;  // of a group
  std::uint64_t groups = 1;
  Bytes bytes;
  schedule::Order sync = schedule::Order::kStep;
  std::string engine;
  std::string version;
  std::vector<Configuration> configuration;
  std::vector<Attempt> attempts;
  std::string asked_algorithm;            // "auto" when one was searched for; else empty
  std::vector<Alternative> alternatives;  // then: the others, fastest first, those that did not run last

  // How long, and how far from the bound
  Time time;
  double time_s = 0;
  double bound_s = 0;
  double bound_ratio = 1;  // time over bound; 1 where both are zero
  std::string bound;       // in words

  // What it took
  std::uint64_t steps = 0;
  std::uint32_t wavelengths_used = 0;
  Facts facts;     // of the algorithm and the fabric, under their own names
  Bytes traffic;   // over all links
  Bytes injected;  // the largest that a rank sends
  NetworkEnergy energy;
  simulate::Split critical;

  // Why one may believe it
  bool verified = false;
  std::string verify_method;  // "none" when nobody asked
  std::string label;          // literal, fitted, calibrated, ours
  std::vector<std::string> assumptions;
  std::string bottleneck;

  fabric::Picture picture;  // of the schedule as asked, only when asked for; nothing where a remedy was needed
  std::optional<fabric::LevelsPicture> composite;  // only when asked for: what it is made of,
  std::vector<LevelUse> levels;                    // and what its levels did, the lowest first
  std::vector<TraceEvent> trace;                   // only when asked for
  bool trace_cut = false;                          // it was too long to keep
  Bytes memory;                                    // about what the run needed, for estimates; not told
};

}  // namespace helio::pipeline
