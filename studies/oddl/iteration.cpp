// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/iteration.h"

#include <algorithm>
#include <limits>

#include "workload/zoo.h"

namespace helio::studies::oddl_study {
namespace {

Buckets fill(double cap) {
  const workload::Workload& model = vgg19();
  constexpr double kFp32 = 4;
  Buckets all;
  double done = 0;  // operations
  for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer) {
    done += static_cast<double>(layer->repeat) * layer->forward_flops();
    const double bytes = kFp32 * static_cast<double>(layer->repeat * layer->parameters);
    if (bytes == 0) continue;  // pooling
    if (all.empty() || all.back().bytes + bytes > cap) all.emplace_back();
    all.back().bytes += bytes;
    all.back().ready = done / model.forward_flops();
  }
  return all;
}

}  // namespace

const workload::Workload& vgg19() {
  static const workload::Workload model = workload::load("vgg19", {}, "studies/oddl");
  return model;
}

const Buckets& buckets(Bucketing bucketing) {
  static const Buckets fused = fill(std::numeric_limits<double>::infinity()), per_layer = fill(0), capped = fill(25e6);
  switch (bucketing) {
    case Bucketing::kFused: return fused;
    case Bucketing::kPerLayer: return per_layer;
    case Bucketing::k25MB: break;
  }
  return capped;
}

double iteration(double compute, Bucketing bucketing, bool overlap, const Cost& cost) {
  const double forward = compute / 3, backward = compute - forward;
  double done = overlap ? 0 : compute;
  for (const Bucket& bucket : buckets(bucketing)) {
    if (overlap) done = std::max(done, forward + backward * bucket.ready);
    done += cost(bucket.bytes);
  }
  return std::max(done, compute);
}

}  // namespace helio::studies::oddl_study
