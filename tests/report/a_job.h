// SPDX-License-Identifier: Apache-2.0
// One job's result with a value in every field, for tests of its printed forms: 8 s computing and 2 s in exchanges.
#pragma once

#include "pipeline/iteration.h"

namespace helio::report {

inline pipeline::IterationResult a_job() {
  pipeline::IterationResult r;
  r.name = "gpt <b>";
  r.model = "GPT & more";
  r.npu = "a100-80";
  r.fabric = "cluster";
  r.version = "0.1.0";
  r.nodes = 64, r.npus = 32, r.iterations = 3;
  r.configuration = {{"job", {{"tp", "8"}}}, {"fabric", {{"nodes", "64"}}}};
  r.algorithms = {{"dp", "hierarchical-ring"}, {"tp", "ring"}};
  r.attempts = {{"none", "refused", "no room"}, {"block", "carried", "2 waves, one after the other"}};
  r.time = Time::seconds(10);
  r.time_s = 10;
  r.bound_s = 8;
  r.bound = "computing";
  r.exposed_s = {8, 1.5, 0, 0.5, 0, 0, 0};
  r.samples_per_s = 25.6, r.tokens_per_s = 52428.8;
  r.model_flops = 1e18;
  r.model_utilisation = 0.32;
  r.npu_utilisation = 0.8;
  r.facts = {{{"channels"}, 64.0}, {{"isolation"}, std::string("physical")}};
  r.wavelengths_used = 34;
  r.traffic = {4e12};
  r.links = {{"NICs of servers, out", 64, 0.25, 0.5}, {"NVLink ports, out", 128, 0.05, 0.06}};
  r.levels = {{.name = "wafer",
               .fabric = "fred",
               .instances = 4,
               .units = 16,
               .traffic = {3e12},
               .busiest = "wafer 0: link 3",
               .most = 0.5,
               .mean = 0.25,
               .exposed_s = {0, 1.5, 0, 0, 0, 0, 0}},
              {.name = "between",
               .fabric = "wdm-ring",
               .units = 4,
               .traffic = {1e12},
               .busiest = "segment 0-1",
               .most = 0.06,
               .mean = 0.05,
               .wavelengths_used = 34,
               .loss_db = 7.5,
               .exposed_s = {0, 0, 0, 0.5, 0, 0, 0},
               .facts = {{{"longest_path_hops"}, 2.0}}}};
  r.choices = {
      {placement::Activity::kTp, schedule::Kind::kAllReduce, Bytes{1e6}, 4, 8, "in-fabric", "ring", 1e-6, 3e-6},
      {placement::Activity::kDp, schedule::Kind::kAllReduce, Bytes{1e9}, 8, 4, "ring", "ring", 1e-3, 1e-3}};
  r.search = "the fastest of each class, which together take less";
  r.usual_time_s = 12;
  r.memory = {{10e9}, {10e9}, {60e9}, {20e9}, {100e9}, 3};
  r.npu_energy = Energy{120000};
  r.network_energy = {.moving = Energy{3000}, .being_on = Energy{5000}, .low = Energy{6000}, .high = Energy{10000}};
  r.critical_path = "computing 80.0 % & more";
  r.label = "fitted";
  r.assumptions = {"one", "two"};
  const auto at = [](double start, double length, const char* name, std::uint32_t depth, std::uint32_t row) {
    return pipeline::TraceEvent{name, depth, row, Time::microseconds(start), Time::microseconds(length), 1};
  };
  r.trace = {at(0, 3, "forward 0", 0, 0), at(3, 3, "forward 1", 0, 0), at(3, 5, "send activations 0", 1, 0),
             at(6, 5, "send activations 1", 1, 0), at(8, 3, "forward 0", 0, 1)};
  r.trace_rows = {"stage 0", "stage \"1\""};
  return r;
}

}  // namespace helio::report
