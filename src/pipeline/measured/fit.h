// SPDX-License-Identifier: Apache-2.0
// Constants fitted to measurements: those of a kind of rows are changed until the predictions of a file meet what it says best.
//
//     minimised: mean of |e| + 2 e², e = log(predicted / measured)        Nelder-Mead on the logarithms of the constants
//
// How far the result may be believed on rows that it did not see is found by leaving rows out: for every value of one column a fit without
// those rows, starting at the result, and its error on them. Every prediction is a run, as `validate` makes it.
#pragma once

#include <string>
#include <vector>

#include "pipeline/validate.h"

namespace helio::pipeline {

struct FittedConstant {
  std::string path;           // "fabric.launch"
  std::string before, after;  // as a setting: "8.2 us"
};

struct Fit {
  std::string file, kind;
  std::vector<FittedConstant> constants;
  Errors before, after;        // on the rows of the fit
  std::string left_out;        // the column whose values were left out, one after the other
  std::vector<Errors> unseen;  // error on the rows of each value, fitted on the others
  Errors unseen_together;
  std::size_t refused = 0;        // rows that cannot be predicted
  std::uint64_t evaluations = 0;  // runs of the whole file
};

struct FitOptions {
  std::vector<std::string> constants = {};  // paths; empty: those of the kind
  std::string left_out = {};                // a column; empty: that of the kind
  std::uint64_t evaluations = 600;          // at most, of the first fit; each further one has a quarter
};

// Throws Error as validate does, and Error(kInput) where there is nothing to fit.
Fit fit(std::string_view text, const std::string& source, const FitOptions& wanted, const Assertions& assertions = {},
        const RunOptions& options = {});
Fit fit_file(const std::string& path, const FitOptions& wanted, const Assertions& assertions = {},
             const RunOptions& options = {});

}  // namespace helio::pipeline
