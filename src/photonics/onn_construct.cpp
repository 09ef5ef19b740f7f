// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_construct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "photonics/onn_peel.h"
#include "photonics/onn_ripple.h"
#include "photonics/onn_thermometer.h"
#include "photonics/onn_wires.h"

namespace helio::photonics {
namespace {

// Constructions of more units than this are refused rather than left to fill the memory.
constexpr double kMostUnits = 20000;

Error wrong(std::string what, std::string advice = {}) {
  return Error(ErrorKind::kInput, std::move(what), {}, std::move(advice));
}

// Options made explicit and checked.
Construction settled(const AveragingTask& task, Construction how, Encoding encoding) {
  if (how.activation == ActivationKind::kNone)
    throw wrong("a construction without activation has no steps", "relu or saturating");
  if (!std::isfinite(how.slope) || how.slope < 1)
    throw wrong(fmt::format("steps of slope {}", how.slope), "the slope is at least 1");
  if (how.direction == Direction::kThermometer) {
    if (how.activation != ActivationKind::kSaturating)
      throw wrong("thermometers are made of limited steps", "saturating");
    if (!how.groups.empty() || how.split != Split::kNone || how.regenerate || how.thermometer_inputs ||
        encoding != Encoding::kAmplitude)
      throw wrong("thermometers know no groups, stages of their own or powers: every wire is made anew as it is");
    return how;
  }
  const int stages = how.direction == Direction::kLsb ? task.inputs() : task.outputs();
  if (how.groups.empty()) how.groups.assign(static_cast<std::size_t>(stages), 1);
  for (const int size : how.groups)
    if (size < 1) throw wrong(fmt::format("a group of {}", size), "groups are of at least 1");
  if (std::accumulate(how.groups.begin(), how.groups.end(), 0) != stages)
    throw wrong(fmt::format("groups {} do not cover {} {}", fmt::join(how.groups, "+"), stages,
                            how.direction == Direction::kLsb ? "positions" : "symbols"));
  if (how.regenerate && how.activation != ActivationKind::kSaturating)
    throw wrong("only saturating steps make a wire anew: a pair of relu units keeps the noise of both", "saturating");
  if (how.regenerate && how.split != Split::kNone)
    throw wrong("linear stages of their own cannot make wires anew", "split none");
  if (encoding == Encoding::kIntensity && !(how.regenerate && how.thermometer_inputs))
    throw wrong("powers of different lanes do not add up as fields, and a symbol leaves as the root of itself",
                "intensity needs thermometer inputs and regeneration");
  return how;
}

// A bound on the units of the widest layer, before anything is built.
void check_size(const AveragingTask& task, const Construction& how) {
  double units =
      static_cast<double>(task.levels()) *
      (how.regenerate || how.thermometer_inputs || how.direction == Direction::kThermometer ? task.inputs() : 1);
  if (how.direction == Direction::kMsb)
    for (const int count : how.groups) units = std::max(units, std::pow(2.0, task.symbol_bits * count));
  if (how.regenerate && task.rounding == Rounding::kDither) units += static_cast<double>(task.denominator());
  if (units > kMostUnits)
    throw Error(ErrorKind::kInfeasible, fmt::format("this network would have a layer of up to {:.0f} units", units), {},
                "smaller groups, less merging or fewer servers");
}

// The first layer of its own: every light becomes steps of 0 and 1.
void thermometer_lights(const AveragingTask& task, Encoding encoding, std::vector<WireSum>& sums, OnnWires& wires) {
  const auto field = [&](int value) { return encoding == Encoding::kIntensity ? std::sqrt(value) : value; };
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::int64_t most = static_cast<int>(k) < task.inputs() ? task.levels() - 1 : task.denominator() - 1;
    WireSum clean;
    for (int t = 1; t <= most; ++t) clean += wires.step_between(sums[k], field(t - 1), field(t));
    sums[k] = clean;
  }
  wires.close();
}

}  // namespace

std::string_view name_of(Direction direction) {
  return direction == Direction::kLsb ? "lsb" : direction == Direction::kMsb ? "msb" : "thermometer";
}

Direction direction_named(std::string_view name, std::string_view place) {
  if (name == "lsb") return Direction::kLsb;
  if (name == "msb") return Direction::kMsb;
  if (name == "thermometer") return Direction::kThermometer;
  throw unknown_name("direction", name, {"lsb", "msb", "thermometer"}, std::string(place));
}

std::string_view name_of(Split split) {
  return split == Split::kNone ? "none" : split == Split::kSums ? "sums" : "twice";
}

std::string describe(const Construction& how, Encoding encoding) {
  std::string text =
      fmt::format("constructed {}, {}, slope {}", name_of(how.direction), name_of(how.activation), how.slope);
  if (!how.groups.empty()) text += fmt::format(", groups {}", fmt::join(how.groups, "+"));
  if (how.split != Split::kNone) text += fmt::format(", split {}", name_of(how.split));
  if (how.thermometer_inputs) text += ", thermometer inputs";
  if (how.regenerate) text += ", regenerated";
  if (encoding == Encoding::kIntensity) text += ", intensity";
  return text;
}

Onn construct(const AveragingTask& task, const Construction& options, Encoding encoding) {
  task.check();
  const Construction how = settled(task, options, encoding);
  check_size(task, how);

  // Lights, clean if it is asked for.
  const bool limited = how.direction == Direction::kThermometer;
  const double middle = limited ? static_cast<double>(task.levels() - 1) / 2 : 0;  // sums of light of both signs
  OnnWires wires(task.lights(), how.activation, how.slope, limited);
  std::vector<WireSum> sums;
  for (int k = 0; k < task.lights(); ++k) sums.push_back({{{k, 1.0}}, middle});
  if (how.thermometer_inputs) thermometer_lights(task, encoding, sums, wires);

  // Symbols.
  std::vector<WireSum> symbols = limited                            ? thermometers(task, std::move(sums), wires)
                                 : how.direction == Direction::kLsb ? ripple(task, how, std::move(sums), wires)
                                                                    : peel(task, how, std::move(sums), wires);

  // A power of o is a field of √o = Σ (√m − √(m−1))·[o ≥ m].
  if (encoding == Encoding::kIntensity) {
    for (WireSum& symbol : symbols) {
      WireSum root;
      for (int m = 1; m < task.radix(); ++m) root += (std::sqrt(m) - std::sqrt(m - 1)) * wires.step(symbol, m);
      symbol = root;
    }
    wires.close();
  }

  Onn onn;
  onn.task = task;
  onn.encoding = encoding;
  onn.layers = wires.finish(symbols);
  if (limited) {
    onn.input_offset = -middle;
    for (Layer& layer : onn.layers) layer.structure = Structure::kTree;
  }
  onn.provenance.method = describe(how, encoding);
  onn.check();
  return onn;
}

Onn construct_for_chips(const AveragingTask& task, double slope) {
  return construct(task,
                   {.direction = Direction::kThermometer, .activation = ActivationKind::kSaturating, .slope = slope});
}

}  // namespace helio::photonics
