// SPDX-License-Identifier: Apache-2.0
// Rows of a study, and the assumptions they rest on (base/assumption.h), each made by a function that is named after its grade.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/assumption.h"
#include "report/row.h"

namespace helio::studies {

// `source`: the publication that says so, and where.
inline Assumption taken_literally(std::string text, std::string source) {
  return {std::move(text), Grade::kLiteral, std::move(source), {}};
}
// One of whose numbers stands beside ours in a row: restating is no prediction.
inline Assumption restated(std::string text, std::string source, std::vector<double> numbers) {
  return {std::move(text), Grade::kLiteral, std::move(source), std::move(numbers)};
}
inline Assumption from_memory(std::string text, std::string source = {}) {
  return {std::move(text), Grade::kRecalled, std::move(source), {}};
}
// `numbers`: what is published and was to be met.
inline Assumption fitted_to(std::vector<double> numbers, std::string text) {
  return {std::move(text), Grade::kFitted, {}, std::move(numbers)};
}
inline Assumption solved_from(std::vector<double> numbers, std::string text) {
  return {std::move(text), Grade::kCalibrated, {}, std::move(numbers)};
}
inline Assumption of_our_own(std::string text) { return {std::move(text), Grade::kOurs, {}, {}}; }
inline Assumption noted(std::string text) { return {std::move(text), Grade::kNote, {}, {}}; }

// Makes the rows of a study: a study has one for numbers that somebody published, and one for numbers that follow from the described
// design.
struct RowMaker {
  std::string study;
  bool published = true;    // or expected
  Assumptions always = {};  // the first of every row
  std::string source = {};  // of rows that name none

  // `from`: by which text, formula or table `beside` is known.
  report::Row operator()(std::string quantity, double beside, double ours, const Assumptions& assumptions,
                         std::string from = {}) const;
};

// The row again, whose number is made of these published ones.
report::Row following(std::vector<double> numbers, report::Row row);

}  // namespace helio::studies
