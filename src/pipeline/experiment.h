// SPDX-License-Identifier: Apache-2.0
// An Experiment is one question: which collectives, on which fabric, by which algorithms, judged by which engine.
//
// Invariant: it names everything that a run depends on and nothing else, so that the same Experiment gives the same
// Result. Values keep the place they came from, so that a mistake found three rooms later is still reported there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"
#include "base/id.h"
#include "base/quantity.h"
#include "fabric/fabric.h"
#include "placement/strategy_phase.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::pipeline {

// A value and where the user wrote it: an option, or file:line:column.
template <class T>
struct Placed {
  T value{};
  std::string place;
};

// An entry of a catalogue with the settings for it.
struct Choice {
  std::string name;
  std::string place;
  Settings settings;
};

using fabric::Remedy;

std::string_view name_of(Remedy remedy);
// "block,endpoint" in that order. Throws Error(kInput) with the legal names.
std::vector<Remedy> remedies_named(std::string_view list, std::string_view place);

std::string_view name_of(schedule::Order order);  // "step", "dataflow"

struct Collective {
  std::string name;
  schedule::Kind kind = schedule::Kind::kAllReduce;
  Placed<Bytes> bytes;
  Choice algorithm;
  Placed<long long> root;                       // a position of each group; broadcast and reduce
  Placed<std::optional<schedule::Order>> sync;  // none: the schedule's own order
  bool verify = false;
  Placed<std::vector<Remedy>> remedies;
  Placed<std::vector<std::vector<NodeId>>> groups;           // empty: one group of all nodes
  Placed<std::optional<placement::StrategyPhase>> strategy;  // or: the groups of one phase of a strategy, all at once
  Placed<std::string> npu;                                   // whose memory adds; empty: adding takes no time
};

// How the classes of traffic of a job divide the links on which they meet: pipeline/bandwidth.h.
enum class Bandwidth : std::uint8_t { kStrict, kWeighted, kDemand };

struct ClassShare {
  Placed<std::string> name;  // of a class of traffic
  float share = 1;
};

// One training job: a model, the way it is spread over NPUs, and how its collectives are carried. Its values stay text until
// the job is placed, because their bounds depend on the fabric; each is judged at its place then.
struct Job {
  std::string name;
  std::string place;
  Placed<std::string> model;  // of the zoo, or a file
  Settings model_settings;
  Choice npu;
  Settings strategy;  // placement/strategy.h
  Settings compute;   // placement/compute.h
  std::uint64_t iterations = 1;
  Bandwidth bandwidth = Bandwidth::kStrict;
  std::vector<Placed<std::string>> priorities;            // kStrict: the most urgent first; empty: all alike
  std::vector<ClassShare> shares;                         // kWeighted; a class that is not named has 1
  Placed<std::string> algorithm{"auto", "default"};       // of classes that have none of their own: "auto" or "usual"
  std::map<std::string, Choice, std::less<>> algorithms;  // by class of traffic: "tp", "pp", "dp", "ep"
  Placed<std::vector<Remedy>> remedies;                   // for what the fabric refuses of it
};

struct Experiment {
  std::string source;  // the file, or "command line"
  Choice fabric;
  Settings endpoint = {};  // of what nodes take to add: pipeline/endpoint.h
  Settings parts = {};     // known better than in the catalogue: fabric/part.h
  Placed<std::string> engine{"helio", "default"};
  std::vector<Collective> collectives;
  std::vector<Job> jobs;  // side by side on the fabric
};

}  // namespace helio::pipeline
