// SPDX-License-Identifier: Apache-2.0
// One question put to several networks on an equal footing (fabric/footing.h): what each makes of it, what it is made of, and why it is
// as fast as it is. plan/compare.h asks.
//
// Invariant: candidates stand in the order in which they were asked for; the winner is the feasible and exact enough one that takes least, ties go to fewer
// watts and then to the order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/advice.h"
#include "base/range.h"
#include "fabric/bill.h"
#include "fabric/footing.h"
#include "pipeline/compared/factors.h"
#include "pipeline/experiment.h"

namespace helio::pipeline {

struct Candidate {
  // What ran
  std::string title;                                               // as it was written: "oddl:trx=4"
  Choice fabric;                                                   // on the footing
  std::vector<std::pair<std::string, std::string>> set;            // what the footing set of it
  std::vector<std::pair<std::string, std::string>> configuration;  // all of it, as it was used
  std::string algorithm;                                           // of jobs, by class of traffic: "dp ring, tp direct"
  std::string strategy;                                            // of jobs: "tp=8 pp=16 dp=8 micro_batch=1 …"
  bool feasible = false;
  Advice reason;  // why not

  // What came out; of several collectives the sums, of jobs that run side by side the slowest
  double time_s = 0, bound_s = 0;
  double exposed_s = 0;               // of that, not hidden behind computing; all of it where nothing is computed
  std::optional<double> value_error;  // the largest error of what is averaged or compressed on the way; none: exact
  Range watts, cost;                  // of the network: at full load; US dollars of what has a price
  Range energy;                       // joules of the network
  double parts = 0;                   // of its bill,
  std::vector<fabric::Priced::Line> bill;  // which is this
  std::string label;
  std::vector<Factor> factors;  // of one collective: their product times `ideal_s` is the time
  std::string why;              // in words
};

// Where another wins: below the value of a parameter and above it.
struct Switching {
  std::string parameter;  // "bytes", "injection", "overhead"
  double value = 0;       // in base units, found to kSwitchingNear (plan/switching.h)
  double at = 0;          // what was asked; 0: both ends of a map's cells
  std::uint64_t nodes = 0;
  std::string below, above;  // who wins
};

struct Comparison {
  std::string title;        // "all-reduce of 1 GB", or the file
  std::uint64_t nodes = 0;  // of every fabric
  fabric::Footing footing;
  double ideal_s =
      0;  // of one collective: bytes that ends must send, at the injection, without help and with no delay; 0: there is none
  std::optional<double> most_error;  // of the values, that a winner may have
  std::vector<Candidate> candidates;
  std::optional<std::size_t> winner, runner_up;
  std::vector<Switching> switching;
  std::vector<std::string> steady;  // parameters that change nothing as far as was looked, in words
};

// Fills in who won. Throws Error(kInfeasible) with the first reason where nobody can.
void rank(Comparison& comparison);

}  // namespace helio::pipeline
