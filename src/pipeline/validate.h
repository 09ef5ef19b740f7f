// SPDX-License-Identifier: Apache-2.0
// Predictions against measurements: a CSV file of measured times, each row predicted by the same code that answers experiments.
//
// The columns say what was measured: measured/row_kind.h has a table of the kinds. A row that is not understood is refused, named and
// counted; it is never guessed, and never among those that errors are means of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv_table.h"
#include "pipeline/measured/row_kind.h"
#include "pipeline/run.h"

namespace helio::pipeline {

struct ComparedRow {
  std::size_t line = 0;             // of the file
  std::string what;                 // in words
  std::string reason;               // what the prediction consists of, in words
  std::vector<std::string> groups;  // that it counts for
  double measured_s = 0, predicted_s = 0;
  double error_percent() const { return 100 * (predicted_s - measured_s) / measured_s; }
};

// Of some rows: without sign mean, median and the ninth of ten; with sign the mean.
struct Errors {
  std::string name;  // of the group; "": all
  std::size_t rows = 0;
  double mean = 0, median = 0, p90 = 0, bias = 0;  // percent
};
Errors errors_of(std::string name, const std::vector<const ComparedRow*>& rows);

struct Validation {
  std::string file;
  std::string kind;                    // "training iterations", "all-reduce"
  std::vector<std::string> fitted_on;  // what the constants of the kind were fitted on
  std::vector<ComparedRow> rows;
  struct Refused {
    std::size_t line = 0;
    std::string reason;
  };
  std::vector<Refused> refused;  // rows that cannot be: not among the others, and said
  std::size_t left_out = 0;      // rows that nobody asked for

  Errors errors() const;
  std::vector<Errors> groups() const;  // in the order of their names; one that has all rows is none
  std::vector<ComparedRow> worst(std::size_t count) const;
};

// What a user says of all rows.
struct Assertions {
  std::optional<Setting> npu, fabric;                // in place of the row's
  std::vector<std::pair<std::string, Setting>> set;  // path, value: as of an experiment
  std::vector<Setting> where;  // rows to look at: "gpu=H100", "bytes>=1048576", "gpus<=4", "gpu!=A100"
};

// A file that was read: its kind, and the rows that are looked at. Throws Error(kInput) with file:line:column for columns that are not
// recognised and numbers that are none. Requires: `text` outlives it.
class ReadRows {
 public:
  ReadRows(std::string_view text, const std::string& source, const Assertions& assertions);

  const RowKind& kind() const { return *kind_; }
  std::size_t size() const { return rows_.size(); }
  std::size_t left_out() const { return table_.rows.size() - rows_.size(); }
  MeasuredRow row(std::size_t i) const { return {table_, *rows_[i]}; }
  std::string cell(std::size_t i,
                   std::string_view column) const;  // Throws Error(kInput) for a column that is not there

 private:
  CsvTable table_;
  const RowKind* kind_;
  std::vector<const CsvTable::Row*> rows_;
};

// Row i as an experiment, with what the user says; and its prediction. Throw Error(kInfeasible) for a row that cannot be.
Experiment experiment_of(const ReadRows& rows, std::size_t i, const Assertions& assertions);
// Time and reason of questions that were asked: rows of several runs, or of releases that share their constants, ask the same.
using Answers = std::map<std::string, std::pair<double, std::string>>;
ComparedRow predict(const ReadRows& rows, std::size_t i, const Assertions& assertions, const RunOptions& options,
                    Answers* known = nullptr);

// `text` is the file's content, `source` its name for messages. Throws Error(kInput) with file:line:column for columns that are
// not recognised, numbers that are none and rows that contradict themselves.
Validation validate(std::string_view text, const std::string& source, const Assertions& assertions = {},
                    const RunOptions& options = {});
Validation validate_file(const std::string& path, const Assertions& assertions = {}, const RunOptions& options = {});

}  // namespace helio::pipeline
