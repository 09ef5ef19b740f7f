// SPDX-License-Identifier: Apache-2.0
// A training whose numbers left the finite ones: a loss, a weight, or a gradient that an exchange cannot carry. Whoever computes says in
// which step and where; whoever keeps files adds what is left of the training.
#pragma once

#include <string>

#include "base/error.h"

namespace helio::train {

class Divergence : public Error {
 public:
  // `where`: what is not a number, when, and which part of the model; `option`: what would help if it were smaller.
  Divergence(std::string where, std::string option, Advice advice)
      : Error(ErrorKind::kInfeasible, std::move(where), std::move(option), std::move(advice)) {}

  // The same with the last good checkpoint named. `file` is empty where none was asked for, `kept` ("step 16") where none was written.
  Divergence keeping(const std::string& file, const std::string& kept) const;
};

}  // namespace helio::train
