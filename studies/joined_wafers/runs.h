// SPDX-License-Identifier: Apache-2.0
// The questions of the study: one iteration of a model on a machine, each asked once.
//
// Strategies are FRED's, a wafer each (papers/fred.md 3): Transformer-1T in DP20; GPT-3 in MP4-DP5, where FRED has MP2-DP5-PP2: five
// replicas on a wafer either way, and what is between its stages there is between tensor-parallel ranks here. Both are streamed from
// outside. 64 wafers are 64 times the replicas: dp 320 and 1280. A batch of 1280 sequences, 2.6 million tokens.
#pragma once

#include <map>
#include <tuple>

#include "pipeline/iteration.h"
#include "pipeline/run.h"
#include "studies/joined_wafers/machines.h"

namespace helio::studies::one_system_study {

struct Model {
  const char* title;
  const char* name;    // of the product's zoo
  double parameters;   // of the product's layer tables
  double of_a_layer;   // of one that is exchanged at a time
  int tp, dp;          // dp: of a wafer
  double micro_batch;  // samples
  int micro_batches;
};
inline constexpr Model kGpt3{"GPT-3 175B", "gpt3-175b", 174604259328.0, 1812099072.0, 4, 5, 4, 1};
inline constexpr Model kTransformer1T{"Transformer-1T", "transformer-1t", 1008038758400.0, 7864652800.0, 1, 20, 1, 1};
inline constexpr const Model* kModels[] = {&kGpt3, &kTransformer1T};

inline constexpr double kIo = 18 * 128e9;  // bytes per second into a wafer

struct Question {
  System system;
  const Model* model = &kGpt3;
  double injection = kInjection;
  bool operator<(const Question& other) const {
    return std::tuple(system, model->parameters, injection) <
           std::tuple(other.system, other.model->parameters, other.injection);
  }
};

// With everything recomputed, forward is a quarter of what is computed: once there, and in backward again with twice as much.
inline constexpr double kForward = 0.25;

// Seconds that no schedule can beat: the slowest of what the busiest NPU computes; what must leave a wafer for the others, after forward,
// since before there are no gradients; and parameters that come in twice.
struct IterationBound {
  double compute = 0, between = 0, streaming = 0;
  double seconds() const;
  const char* binds() const;  // "computing", "between wafers", "streaming"
};

class Runs {
 public:
  explicit Runs(const pipeline::RunOptions& options) : options_(options) {}
  const pipeline::IterationResult& operator()(const Question& question);
  double seconds(const Question& question) { return (*this)(question).time_s; }
  IterationBound bound(const Question& question);
  // The same with what its levels did, to be drawn; not remembered.
  pipeline::IterationResult pictured(const Question& question) const;
  std::size_t asked() const { return answers_.size(); }

 private:
  pipeline::RunOptions options_;
  std::map<Question, pipeline::IterationResult> answers_;
};

}  // namespace helio::studies::one_system_study
