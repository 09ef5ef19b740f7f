// SPDX-License-Identifier: Apache-2.0
// How many inputs a network has, without preprocessing, with it, and with symbols merged (papers/optinc.md 2.2).
#include <fmt/format.h>

#include <cmath>

#include "photonics/averaging_grid.h"
#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {

Rows datasets() {
  using photonics::Grid;
  const char* source = "papers/optinc.md 2.2";
  const Assumptions reading = ours(
      "PAM4; preprocessing adds the servers' symbols position by position, and merging adds neighbours with "
      "weights 4^j: our reading of the abstract");
  struct Line {
    int servers, bits;
    double raw_bits, position_wise, merged, all;  // raw: log2
  };
  Rows rows;
  for (const Line& line : {Line{4, 8, 32, 28561, 3721, 1021},
                           {8, 8, 64, 390625, 14641, 2041},
                           {16, 8, 128, 5.76e6, 58081, 4081},
                           {4, 16, 64, 8.16e8, 1.38e7, 2.6e5},
                           {8, 16, 128, 1.5e11, 2.1e8, 5.2e5}}) {
    const AveragingTask task{.servers = line.servers, .bits = line.bits};
    const auto add = [&](const char* what, double expected, double ours) {
      rows.push_back(derived_row(fmt::format("dataset of N = {}, B = {}, {}", line.servers, line.bits, what), expected,
                                 ours, reading, source));
    };
    const auto merged = [&](int neighbours) {
      AveragingTask coarse = task;
      coarse.merge = neighbours;
      return Grid(coarse).size();
    };
    // Without preprocessing every server's symbols are inputs of their own
    const double alone = Grid({.servers = 1, .bits = line.bits}).size();
    add("raw (log2 of points)", line.raw_bits, line.servers * std::log2(alone));
    add("position-wise (points)", line.position_wise, merged(1));
    add("2 symbols merged (points)", line.merged, merged(2));
    add("all merged (points)", line.all, merged(task.symbols()));
  }
  return rows;
}

}  // namespace helio::studies::optinc_study
