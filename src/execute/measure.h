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
  double time_s = 0, mpi_time_s = 0;  // the median of all runs, of the slowest rank each
  int repeat = 0;
  double value_error = 0;  // with a combiner: root mean square of the error over that of the sum
};

double median(std::vector<double> seconds);  // requires: not empty

// Told that things go on, with the seconds that what begins now may take.
using Progress = std::function<void(double allowed_s)>;

// Throws Error(kInput) for elements that the schedule cannot deal.
void check(const Task& task);

// All ranks of `world` call it with the same task, and all are told the same. Requires: check(task) passed.
Outcome measure(const Task& task, MPI_Comm world, const Progress& progress);

}  // namespace helio::execute
