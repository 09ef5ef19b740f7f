// SPDX-License-Identifier: Apache-2.0
// What the papers leave out and the product does not: when retuning is really due, at which payload Ring wins, and what the dark
// wavelengths could carry (papers/wrht.md 2.5, 7.1).
#include <fmt/format.h>

#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {

// WRHT moves 3d or 4d over a wavelength, Ring 2d(N-1)/N: above some payload its retunes no longer matter.
Rows break_even(Runs& runs) {
  struct Line {
    std::uint64_t nodes;
    double literal, fitted;  // MB
  };
  constexpr Line kLines[] = {{1024, 255, 2039}, {2048, 511, 4087}, {3072, 384, 3068}, {4096, 512, 4092}};
  Rows rows;
  for (const double rate : {kLiteralRate, kFittedRate})
    for (const Line& line : kLines) {
      const bool literal = rate == kLiteralRate;
      const double bytes = crossing(runs, {.nodes = line.nodes, .rate = rate},
                                    {.algorithm = "ring", .nodes = line.nodes, .rate = rate, .wavelengths = 1});
      rows.push_back(derived_row(
          fmt::format("break-even payload (MB), N = {}, {}", line.nodes, literal ? "40 Gb/s" : "40 GB/s"),
          literal ? line.literal : line.fitted, bytes / 1e6,
          {machine(), literal ? literal_rate() : fitted_rate(), shortcut(), of_our_own("no published counterpart")},
          "papers/wrht.md 2.5, derived, printed to 1 MB"));
    }
  return rows;
}

// Ring's lightpaths never change. Charged when they do, it pays once; WRHT's change in every step.
Rows retune_rules(Runs& runs) {
  Rows rows;
  const double n = 1024, theta = 3;
  for (const bool every_step : {true, false})
    for (const Model& model : kModels) {
      const double d = model.bytes, b = kLiteralRate;
      const double wrht = runs({.bytes = d, .every_step = every_step}).seconds;
      const double ring = runs({.algorithm = "ring", .bytes = d, .wavelengths = 1, .every_step = every_step}).seconds;
      const double expected_ring = every_step ? ring_seconds(1024, d, b) : 2 * d * (n - 1) / (n * b) + kRetune;
      rows.push_back(derived_row(
          fmt::format("WRHT over one-wavelength Ring, {:.4g} MB, {}", d / 1e6, every_step ? "every-step" : "changed"),
          theta * (d / b + kRetune) / expected_ring, wrht / ring,
          {from_memory("64 wavelengths each way, one per transfer, 40 Gb/s each, N = 1024", "papers/wrht.md 3"),
           shortcut(),
           every_step ? from_memory("retuning before every step, changed or not", "papers/wrht.md 2.1")
                      : of_our_own("only a lightpath that the step before did not have is retuned")},
          every_step ? "papers/wrht.md 2.5: 3(d/B+a) / 2(N-1)(d/(NB)+a)"
                     : "papers/wrht.md 2.5: 3(d/B+a) / (2d(N-1)/(NB)+a)"));
    }
  return rows;
}

// A group of m lights floor(m/2) wavelengths; the others may carry stripes of the same vector.
Rows striping(Runs& runs) {
  const double d = kAlexnet.bytes, b = kLiteralRate, n = 1024;
  const Assumptions base{from_memory("64 wavelengths each way, 40 Gb/s each, N = 1024", "papers/wrht.md 3"),
                         of_our_own("a transfer over several wavelengths at once: our extension")};
  Rows rows;
  const auto add = [&](const std::string& what, double expected, const Question& question, const char* formula) {
    rows.push_back(derived_row(fmt::format("striped, time (ms): {}", what), 1e3 * expected,
                               1e3 * runs(question).seconds, base, fmt::format("papers/wrht.md 7.1: {}", formula)));
  };
  add("WRHT m = 129, 1 way", 3 * (d / b + kRetune), {}, "3(d/B+a)");
  add("WRHT m = 33, 4 ways, no shortcut", d / b + 4 * kRetune, {.stripe = 4, .shortcut = false, .group = 33},
      "4(d/4B+a) = d/B+4a");
  add("WRHT m = 3, 64 ways, no shortcut", 14 * (d / 64 / b + kRetune), {.stripe = 64, .shortcut = false, .group = 3},
      "14(d/64B+a), 11.3 ms");
  add("Ring, 64 ways, every-step", 2 * (n - 1) * (d / n / 64 / b + kRetune), {.algorithm = "ring", .stripe = 64},
      "2(N-1)(d/(64NB)+a), 52.7 ms");
  add("Ring, 64 ways, changed", 2 * (n - 1) * d / n / 64 / b + kRetune,
      {.algorithm = "ring", .every_step = false, .stripe = 64}, "2d(N-1)/(64NB)+a, 1.6 ms");
  for (const double overhead : {0.0, 10e-6})
    add(fmt::format("WRHT m = 3, 64 ways, no shortcut, 27.19 MB, {:.0f} us a step", overhead * 1e6),
        14 * (kGooglenet.bytes / 64 / b + kRetune + overhead),
        {.bytes = kGooglenet.bytes,
         .every_step = false,
         .stripe = 64,
         .shortcut = false,
         .group = 3,
         .step_overhead = overhead},
        "14(d/64B+a+s), 1.54 and 1.68 ms (6.6)");
  return rows;
}

}  // namespace helio::studies::wrht_study
