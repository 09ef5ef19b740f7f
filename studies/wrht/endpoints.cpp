// SPDX-License-Identifier: Apache-2.0
// What the papers leave out at the nodes: a representative adds 128 streams at once. Both readings, of free endpoints and of those that
// add (docs/parts.md); the first is not physical at the fitted rate, where 128 streams of 40 GB/s are more than memory moves.
#include <fmt/format.h>

#include "placement/npu.h"
#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {

// N = 1024, m = 129: 128 streams are added in the first step, 7 in the second, where 8 representatives exchange; the third copies.
Rows endpoints(Runs& runs) {
  constexpr double kStreams = 128, kAccesses = 3;
  const char* const npu = "h100";
  const auto& entry = placement::npus().at(npu);
  const double adding = entry.factory(placement::npus().resolve(entry, {})).memory_bandwidth / kAccesses;
  const double d = kAlexnet.bytes;
  Rows rows;
  for (const double rate : {kLiteralRate, kFittedRate}) {
    const bool literal = rate == kLiteralRate, held_up = kStreams * rate > adding;
    const double free = 3 * (d / rate + kRetune), ring = ring_seconds(1024, d, rate);
    const double adds = free + (held_up ? kStreams * d / adding - d / rate : 0);
    for (const bool at_npu : {false, true}) {
      const std::string reading = fmt::format("{}, {}", literal ? "40 Gb/s" : "40 GB/s",
                                              at_npu    ? "an H100 adds"
                                              : held_up ? "free endpoints, not physical"
                                                        : "free endpoints");
      const Assumptions rests_on{
          machine(), literal ? literal_rate() : fitted_rate(), shortcut(),
          at_npu    ? of_our_own("a node adds with three accesses a byte to the 3.35 TB/s of an H100's memory")
          : held_up ? of_our_own("adding takes no time: not physical, 5.12 TB/s come to a node whose memory adds 1.12")
                    : of_our_own("adding takes no time: 0.64 TB/s come to a node whose memory adds 1.12")};
      const double ours = runs({.rate = rate, .npu = at_npu ? npu : ""}).seconds;
      const double beside =
          runs({.algorithm = "ring", .rate = rate, .wavelengths = 1, .npu = at_npu ? npu : ""}).seconds;
      const double expected = at_npu ? adds : free;
      const char* const formula =
          at_npu && held_up ? "docs/parts.md: 128 d a/M + 2 d/B + 3 r" : "papers/wrht.md 2.5: 3(d/B+a)";
      rows.push_back(derived_row(fmt::format("WRHT, AlexNet, N = 1024 (ms), {}", reading), 1e3 * expected, 1e3 * ours,
                                 rests_on, formula));
      rows.push_back(derived_row(fmt::format("WRHT, AlexNet, N = 1024: saved against Ring (%), {}", reading),
                                 100 * (1 - expected / ring), 100 * (1 - ours / beside), rests_on,
                                 fmt::format("{}, over 2(N-1)(d/(NB)+a)", formula)));
    }
  }
  return rows;
}

}  // namespace helio::studies::wrht_study
