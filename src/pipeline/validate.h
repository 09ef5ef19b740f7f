// SPDX-License-Identifier: Apache-2.0
// Predictions against measurements: a CSV file of measured times, each row predicted by the same code that answers experiments.
//
// The columns say what was measured:
//
//   # GPUs, global batch, micro batch, hidden size, attention heads, # layers, sequence length, tensor / data / pipeline
//   parallelism, iteration time (ms)      training iterations of GPT models with Megatron-LM on A100 80 GB: up to 8 GPUs on
//                                         one server, more on a `cluster`
//   size_B, time_us                       all-reduce of 8 A100 on one server, by nccl-tests
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run.h"

namespace helio::pipeline {

struct ComparedRow {
  std::size_t line = 0;  // of the file
  std::string what;      // in words
  double measured_s = 0, predicted_s = 0;
  double error_percent() const { return 100 * (predicted_s - measured_s) / measured_s; }
};

struct Validation {
  std::string file;
  std::string kind;  // "training iterations", "all-reduce"
  std::vector<ComparedRow> rows;
  struct Refused {
    std::size_t line = 0;
    std::string reason;
  };
  std::vector<Refused> refused;  // rows that cannot be: not among the others, and said

  double mape_percent() const;  // mean absolute error
  double bias_percent() const;  // mean signed error
  std::vector<ComparedRow> worst(std::size_t count) const;
};

// `text` is the file's content, `source` its name for messages. Throws Error(kInput) with file:line:column for columns that are
// not recognised, numbers that are none and rows that contradict themselves.
Validation validate(std::string_view text, const std::string& source, const RunOptions& options = {});
Validation validate_file(const std::string& path, const RunOptions& options = {});

}  // namespace helio::pipeline
