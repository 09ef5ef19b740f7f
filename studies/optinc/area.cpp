// SPDX-License-Identifier: Apache-2.0
// MZIs (papers/optinc.md 2.3, 2.5): the reported layers by SVD and as blocks diag·Q, and the networks that need no training.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {
namespace {

using Layers = std::set<int>;  // 0-based

Assumptions layers() {
  return literally("layers 4-64-128-256-128-64-4 as reported by a secondary source, no bias light counted");
}

double percent(const Layers& blocks) {
  return 100.0 * static_cast<double>(photonics::mzis(kReportedLayers, blocks, false)) /
         static_cast<double>(photonics::mzis(kReportedLayers, {}, false));
}

// Of all choices of layers, the one whose area is nearest to what is reported.
Layers nearest() {
  Layers best;
  for (unsigned mask = 0; mask < 1u << kLayers; ++mask) {
    Layers blocks;
    for (int layer = 0; layer < kLayers; ++layer)
      if ((mask >> layer & 1u) != 0) blocks.insert(layer);
    if (std::abs(percent(blocks) - kHalfOfTheArea) < std::abs(percent(best) - kHalfOfTheArea)) best = blocks;
  }
  return best;
}

// The group's slides of 2025 count a weight of M x N as (M² + N²)/2 MZIs (papers/optinc.md 1).
double by_slides() {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < kReportedLayers.size(); ++i) {
    const double m = kReportedLayers[i + 1], n = kReportedLayers[i];
    sum += (m * m + n * n) / 2;
  }
  return sum;
}

void add_reported(Rows& rows) {
  Rows derived;
  const char* source = "papers/optinc.md 2.3";
  const Layers all = {0, 1, 2, 3, 4, 5}, closest = nearest();
  const Assumptions blocks =
      layers() +
      ours("layers that are approximated are blocks diag·Q of the smaller side, which the paper's segments may not be");
  const double full = static_cast<double>(photonics::mzis(kReportedLayers, {}, false));
  const double ud = static_cast<double>(photonics::mzis(kReportedLayers, all, false));
  derived.push_back(derived_row("MZIs of the reported layers, SVD", 106260, full, layers(), source));
  derived.push_back(derived_row("MZIs of the reported layers, all as diag·Q blocks", 41664, ud, blocks, source));
  derived.push_back(
      derived_row("MZIs of the reported layers, counted as the group's slides do", 106260, by_slides(),
                  layers() + Assumptions{taken_literally("(M² + N²)/2 for a weight of M x N",
                                                         "the group's slides of 2025 (papers/optinc.md 1)")},
                  "papers/optinc.md 1, beside the exact count"));

  // About half, by the choice of layers
  struct Choice {
    Layers blocks;
    double expected;
  };
  for (const Choice& choice : {Choice{{2, 3}, 54.1}, {{1, 2, 3}, 48.4}, {{1, 2, 3, 4}, 42.7}, {all, 39.2}}) {
    const std::string name = choice.blocks == all ? "all" : fmt::format("{}", fmt::join(choice.blocks, ","));
    derived.push_back(derived_row(fmt::format("area with layers {} as blocks, formula (% of SVD)", name),
                                  choice.expected, percent(choice.blocks), blocks, source));
    rows.push_back(reported_row(
        fmt::format("area with layers {} as blocks (% of SVD)", name), kHalfOfTheArea, percent(choice.blocks),
        layers() + ours("that they are approximated by blocks diag·Q is ours, which of them is not known") +
            Assumptions{fitted_to({kHalfOfTheArea},
                                  fmt::format("of the spec's four choices 1,2,3 is the nearest, of all 64 it is {}",
                                              fmt::join(closest, ",")))}));
  }
  rows.push_back(reported_row(
      fmt::format("area with layers {} as blocks, nearest of all 64 choices (% of SVD)", fmt::join(closest, ",")),
      kHalfOfTheArea, percent(closest),
      layers() + ours("blocks diag·Q are ours") +
          Assumptions{fitted_to({kHalfOfTheArea}, "the layers are chosen to come nearest to what is reported")}));
  std::ranges::move(derived, std::back_inserter(rows));
}

// Exact by construction, counted with bias light.
void add_constructed(Rows& rows) {
  using namespace photonics;
  const char* source = "papers/optinc.md 2.5";
  const Assumptions built =
      ours("exact by construction, no training, N = 4, B = 8; full meshes, one wire more for the bias light");
  const Assumptions compact = ours(
      "N = 4, B = 8; compiled compactly: waveguides for wires that are passed on, r(m + n - r) MZIs for a "
      "block of rank r, bias light only where it is needed");
  const auto count = [](const Onn& onn, Compilation how) { return static_cast<double>(cost(compile(onn, how)).mzis); };
  const Onn lsb = constructed(kLsb, kRelu, 1), msb = constructed(kMsb, kRelu, 1);
  rows.push_back(
      derived_row("MZIs constructed, lsb first, ReLU pairs", 376, count(lsb, Compilation::kSvd), built, source));
  rows.push_back(
      derived_row("MZIs constructed, msb first, ReLU pairs", 346, count(msb, Compilation::kSvd), built, source));
  const std::string beside = std::string(source) + ", the same network by SVD; fewer is better";
  rows.push_back(derived_row("MZIs constructed, lsb first, ReLU pairs, compact", 376, count(lsb, Compilation::kCompact),
                             compact, beside));
  rows.push_back(derived_row("MZIs constructed, msb first, ReLU pairs, compact", 346, count(msb, Compilation::kCompact),
                             compact, beside));

  // The cheapest and the shallowest that the search finds
  const Candidate& cheapest = searched().front();
  const std::vector<Candidate> front = pareto(searched());
  const Candidate& shallowest = front.back();
  const auto found = [&](const char* which, const Candidate& candidate) {
    const Assumptions how =
        compact + ours(fmt::format("{}; 0 wrong of {} points", describe(candidate.how), candidate.verified.points));
    rows.push_back(derived_row(fmt::format("MZIs of the {} network found", which), 346,
                               static_cast<double>(candidate.cost.mzis), how,
                               std::string(source) + ", the cheapest of the spec by SVD; fewer is better"));
    rows.push_back(derived_row(fmt::format("depth of the {} network found (MZIs in a row)", which), 85,
                               candidate.cost.depth, how,
                               "papers/optinc.md 2.7, the constructed network by SVD; fewer is better"));
  };
  found("cheapest", cheapest);
  found("shallowest", shallowest);
  rows.push_back(derived_row("MZIs of the cheapest network found (% of the reported layers by SVD)", 0.35,
                             100.0 * static_cast<double>(cheapest.cost.mzis) / 106260, compact,
                             std::string(source) + ", 376 of 106,260; fewer is better"));
}

}  // namespace

Rows area() {
  Rows rows;
  add_reported(rows);
  add_constructed(rows);
  return rows;
}

}  // namespace helio::studies::optinc_study
