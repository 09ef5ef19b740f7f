// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/code_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/error.h"

namespace helio::train {
namespace {

using emulate::CodeAverager;

// Kernels cannot include what the rooms before use; they must draw the same.
static_assert(mixed_bits(3, 5) == mixed(3, 5) && mixed_bits(~0ull, 1ull << 40) == mixed(~0ull, 1ull << 40));
static_assert(light_bits(3, 2) == emulate::light_seed(3, 2) && table_bits(3, 2, 5) == emulate::table_seed(3, 2, 5));
static_assert(static_cast<int>(Rounding::kFloor) == 0 && static_cast<int>(Rounding::kHalfUp) == 1 &&
              static_cast<int>(Rounding::kHalfEven) == 2 && static_cast<int>(Rounding::kDither) == 3);

// Sums of two-bit symbols fit into bytes, and four of them into a word.
bool packs(const AveragingTask& task) {
  return task.symbol_bits * task.merge == 2 && task.inputs() <= 4 && task.levels() <= 256;
}

CodeLevel level_of(const CodeAverager::Level& from, const PlaceTable& place) {
  const AveragingTask& task = from.task;
  CodeLevel level;
  level.ports = static_cast<std::uint32_t>(task.servers);
  level.rounding = static_cast<int>(task.rounding);
  level.numerator = task.numerator();
  level.denominator = task.denominator();
  level.largest = task.largest();
  if (task.rounding == Rounding::kDither) level.lights = static_cast<std::uint64_t>(task.denominator());
  if (!from.has_table()) {
    if (from.network)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("a network for {} codes of {} bits has too many points for a table, and a CUDA device "
                              "averages by table",
                              task.servers, task.bits),
                  "", "use fewer bits or servers, a cascade of smaller switches, 'quantised', or --device cpu");
    return level;
  }

  level.points = from.points;
  level.tables = from.tables;
  level.wide = from.small.empty();
  level.packed = packs(task);
  std::uint64_t weight = 1;
  for (int k = 0; k < task.inputs(); ++k) {
    weight *= static_cast<std::uint64_t>(task.levels());
    if (k < 3) level.weights[k] = static_cast<std::uint32_t>(weight);
  }
  level.light_weight = static_cast<std::uint32_t>(weight);
  level.table = level.wide ? place(from.large.data(), from.large.size() * sizeof(std::uint32_t))
                           : place(from.small.data(), from.small.size());
  if (!level.packed)
    level.spread =
        static_cast<const std::uint32_t*>(place(from.spread.data(), from.spread.size() * sizeof(std::uint32_t)));
  return level;
}

}  // namespace

CodePlan plan_of(const CodeAverager& averager, const emulate::ExchangeOptions& options, std::uint64_t length,
                 const PlaceTable& place) {
  CodePlan plan;
  if (averager.levels().size() > kMostLevels)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("a cascade of {} levels on a CUDA device", averager.levels().size()), "",
                fmt::format("use at most {} levels, or --device cpu", kMostLevels));
  plan.levels = static_cast<int>(averager.levels().size());
  for (int l = 0; l < plan.levels; ++l) plan.level[l] = level_of(averager.levels()[static_cast<std::size_t>(l)], place);
  plan.servers = averager.servers();
  plan.length = length;
  plan.bucket = options.bucket;
  plan.seed = options.seed;
  const emulate::CodeRange range = emulate::range_of(averager.bits(), options.zero);
  plan.zero = range.zero;
  plan.most = range.most;
  plan.steps = range.steps();
  plan.reach = range.reach();
  plan.share = 1.0f / static_cast<float>(plan.servers);
  if (options.balanced) {
    const emulate::Balance balance = emulate::balance_of(averager);
    plan.offset_servers = static_cast<std::uint32_t>(std::abs(balance.servers));
    plan.offset = balance.servers < 0 ? -0.5f : 0.5f;
  }
  plan.stochastic = options.stochastic;
  plan.feedback = options.error_feedback;
  const CodeLevel& first = plan.level[0];
  const bool roomy = plan.offset == 0 || (plan.offset < 0 && plan.zero > plan.steps);
  const bool even = std::fmod(plan.zero, 2.0f) == 0;
  plan.plain = plan.levels == 1 && first.table && first.packed && !first.wide && first.tables == 1 &&
               first.lights == 0 && !plan.stochastic && !plan.feedback && roomy && even;
  return plan;
}

}  // namespace helio::train
