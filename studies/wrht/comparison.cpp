// SPDX-License-Identifier: Apache-2.0
// "Performance Comparison of Distributed DNN Training …", the same group: where Ring overtakes recursive doubling, and what light
// gains over copper, at 1024 nodes.
#include <fmt/format.h>

#include <cmath>

#include "studies/wrht/chapters.h"
#include "studies/wrht/reduction.h"

namespace helio::studies::wrht_study {
namespace {

constexpr const char* kSource = "Performance Comparison of Distributed DNN Training, abstract";

// The largest of 1, 2, 4, … MB that is still below the payload at which Ring overtakes.
double on_doubling_grid(double bytes) { return std::exp2(std::floor(std::log2(bytes / 1e6))); }

Question light(const char* algorithm, double rate) { return {.algorithm = algorithm, .rate = rate}; }

}  // namespace

Rows comparison(Runs& runs) {
  Rows rows;
  struct Light {
    const char* name;
    double rate;
    Assumption assumption;
  };
  const Light lights[] = {{"literal", kLiteralRate, literal_rate()}, {"40 GB/s", kFittedRate, fitted_rate()}};
  const Assumption sub_rounds = of_our_own("recursive doubling in ceil(2^k / w) sub-rounds, 21 steps");
  const Assumption grid =
      of_our_own("the statement read as the last payload of a doubling grid at which recursive doubling still wins");
  const Assumption plain = taken_literally("the payload itself, without a grid", kSource);

  // Where Ring overtakes
  for (const Light& of : lights) {
    const double bytes = crossing(runs, light("ring", of.rate), light("recursive-doubling", of.rate));
    rows.push_back(published_row(fmt::format("comparison: optical Ring beats RD above (MB), {}", of.name), 64,
                                 on_doubling_grid(bytes), {machine(), of.assumption, sub_rounds, grid}, kSource));
    rows.push_back(published_row(fmt::format("comparison: optical Ring equals RD at (MB), {}", of.name), 64,
                                 bytes / 1e6, {machine(), of.assumption, sub_rounds, plain}, kSource));
  }
  const double bytes = crossing(runs, on_fat_tree("ring", 1024, 0), on_fat_tree("recursive-doubling", 1024, 0));
  rows.push_back(published_row("comparison: electrical Ring beats RD above (MB), fat-tree", 1024,
                               on_doubling_grid(bytes), {grid, fat_tree()}, kSource));
  rows.push_back(published_row("comparison: electrical Ring equals RD at (MB), fat-tree", 1024, bytes / 1e6,
                               {plain, fat_tree()}, kSource));

  // What light gains
  const std::vector<Model> models = literal_reading().models;
  for (const Light& of : lights)
    for (const char* algorithm : {"ring", "recursive-doubling"}) {
      double sum = 0;
      for (const Model& model : models) {
        Question optical = light(algorithm, of.rate);
        optical.bytes = model.bytes;
        sum += 1 - runs(optical).seconds / runs(on_fat_tree(algorithm, 1024, model.bytes)).seconds;
      }
      rows.push_back(published_row(
          fmt::format("comparison: saved by optics, {} (%), {}", algorithm, of.name), 75,
          100 * sum / static_cast<double>(models.size()),
          {machine(), of.assumption, fat_tree(),
           of_our_own("\"about 75 % faster\" read as time saved, mean over BEiT-L, VGG16, AlexNet, ResNet50")},
          kSource));
    }
  return rows;
}

}  // namespace helio::studies::wrht_study
