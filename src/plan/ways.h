// SPDX-License-Identifier: Apache-2.0
// The ways to spread a model over NPUs that a plan looks through: degrees of parallelism × micro-batch × chunks × sequence parallelism ×
// recomputation × ZeRO × rank order, those that divide the model, the NPUs and the batch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/catalogue.h"
#include "placement/strategy.h"
#include "workload/workload.h"

namespace helio::plan {

// Values to be tried; empty: the usual ones.
struct StrategySpace {
  std::vector<int> tp, pp, cp, ep, chunks, zero;
  std::vector<double> micro_batch;
  std::vector<int> sequence_parallel;  // 0, 1
  std::vector<std::string> recompute, rank_order;
};

// A way of spreading the model, with what it needs of an NPU. `order` is one of the space's.
struct Way {
  placement::Strategy strategy;
  std::uint32_t order = 0;
  double memory = 0;
};

class Ways {
 public:
  // `base`: everything that is not searched. The workload outlives it.
  Ways(const StrategySpace& space, const workload::Workload& model, const placement::Strategy& base, std::uint64_t npus,
       double batch);

  // Calls `take` with every set of degrees, and `within` with every way that has them.
  using Take = std::function<void(const placement::Strategy&)>;
  void each(const Take& take, const Take& within) const;

  const std::vector<std::string>& orders() const { return orders_; }
  // With the ranks in an order of these.
  placement::Strategy ordered(placement::Strategy strategy, std::size_t order) const;
  // Whether an earlier order puts the ranks on the same nodes: dimensions of one do not matter.
  bool same_as_before(std::size_t order, const placement::Strategy& strategy) const;
  // As keys of a job, over those that it has.
  Settings settings_of(const Way& way, Settings job) const;
  std::string in_words(const Way& way) const;

 private:
  bool divides(const placement::Strategy& degrees) const;
  void spread(placement::Strategy degrees, double micro_batch, const Take& within) const;

  const workload::Workload& model_;
  placement::Strategy base_;
  std::uint64_t npus_;
  double batch_;
  std::vector<int> tp_, pp_, cp_, ep_, chunks_, zero_, sequence_parallel_;
  std::vector<double> micro_batch_;
  std::vector<placement::Recompute> recompute_;
  std::vector<std::string> orders_;
};

}  // namespace helio::plan
