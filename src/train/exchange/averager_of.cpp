// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/averager_of.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "base/error.h"
#include "emulate/chip_averager.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_chip.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_file.h"

namespace helio::train {
namespace {

using emulate::CodeAverager;
using photonics::Grid;
using photonics::Onn;

constexpr double kSlope = 4;             // of saturating steps: 0 wrong up to the most noise of papers/optinc.md 2.5
constexpr double kMostAnswers = 0x1p28;  // of all tables of a level

std::string in_words(const AveragingTask& task) {
  return fmt::format("{} codes of {} bits in symbols of {} ({}; {} fraction symbols in, {} out; {} merged)",
                     task.servers, task.bits, task.symbol_bits, name_of(task.rounding), task.in_fraction,
                     task.out_fraction, task.merge);
}

Onn constructed(const AveragingTask& task) {
  using namespace photonics;
  Construction how{.direction = Direction::kLsb, .activation = ActivationKind::kSaturating, .slope = kSlope};
  try {
    return construct(task, how);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInfeasible) throw;
  }
  how.direction = Direction::kMsb;
  return construct(task, how);
}

std::vector<Onn> networks_of(const ExchangeSpec& spec, const std::vector<AveragingTask>& tasks) {
  if (!spec.networks.empty() && spec.networks.size() != tasks.size())
    throw Error(ErrorKind::kInput,
                fmt::format("{} network files for {} levels of switches", spec.networks.size(), tasks.size()), "",
                "give one file for each level, the lowest first, or none");
  std::vector<Onn> networks;
  for (std::size_t l = 0; l < tasks.size(); ++l) {
    if (spec.networks.empty()) {
      networks.push_back(spec.chip.empty() ? constructed(tasks[l]) : photonics::construct_for_chips(tasks[l]));
      continue;
    }
    networks.push_back(photonics::load_onn(spec.networks[l]));
    if (!(networks.back().task == tasks[l]))
      throw Error(ErrorKind::kInput,
                  fmt::format("the network '{}' averages {}, and level {} has {}", spec.networks[l],
                              in_words(networks.back().task), l + 1, in_words(tasks[l])),
                  "", "give a network that was made for this level, or other servers, bits, ports or fraction");
  }
  return networks;
}

// Right answers of all points, in order.
std::vector<std::uint32_t> targets(const AveragingTask& task) {
  const Grid grid(task);
  std::vector<std::uint32_t> answers(static_cast<std::size_t>(grid.size()));
  std::vector<int> point(static_cast<std::size_t>(task.lights()), 0);
  for (std::uint32_t& answer : answers) {
    answer = static_cast<std::uint32_t>(task.target(point));
    grid.advance(point);
  }
  return answers;
}

// What the network answers at every point, asked once, with noise that is drawn anew for each.
void ask(const Onn& onn, double sigma, Random& random, std::vector<std::uint32_t>& answers) {
  constexpr std::size_t kAtOnce = 512;
  const Grid grid(onn.task);
  const auto points = static_cast<std::size_t>(grid.size());
  photonics::OnnForward forward(onn);
  std::vector<int> point(static_cast<std::size_t>(onn.task.lights()), 0);
  std::vector<std::int64_t> found(kAtOnce);
  for (std::size_t first = 0; first < points; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, points - first);
    photonics::Matrix sums(onn.task.lights(), static_cast<Eigen::Index>(count));
    for (Eigen::Index p = 0; p < sums.cols(); ++p) {
      for (Eigen::Index k = 0; k < sums.rows(); ++k) sums(k, p) = point[static_cast<std::size_t>(k)];
      grid.advance(point);
    }
    photonics::decode(onn, forward.run(sums, {.sigma = sigma}, random), {found.data(), count});
    answers.insert(answers.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

// Right answers, but for points drawn until uniform codes meet one at `rate`; each is off by one of `errors`, drawn as they lie.
std::vector<std::uint32_t> with_errors(const AveragingTask& task, const std::vector<std::int64_t>& errors, double rate,
                                       Random random) {
  const Grid grid(task);
  std::vector<std::uint32_t> answers = targets(task), order(answers.size());
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  std::vector<int> point(static_cast<std::size_t>(task.lights()));
  double met = 0;
  for (const std::uint32_t index : order) {
    grid.point(index, point);
    const double share = grid.probability(point);
    if (met + share > rate) continue;
    // An error that leaves the range of codes is drawn again
    constexpr int kTries = 64;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const std::int64_t answer = answers[index] + errors[random.below(errors.size())];
      if (answer < 0 || answer > task.largest()) continue;
      answers[index] = static_cast<std::uint32_t>(answer);
      met += share;
      break;
    }
  }
  return answers;
}

void need_table(const AveragingTask& task, int tables, const char* what) {
  const double points = Grid(task).size();
  if (points <= emulate::kMostTablePoints && points * tables <= kMostAnswers) return;
  throw Error(
      ErrorKind::kInfeasible,
      fmt::format("{} needs {} tables of {:.3g} points, which is more than memory should hold", what, tables, points),
      "", "use fewer bits or servers, fewer draws, or a cascade of smaller switches");
}

// Errors that the tables of a level make, one entry for each wrong point.
std::vector<std::int64_t> errors_of(const CodeAverager::Level& level) {
  std::vector<std::int64_t> errors;
  const std::vector<std::uint32_t> right = targets(level.task);
  const auto look = [&](const auto& table) {
    for (std::size_t i = 0; i < table.size(); ++i)
      if (const std::uint32_t target = right[i % right.size()]; table[i] != target)
        errors.push_back(static_cast<std::int64_t>(table[i]) - static_cast<std::int64_t>(target));
  };
  level.small.empty() ? look(level.large) : look(level.small);
  return errors;
}

// "wrong on 12 of 28561 points", level by level.
std::string counted(const CodeAverager& averager) {
  std::vector<std::string> parts;
  for (const CodeAverager::Level& level : averager.levels())
    parts.push_back(level.has_table() ? fmt::format("wrong on {} of {} points", errors_of(level).size(),
                                                    static_cast<std::uint64_t>(level.points) * level.tables)
                                      : "asked point by point");
  return fmt::format("{}", fmt::join(parts, ", "));
}

CodeAverager noisy(const ExchangeSpec& spec, double sigma, const AveragingCascade& cascade,
                   const std::vector<Onn>& networks) {
  std::vector<std::vector<std::uint32_t>> answers(networks.size());
  for (std::size_t l = 0; l < networks.size(); ++l) {
    need_table(networks[l].task, spec.noise_draws, "noise");
    for (int draw = 0; draw < spec.noise_draws; ++draw) {
      Random random = Random(spec.seed).split(l).split(static_cast<std::uint64_t>(draw));
      ask(networks[l], sigma, random, answers[l]);
    }
  }
  return CodeAverager(cascade, answers);
}

CodeAverager erring(const ExchangeSpec& spec, const AveragingCascade& cascade, const std::vector<Onn>& networks) {
  for (const Onn& network : networks) need_table(network.task, 1, "an error rate");
  const CodeAverager itself(cascade, networks);
  std::vector<std::vector<std::uint32_t>> answers;
  bool errs = false;
  for (std::size_t l = 0; l < networks.size(); ++l) {
    const std::vector<std::int64_t> errors = errors_of(itself.levels()[l]);
    errs = errs || !errors.empty();
    answers.push_back(errors.empty()
                          ? targets(networks[l].task)
                          : with_errors(networks[l].task, errors, *spec.error_rate, Random(spec.seed).split(l)));
  }
  if (!errs)
    throw Error(
        ErrorKind::kInput,
        fmt::format("an error rate of {} has no sizes to draw from: {} never wrong", *spec.error_rate,
                    spec.networks.empty() ? "constructed networks are"
                                          : fmt::format("the network '{}' is", fmt::join(spec.networks, "', '"))),
        "", "give a network that makes mistakes, or noise instead");
  return CodeAverager(cascade, answers);
}

// The cascade of a spec: its ports, or one switch for all.
AveragingCascade averaging_of(const ExchangeSpec& spec, int servers) {
  constexpr int kMostBits = 16;  // that single floats tell apart (emulate/optical_exchange.h)
  const auto [bits, symbol_bits] = std::pair(spec.task.bits, spec.task.symbol_bits);
  if (bits < 1 || bits > kMostBits || bits % symbol_bits != 0)
    throw Error(ErrorKind::kInput, fmt::format("there are no codes of {} bits here", bits), spec.place("bits"),
                fmt::format("give a multiple of {}, at most {}", symbol_bits, kMostBits));
  std::vector<std::uint32_t> ports = spec.ports;
  if (ports.empty()) ports = {static_cast<std::uint32_t>(servers)};
  double product = 1;
  for (const std::uint32_t p : ports) product *= p;
  if (product != servers)
    throw Error(ErrorKind::kInput,
                fmt::format("switches of {} ports join {:.0f} servers, and there are {}", fmt::join(ports, " x "),
                            product, servers),
                "", "the ports of all levels must multiply to the number of servers");
  AveragingCascade cascade = cascade_of(spec.task, ports, spec.fraction);
  for (const AveragingTask& task : cascade) task.check();
  return cascade;
}

}  // namespace

Switches switches_of(const ExchangeSpec& spec, int servers) {
  const AveragingCascade cascade = averaging_of(spec, servers);
  if (spec.name == "quantised") return {CodeAverager(cascade), "the exactly rounded average"};

  std::vector<Onn> networks = networks_of(spec, cascade);
  double noise = spec.noise;
  if (!spec.chip.empty()) {
    if (noise == 0) noise = photonics::chip_named(spec.chip, spec.place("chip")).noise;
    networks = emulate::on_chips(networks, spec.chip, spec.seed);
  }
  CodeAverager averager = noise > 0         ? noisy(spec, noise, cascade, networks)
                          : spec.error_rate ? erring(spec, cascade, networks)
                                            : CodeAverager(cascade, networks);
  std::vector<std::string> names;
  for (const std::string& file : spec.networks) names.push_back(std::filesystem::path(file).filename().string());
  std::string words = names.empty() ? "constructed networks" : fmt::format("networks {}", fmt::join(names, ", "));
  if (cascade.size() > 1)
    words += fmt::format(" in levels of {} ports, {} fraction symbols", fmt::join(spec.ports, " x "), spec.fraction);
  if (!spec.chip.empty()) words += fmt::format(" on chips '{}'", spec.chip);
  if (noise > 0) words += fmt::format(", noise of {} symbols in {} draws", noise, spec.noise_draws);
  if (spec.error_rate) words += fmt::format(", errors drawn at a rate of {}", *spec.error_rate);
  words += fmt::format(" ({})", counted(averager));
  return {std::move(averager), std::move(words)};
}

}  // namespace helio::train
