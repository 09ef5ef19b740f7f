// SPDX-License-Identifier: Apache-2.0
// Kinds of rows that measurements come in: which columns tell of one, how a row of it becomes an experiment, and what is predicted.
//
//     columns ─▶ RowKind ─▶ MeasuredRow ─▶ MeasuredCase { draft, measured time, groups } ─▶ interpret, run ─▶ one time
//
// The experiment has one collective or one job, and its time is the prediction. A new kind of file is a function below, its line in
// row_kinds() and a row in docs/validate.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/draft.h"
#include "pipeline/measured/measured_row.h"

namespace helio::pipeline {

struct MeasuredCase {
  std::string what;                 // in words
  std::vector<std::string> groups;  // that the row counts for: "H100", "all-reduce from 1 MB"
  double measured_s = 0;
  Draft draft;
};

struct RowKind {
  struct Column {
    std::string name, meaning;
    bool numbers = true;  // only
  };
  std::string name;                                      // "collectives"
  std::string measures;                                  // "collectives, by nccl-tests"
  std::vector<Column> needed;                            // all of them tell the kind
  std::vector<Column> optional;                          // empty cells, or none at all, where a file does not say
  std::vector<std::string> fitted_on = {};               // what its constants were fitted on, for pages
  std::vector<std::string> constants = {};               // that can be fitted, as paths of settings: fit.h
  std::string left_out = {};                             // the column whose values a fit leaves out one after the other
  std::function<MeasuredCase(const MeasuredRow&)> read;  // throws Error(kInfeasible) for a row that it does not know
};

// The first whose columns a file has is its kind: those with more columns come first.
const std::vector<RowKind>& row_kinds();

RowKind iterations_of_vtrain();    // iterations.cpp
RowKind steps_of_training();       // steps.cpp
RowKind exchanges_of_experts();    // exchanges.cpp
RowKind collectives_of_servers();  // collectives.cpp: one server or several
RowKind all_reduces_of_a100();     // collectives.cpp

// The name under which a file's GPU ("H100", "TPU v5p") stands in catalogues: "h100". A100 without more is a100-80.
std::string npu_named(std::string_view gpu);

}  // namespace helio::pipeline
