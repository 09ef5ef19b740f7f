// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "base/units.h"
#include "onn_command.h"
#include "onn_text.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"

namespace helio::apps {

using namespace photonics;

double parse_angle(const std::string& text) {
  const std::size_t end = text.find_last_of("0123456789.");
  std::string unit = end == std::string::npos ? text : text.substr(end + 1);
  unit.erase(0, unit.find_first_not_of(' '));
  const Error wrong(ErrorKind::kInput, fmt::format("'{}' is no angle", text), "",
                    "write a number with rad, mrad, urad or deg, such as 3mrad");
  if (end == std::string::npos) throw wrong;
  const double value = parse_number(text.substr(0, end + 1));
  if (unit == "rad") return value;
  if (unit == "mrad") return value * 1e-3;
  if (unit == "urad") return value * 1e-6;
  if (unit == "deg") return value * std::numbers::pi / 180;
  if (unit.empty() && value == 0) return 0;
  throw wrong;
}

namespace {

constexpr double kMostAngle = 2 * std::numbers::pi;

template <class Parse>
double not_negative(const std::string& text, const char* place, Parse parse) {
  try {
    const double value = parse(text);
    if (value < 0) throw Error(ErrorKind::kInput, fmt::format("{} is negative", text), place, "give 0 or more");
    return value;
  } catch (const Error& error) {
    throw error.at(place);
  }
}

Imperfections imperfections_of(const OnnEvaluateOptions& options) {
  Imperfections flaws;
  flaws.phase_sigma = not_negative(options.phase_error, "--phase-error", parse_angle);
  flaws.phase_bits = options.phase_bits;
  flaws.splitter_sigma = not_negative(options.splitter_error, "--splitter-error", parse_angle);
  flaws.mzi_loss_db =
      options.mzi_loss == "0" ? 0 : not_negative(options.mzi_loss, "--mzi-loss", [](const std::string& text) {
        return parse_decibel(text).value;
      });
  flaws.crosstalk = options.crosstalk;
  const auto bounded = [](double value, double most, const char* place, const char* unit) {
    if (!(value <= most))
      throw Error(ErrorKind::kInput, fmt::format("{:g} {} is more than makes sense", value, unit), place,
                  fmt::format("give at most {:g} {}", most, unit));
  };
  bounded(flaws.phase_sigma, kMostAngle, "--phase-error", "rad");
  bounded(flaws.splitter_sigma, kMostAngle, "--splitter-error", "rad");
  bounded(flaws.mzi_loss_db, 100, "--mzi-loss", "dB");
  bounded(flaws.crosstalk, 1, "--crosstalk", "of a phase");
  bounded(options.noise, 100, "--noise", "symbols");
  if (options.noise < 0) throw Error(ErrorKind::kInput, "noise is negative", "--noise", "give 0 or more");
  check(flaws);
  return flaws;
}

constexpr double kMaximumPoints = 1e10;  // hours

bool any(const Imperfections& flaws) {
  return flaws.phase_sigma > 0 || flaws.phase_bits > 0 || flaws.splitter_sigma > 0 || flaws.mzi_loss_db > 0 ||
         flaws.crosstalk > 0;
}

// Several chips and noises together.
struct Draws {
  Evaluation all;
  std::uint64_t worst = 0;

  void add(const Evaluation& one, int of) {
    const bool first = all.points == 0;
    all.output_margin = first ? one.output_margin : std::min(all.output_margin, one.output_margin);
    all.grid = one.grid;
    all.points += one.points;
    all.wrong += one.wrong;
    for (const auto& [error, count] : one.histogram) all.histogram[error] += count;
    if (one.wrong_weighted) all.wrong_weighted = all.wrong_weighted.value_or(0) + *one.wrong_weighted / of;
    all.mean_error += one.mean_error / of;
    if (all.first_wrong.empty()) all.first_wrong = one.first_wrong;
    worst = std::max(worst, one.wrong);
  }
};

}  // namespace

std::string onn_evaluate(const OnnEvaluateOptions& options, bool json) {
  const Onn onn = load_onn(options.file);
  const Imperfections flaws = imperfections_of(options);
  if (options.draws < 1) throw Error(ErrorKind::kInput, "no draw says nothing", "--draws", "give 1 or more");
  if (options.points && (*options.points < 1 || static_cast<double>(*options.points) * options.draws > kMaximumPoints))
    throw Error(ErrorKind::kInput,
                fmt::format("{} points in {} draws are none or too many", *options.points, options.draws), "--points",
                fmt::format("give 1 to {:g} in all, or leave it out for every point there is", kMaximumPoints));
  if (options.seed < 0) throw Error(ErrorKind::kInput, "a seed is not negative", "--seed", "give 0 or more");
  const CompiledOnn compiled = compile(onn, compilation_for(onn, options.compilation));
  EvaluationOptions counting;
  if (options.points) {
    counting.sampling = Sampling::kGrid;
    counting.points = static_cast<std::uint64_t>(*options.points);
  }
  if (options.noisy_wires && options.noise == 0)
    throw Error(ErrorKind::kUsage, "--noisy-wires says where --noise is", "", "give --noise too");
  counting.noise.sigma = options.noise;
  counting.noise.on_passed_wires = options.noisy_wires;

  // Every draw is a chip of its own and a noise of its own
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const Random random(seed);
  Draws draws;
  for (int draw = 0; draw < options.draws; ++draw) {
    Random chip = random.split(static_cast<std::uint64_t>(draw));
    counting.seed = seed + static_cast<std::uint64_t>(draw);
    draws.add(evaluate(any(flaws) ? realise(compiled, flaws, chip).onn : onn, counting), options.draws);
  }
  const Evaluation& all = draws.all;
  const double fraction = static_cast<double>(all.wrong) / static_cast<double>(all.points);

  Json histogram = Json::object();
  for (const auto& [error, count] : all.histogram) histogram[fmt::format("{}", error)] = count;
  Json result = task_in_json(onn.task);
  result["method"] = onn.provenance.method;
  result["grid_points"] = all.grid;
  result["points"] = all.points;
  result["wrong"] = all.wrong;
  result["wrong_fraction"] = fraction;
  result["wrong_fraction_weighted"] = all.wrong_weighted ? Json(*all.wrong_weighted) : Json(nullptr);
  result["error_histogram"] = std::move(histogram);
  result["mean_error"] = all.mean_error;
  result["output_margin"] = all.output_margin;
  result["draws"] = options.draws;
  result["wrong_worst_draw"] = draws.worst;
  result["first_wrong"] = all.first_wrong.empty() ? Json(nullptr) : Json(all.first_wrong);
  MziParameters mzi;
  if (flaws.mzi_loss_db > 0) mzi.loss_db = flaws.mzi_loss_db;
  add_cost(result, compiled, mzi);
  if (json) return result.dump(2) + "\n";
  return in_words(
      onn, result,
      fmt::format(
          "  wrong        {} of {} {}points ({:.3g} %){}\n  margin       {:.3f} of a symbol to the nearest mistake\n{}",
          all.wrong, all.points, options.points ? "random " : "", 100 * fraction,
          options.draws > 1 ? fmt::format(" in {} draws, {} in the worst", options.draws, draws.worst) : "",
          all.output_margin, all.first_wrong.empty() ? "" : fmt::format("  for example  {}\n", all.first_wrong)));
}

}  // namespace helio::apps
