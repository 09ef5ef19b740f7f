// SPDX-License-Identifier: Apache-2.0
// One result with a value in every field, for tests of its printed forms.
#pragma once

#include "pipeline/result.h"

namespace helio::report {

inline pipeline::Result a_result() {
  pipeline::Result r;
  r.name = "gradients <b>";
  r.kind = schedule::Kind::kAllReduce;
  r.fabric = "ring";
  r.algorithm = "in-fabric+ring";
  r.nodes = 8, r.ranks = 4, r.groups = 2;
  r.bytes = {1e6};
  r.engine = "helio";
  r.version = "0.1.0";
  r.configuration = {{"fabric", {{"nodes", "8"}, {"rate", "1 Gb/s"}}}, {"algorithm", {}}};
  r.attempts = {{"none", "refused", "no room"}, {"endpoint", "carried", "one of two"}};
  r.time = Time::milliseconds(3);
  r.time_s = 1.0 / 3;
  r.bound_s = 1.0 / 7;
  r.bound_ratio = 7.0 / 3;
  r.bound = "bytes";
  r.steps = 14;
  r.traffic = {97656.25};
  r.injected = {1234};
  r.critical.latency = Time::microseconds(5);
  r.verified = true;
  r.verify_method = "explicit-sets";
  r.label = "ours";
  r.assumptions = {"one", "two"};
  r.bottleneck = "latency & more";
  r.trace = {{"call \"a\"", 0, 0, Time(), Time::microseconds(2), 1},
             {"0 to 1", 1, 0, Time(), Time::microseconds(1), 4}};
  return r;
}

}  // namespace helio::report
