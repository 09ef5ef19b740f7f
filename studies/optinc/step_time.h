// SPDX-License-Identifier: Apache-2.0
// How much of a training step is waiting for gradients: one iteration of a data-parallel job by the product (pipeline::run_jobs), on a
// ring of electrical links, on WRHT's ring of wavelengths and on OptINC, with and without overlap.
//
//     overlap off   ├── forward ──┤├──── backward ────┤├──── all gradients ────┤├ optimiser ┤
//     overlap on    ├── forward ──┤├──── backward ────┤├ last ┤├ optimiser ┤
//                                     ├ bucket ┤├ bucket ┤                     exposed: what the step takes beyond computing
//
// Every server is one H100 with 8 x 800 Gb/s [secondary]. Links have no latency: what is exposed is bytes over rate, and retuning.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/run.h"
#include "report/figures/chart.h"
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {

// kWrht sends on one wavelength, as published; kWrhtStriped in groups of five on four, which is ours.
enum class Carrier { kRing, kWrht, kWrhtStriped, kOptinc };

struct StepQuestion {
  const char* model = "resnet-50";  // of the product's zoo
  int servers = 4;
  Carrier carrier = Carrier::kRing;
  int bits = 32;  // of a gradient on the wire: 32 or 8; OptINC 8
  bool overlap = true;
};

struct StepTime {
  StepQuestion asked;
  double seconds = 0;   // of one iteration
  double computed = 0;  // of them, what an NPU computes
  double least = 0;     // no exposed time is shorter: see least_exposed

  double exposed() const { return seconds - computed; }
};

StepTime step_time(const StepQuestion& question, const pipeline::RunOptions& options);

// Every model, number of servers, carrier and width, with overlap and without.
std::vector<StepTime> step_times(const pipeline::RunOptions& options);

// Seconds that an exchange of so many gradients takes on the carrier, by formula: a ring sends 2(N-1)/N of them, WRHT all of them in every step over
// its wavelengths after retuning, OptINC once. WRHT has two steps, up and down a tree of one level; in groups of five and with more servers than
// that a third, all-to-all between the four that are left of 16 (papers/wrht.md 2.2). Requires: at most 16 servers.
double exchange_seconds(const StepQuestion& question, double gradients, bool retuned = true);

// Without overlap: the exchange of all gradients. With it no less than the exchange of the last bucket, for which nothing is left to hide
// behind, and than all exchanges less all computing; retuning may be done by then.
double least_exposed(const StepQuestion& question, double computed);

Rows step_time_rows(std::span<const StepTime> steps);
report::Chart step_time_chart(std::span<const StepTime> steps);

}  // namespace helio::studies::optinc_study
