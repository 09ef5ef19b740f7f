// SPDX-License-Identifier: Apache-2.0
// A schedule run on real ranks, beside MPI's own collective: whether the numbers agree, and how long each takes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulate/execute.h"
#include "execute/element.h"
#include "schedule/schedule.h"

namespace helio::execute {

struct Task {
  schedule::Schedule schedule;
  std::vector<std::vector<std::uint32_t>> groups;  // ranks of the world, by position
  std::size_t elements = 1;                        // of the vector
  Element element = Element::kFloat32;
  bool average = false;  // of what is added
  std::optional<int>
      repeat;  // times that each is run and timed, beside two to warm up; 0: once, cold; none: as a second allows
  std::size_t piece = 65536;                           // elements of a message
  const emulate::Combiner<float>* combiner = nullptr;  // of float32 that meet in the fabric; none: their sum
  double most_apart = 0;                               // with a combiner: from the exact sum, where all are of [-1, 1)
};

struct Outcome {
  bool verified = false;
  std::string fault;                  // the first number that is wrong; "" where none is
  double time_s = 0, mpi_time_s = 0;  // of the slowest rank each, undisturbed
  double median_s = 0;                // of ours
  int repeat = 0;
  double value_error = 0;  // with a combiner: root mean square of the error over that of the sum
};

// Of runs that are alike the time below which a part of them lies. The first quartile is what they take where others leave the machine to them
// for a quarter of the runs; a median on a busy machine is the time of those others.
inline constexpr double kUndisturbed = 0.25;
double quantile(std::vector<double> seconds, double part);  // requires: not empty

// Told that things go on, with the seconds that what begins now may take.
using Progress = std::function<void(double allowed_s)>;

// Throws Error(kInput) for elements that the schedule cannot deal.
void check(const Task& task);

// All ranks of `world` call it with the same task, and all are told the same. Requires: check(task) passed.
Outcome measure(const Task& task, MPI_Comm world, const Progress& progress);

}  // namespace helio::execute
