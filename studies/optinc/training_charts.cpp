// SPDX-License-Identifier: Apache-2.0
// Trainings in pictures: curves of every case, its seeds averaged, and what each seed says of the differences.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "studies/optinc/training.h"

namespace helio::studies::optinc_study {
namespace {

using report::Chart;
using report::Series;
using Value = std::function<std::optional<double>(const TrainingEpoch&)>;

// The mean over the seeds of a case, in epochs of which all of them have the value.
Series mean_curve(std::span<const TrainingRun> runs, std::string_view name, const Value& value) {
  const std::vector<int> seeds = common_seeds(runs, std::array{name});
  Series series{.name =
                    fmt::format("{}{}", name, seeds.size() > 1 ? fmt::format(", mean of {} seeds", seeds.size()) : "")};
  if (seeds.empty()) return series;
  for (const TrainingEpoch& first : run_of(runs, name, seeds.front())->epochs) {
    double sum = 0;
    std::size_t found = 0;
    for (const int seed : seeds) {
      const std::vector<TrainingEpoch>& epochs = run_of(runs, name, seed)->epochs;
      const auto same = std::ranges::find(epochs, first.epoch, &TrainingEpoch::epoch);
      if (same == epochs.end() || !value(*same)) continue;
      sum += *value(*same);
      ++found;
    }
    if (found == seeds.size()) series.points.emplace_back(first.epoch, sum / static_cast<double>(found));
  }
  return series;
}

// Nothing where no case has two points to join.
void add_curves(std::vector<Chart>& charts, std::span<const TrainingRun> runs, TrainingGroup group, Chart chart,
                const Value& value) {
  chart.kind = report::ChartKind::kCurves;
  for (const TrainingCase& one : training_cases()) {
    if (one.group != group) continue;
    if (Series series = mean_curve(runs, one.name, value); series.points.size() > 1)
      chart.series.push_back(std::move(series));
  }
  if (!chart.series.empty()) charts.push_back(std::move(chart));
}

// Of several seeds where any pair of cases has them: one seed of a network that errs would hide the others.
void add_differences(std::vector<Chart>& charts, std::span<const TrainingRun> runs) {
  Chart chart{.name = "optinc-training-differences",
              .title = "Final accuracy of one case less that of another, seed by seed, ResNet-50",
              .x_label = "seed",
              .y_label = "difference (points)"};
  std::vector<std::pair<ComparedCases, std::vector<SeedDifference>>> all;
  for (const ComparedCases& compared : kCompared)
    all.emplace_back(compared, accuracy_differences(runs, compared.name, compared.less));
  const auto several = [](const auto& one) { return one.second.size() > 1; };
  if (std::ranges::any_of(all, several)) std::erase_if(all, std::not_fn(several));

  std::set<int> seeds;
  for (const auto& [compared, differences] : all)
    for (const SeedDifference& one : differences) seeds.insert(one.seed);
  for (const int seed : seeds) chart.cases.push_back(fmt::format("seed {}", seed));
  for (const auto& [compared, differences] : all) {
    Series series{.name = fmt::format("{} - {}", compared.name, compared.less)};
    for (const SeedDifference& one : differences)
      series.points.emplace_back(static_cast<double>(std::distance(seeds.begin(), seeds.find(one.seed)) + 1),
                                 one.points);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (!chart.series.empty()) charts.push_back(std::move(chart));
}

}  // namespace

std::vector<Chart> training_charts(std::span<const TrainingRun> runs) {
  const auto accuracy = [](const TrainingEpoch& epoch) {
    return epoch.accuracy ? std::optional(100 * *epoch.accuracy) : std::nullopt;
  };
  const auto loss = [](const TrainingEpoch& epoch) { return std::optional(epoch.loss); };
  std::vector<Chart> charts;
  add_curves(charts, runs, TrainingGroup::kImages,
             {.name = "optinc-training-accuracy",
              .title = "Held-out accuracy of ResNet-50 on Tiny-ImageNet-100 at 32x32, in place of CIFAR-100",
              .x_label = "epoch",
              .y_label = "accuracy (%)"},
             accuracy);
  add_curves(charts, runs, TrainingGroup::kImages,
             {.name = "optinc-training-loss",
              .title = "Training loss of ResNet-50 on Tiny-ImageNet-100 at 32x32, in place of CIFAR-100",
              .x_label = "epoch",
              .y_label = "loss"},
             loss);
  add_curves(charts, runs, TrainingGroup::kSixteenServers,
             {.name = "optinc-training-cascades",
              .title = "The same with 16 servers: held-out accuracy of cascades",
              .x_label = "epoch",
              .y_label = "accuracy (%)"},
             accuracy);
  add_differences(charts, runs);
  add_curves(charts, runs, TrainingGroup::kLanguage,
             {.name = "optinc-language-loss",
              .title = "Training loss of a LLaMA-style model on English Wikipedia text, not the paper's Wikipedia-1B",
              .x_label = "epoch",
              .y_label = "loss (nats a token)"},
             loss);
  return charts;
}

}  // namespace helio::studies::optinc_study
