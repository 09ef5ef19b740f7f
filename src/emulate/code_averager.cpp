// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_averager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/error.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_rare_noise.h"

namespace helio::emulate {

using photonics::Matrix;
using photonics::Onn;

namespace {

constexpr std::size_t kPointsAtOnce = 4096;
constexpr int kMostBits = 24;  // of a code that enters: its spread is a table

constexpr std::size_t kMostAnswers = std::size_t{1} << 30;  // of all tables of a level: indices have 32 bits

// Bits of one code that enters a level.
int entering_bits(const AveragingTask& task) { return task.bits + task.in_fraction * task.symbol_bits; }

std::uint32_t digit(std::uint32_t code, int k, int bits) { return code >> (k * bits) & ((1u << bits) - 1); }

// Averages of points i of the grid, i = first, first + 1, …
void averages_of(const AveragingTask& task, const Onn* network, photonics::OnnForward* forward,
                 const photonics::Grid& grid, std::uint64_t first, std::span<std::int64_t> out) {
  std::vector<int> point(static_cast<std::size_t>(task.lights()));
  grid.point(first, point);
  if (!network) {
    for (std::int64_t& g : out) {
      g = task.target(point);
      grid.advance(point);
    }
    return;
  }
  Matrix sums(task.lights(), static_cast<Eigen::Index>(out.size()));
  for (Eigen::Index e = 0; e < sums.cols(); ++e) {
    for (Eigen::Index k = 0; k < sums.rows(); ++k) sums(k, e) = point[static_cast<std::size_t>(k)];
    grid.advance(point);
  }
  photonics::decode(*network, forward->run(sums), out);
}

// A level without its answers.
CodeAverager::Level bare_level(const AveragingTask& task) {
  task.check();
  if (entering_bits(task) > kMostBits)
    throw Error(ErrorKind::kInput, fmt::format("codes of {} bits are more than can be emulated", entering_bits(task)),
                "", fmt::format("at most {} bits may enter a switch", kMostBits));
  CodeAverager::Level level;
  level.task = task;
  return level;
}

// What a code adds to the index: its digits, of base R^g, in base L
void spread_codes(CodeAverager::Level& level) {
  const AveragingTask& task = level.task;
  level.spread.resize(std::size_t{1} << entering_bits(task));
  const int digit_bits = task.symbol_bits * task.merge;
  for (std::uint32_t code = 0; code < level.spread.size(); ++code) {
    std::uint64_t weight = 1, part = 0;
    for (int k = 0; k < task.inputs(); ++k, weight *= static_cast<std::uint64_t>(task.levels()))
      part += weight * digit(code, k, digit_bits);
    level.spread[code] = static_cast<std::uint32_t>(part);
  }
}

CodeAverager::Level level_of(const AveragingTask& task, const Onn* network, std::size_t number,
                             double most_table_points) {
  CodeAverager::Level level = bare_level(task);
  if (network) {
    network->check();
    if (!(network->task == task))
      throw Error(
          ErrorKind::kInput,
          fmt::format("the network of level {} averages {} codes of {} bits, and the level has {} of {} or other "
                      "symbols, fractions or rounding",
                      number + 1, network->task.servers, network->task.bits, task.servers, task.bits),
          "", "give a network that was made for this level");
    level.network = *network;
  }
  const photonics::Grid grid(task);
  if (grid.size() > most_table_points) return level;

  spread_codes(level);

  // The answers
  const auto points = static_cast<std::size_t>(grid.size());
  level.points = static_cast<std::uint32_t>(points);
  const bool small = task.largest() < 256;
  if (small)
    level.small.resize(points);
  else
    level.large.resize(points);
  std::optional<photonics::OnnForward> forward;
  if (level.network) forward.emplace(*level.network);
  std::vector<std::int64_t> answers(kPointsAtOnce);
  for (std::size_t first = 0; first < points; first += kPointsAtOnce) {
    const std::size_t count = std::min(kPointsAtOnce, points - first);
    averages_of(task, network, forward ? &*forward : nullptr, grid, first, {answers.data(), count});
    for (std::size_t i = 0; i < count; ++i)
      if (small)
        level.small[first + i] = static_cast<std::uint8_t>(answers[i]);
      else
        level.large[first + i] = static_cast<std::uint32_t>(answers[i]);
  }
  return level;
}

CodeAverager::Level level_told(const AveragingTask& task, std::span<const std::uint32_t> answers, std::size_t number) {
  CodeAverager::Level level = bare_level(task);
  const double points = photonics::Grid(task).size();
  const double tables = static_cast<double>(answers.size()) / points;
  if (answers.empty() || answers.size() > kMostAnswers || tables != std::floor(tables))
    throw Error(
        ErrorKind::kInput,
        fmt::format("{} answers of level {} are no tables of {:.0f} points", answers.size(), number + 1, points), "",
        fmt::format("give one or more whole tables, at most {} answers", kMostAnswers));
  spread_codes(level);
  level.points = static_cast<std::uint32_t>(points);
  level.tables = static_cast<std::uint32_t>(tables);
  if (task.largest() < 256)
    level.small.assign(answers.begin(), answers.end());
  else
    level.large.assign(answers.begin(), answers.end());
  return level;
}

// Output fields of a level's network, with its noise.
Matrix answered(const CodeAverager::Level& level, const Matrix& lights, std::uint64_t seed) {
  Random random(seed);
  if (level.noise > 0 && photonics::RareNoise::serves(*level.network)) {
    photonics::RareNoise network(*level.network, level.noise);
    network.clean(lights);
    return network.draw(random);
  }
  photonics::OnnForward forward(*level.network);
  return level.noise > 0 ? forward.run(lights, {.sigma = level.noise}, random) : forward.run(lights);
}

template <class Table>
void look_up(const Table& table, const std::uint32_t* index, std::size_t count, std::uint32_t* out) {
  for (std::size_t e = 0; e < count; ++e) out[e] = table[index[e]];
}

}  // namespace

CodeAverager::CodeAverager(const AveragingCascade& cascade, double most_table_points)
    : CodeAverager(cascade, {}, most_table_points) {}

CodeAverager::CodeAverager(const AveragingCascade& cascade, std::span<const Onn> networks, double most_table_points,
                           double noise) {
  assert((noise == 0 || most_table_points == 0) && "a table knows no noise");
  if (cascade.empty()) throw Error(ErrorKind::kInput, "a cascade without a switch averages nothing");
  if (!networks.empty() && networks.size() != cascade.size())
    throw Error(ErrorKind::kInput,
                fmt::format("{} networks for {} levels of switches", networks.size(), cascade.size()), "",
                "give one network for each level, the lowest first");
  for (std::size_t l = 0; l < cascade.size(); ++l) {
    levels_.push_back(level_of(cascade[l], networks.empty() ? nullptr : &networks[l], l, most_table_points));
    levels_.back().noise = noise;
    servers_ *= static_cast<std::uint32_t>(cascade[l].servers);
  }
}

CodeAverager::CodeAverager(const AveragingCascade& cascade, std::span<const std::vector<std::uint32_t>> answers) {
  if (cascade.empty() || answers.size() != cascade.size())
    throw Error(ErrorKind::kInput,
                fmt::format("answers of {} levels for {} levels of switches", answers.size(), cascade.size()));
  for (std::size_t l = 0; l < cascade.size(); ++l) {
    levels_.push_back(level_told(cascade[l], answers[l], l));
    servers_ *= static_cast<std::uint32_t>(cascade[l].servers);
  }
}

AveragingBlock::AveragingBlock(const CodeAverager& averager, std::size_t most_elements, std::uint64_t seed)
    : averager_(averager), seed_(seed) {
  for (const CodeAverager::Level& level : averager.levels()) {
    entered_.push_back(0);
    finished_.push_back(0);
    sums_.emplace_back(most_elements * static_cast<std::size_t>(level.has_table() ? 1 : level.task.inputs()));
    averages_.emplace_back(most_elements);
  }
}

void AveragingBlock::begin(std::size_t elements, std::uint64_t first) {
  assert(elements <= averages_.front().size());
  elements_ = elements;
  first_ = first;
  std::ranges::fill(entered_, 0u);
  std::ranges::fill(finished_, 0u);
}

void AveragingBlock::add(std::span<const std::uint32_t> codes) {
  assert(codes.size() == elements_);
  enter(0, codes.data());
}

void AveragingBlock::enter(std::size_t l, const std::uint32_t* codes) {
  const CodeAverager::Level& level = averager_.levels()[l];
  const bool begins = entered_[l] == 0;
  if (level.has_table()) {
    std::uint32_t* index = sums_[l].data();
    const std::uint32_t* spread = level.spread.data();
    if (begins)
      for (std::size_t e = 0; e < elements_; ++e) index[e] = spread[codes[e]];
    else
      for (std::size_t e = 0; e < elements_; ++e) index[e] += spread[codes[e]];
  } else {
    const int bits = level.task.symbol_bits * level.task.merge;
    for (int k = 0; k < level.task.inputs(); ++k) {
      std::uint32_t* sum = sums_[l].data() + static_cast<std::size_t>(k) * elements_;
      for (std::size_t e = 0; e < elements_; ++e) sum[e] = (begins ? 0 : sum[e]) + digit(codes[e], k, bits);
    }
  }
  if (++entered_[l] == static_cast<std::uint32_t>(level.task.servers)) finish(l);
}

void AveragingBlock::finish(std::size_t l) {
  const CodeAverager::Level& level = averager_.levels()[l];
  const AveragingTask& task = level.task;
  std::uint32_t* out = averages_[l].data();
  std::uint32_t* sums = sums_[l].data();
  const bool dithers = task.rounding == Rounding::kDither;
  const auto light = [&](std::size_t e) {
    return static_cast<std::int64_t>(mixed(light_seed(seed_, l), first_ + e) %
                                     static_cast<std::uint64_t>(task.denominator()));
  };
  if (level.has_table()) {
    if (dithers) {
      std::uint64_t highest = 1;
      for (int k = 0; k < task.inputs(); ++k) highest *= static_cast<std::uint64_t>(task.levels());
      for (std::size_t e = 0; e < elements_; ++e)
        sums[e] += static_cast<std::uint32_t>(highest * static_cast<std::uint64_t>(light(e)));
    }
    if (level.tables > 1) {
      const std::uint64_t seed = table_seed(seed_, l, finished_[l]);
      for (std::size_t e = 0; e < elements_; ++e)
        sums[e] += level.points * static_cast<std::uint32_t>(mixed(seed, first_ + e) % level.tables);
    }
    if (!level.small.empty())
      look_up(level.small, sums, elements_, out);
    else
      look_up(level.large, sums, elements_, out);
  } else if (level.network) {
    Matrix lights(task.lights(), static_cast<Eigen::Index>(elements_));
    for (int k = 0; k < task.inputs(); ++k)
      for (std::size_t e = 0; e < elements_; ++e)
        lights(k, static_cast<Eigen::Index>(e)) = sums[static_cast<std::size_t>(k) * elements_ + e];
    if (dithers)
      for (std::size_t e = 0; e < elements_; ++e)
        lights(task.inputs(), static_cast<Eigen::Index>(e)) = static_cast<double>(light(e));
    std::vector<std::int64_t> averages(elements_);
    photonics::decode(*level.network, answered(level, lights, table_seed(seed_, l, finished_[l]) + first_), averages);
    for (std::size_t e = 0; e < elements_; ++e) out[e] = static_cast<std::uint32_t>(averages[e]);
  } else {
    std::vector<int> point(static_cast<std::size_t>(task.inputs()));
    for (std::size_t e = 0; e < elements_; ++e) {
      for (int k = 0; k < task.inputs(); ++k)
        point[static_cast<std::size_t>(k)] = static_cast<int>(sums[static_cast<std::size_t>(k) * elements_ + e]);
      out[e] = static_cast<std::uint32_t>(task.average(task.total(point), dithers ? light(e) : 0));
    }
  }
  entered_[l] = 0;
  ++finished_[l];
  if (l + 1 < entered_.size()) enter(l + 1, out);
}

}  // namespace helio::emulate
