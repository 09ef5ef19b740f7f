// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_balance.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/error.h"

namespace helio::emulate {
namespace {

// Mean error, in steps, of rounding what lies on all multiples of 1/d alike.
double mean_error(Rounding rounding, std::int64_t d) {
  if (rounding == Rounding::kFloor) return -static_cast<double>(d - 1) / static_cast<double>(2 * d);
  return rounding == Rounding::kHalfUp && d % 2 == 0 ? 1 / static_cast<double>(2 * d) : 0;
}

}  // namespace

double lean_of(const CodeAverager& averager) {
  double lean = 0;
  std::int64_t parts = 1;  // what enters a level are multiples of 1/parts of a code
  for (const CodeAverager::Level& level : averager.levels()) {
    const std::int64_t steps = std::int64_t{1} << (level.task.symbol_bits * level.task.out_fraction);  // of a code
    parts *= level.task.servers;
    const std::int64_t d = parts / std::gcd(parts, steps);
    lean += mean_error(level.task.rounding, d) / static_cast<double>(steps);
    if (d > 1) parts = steps;
  }
  return lean;
}

Balance balance_of(const CodeAverager& averager) {
  const std::uint32_t all = averager.servers();
  const long servers = -std::lround(2 * all * lean_of(averager));
  if (std::labs(servers) > static_cast<long>(all))
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("rounding leans by {:.3g} of a code, and {} servers that round half a code {} do not level it",
                    lean_of(averager), all, servers < 0 ? "lower" : "higher"),
        "", "round half-up, half-even or with dither, or use a fraction symbol between levels");
  return {static_cast<std::int32_t>(servers), all};
}

}  // namespace helio::emulate
