// SPDX-License-Identifier: Apache-2.0
// The steps of one rank (rank_plan.h) on real buffers, between real processes: MPI's non-blocking messages, and no barrier.
//
// Receives into temporaries are posted ahead, in the order of the schedule, so many at a time; where none of them is on its way the next is posted
// in any case. So the first message of the schedule that has not arrived anywhere is always expected, and sent: nothing ever hangs that
// verified.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "emulate/execute.h"
#include "execute/element.h"
#include "execute/rank_plan.h"

namespace helio::execute {

class Runner {
 public:
  // `group`: its ranks are the positions of the plan. `combiner`: what the fabric makes of float32 that meet in it; none: their sum.
  // `progress` is told now and then that messages arrive. Keeps references.
  Runner(const RankPlan& plan, Element element, MPI_Comm group, const emulate::Combiner<float>* combiner = nullptr,
         std::function<void()> progress = {});

  // The vector before, and after run(); both hold plan.elements elements and more.
  std::byte* data() { return rows_[0].get(); }
  std::byte* result() { return rows_[static_cast<std::size_t>(plan_.result)].get(); }

  void run();

 private:
  std::byte* at(const Place& place);
  void begin(std::uint32_t step);
  void end(std::uint32_t step);
  void release(const Place& place);
  void post_ahead();
  void collect();
  void combine(const Step& step);

  const RankPlan& plan_;
  const Element element_;
  const std::size_t bytes_;  // of an element
  MPI_Comm group_;
  const emulate::Combiner<float>* combiner_;
  std::function<void()> progress_;
  std::unique_ptr<std::byte[]> rows_[3];
  std::size_t largest_ = 0;                           // elements of a message
  std::vector<std::uint32_t> early_, uses_of_;        // receives that wait for nothing; readers of each temporary
  std::vector<std::unique_ptr<std::byte[]>> memory_;  // of temporaries, all made so far
  std::vector<std::byte*> free_;

  // Of one run
  std::vector<std::uint32_t> waits_, uses_, ready_;
  std::vector<std::byte*> temporary_;
  std::size_t next_early_ = 0, on_their_way_ = 0, held_ = 0, left_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::uint32_t> step_of_;  // of each request
  std::vector<int> done_;
};

}  // namespace helio::execute
