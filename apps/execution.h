// SPDX-License-Identifier: Apache-2.0
// What the ranks of helio execute do together: the same question, one schedule, its moves on real buffers, one answer.
#pragma once

#include <mpi.h>

#include <CLI/App.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ask/experiment.h"
#include "execute/agreement.h"
#include "rank_patience.h"

namespace helio::apps {

// Some rank cannot go on, and every rank knows why.
struct AgreedFailure {
  execute::Failure failure;
};

// Does what may fail on this rank alone. Throws AgreedFailure in every rank where it failed in one.
void agreed(MPI_Comm world, const std::function<void()>& work);

struct ExecutionQuestion {
  ask::CollectiveQuestion collective = {};
  std::vector<std::string> set = {};
  std::string element = "float32", op = "sum", piece = "256 KiB", out = {};
  std::optional<int> repeat;  // none: as a second allows
  double patience = 8;
  bool calibrate = false, json = false;
};
void add_execution_options(CLI::App& app, ExecutionQuestion& question);

struct ExecutionAnswer {
  std::string text;  // for rank 0 to print
  bool verified = true;
};
// `typed`: all words, by which ranks see whether they were asked the same. Throws AgreedFailure.
ExecutionAnswer execution(ExecutionQuestion question, const std::string& typed, MPI_Comm world, RankPatience& patience);

}  // namespace helio::apps
