// SPDX-License-Identifier: Apache-2.0
// Questions of a study, asked of the product: Question ─▶ plan::answer ─▶ Answer, each once. A study makes its questions itself, or has
// a type of its own that becomes one.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/draft.h"
#include "pipeline/iteration.h"
#include "pipeline/run.h"

namespace helio::studies {

using Words = std::map<std::string, std::string>;

struct Question {
  std::string fabric;
  Words settings = {};  // of the fabric, beyond the number of nodes
  std::string algorithm = "ring";
  double bytes = 0;
  int nodes = 0;  // 0: the settings say how many
  std::string kind = "all-reduce";
  Words keys = {};        // more of the collective: groups, strategy, sync
  Words parameters = {};  // of the algorithm
  std::string engine = "helio";

  auto operator<=>(const Question&) const = default;
};

// As if it stood in a file.
pipeline::Experiment experiment_of(const Question& question);

struct Answer {
  double seconds = 0;
  double bound = 0;     // seconds
  double injected = 0;  // bytes, the most that a node sends
  double steps = 0;
  double wavelengths = 0;
  Facts facts;

  std::optional<double> told(std::string_view name) const;  // a number that only some fabrics tell
  double fact(std::string_view name) const;                 // Requires: the fabric tells it.
};

class Runs {
 public:
  explicit Runs(const pipeline::RunOptions& options) : options_(options) {}
  const Answer& operator()(const Question& question);

 private:
  pipeline::RunOptions options_;
  std::map<Question, Answer> answers_;
};

// Of a study whose own questions become such.
template <class Own>
class RunsOf {
 public:
  explicit RunsOf(const pipeline::RunOptions& options) : runs_(options) {}
  const Answer& operator()(const Own& question) { return runs_(question); }

 private:
  Runs runs_;
};

// One iteration of a job, which is not remembered.
struct JobQuestion {
  Words fabric = {}, keys = {};
  std::map<std::string, Words> tables = {};  // algorithm, compute, npu_parameters
};
pipeline::IterationResult iterated(const JobQuestion& question, const pipeline::RunOptions& options);

}  // namespace helio::studies
