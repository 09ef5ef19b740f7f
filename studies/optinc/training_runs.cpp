// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/training_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/split.h"

namespace helio::studies::optinc_study {
namespace {

using enum TrainingGroup;

constexpr TrainingCase kTrainingCases[] = {
    {"plain_pytorch", "plain PyTorch with the same recipe"},
    {"exact", "exact sums"},
    {"quantised", "8-bit codes, averaged exactly, balanced", kAside},
    {"quantised_leaning", "8-bit codes, averaged exactly, half up without balance"},
    {"optinc", "the trained network n4b8_ud, wrong nowhere, balanced"},
    {"optinc_chip", "the network for chips on a chip with all its flaws, balanced"},
    {"optinc_chip_ud", "the trained network n4b8_ud on a chip with all its flaws, balanced", kAside},
    {"optinc_small", "the trained network n4b8_ud_352, wrong at 252 of 28,561 points, balanced"},
    {"optinc_small_leaning", "n4b8_ud_352 without balance"},
    {"optinc_small_150", "n4b8_ud_352, balanced, with code 150 for zero"},
    {"optinc_10x", "ten times the errors of n4b8_ud_352, at points drawn at random, balanced"},
    {"optinc_10x_leaning", "ten times the errors of n4b8_ud_352, at points drawn at random, without balance", kAside},
    {"optinc_dither", "a constructed network that rounds with dither", kAside},
    {"optinc_1024", "the trained network n4b8_ud, balanced, buckets of 1,024", kAside},
    {"exact_16", "exact sums, 16 servers", kSixteenServers},
    {"cascade", "a cascade of 4x4 with a fractional symbol, balanced", kSixteenServers},
    {"cascade_plain", "a cascade of 4x4 without a fractional symbol, balanced", kSixteenServers},
    {"lm_exact", "language model, exact sums", kLanguage},
    {"lm_quantised", "language model, 8-bit codes, averaged exactly, balanced", kLanguage},
    {"lm_quantised_leaning", "language model, 8-bit codes, half up without balance", kLanguage},
    {"lm_optinc", "language model, the trained network n4b8_ud, balanced", kLanguage},
    {"lm_optinc_chip", "language model, the network for chips on a chip with all its flaws, balanced", kLanguage},
    {"lm_optinc_small", "language model, the trained network n4b8_ud_352, balanced", kLanguage},
    {"lm_optinc_1024", "language model, n4b8_ud, balanced, buckets of 1,024", kLanguage},
    {"lm_optinc_dither", "language model, a network that rounds with dither, buckets of 1,024", kLanguage},
};

constexpr std::string_view kLines = ".jsonl", kResult = ".json";

std::string place_of(const TrainingFile& file) { return fmt::format("studies/optinc/training/{}", file.name); }

[[noreturn]] void refuse(std::string what, std::string place, std::string advice) {
  throw Error(ErrorKind::kInput, std::move(what), std::move(place), std::move(advice));
}

// "optinc_s3": the case and its seed.
std::pair<std::string, int> case_and_seed(const TrainingFile& file, std::string_view stem) {
  const std::size_t at = stem.rfind("_s");
  int seed = 0;
  if (at != std::string_view::npos) {
    const char *first = stem.data() + at + 2, *end = stem.data() + stem.size();
    const auto [stopped, fault] = std::from_chars(first, end, seed);
    if (fault != std::errc{} || stopped != end || seed < 0) seed = -1;
  }
  if (at == std::string_view::npos || seed < 0)
    refuse("the name does not say case and seed", place_of(file), "Name it CASE_sSEED, as optinc_s3.jsonl");
  std::string name(stem.substr(0, at));
  if (std::ranges::find(kTrainingCases, name, &TrainingCase::name) == std::end(kTrainingCases)) {
    std::vector<std::string> legal;
    for (const TrainingCase& known : kTrainingCases) legal.emplace_back(known.name);
    throw unknown_name("case", name, legal, place_of(file));
  }
  return {std::move(name), seed};
}

double number(const Json& line, const char* key, const std::string& place) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number()) refuse(fmt::format("no number '{}'", key), place, "Run it again");
  const double value = found->get<double>();
  if (!std::isfinite(value)) refuse(fmt::format("'{}' is not finite", key), place, "Run it again");
  return value;
}

std::optional<double> number_if_there(const Json& line, const char* key, const std::string& place) {
  if (!line.contains(key)) return std::nullopt;
  return number(line, key, place);
}

Json object_of(std::string_view text, const std::string& place) {
  const char* advice = "Copy the file again as helio-train wrote it";
  Json value = parse_json(text, place, advice);
  if (!value.is_object()) refuse("this is no JSON object", place, advice);
  return value;
}

std::string text_if_there(const Json& result, const char* key) {
  const auto found = result.find(key);
  return found != result.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<TrainingEpoch> epochs_of(const TrainingFile& file) {
  std::vector<TrainingEpoch> epochs;
  std::size_t line_number = 0;
  for (const std::string& text : split(file.text, '\n')) {
    const std::string place = fmt::format("{}:{}", place_of(file), ++line_number);
    if (text.empty()) continue;
    const Json line = object_of(text, place);
    epochs.push_back({.epoch = number(line, "epoch", place),
                      .loss = number(line, "loss", place),
                      .held_out_loss = number_if_there(line, "held_out_loss", place),
                      .accuracy = number_if_there(line, "accuracy", place),
                      .wrong_share = number_if_there(line, "wrong_share", place)});
    if (epochs.size() > 1 && epochs.back().epoch <= epochs[epochs.size() - 2].epoch)
      refuse("epochs do not rise", place, "Keep one line of each epoch");
  }
  return epochs;
}

}  // namespace

std::span<const TrainingCase> training_cases() { return kTrainingCases; }

const TrainingCase& training_case(std::string_view name) {
  const auto* found = std::ranges::find(kTrainingCases, name, &TrainingCase::name);
  assert(found != std::end(kTrainingCases) && "a case of the list");
  return *found;
}

std::vector<TrainingRun> training_runs(std::span<const TrainingFile> files) {
  // Lines
  std::vector<TrainingRun> runs;
  for (const TrainingFile& file : files) {
    if (!file.name.ends_with(kLines)) continue;
    auto [name, seed] = case_and_seed(file, file.name.substr(0, file.name.size() - kLines.size()));
    TrainingRun run{.name = std::move(name), .seed = seed, .epochs = epochs_of(file), .command = {}, .device = {}};
    const bool language = training_case(run.name).group == TrainingGroup::kLanguage;
    if (run.epochs.empty() || !(language ? run.last().held_out_loss : run.last().accuracy))
      refuse("the last line has no held-out numbers", place_of(file), "Keep runs that went to their end only");
    runs.push_back(std::move(run));
  }

  // Results beside them
  for (const TrainingFile& file : files) {
    if (!file.name.ends_with(kResult)) continue;
    const auto [name, seed] = case_and_seed(file, file.name.substr(0, file.name.size() - kResult.size()));
    const auto run = std::ranges::find_if(
        runs, [&, n = name, s = seed](const TrainingRun& one) { return one.name == n && one.seed == s; });
    if (run == runs.end()) refuse("a result without its lines", place_of(file), "Keep the .jsonl file beside it");
    const Json result = object_of(file.text, place_of(file));
    if (const auto finished = result.find("finished"); finished != result.end() && *finished != true)
      refuse("the run did not finish", place_of(file), "Go on with --resume, or take both files away");
    run->command = text_if_there(result, "command");
    run->device = text_if_there(result, "device");
  }

  const auto rank = [](const TrainingRun& run) {
    return std::pair{&training_case(run.name) - kTrainingCases, run.seed};
  };
  std::ranges::sort(runs, {}, rank);
  return runs;
}

const TrainingRun* run_of(std::span<const TrainingRun> runs, std::string_view name, int seed) {
  for (const TrainingRun& run : runs)
    if (run.name == name && run.seed == seed) return &run;
  return nullptr;
}

std::vector<int> common_seeds(std::span<const TrainingRun> runs, std::span<const std::string_view> names) {
  std::vector<int> seeds;
  for (const TrainingRun& run : runs)
    if (run.name == names.front() &&
        std::ranges::all_of(names, [&](std::string_view name) { return run_of(runs, name, run.seed); }))
      seeds.push_back(run.seed);
  return seeds;
}

}  // namespace helio::studies::optinc_study
