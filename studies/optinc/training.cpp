// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "studies/optinc/assumption.h"

namespace helio::studies::optinc_study {
namespace {

const char* const kComparable = "papers/optinc.md 4: comparable, no number; 0 is no difference";

// What was run, with the command of one of its runs.
Assumptions commands_of(std::span<const TrainingRun> runs, std::string_view name, int seed) {
  const TrainingRun* run = run_of(runs, name, seed);
  if (!run || run->command.empty()) return {};
  return ours(fmt::format("{}, seed {}: {}{}", name, seed, run->command,
                          run->device.empty() ? "" : fmt::format(", on {}", run->device)));
}

Assumptions images(std::string_view name, double epochs) {
  return ours("Tiny-ImageNet-100 at 32x32, in place of CIFAR-100: 50,000 training and 5,000 held-out images") +
         ours(
             fmt::format("ResNet-50 with a stem for 32x32, all servers in one process, {:g} epochs; accuracy after the "
                         "last, not the best",
                         epochs)) +
         ours(fmt::format("{}: {}", name, training_case(name).words));
}

Assumptions text(std::string_view name) {
  return ours("English Wikipedia text of 50 MB, not the paper's Wikipedia-1B") +
         ours("a LLaMA-style decoder of 12 x 768 on 4 servers in one process, one epoch") +
         ours(fmt::format("{}: {}", name, training_case(name).words));
}

Assumptions pairs() { return ours("both of a pair start from the same values and see the same batches"); }

double final_accuracy(std::span<const TrainingRun> runs, std::string_view name, int seed) {
  return 100 * run_of(runs, name, seed)->last().accuracy.value();
}

double mean_accuracy(std::span<const TrainingRun> runs, std::string_view name, const std::vector<int>& seeds) {
  double sum = 0;
  for (const int seed : seeds) sum += final_accuracy(runs, name, seed);
  return sum / static_cast<double>(seeds.size());
}

std::string words_of_seeds(const std::vector<int>& seeds, const char* kind = "") {
  return seeds.size() == 1 ? fmt::format("seed {}", seeds.front())
                           : fmt::format("mean of {} {}seeds", seeds.size(), kind);
}

// One case less another: the mean with its interval, or what one seed says.
void add_difference(Rows& rows, std::span<const TrainingRun> runs, const ComparedCases& compared) {
  const auto& [name, less] = compared;
  const std::vector<SeedDifference> found = accuracy_differences(runs, name, less);
  if (found.empty()) return;
  std::vector<int> seeds;
  std::vector<double> points;
  for (const SeedDifference& one : found) {
    seeds.push_back(one.seed);
    points.push_back(one.points);
  }
  const Assumptions rests = images(name, run_of(runs, name, seeds.front())->last().epoch) + pairs() +
                            commands_of(runs, name, seeds.front()) + commands_of(runs, less, seeds.front());
  const std::string what = fmt::format("final accuracy, {} - {}", name, less);
  const auto add = [&](const std::string& quantity, double value, const Assumptions& more) {
    rows.push_back(derived_row(quantity, 0, value, rests + more, kComparable));
  };
  if (points.size() == 1) {
    add(fmt::format("{}, seed {} (points)", what, seeds.front()), points.front(),
        ours("one seed: its scatter is not known"));
  } else {
    const PairedDifference over = paired(points);
    const Assumptions student =
        ours(fmt::format("95 % interval by Student's t with {} degrees of freedom; aim of ours: "
                         "a mean within 0.5 points",
                         over.pairs - 1));
    add(fmt::format("{}, {} (points)", what, words_of_seeds(seeds, "paired ")), over.mean, student);
    add(fmt::format("{}, lower end of the 95 % interval (points)", what), over.low(), student);
    add(fmt::format("{}, upper end of the 95 % interval (points)", what), over.high(), student);
  }
  rows.push_back(derived_row(fmt::format("final accuracy, {} beside {}, {} (%)", name, less, words_of_seeds(seeds)),
                             mean_accuracy(runs, less, seeds), mean_accuracy(runs, name, seeds), rests,
                             fmt::format("{} on the same seeds", less)));
}

// The baseline is what anybody's training reaches.
void add_baseline(Rows& rows, std::span<const TrainingRun> runs) {
  const std::vector<int> ours_of = common_seeds(runs, std::array<std::string_view, 1>{"exact"});
  const std::vector<int> plain_of = common_seeds(runs, std::array<std::string_view, 1>{"plain_pytorch"});
  if (ours_of.empty() || plain_of.empty()) return;
  rows.push_back(derived_row(
      fmt::format("final accuracy, exact, {} (%)", words_of_seeds(ours_of)),
      mean_accuracy(runs, "plain_pytorch", plain_of), mean_accuracy(runs, "exact", ours_of),
      images("exact", run_of(runs, "exact", ours_of.front())->last().epoch) +
          ours("not paired: PyTorch draws its own start values and batches"),
      fmt::format("plain PyTorch, {}: studies/optinc/training/plain_pytorch.py", words_of_seeds(plain_of))));
}

// How often averages of real gradients are wrong, beside codes that are all equally likely.
void add_wrong(Rows& rows, std::span<const TrainingRun> runs) {
  struct Expected {
    std::string_view name;
    double percent;
    const char* source;
  };
  constexpr double kNetwork = 100 * 252.0 / 28'561;
  for (const Expected& expected : {Expected{"optinc", 0, "n4b8_ud: 0 of all 28,561 points"},
                                   {"optinc_small", kNetwork, "n4b8_ud_352: 252 of all 28,561 points"},
                                   {"optinc_small_leaning", kNetwork, "n4b8_ud_352: 252 of all 28,561 points"},
                                   {"optinc_10x", 10 * kNetwork, "ten times 252 of 28,561 points"},
                                   {"optinc_10x_leaning", 10 * kNetwork, "ten times 252 of 28,561 points"},
                                   {"cascade", 0, "papers/optinc.md 2.6: 0 with a fractional symbol"},
                                   {"cascade_plain", 22.1, "papers/optinc.md 2.6: uniform codes, rounded twice"}}) {
    const std::vector<int> all = common_seeds(runs, std::array{expected.name});
    std::vector<int> seeds;
    double sum = 0;
    for (const int seed : all)
      if (const auto share = run_of(runs, expected.name, seed)->last().wrong_share) {
        seeds.push_back(seed);
        sum += 100 * *share;
      }
    if (seeds.empty()) continue;
    rows.push_back(
        derived_row(fmt::format("wrong averages in the last step, {}, {} (%)", expected.name, words_of_seeds(seeds)),
                    expected.percent, sum / static_cast<double>(seeds.size()),
                    images(expected.name, run_of(runs, expected.name, seeds.front())->last().epoch) +
                        ours("codes of gradients are not uniform, as those are that the expected number counts"),
                    expected.source));
  }
}

// Loss of the language model, seed by seed, and their mean where there are several.
void add_language(Rows& rows, std::span<const TrainingRun> runs) {
  for (const auto& [name, less] : kComparedLanguage) {
    const std::vector<int> seeds = common_seeds(runs, std::array{name, less});
    double sum = 0;
    for (const int seed : seeds) {
      const double one = *run_of(runs, name, seed)->last().held_out_loss;
      const double other = *run_of(runs, less, seed)->last().held_out_loss;
      const Assumptions rests = text(name) + pairs() + commands_of(runs, name, seed) + commands_of(runs, less, seed);
      rows.push_back(derived_row(fmt::format("held-out loss, {} over {} less 1, seed {} (%)", name, less, seed), 0,
                                 100 * (one / other - 1), rests + ours("aim of ours: within 0.5 %"), kComparable));
      rows.push_back(derived_row(fmt::format("held-out loss, {} beside {}, seed {} (nats a token)", name, less, seed),
                                 other, one, rests, fmt::format("{} with the same seed", less)));
      sum += 100 * (one / other - 1);
    }
    if (seeds.size() > 1)
      rows.push_back(derived_row(
          fmt::format("held-out loss, {} over {} less 1, {} (%)", name, less, words_of_seeds(seeds, "paired ")), 0,
          sum / static_cast<double>(seeds.size()), text(name) + pairs() + ours("aim of ours: within 0.5 %"),
          kComparable));
  }
}

}  // namespace

std::vector<SeedDifference> accuracy_differences(std::span<const TrainingRun> runs, std::string_view name,
                                                 std::string_view less) {
  std::vector<SeedDifference> differences;
  for (const int seed : common_seeds(runs, std::array{name, less})) {
    const double one = run_of(runs, name, seed)->last().epoch, other = run_of(runs, less, seed)->last().epoch;
    if (one != other)
      throw Error(ErrorKind::kInput,
                  fmt::format("{} has {:g} epochs, {} has {:g}: they are no pair", name, one, less, other),
                  fmt::format("studies/optinc/training, seed {}", seed), "Train both for the same number of epochs");
    differences.push_back({seed, final_accuracy(runs, name, seed) - final_accuracy(runs, less, seed)});
  }
  return differences;
}

Rows training_rows(std::span<const TrainingRun> runs) {
  Rows rows;
  for (const ComparedCases& compared : kCompared) add_difference(rows, runs, compared);
  add_baseline(rows, runs);
  add_wrong(rows, runs);
  add_language(rows, runs);
  return rows;
}

}  // namespace helio::studies::optinc_study
