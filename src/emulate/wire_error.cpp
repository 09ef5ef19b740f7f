// SPDX-License-Identifier: Apache-2.0
#include "emulate/wire_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "emulate/execute.h"

namespace helio::emulate {

std::optional<double> wire_error(const schedule::Schedule& schedule, const Codec& codec, std::uint64_t seed,
                                 std::uint32_t width, double limit) {
  const double elements = static_cast<double>(schedule.chunks) * width;
  double touched = 2 * elements * schedule.ranks;
  for (const schedule::Phase& phase : schedule.phases)
    for (const schedule::Move& move : phase.moves) {
      const schedule::Window active = schedule::window(move, phase);
      touched += 2.0 * move.count * width * (active.last - active.first) *
                 static_cast<double>(schedule.members(move.source).size() + schedule.members(move.destination).size());
    }
  if (touched > limit) return std::nullopt;

  Random random(seed);
  std::vector<std::vector<double>> exact(static_cast<std::size_t>(schedule.ranks));
  for (std::vector<double>& buffer : exact)
    for (double i = 0; i < elements; ++i) buffer.push_back(random.normal());
  std::vector<std::vector<double>> coded = exact;
  execute(schedule, exact);
  execute(schedule, coded, SumCombiner<double>(), &codec);

  // Only what the kind promises at each rank
  double error = 0, size = 0;
  for (std::size_t r = 0; r < exact.size(); ++r) {
    std::size_t first = 0, last = exact[r].size();
    if (schedule.kind == schedule::Kind::kReduceScatter) {
      first = r * last / exact.size();
      last = (r + 1) * last / exact.size();
    }
    if (schedule.kind == schedule::Kind::kReduce && r != static_cast<std::size_t>(schedule.root)) continue;
    for (std::size_t i = first; i < last; ++i) {
      error += (coded[r][i] - exact[r][i]) * (coded[r][i] - exact[r][i]);
      size += exact[r][i] * exact[r][i];
    }
  }
  return size > 0 ? std::sqrt(error / size) : 0;
}

}  // namespace helio::emulate
