// SPDX-License-Identifier: Apache-2.0
// What a question may take. Who asks opens a Budget; loops that may be long spend from it, wherever they are, and the one that finds it
// spent ends the question. Without one nothing is counted.
//
//     within_budget({10}, [&] { … });       ten seconds of this thread's processor time, then Error(kInfeasible)
//     for (…) Budget::spend(links);         about so many steps of a few nanoseconds
//
// The clock decides only whether there is an answer, never which: who tries several things and takes an Error for "no" must not take
// this for one, so what is thrown on the way is none.
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <string_view>

#include "base/error.h"

namespace helio {

struct BudgetLimits {
  double seconds = 0, bytes = 0;  // 0: none, or not known
};

struct BudgetSpent {
  BudgetLimits limits = {};
  bool memory = false;       // it was memory that was short
  std::string known = {};    // how far the work was, told by who knows it
  double share = 0;          // of the work that was done, in (0, 1); 0: not known
  BudgetLimits needed = {};  // an estimate
  std::string fits = {};     // what would: "about 900 nodes"
  std::string less = "fewer nodes or micro-batches, or an algorithm with fewer moves";  // what to ask for instead
};

class Budget {
 public:
  // Replaces the one that was open on this thread until it goes. Memory is kept by limit_memory; here it is only remembered.
  explicit Budget(const BudgetLimits& limits);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  static void spend(std::int64_t steps = 1) {
    if ((left_ -= steps) < 0) [[unlikely]]
      look();
  }
  // Another part of the question begins, with a budget of its own.
  static void renew();
  static const BudgetLimits& limits() { return open_.limits; }
  // Of the open one; infinity where there is none.
  static double seconds_left();

 private:
  struct Open {
    BudgetLimits limits = {};
    double start = 0;
  };
  static void look();
  static constinit thread_local std::int64_t left_;  // steps until somebody looks at the clock
  static constinit thread_local Open open_;
  Open before_;
};

// What people give: "60 s", "8 GB", or both with a comma between. Throws Error(kUsage) at `place`.
BudgetLimits parse_budget(std::string_view text, const std::string& place);

// Throws Error(kInfeasible) with the estimate and the budget that would do.
[[noreturn]] void refuse(const BudgetSpent& spent);

template <class Work>
auto within_budget(const BudgetLimits& limits, const Work& work) {
  const Budget budget(limits);
  try {
    return work();
  } catch (const BudgetSpent& spent) {
    refuse(spent);
  } catch (const std::bad_alloc&) {
    refuse({.limits = limits, .memory = true});
  }
}

double processor_seconds();  // that this thread took so far

// Memory that this process may still take without swapping: of the machine, and of every control group that it is in.
double available_memory();
// From here on an allocation that would bring the process above `bytes` fails: std::bad_alloc. Nothing under sanitizers, which
// reserve more than any machine has. `mapped`: count all that is mapped, else only what is written to (for programs with large libraries).
void limit_memory(double bytes, bool mapped = true);

}  // namespace helio
