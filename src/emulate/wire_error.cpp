// SPDX-License-Identifier: Apache-2.0
#include "emulate/wire_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "emulate/execute.h"
#include "emulate/optical_exchange.h"

namespace helio::emulate {
namespace {

using Buffers = std::vector<std::vector<double>>;

// Normal deviates at every rank, unless running the schedule twice on them would touch more than `limit` elements.
std::optional<Buffers> deviates(const schedule::Schedule& schedule, std::uint64_t seed, std::uint32_t width,
                                double limit) {
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
  Buffers buffers(static_cast<std::size_t>(schedule.ranks));
  for (std::vector<double>& buffer : buffers)
    for (double i = 0; i < elements; ++i) buffer.push_back(random.normal());
  return buffers;
}

// Of what the kind promises at each rank.
template <class T>
double relative_error(const schedule::Schedule& schedule, const Buffers& exact,
                      const std::vector<std::vector<T>>& other) {
  double error = 0, size = 0;
  for (std::size_t r = 0; r < exact.size(); ++r) {
    std::size_t first = 0, last = exact[r].size();
    if (schedule.kind == schedule::Kind::kReduceScatter) {
      first = r * last / exact.size();
      last = (r + 1) * last / exact.size();
    }
    if (schedule.kind == schedule::Kind::kReduce && r != static_cast<std::size_t>(schedule.root)) continue;
    for (std::size_t i = first; i < last; ++i) {
      error += (other[r][i] - exact[r][i]) * (other[r][i] - exact[r][i]);
      size += exact[r][i] * exact[r][i];
    }
  }
  return size > 0 ? std::sqrt(error / size) : 0;
}

}  // namespace

std::optional<double> wire_error(const schedule::Schedule& schedule, const Codec& codec, std::uint64_t seed,
                                 std::uint32_t width, double limit) {
  std::optional<Buffers> exact = deviates(schedule, seed, width, limit);
  if (!exact) return std::nullopt;
  Buffers coded = *exact;
  execute(schedule, *exact);
  execute(schedule, coded, SumCombiner<double>(), &codec);
  return relative_error(schedule, *exact, coded);
}

std::optional<double> wire_error(const schedule::Schedule& schedule, const CodeAverager& averager, std::uint64_t seed,
                                 std::uint32_t width, double limit) {
  std::optional<Buffers> exact = deviates(schedule, seed, width, limit);
  if (!exact) return std::nullopt;
  std::vector<std::vector<float>> averaged;
  for (std::vector<double>& buffer : *exact) {
    averaged.emplace_back(buffer.begin(), buffer.end());
    buffer.assign(averaged.back().begin(), averaged.back().end());
  }
  execute(schedule, *exact);
  execute(schedule, averaged, OpticalCombiner(averager));
  return relative_error(schedule, *exact, averaged);
}

}  // namespace helio::emulate
