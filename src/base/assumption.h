// SPDX-License-Identifier: Apache-2.0
// What a number rests on. Every assumption has a grade, and the label of what rests on several of them is that of the weakest: nobody
// types a label.
//
//     ours ─ recalled ─ fitted ─ calibrated ─ literal         notes have no say
//     weakest                            strongest
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

enum class Grade {
  kOurs,        // chosen by us; nothing published stands behind it
  kRecalled,    // from memory, to be checked against its source
  kFitted,      // chosen because it meets published numbers
  kCalibrated,  // one free parameter solved from one published number
  kLiteral,     // a published parameter or description at face value
  kNote,        // assumes nothing: how the number was found, what is known of the source, what else would move it
};

std::string_view name_of(Grade grade);

struct Assumption {
  std::string text;
  Grade grade = Grade::kOurs;     // what nobody graded is as weak as can be
  std::string source = {};        // publication and place; of what is literal always
  std::vector<double> uses = {};  // published numbers that it was chosen to meet, was solved from, or is

  // "fitted: 40 GB/s per transfer (uses 80.81, 64.36)", "literal: 3 TB/s per NPU (arXiv 2406.19580 6.2.3)"
  std::string words() const;
  bool is_using(double number) const;
  friend bool operator==(const Assumption&, const Assumption&) = default;
};
using Assumptions = std::vector<Assumption>;

// Both lists.
Assumptions operator+(Assumptions one, const Assumptions& other);

// The weakest grade by name. Where nothing but notes is said, "ours".
std::string label_of(std::span<const Assumption> assumptions);

// Each in words.
std::vector<std::string> in_words(std::span<const Assumption> assumptions);

}  // namespace helio
