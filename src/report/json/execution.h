// SPDX-License-Identifier: Apache-2.0
// What `helio execute` found out: a schedule on real ranks beside MPI's own collective, in JSON and in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace helio::report {

struct Execution {
  std::string kind, algorithm, fabric;  // fabric: that shaped and predicted it; empty: none was named
  std::uint64_t ranks = 1, groups = 1;  // of a group
  double bytes = 0;                     // of the full vector
  std::string element, op;              // "float32", "sum"
  int repeat = 0;
  std::uint64_t rounds = 0;
  std::string verify_method;
  bool verified = false;              // the schedule is proven, and its numbers are MPI's
  std::string fault;                  // the first number that is not; "" where all are
  double time_s = 0, mpi_time_s = 0;  // medians
  std::optional<double> predicted_s, value_error;

  double ratio_to_mpi() const { return time_s > 0 ? mpi_time_s / time_s : 1; }
};

std::string to_json(const Execution& execution);
std::string to_text(const Execution& execution);

}  // namespace helio::report
