// SPDX-License-Identifier: Apache-2.0
// Under mpirun: every algorithm and kind among all ranks, and in two groups at once, on odd numbers of elements of every type, each held against
// MPI's own collective. Exit code 0 where all agree; else rank 0 says which did not.
#include <mpi.h>

#include <cstdio>

#include "execute/agreement.h"
#include "execute/cases.h"
#include "execute/measure.h"

int main() {
  using namespace helio;
  using namespace helio::execute;
  MPI_Init(nullptr, nullptr);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int ranks = size_of(world);
  int run = 0, wrong = 0;
  const auto in_groups = [&](std::uint32_t groups) {
    const std::uint32_t each = static_cast<std::uint32_t>(ranks) / groups;
    std::vector<std::vector<std::uint32_t>> made(groups);
    // Backwards and interleaved, so that no position is its rank
    for (std::uint32_t i = 0; i < each * groups; ++i) made[i % groups].insert(made[i % groups].begin(), i);
    for_each_schedule(static_cast<schedule::Position>(each), [&](const schedule::Schedule& schedule) {
      Task task{.schedule = schedule, .groups = made, .repeat = 0};
      task.element = static_cast<Element>(run % 4);
      task.average = run % 3 == 0;
      task.elements = run % 5 == 0 ? 3 : 1001 + static_cast<std::size_t>(run);
      task.piece = run % 2 == 0 ? 17 : 300;
      if (schedule.kind == schedule::Kind::kAllToAll)
        task.elements = (task.elements + schedule.chunks - 1) / schedule.chunks * schedule.chunks;
      ++run;
      const Outcome outcome = measure(task, world, [](double) {});
      if (outcome.verified) return;
      ++wrong;
      if (rank_in(world) == 0)
        std::fprintf(stderr, "%s %s on %u in %u groups, %s: %s\n", schedule.algorithm.c_str(),
                     std::string(schedule::name_of(schedule.kind)).c_str(), each, groups,
                     std::string(name_of(task.element)).c_str(), outcome.fault.c_str());
    });
  };
  in_groups(1);
  if (ranks >= 4) in_groups(2);
  if (rank_in(world) == 0) std::fprintf(stdout, "%d schedules\n", run);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
