// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "ask/onn.h"
#include "base/error.h"
#include "base/units.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_chip.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "report/json/onn_json.h"

namespace helio::ask {

using namespace photonics;

namespace {

// "3mrad", "0.01 rad", "1 deg" as radians; a plain 0 needs no unit.
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

constexpr double kMostAngle = 2 * std::numbers::pi;

template <class Parse>
double not_negative(const std::string& text, const std::string& place, Parse parse) {
  try {
    const double value = parse(text);
    if (value < 0) throw Error(ErrorKind::kInput, fmt::format("{} is negative", text), place, "give 0 or more");
    return value;
  } catch (const Error& error) {
    throw error.at(place);
  }
}

// What was asked for, in place of what `chip` has.
void imperfect(const OnnEvaluateQuestion& question, Chip& chip) {
  const Naming& called = question.called;
  Imperfections& flaws = chip.flaws;
  const double drawn_loss = flaws.mzi_loss_db;
  const auto replace = [](double& value, const std::string& text, const std::string& place, auto parse) {
    if (!text.empty()) value = not_negative(text, place, parse);
  };
  replace(flaws.phase_sigma, question.phase_error, called("phase_error"), parse_angle);
  replace(flaws.splitter_sigma, question.splitter_error, called("splitter_error"), parse_angle);
  replace(flaws.mzi_loss_db, question.mzi_loss == "0" ? "0 dB" : question.mzi_loss, called("mzi_loss"),
          [](const std::string& text) { return parse_decibel(text).value; });
  if (!question.mzi_loss.empty() && drawn_loss > 0) flaws.mzi_loss_sigma_db *= flaws.mzi_loss_db / drawn_loss;
  flaws.phase_bits = question.phase_bits.value_or(flaws.phase_bits);
  flaws.crosstalk = question.crosstalk.value_or(flaws.crosstalk);
  chip.noise = question.noise.value_or(chip.noise);
  const auto bounded = [](double value, double most, const std::string& place, const char* unit) {
    if (!(value <= most))
      throw Error(ErrorKind::kInput, fmt::format("{:g} {} is more than makes sense", value, unit), place,
                  fmt::format("give at most {:g} {}", most, unit));
  };
  bounded(flaws.phase_sigma, kMostAngle, called("phase_error"), "rad");
  bounded(flaws.splitter_sigma, kMostAngle, called("splitter_error"), "rad");
  bounded(flaws.mzi_loss_db, 100, called("mzi_loss"), "dB");
  bounded(flaws.crosstalk, 1, called("crosstalk"), "of a phase");
  bounded(chip.noise, 100, called("noise"), "symbols");
  if (chip.noise < 0) throw Error(ErrorKind::kInput, "noise is negative", called("noise"), "give 0 or more");
  check(flaws);
}

// The chip that was named, or one that has only what was asked for.
Chip chip_of(const OnnEvaluateQuestion& question) {
  const Naming& called = question.called;
  Chip chip;
  if (!question.chip.empty()) {
    chip = chip_named(question.chip, called("chip"));
    const double scale = question.chip_scale.value_or(1);
    if (!(scale > 0 && scale <= 100))
      throw Error(ErrorKind::kInput, fmt::format("a chip of {:g} times the imperfections", scale), called("chip_scale"),
                  "give a number above 0, at most 100");
    chip = scaled(chip, scale);
    chip.calibrated = !question.uncalibrated;
  } else if (question.chips || question.chip_scale || question.uncalibrated) {
    const char* given = question.chips ? "chips" : question.chip_scale ? "chip_scale" : "uncalibrated";
    throw Error(ErrorKind::kUsage, fmt::format("{} is of a chip that is named", called(given)), "",
                fmt::format("give {} default too", called("chip")));
  }
  imperfect(question, chip);
  return chip;
}

constexpr double kMaximumPoints = 1e10;  // hours
constexpr int kChipDraws = 4;            // of noise, on a chip

bool any(const Imperfections& flaws) {
  return flaws.phase_sigma > 0 || flaws.phase_bits > 0 || flaws.splitter_sigma > 0 || flaws.mzi_loss_db > 0 ||
         flaws.crosstalk > 0;
}

// Several chips and noises together.
struct Draws {
  Evaluation all;
  std::uint64_t worst = 0;
  int wrong_chips = 0;
  std::optional<double> step_margin;  // of all steps of all layers

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
    wrong_chips += one.wrong > 0 ? 1 : 0;
    for (const std::optional<double>& margin : one.step_margin)
      if (margin) step_margin = std::min(step_margin.value_or(*margin), *margin);
  }
};

}  // namespace

Compilation compilation_for(const Onn& onn, const std::string& named, const std::string& place) {
  return named.empty() ? compilation_of(onn) : compilation_named(named, place);
}

OnnAnswer onn_evaluate(const OnnEvaluateQuestion& question) {
  const Naming& called = question.called;
  const Onn onn = load_onn(question.file);
  const Chip chip = chip_of(question);
  const bool named = !chip.name.empty();
  const int draws = question.draws.value_or(named ? kChipDraws : 1), chips = question.chips.value_or(1);
  if (draws < 1) throw Error(ErrorKind::kInput, "no draw says nothing", called("draws"), "give 1 or more");
  if (chips < 1) throw Error(ErrorKind::kInput, "no chip says nothing", called("chips"), "give 1 or more");
  const double points =
      question.points ? static_cast<double>(*question.points) : static_cast<double>(Grid(onn.task).size());
  if (points < 1 || points * draws * chips > kMaximumPoints)
    throw Error(ErrorKind::kInput,
                fmt::format("{} points in {} draws are none or too many", points, 1.0 * draws * chips),
                called(question.points  ? "points"
                       : question.chips ? "chips"
                                        : "draws"),
                fmt::format("give 1 to {:g} in all{}", kMaximumPoints,
                            question.points ? ", or leave the points out for every one there is"
                                            : fmt::format(", or fewer points: {}", called("points"))));
  if (question.seed < 0) throw Error(ErrorKind::kInput, "a seed is not negative", called("seed"), "give 0 or more");
  const CompiledOnn compiled = compile(onn, compilation_for(onn, question.compile, called("compile")));
  EvaluationOptions counting;
  if (question.points) {
    counting.sampling = Sampling::kGrid;
    counting.points = static_cast<std::uint64_t>(*question.points);
  }
  if (question.noisy_wires && chip.noise == 0)
    throw Error(ErrorKind::kUsage, fmt::format("{} says where {} is", called("noisy_wires"), called("noise")), "",
                fmt::format("give {} too", called("noise")));
  counting.noise.sigma = chip.noise;
  counting.noise.on_passed_wires = question.noisy_wires;

  // Of a named chip, draws of noise on each; else every draw is a chip of its own and a noise of its own
  const auto seed = static_cast<std::uint64_t>(question.seed);
  const Random random(seed);
  Draws found;
  std::optional<ChipMaker> maker;
  if (named) {
    maker.emplace(compiled, chip);
    counting.rare = true;
    counting.draws = draws;
  }
  const int made = named ? chips : draws;
  for (int one = 0; one < made; ++one) {
    Random own = random.split(static_cast<std::uint64_t>(one));
    counting.seed = seed + static_cast<std::uint64_t>(one);
    found.add(evaluate(named             ? maker->make(own)
                       : any(chip.flaws) ? realise(compiled, chip.flaws, own).onn
                                         : onn,
                       counting),
              made);
  }
  const Evaluation& all = found.all;
  const double fraction = static_cast<double>(all.wrong) / static_cast<double>(all.points);

  report::Json histogram = report::Json::object();
  for (const auto& [error, count] : all.histogram) histogram[fmt::format("{}", error)] = count;
  report::Json result = report::task_in_json(onn.task);
  result["method"] = onn.provenance.method;
  result["grid_points"] = all.grid;
  result["points"] = all.points;
  result["wrong"] = all.wrong;
  result["wrong_fraction"] = fraction;
  result["wrong_fraction_weighted"] = all.wrong_weighted ? report::Json(*all.wrong_weighted) : report::Json(nullptr);
  result["error_histogram"] = std::move(histogram);
  result["mean_error"] = all.mean_error;
  result["output_margin"] = all.output_margin;
  result["draws"] = draws;
  result["wrong_worst_draw"] = found.worst;
  result["first_wrong"] = all.first_wrong.empty() ? report::Json(nullptr) : report::Json(all.first_wrong);
  MziParameters mzi;
  if (chip.flaws.mzi_loss_db > 0) mzi.loss_db = chip.flaws.mzi_loss_db;
  report::add_cost(result, compiled, mzi);
  std::string on_chips;
  if (named) {
    result["chip"] = chip.name;
    result["chips"] = chips;
    result["chips_wrong"] = found.wrong_chips;
    result["step_margin"] = found.step_margin ? report::Json(*found.step_margin) : report::Json(nullptr);
    result["dummies"] = dummies(compiled);
    result["gain_db"] = largest_gain_db(compiled, chip.flaws.mzi_loss_db);
    on_chips = fmt::format(
        "  chips        {} of {} make a mistake\n  dummies      {} couplers that even out loss; the largest gain "
        "behind a "
        "detector is {:.1f} dB\n",
        found.wrong_chips, chips, result["dummies"].get<long>(), result["gain_db"].get<double>());
  }
  const std::string drawn = !named && draws > 1 ? fmt::format(" in {} draws, {} in the worst", draws, found.worst)
                            : named
                                ? fmt::format(" in {} draws of noise on each chip, {} on the worst", draws, found.worst)
                                : "";
  const std::string text = report::in_words(
      onn, result,
      fmt::format("  wrong        {} of {} {}points ({:.3g} %){}\n  margin       {:.3f} of a symbol to the nearest "
                  "mistake\n{}{}",
                  all.wrong, all.points, question.points ? "random " : "", 100 * fraction, drawn, all.output_margin,
                  on_chips, all.first_wrong.empty() ? "" : fmt::format("  for example  {}\n", all.first_wrong)));
  return {std::move(result), text};
}

}  // namespace helio::ask
