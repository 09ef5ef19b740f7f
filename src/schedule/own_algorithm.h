// SPDX-License-Identifier: Apache-2.0
// Algorithms that a process brings itself, such as functions in Python: in the catalogue as long as their object lives, so that `auto`,
// jobs, `compare` and what else goes through the catalogue find them as they find the others.
//
//     catalogue 0: ours ──▶ OwnAlgorithm("star") ──▶ catalogue 1: ours, star ──▶ ~OwnAlgorithm ──▶ catalogue 2: ours
//
// A catalogue never changes; there is another one after an algorithm came or went. One that is no longer current is kept until nobody
// uses any: references into it hold as long as an AlgorithmsInUse lives that was there when they were taken.
#pragma once

#include <string>

#include "schedule/algorithm.h"

namespace helio::schedule {

// Of this process, for all its threads.
class OwnAlgorithm {
 public:
  // Throws Error(kInput) at `place` for a name that the catalogue has.
  explicit OwnAlgorithm(AlgorithmEntry entry, std::string place = {});
  ~OwnAlgorithm();
  OwnAlgorithm(const OwnAlgorithm&) = delete;
  OwnAlgorithm& operator=(const OwnAlgorithm&) = delete;

 private:
  std::string name_;
};

// A question is being asked. Only who has own algorithms needs it.
class AlgorithmsInUse {
 public:
  AlgorithmsInUse();
  ~AlgorithmsInUse();
  AlgorithmsInUse(const AlgorithmsInUse&) = delete;
  AlgorithmsInUse& operator=(const AlgorithmsInUse&) = delete;
};

}  // namespace helio::schedule
