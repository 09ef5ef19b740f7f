// SPDX-License-Identifier: Apache-2.0
// Questions of a study, asked of the product: Question ─▶ plan::answer ─▶ Answer, each once. A study makes its questions itself.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "pipeline/run.h"

namespace helio::studies {

struct Question {
  std::string fabric;
  std::map<std::string, std::string> settings = {};  // of the fabric, beyond the number of nodes
  std::string algorithm = "ring";
  double bytes = 0;
  int nodes = 0;
  std::string kind = "all-reduce";
  std::string groups = {};  // "0,1;2,3"; empty: one of all nodes, in order

  auto operator<=>(const Question&) const = default;
};

struct Answer {
  double seconds = 0;
  double bound = 0;     // seconds
  double injected = 0;  // bytes, the most that a node sends
  Facts facts;

  double fact(std::string_view name) const;  // Requires: the fabric tells it, and it is a number.
};

class Runs {
 public:
  explicit Runs(const pipeline::RunOptions& options) : options_(options) {}
  const Answer& operator()(const Question& question);

 private:
  pipeline::RunOptions options_;
  std::map<Question, Answer> answers_;
};

}  // namespace helio::studies
