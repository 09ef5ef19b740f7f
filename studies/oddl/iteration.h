// SPDX-License-Identifier: Apache-2.0
// One iteration of VGG19 (papers/oddl.md 2.5): forward is a third of compute, backward two thirds; gradients leave in buckets, last
// layer first, over one communication channel.
//
//     compute   ├── forward ──┼───────── backward ─────────┤
//     network                     ├─ bucket ─┤├─── bucket ───┤├ bucket ┤   each when the one before is done and its layers are
//
// Without overlap: compute, then all buckets one after the other.
#pragma once

#include <functional>
#include <vector>

#include "workload/workload.h"

namespace helio::studies::oddl_study {

// VGG19 of the product's zoo.
const workload::Workload& vgg19();

struct Bucket {
  double bytes = 0;
  double ready = 0;  // the part of backward's multiply-adds that is done when its last layer is
};
using Buckets = std::vector<Bucket>;

enum class Bucketing { kFused, kPerLayer, k25MB };
// Layers in backward order, appended until the cap would be passed.
const Buckets& buckets(Bucketing bucketing);

// Seconds of the all-reduce of so many bytes.
using Cost = std::function<double(double bytes)>;

double iteration(double compute, Bucketing bucketing, bool overlap, const Cost& cost);

// Images per second, recalled (papers/oddl.md 4.3).
inline constexpr double kV100 = 190, kA100 = 480;

}  // namespace helio::studies::oddl_study
