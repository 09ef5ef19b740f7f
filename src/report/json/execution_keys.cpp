// SPDX-License-Identifier: Apache-2.0
// What `helio export schedule` and `helio execute` print.
#include "report/json/json_keys.h"

namespace helio::report {

std::vector<JsonKey> execution_keys() {
  constexpr std::string_view kExport = "helio export schedule", kExecute = "helio execute",
                             kCalibrate = "helio execute --calibrate";
  return {
      {kExport, "algorithm", "", "that made the schedule"},
      {kExport, "kind", "", "of collective"},
      {kExport, "fabric", "", "that it was made for"},
      {kExport, "ranks", "", "of a group"},
      {kExport, "chunks", "", "slots that the vector is cut into"},
      {kExport, "phases", "", "lists of moves, each repeated"},
      {kExport, "rounds", "", "of all phases"},
      {kExport, "moves", "", "of all phases, repetition not counted"},
      {kExport, "stages_left_out", "",
       "of a schedule that goes by levels: how it is carried, which a file does not say"},
      {kExport, "verified", "", "whether it is proven; nothing else is written"},
      {kExport, "verify_method", "", "how"},
      {kExport, "time_s", "s", "that the fabric takes, simulated"},
      {kExecute, "version", "", "of helio"},
      {kExecute, "kind", "", "of collective"},
      {kExecute, "algorithm", "", "that made the schedule"},
      {kExecute, "fabric", "", "that shaped and predicted it; null: none was named"},
      {kExecute, "ranks", "", "processes of a group"},
      {kExecute, "groups", "", "that run at the same time"},
      {kExecute, "bytes", "B", "the full vector"},
      {kExecute, "dtype", "", "of numbers: float32, float64, int32, bf16"},
      {kExecute, "op", "", "what becomes of them: sum, average"},
      {kExecute, "repeat", "", "times that it was run and timed"},
      {kExecute, "steps", "", "rounds of the schedule"},
      {kExecute, "verified", "", "the schedule is proven, and every number is that of MPI's own collective"},
      {kExecute, "verify_method", "", "how it was proven"},
      {kExecute, "time_s", "s", "of the slowest rank, the median of all runs"},
      {kExecute, "step_s", "s", "the same by step"},
      {kExecute, "bandwidth_bps", "b/s", "of the full vector"},
      {kExecute, "mpi_time_s", "s", "of MPI's own collective, likewise"},
      {kExecute, "ratio_to_mpi", "1", "the bandwidth over that of MPI's own collective: mpi_time_s over time_s"},
      {kExecute, "predicted_s", "s", "what the simulator says of this schedule on the fabric; null: none was named"},
      {kExecute, "predicted_ratio", "1", "that over time_s"},
      {kExecute, "value_error", "1",
       "where the fabric averages codes: root mean square of the error over that of the sum; null elsewhere"},
      {kCalibrate, "ranks", "", "processes"},
      {kCalibrate, "hosts", "", "that they run on"},
      {kCalibrate, "latency_s", "s", "of a round in which every rank sends to the next on its host"},
      {kCalibrate, "memory_bps", "b/s", "of all ranks of the first host together, with the vectors that are fastest"},
      {kCalibrate, "port_bps", "b/s", "of one rank that sends alone, likewise"},
      {kCalibrate, "spread", "1", "the slowest of the passes over the fastest, of the vector where that is most"}};
}

}  // namespace helio::report
