// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/iteration_model.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace helio::studies::fred_study {
namespace {

using placement::TrainingPhase;

constexpr double kBytesPerNumber = 2;  // FP16

// Where a falling function meets `target`, between 10^-3 and 10^6.
double solve_falling(const std::function<double(double)>& value, double target) {
  double low = 1e-3, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (value(middle) > target ? low : high) = middle;
  }
  return low;
}

}  // namespace

Terms terms_of(const Workload& workload, Wafer wafer, const Knobs& knobs) {
  const double mp = workload.mp, pp = workload.pp;
  const double flops = knobs.flops * knobs.utilisation;
  const double tokens = knobs.samples * knobs.sequence.value_or(workload.sequence);
  const double activations = tokens * workload.hidden * kBytesPerNumber;
  const auto phase = [&](TrainingPhase which) {
    return seconds_per_byte({workload.mp, workload.dp, workload.pp, which}, wafer, knobs.rule);
  };

  Terms terms;
  if (workload.flop_per_sample > 0)
    terms.compute = 3 * workload.flop_per_sample * knobs.samples / flops;
  else
    terms.compute = 6 * workload.parameters * tokens / (mp * pp * flops);
  if (!workload.streaming) terms.compute *= 1 + (pp - 1) / workload.micro_batches;

  terms.mp = workload.layers / pp * 4 * activations * phase(TrainingPhase::kMp);
  terms.pp = (workload.streaming ? workload.layers : 2) * activations * phase(TrainingPhase::kPp);
  if (workload.streaming) {
    const bool sharded = knobs.sharded_io && wafer == Wafer::kMesh;
    const double share = sharded ? mesh_io_share_of_shards(static_cast<int>(workload.mp), static_cast<int>(workload.dp),
                                                           static_cast<int>(workload.pp))
                                 : io_share(wafer);
    terms.stream = 2 * kBytesPerNumber * workload.parameters / (kIoChannels * kIoChannel * share);
  } else {
    const double times = knobs.zero_apart && reduces(wafer) ? 2 : 1;
    terms.dp = times * kBytesPerNumber * workload.parameters / (mp * pp) * phase(TrainingPhase::kDp);
  }
  return terms;
}

double total(const Terms& terms, const Knobs& knobs) {
  const double compute = terms.compute / knobs.kappa;
  if (!knobs.overlap) return compute + terms.mp + terms.dp + terms.pp + terms.stream;
  const double between = (terms.mp + terms.pp) / 2;
  const double forward = compute / 3 + between, backward = 2 * compute / 3 + between;
  return std::max(forward, terms.stream / 2) + std::max(backward, terms.stream / 2) + terms.dp;
}

double speed_up(const Workload& workload, Wafer wafer, const Knobs& knobs) {
  return total(terms_of(workload, Wafer::kMesh, knobs), knobs) / total(terms_of(workload, wafer, knobs), knobs);
}

double fitted_kappa(const Workload& workload, double target, Knobs knobs) {
  // A speed-up rises with kappa, so it falls with 1 / kappa
  const double slower = solve_falling(
      [&](double factor) {
        knobs.kappa = 1 / factor;
        return speed_up(workload, Wafer::kD, knobs);
      },
      target);
  return 1 / slower;
}

double fitted_sequence(const Workload& workload, double target, Knobs knobs) {
  return solve_falling(
      [&](double tokens) {
        knobs.sequence = tokens;
        return speed_up(workload, Wafer::kD, knobs);
      },
      target);
}

}  // namespace helio::studies::fred_study
