// SPDX-License-Identifier: Apache-2.0
// WRHT against Ring and recursive doubling on an electrical network. Next to nothing is known of that network, so what we
// can say is what our fat-tree gives, and which two parameters would meet v2's two numbers (which proves nothing).
#include <fmt/format.h>

#include "studies/wrht/chapters.h"
#include "studies/wrht/reduction.h"

namespace helio::studies::wrht_study {
namespace {

struct Published {
  const char* paper;
  double ring, doubling;
  const char* ring_source;
  const char* doubling_source;
};
constexpr Published kVersion2{"v2", kV2ElectricalRing, kV2ElectricalDoubling, "arXiv 2207.10982 v2, abstract",
                              "arXiv 2207.10982 v2, abstract"};
constexpr Published kVersion1{"v1", 86.69, 84.71, "arXiv 2207.10982 v1, abstract",
                              "arXiv 2207.10982 v1, by a secondary source"};
constexpr double kConference = 91.86;

Reading on_the_fat_tree(const Reading& light) {
  Reading reading =
      over_nodes(light, {128, 256, 512, 1024},
                 of_our_own("plain mean over N = 128, 256, 512, 1024 and four models (recalled with low confidence)"));
  reading.assumptions.push_back(fat_tree());
  return reading;
}

// Two free parameters for two numbers: a step costs payload / rate + `step`, nothing is shared. 1024 nodes.
struct Calibration {
  const char* name;
  bool shortcut;
  double slower;  // the electrical rate is that of light divided by this
  double step;    // seconds
};
constexpr Calibration kCalibrations[] = {{"calibrated pair, 4 steps", false, 4.6, 108e-6},
                                         {"calibrated pair, 3 steps", true, 3.45, 81e-6}};

double calibrated_reduction(Runs& runs, const Calibration& calibration, const char* algorithm) {
  double sum = 0;
  const std::vector<Model> models = fitted_reading().models;
  for (const Model& model : models) {
    const double wrht = runs({.bytes = model.bytes, .rate = kFittedRate, .shortcut = calibration.shortcut}).seconds;
    const double baseline = runs({.algorithm = algorithm,
                                  .bytes = model.bytes,
                                  .rate = kFittedRate / calibration.slower,
                                  .fabric = "switch",
                                  .step_overhead = calibration.step})
                                .seconds;
    sum += 1 - wrht / baseline;
  }
  return 100 * sum / static_cast<double>(models.size());
}

Assumptions of(const Calibration& calibration) {
  return {machine(), fitted_rate(), calibration.shortcut ? shortcut() : no_shortcut(),
          fitted_to({kVersion2.ring, kVersion2.doubling},
                    "mean over VGG16, AlexNet, ResNet50, GoogLeNet at N = 1024: chosen because it fits"),
          solved_from({kVersion2.ring, kVersion2.doubling},
                      fmt::format("an electrical rate of 1/{} of the light's and {:.0f} us a step: two numbers, two "
                                  "free parameters, no evidence",
                                  calibration.slower, calibration.step * 1e6))};
}

}  // namespace

Rows against_electrical(Runs& runs) {
  Rows rows;
  const Reading readings[] = {on_the_fat_tree(literal_reading()),
                              on_the_fat_tree(named(with_googlenet(literal_reading()), "literal rate, GoogLeNet set")),
                              on_the_fat_tree(fitted_reading())};
  const auto saved = [](const char* paper, const char* against, const std::string& reading) {
    return fmt::format("{}: saved against {} (%), {}", paper, against, reading);
  };

  // v2 and v1 on the fat-tree
  for (const Published& published : {kVersion2, kVersion1})
    for (const Reading& reading : readings) {
      rows.push_back(published_row(saved(published.paper, "E-Ring", reading.name), published.ring,
                                   reduction(runs, reading, Baseline::kElectricalRing), reading.assumptions,
                                   published.ring_source));
      rows.push_back(published_row(saved(published.paper, "RD", reading.name), published.doubling,
                                   reduction(runs, reading, Baseline::kElectricalDoubling), reading.assumptions,
                                   published.doubling_source));
    }

  // v2 restated
  for (const Calibration& calibration : kCalibrations) {
    rows.push_back(published_row(saved("v2", "E-Ring", calibration.name), kVersion2.ring,
                                 calibrated_reduction(runs, calibration, "ring"), of(calibration),
                                 kVersion2.ring_source));
    rows.push_back(published_row(saved("v2", "RD", calibration.name), kVersion2.doubling,
                                 calibrated_reduction(runs, calibration, "recursive-doubling"), of(calibration),
                                 kVersion2.doubling_source));
  }

  // The conference paper: the mean of v2's two
  const char* source = "conference short version, abstract (which calls it optical; the means say electrical)";
  const std::vector<double> two = {kVersion2.ring, kVersion2.doubling};
  rows.push_back(following(
      two, published_row("conference: saved, electrical (%), mean of v2's two", kConference,
                         (kVersion2.ring + kVersion2.doubling) / 2,
                         {restated("the plain mean of v2's numbers; nothing was run", kVersion2.ring_source, two)},
                         source)));
  for (const Reading& reading : readings)
    rows.push_back(
        following(two, published_row(fmt::format("conference: saved, electrical (%), {}", reading.name), kConference,
                                     (reduction(runs, reading, Baseline::kElectricalRing) +
                                      reduction(runs, reading, Baseline::kElectricalDoubling)) /
                                         2,
                                     reading.assumptions, source)));
  return rows;
}

}  // namespace helio::studies::wrht_study
