// SPDX-License-Identifier: Apache-2.0
// The same collective as MPI has it: what a schedule is compared with, in its numbers and in its time.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "execute/element.h"
#include "execute/rank_plan.h"

namespace helio::execute {

class Counterpart {
 public:
  // Requires: `group` has the ranks of the schedule in their order, fewer than 2^31 elements.
  Counterpart(const schedule::Schedule& schedule, const RankPlan& plan, Element element, MPI_Comm group);
  ~Counterpart();
  Counterpart(const Counterpart&) = delete;
  Counterpart& operator=(const Counterpart&) = delete;

  std::byte* data() { return data_.get(); }  // the vector before
  void run();
  // Element plan.result_run.first + i of the vector after.
  const std::byte* result() const;

 private:
  const RankPlan& plan_;
  schedule::Kind kind_;
  int root_;
  std::size_t bytes_;
  MPI_Comm group_;
  MPI_Datatype type_ = MPI_BYTE;
  MPI_Op sum_ = MPI_SUM;
  bool own_sum_ = false;
  std::vector<int> counts_, starts_;  // of blocks
  std::unique_ptr<std::byte[]> data_, result_;
};

}  // namespace helio::execute
