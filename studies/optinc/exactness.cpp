// SPDX-License-Identifier: Apache-2.0
// How often constructed networks are wrong: never, on every point there is (papers/optinc.md 2.5).
#include <fmt/format.h>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {

Rows exactness() {
  using namespace photonics;
  Rows rows;
  const auto add = [&](const AveragingTask& task, Direction direction, ActivationKind activation,
                       std::uint64_t sampled) {
    const double slope = activation == kRelu ? 1 : 4;
    const Onn onn = construct(task, {.direction = direction, .activation = activation, .slope = slope});
    EvaluationOptions options;
    if (sampled > 0) {
      options.sampling = Sampling::kGrid;
      options.points = sampled;
    }
    const Evaluation found = evaluate(onn, options);
    rows.push_back(derived_row(
        fmt::format("wrong of {} {} points, N = {}, B = {}, {} first, {}", sampled > 0 ? "random" : "all", found.points,
                    task.servers, task.bits, name_of(direction), name_of(activation)),
        0, static_cast<double>(found.wrong),
        ours(describe({.direction = direction, .activation = activation, .slope = slope})), "papers/optinc.md 2.5"));
  };
  for (const ActivationKind activation : {kRelu, kSaturating}) {
    add({.servers = 4}, kLsb, activation, 0);
    add({.servers = 4}, kMsb, activation, 0);
    add({.servers = 3}, kMsb, activation, 0);
    add({.servers = 8}, kMsb, activation, 0);
  }
  add({.servers = 16}, kMsb, kSaturating, 0);
  add({.servers = 8}, kLsb, kSaturating, 0);
  // Grids that are too large for a study of seconds
  add({.servers = 16}, kMsb, kRelu, 100000);
  add({.servers = 16}, kLsb, kSaturating, 100000);
  add({.servers = 4, .bits = 16}, kLsb, kSaturating, 100000);
  return rows;
}

}  // namespace helio::studies::optinc_study
