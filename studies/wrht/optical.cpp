// SPDX-License-Identifier: Apache-2.0
// WRHT against Ring, H-Ring and BT on the same light: arXiv v2, arXiv v1, and the conference paper, which is the mean of v2.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "studies/wrht/chapters.h"
#include "studies/wrht/reduction.h"

namespace helio::studies::wrht_study {
namespace {

struct PublishedCut {
  Baseline baseline;
  const char* name;
  double percent;
  const char* source;
};

constexpr const char* kV2 = "arXiv 2207.10982 v2, abstract";
constexpr PublishedCut kCutsOfVersion2[] = {{Baseline::kRing, "Ring", kV2Ring, kV2},
                                            {Baseline::kHRing, "H-Ring", kV2HRing, kV2},
                                            {Baseline::kTree, "BT", kV2Tree, kV2}};
constexpr PublishedCut kCutsOfVersion1[] = {
    {Baseline::kRing, "Ring", kV1Ring, "arXiv 2207.10982 v1, abstract"},
    {Baseline::kHRing, "H-Ring", kV1HRing, "arXiv 2207.10982 v1, by a secondary source"},
    {Baseline::kTree, "BT", kV1Tree, "arXiv 2207.10982 v1, by a secondary source"}};

// Solved from v2's Ring; the second with BEiT-L among the models.
constexpr double kCalibratedRate = 39.628e9, kCalibratedRateBeit = 92.008e9;
// Solved from v1's Ring, with six steps at 1024 nodes.
constexpr double kVersion1Rate = 97.367e9;

std::vector<Reading> readings_of_version_2() {
  const Reading literal = literal_reading(), four = with_four_steps(literal);
  return {
      literal,
      named(with_googlenet(literal), "literal rate, GoogLeNet set"),
      named(four, "literal rate, 4 steps"),
      named(with_googlenet(four), "literal rate, 4 steps, GoogLeNet set"),
      named(with_googlenet(at_rate(literal, kFittedRate, fitted_rate())), "40 GB/s, GoogLeNet set"),
      named(at_rate(four, kFittedRate, fitted_rate()), "40 GB/s, 4 steps"),
      fitted_reading(),
      named(at_rate(with_googlenet(four), kCalibratedRate, other_rate(kCalibratedRate, kV2Ring)), "calibrated"),
      named(at_rate(four, kCalibratedRateBeit, other_rate(kCalibratedRateBeit, kV2Ring)), "calibrated, BEiT-L set"),
  };
}

// Nothing natural fits v1; the last is the nearest that was found.
std::vector<Reading> readings_of_version_1() {
  Reading nearest = with_googlenet(literal_reading());
  nearest.nodes = {1024};
  nearest.wrht = {.rate = kVersion1Rate, .shortcut = false, .group = 17};
  nearest.assumptions = {
      machine(), other_rate(kVersion1Rate, kV1Ring),
      fitted_to({kV1Tree}, "WRHT in groups of 17 without the all-to-all step, 6 steps: chosen because it fits"),
      fitted_to({kV1Ring, kV1HRing, kV1Tree},
                "mean over four models at N = 1024 alone: the nearest of some thousand settings"),
      fitted_to({kV2Ring, kV2HRing},
                "VGG16, AlexNet, ResNet50, GoogLeNet, 4 bytes per parameter: the set chosen to fit v2")};
  const Reading literal = literal_reading(), googlenet = with_googlenet(literal);
  return {literal, named(googlenet, "literal rate, GoogLeNet set"),
          named(with_four_steps(googlenet), "literal rate, 4 steps, GoogLeNet set"), fitted_reading(),
          named(nearest, "nearest")};
}

// Each with the other retune rule after it, but for those whose rate was solved under the published one.
std::vector<Reading> with_both_rules(const std::vector<Reading>& readings) {
  std::vector<Reading> both;
  for (const Reading& reading : readings) {
    both.push_back(reading);
    if (std::ranges::find(reading.assumptions, Grade::kCalibrated, &Assumption::grade) == reading.assumptions.end())
      both.push_back(named(under_changed_rule(reading), reading.name + kChangedRule));
  }
  return both;
}

void add(Rows& rows, Runs& runs, const char* paper, std::span<const PublishedCut> numbers,
         const std::vector<Reading>& readings) {
  for (const PublishedCut& published : numbers)
    for (const Reading& reading : readings) {
      Assumptions assumptions = reading.assumptions;
      assumptions.push_back(published.baseline == Baseline::kHRing ? h_ring_split() : one_wavelength());
      if (published.baseline == Baseline::kHRing && !reading.wrht.every_step) assumptions.push_back(h_ring_stretches());
      rows.push_back(published_row(fmt::format("{}: saved against {} (%), {}", paper, published.name, reading.name),
                                   published.percent, reduction(runs, reading, published.baseline), assumptions,
                                   published.source));
    }
}

}  // namespace

Rows against_optical(Runs& runs) {
  Rows rows;
  add(rows, runs, "v2", kCutsOfVersion2, with_both_rules(readings_of_version_2()));
  add(rows, runs, "v1", kCutsOfVersion1, readings_of_version_1());

  // The conference paper: the mean of v2's three
  constexpr double kPercent = 75.76;
  const char* source = "conference short version, abstract (which calls it electrical; the means say optical)";
  double mean = 0;
  std::vector<double> three;
  for (const PublishedCut& published : kCutsOfVersion2) {
    mean += published.percent / 3;
    three.push_back(published.percent);
  }
  rows.push_back(following(
      three, published_row("conference: saved, optical (%), mean of v2's three", kPercent, mean,
                           {restated("the plain mean of v2's numbers; nothing was run", kV2, three)}, source)));
  for (const Reading& reading : readings_of_version_2()) {
    double ours = 0;
    for (const PublishedCut& published : kCutsOfVersion2) ours += reduction(runs, reading, published.baseline) / 3;
    rows.push_back(
        following(three, published_row(fmt::format("conference: saved, optical (%), {}", reading.name), kPercent, ours,
                                       reading.assumptions + Assumptions{h_ring_split()}, source)));
  }
  return rows;
}

}  // namespace helio::studies::wrht_study
