// SPDX-License-Identifier: Apache-2.0
// What every server sends, and how long that takes at the line rate (papers/optinc.md 2.7).
#include <fmt/format.h>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {
namespace {

constexpr double kElements = 16e6;  // any number that 16 servers can divide
constexpr double kBillion = 1e9;

}  // namespace

Rows traffic(Runs& runs) {
  const double codes = kElements * kBits / 8;
  const Assumptions ring = literally("a ring all-reduce as the baseline") +
                           told("bytes sent by a server in a run of `ring` on `switch`, over the bytes of its codes");
  // That a server sends once is how the claim of 1 was read: it went in, and comes out
  const Assumptions optical =
      Assumptions{{"every server sends its codes once: our reading of what is reported", Grade::kOurs, {}, {1}}} +
      told("bytes sent by a server in a run of `in-fabric` on `optinc`, over the bytes of its codes");
  Rows rows;
  for (const int servers : {4, 8, 16}) {
    const double rounds = 2.0 * (servers - 1) / servers;
    rows.push_back(reported_row(fmt::format("normalised traffic, ring of {}", servers), rounds,
                                runs(on_ring(kElements, servers, kBits)).injected / codes, ring));
    rows.push_back(reported_row(fmt::format("normalised traffic, OptINC of {}", servers), 1,
                                runs(on_optinc(kElements, servers)).injected / codes, optical));
  }
  Question cascade = on_optinc(kElements, 16);
  cascade.settings["ports"] = "4x4";
  rows.push_back(derived_row("normalised traffic, OptINC of 16 as a cascade of 4x4", 1, runs(cascade).injected / codes,
                             optical + ours("servers send once, however many levels follow"), "papers/optinc.md 2.6"));
  return rows;
}

Rows serialisation(Runs& runs) {
  const char* source = "papers/optinc.md 2.7";
  const Assumptions simulated = literally("8 x 800 Gb/s a server [secondary]; 8-bit codes; links without latency") +
                                ours("8 bits, 53.125 GBd and as many optical networks side by side as the rate takes");
  Rows rows;
  const auto add = [&](const char* model, const char* unit, double per_second, double parameters, double optinc,
                       double ring) {
    rows.push_back(derived_row(fmt::format("all-reduce of {}, OptINC of 4 ({})", model, unit), optinc,
                               per_second * runs(on_optinc(parameters, 4)).seconds, simulated, source));
    rows.push_back(derived_row(fmt::format("all-reduce of {}, ring of 4 ({})", model, unit), ring,
                               per_second * runs(on_ring(parameters, 4, kBits)).seconds, simulated, source));
  };
  add("ResNet-50", "us", 1e6, resnet50_parameters(), 32, 48);
  add("1 billion parameters", "ms", 1e3, kBillion, 1.25, 1.88);
  rows.push_back(derived_row("optical networks side by side for 8 x 800 Gb/s", 16,
                             runs(on_optinc(kBillion, 4)).fact("onn_instances"), simulated, "papers/optinc.md 2.1"));
  return rows;
}

}  // namespace helio::studies::optinc_study
