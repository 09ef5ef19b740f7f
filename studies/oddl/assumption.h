// SPDX-License-Identifier: Apache-2.0
// What a row rests on. Its label is that of its weakest assumption; none is ever literal, because the body of the paper is not known
// to us, which every row says first (papers/oddl.md 0).
#pragma once

#include <string>

#include "studies/assumption.h"

namespace helio::studies::oddl_study {

// The first assumption of every row, which makes it `fitted` at the best.
inline constexpr const char* kBodyUnknown =
    "the body of the ODDL paper is unknown to us, only its abstract is known: the model is ours (papers/oddl.md 0)";

// Of a number that the abstract gives. `predicted`: no assumption was chosen to meet it.
report::Row published_row(std::string quantity, double published, double ours, const Assumptions& assumptions,
                          bool predicted);

// Of a number that the spec derives from its own model; not predicted where the model was fitted to just that.
report::Row derived_row(std::string quantity, double expected, double ours, const Assumptions& assumptions,
                        std::string source, bool predicted = true);

}  // namespace helio::studies::oddl_study
