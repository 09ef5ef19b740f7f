// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ask/onn.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/visible.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_chip.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "photonics/onn_search.h"
#include "report/json/onn_json.h"

namespace helio::ask {

using namespace photonics;

namespace {

constexpr int kMostBits = 30;  // of a code that can be built for
// Grids up to here are counted whole, others by this many random points.
constexpr double kCountedWhole = 1e7;
constexpr std::uint64_t kCounted = 1'000'000;

// Carries from below where they know the average, else symbols from the top, unless one of them was asked for.
Onn constructed(const AveragingTask& task, Construction how, bool any_direction, Encoding encoding) {
  try {
    return construct(task, how, encoding);
  } catch (const Error& error) {
    if (!any_direction || error.kind() != ErrorKind::kInfeasible) throw;
    how.direction = Direction::kMsb;
    return construct(task, how, encoding);
  }
}

// The cheapest or the shallowest of all constructions, or the one that stands the most noise.
Onn best_of(const AveragingTask& task, const std::string& what, Encoding encoding, const Naming& called) {
  if (what == "margin") {
    Construction how;
    how.activation = ActivationKind::kSaturating;
    how.slope = 8;
    how.regenerate = how.thermometer_inputs = true;
    return constructed(task, how, true, encoding);
  }
  if (what != "mzis" && what != "depth") throw unknown_name("aim", what, {"mzis", "depth", "margin"}, called("best"));
  if (encoding != Encoding::kAmplitude)
    throw Error(ErrorKind::kInfeasible, "the search knows networks of amplitudes only", called("encoding"),
                fmt::format("use {} margin, or amplitude", called("best")));
  const std::vector<Candidate> found = [&] {
    try {
      return search(task);
    } catch (BudgetSpent& spent) {
      spent.less = "fewer servers or bits, or a construction that is named";
      throw;
    }
  }();
  if (found.empty()) throw Error(ErrorKind::kInfeasible, "no construction admits this task", called("best"));
  const auto price = [&](const Candidate& c) {
    const std::pair<long, long> by_mzis{c.cost.mzis, c.cost.depth};
    return what == "mzis" ? by_mzis : std::pair{by_mzis.second, by_mzis.first};
  };
  return std::ranges::min_element(found, {}, price)->onn;
}

}  // namespace

OnnAnswer onn_build(const OnnBuildQuestion& question) {
  const Naming& called = question.called;
  AveragingTask task = question.task;
  task.rounding = rounding_named(question.rounding, called("rounding"));
  task.check();
  // Beyond, whether a matrix can be taken apart would hang on how its sums happen to be rounded.
  if (task.bits > kMostBits)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("matrices for codes of {} bits hold more than double precision can take apart", task.bits),
                called("bits"), fmt::format("give at most {}", kMostBits));
  const Encoding encoding = encoding_named(question.encoding, called("encoding"));
  const auto begin = std::chrono::steady_clock::now();
  Onn onn;
  if (!question.chip.empty()) {
    if (!question.best.empty() || question.method || question.activation)
      throw Error(ErrorKind::kUsage, called("chip") + " chooses method and activation itself", "",
                  "leave out one or the other");
    chip_named(question.chip, called("chip"));
    if (encoding != Encoding::kAmplitude)
      throw Error(ErrorKind::kInfeasible, "networks for chips are of amplitudes", called("encoding"),
                  "use amplitude, or build without a chip");
    onn = construct_for_chips(task, question.slope.value_or(kLimiterSlope));
  } else if (!question.best.empty()) {
    if (question.method || question.activation || question.slope)
      throw Error(ErrorKind::kUsage, called("best") + " chooses method, activation and slope itself", "",
                  "leave out one or the other");
    onn = best_of(task, question.best, encoding, called);
  } else {
    Construction how;
    if (question.method) how.direction = direction_named(*question.method, called("method"));
    how.activation = activation_named(question.activation.value_or("saturating"), called("activation"));
    // Powers of different lanes do not add up as fields: every wire is made anew from steps
    how.regenerate = how.thermometer_inputs = encoding == Encoding::kIntensity;
    how.slope = question.slope.value_or(how.direction == Direction::kThermometer        ? kLimiterSlope
                                        : how.activation == ActivationKind::kSaturating ? 4
                                                                                        : 1);
    onn = constructed(task, how, !question.method, encoding);
  }
  onn.provenance.command = question.command;
  onn.provenance.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // Is it exact?
  EvaluationOptions counting;
  if (Grid(task).size() > kCountedWhole) {
    counting.sampling = Sampling::kGrid;
    counting.points = kCounted;
  }
  const Evaluation counted = evaluate(onn, counting);
  report::Json result = report::task_in_json(task);
  result["method"] = onn.provenance.method;
  try {
    const CompiledOnn compiled = compile(onn, compilation_of(onn));
    report::add_cost(result, compiled);
    if (!question.chip.empty()) {
      const Chip chip = chip_named(question.chip);
      Random random = Random(1).split(0);
      counting.noise.sigma = chip.noise;
      counting.rare = true;
      result["chip"] = chip.name;
      result["wrong_on_chip"] = evaluate(ChipMaker(compiled, chip).make(random), counting).wrong;
    }
  } catch (const Error& error) {
    throw Error(ErrorKind::kInfeasible,
                fmt::format("its matrices hold more than double precision can take apart: {}", error.message()), "",
                "give fewer bits or servers, or a smaller slope");
  }
  result["grid_points"] = counted.grid;
  result["points"] = counted.points;
  result["wrong"] = counted.wrong;
  if (!question.out.empty()) save_onn(onn, question.out, Packing::kNumbers, called("out"));
  result["out"] = question.out.empty() ? report::Json(nullptr) : report::Json(question.out);
  const std::string text = report::in_words(
      onn, result,
      fmt::format("  wrong        {} of {} {}points{}\n{}", counted.wrong, counted.points,
                  counting.sampling == Sampling::kAll ? "" : "random ",
                  question.chip.empty()
                      ? ""
                      : fmt::format(", {} on a chip '{}'", result["wrong_on_chip"].get<std::uint64_t>(), question.chip),
                  question.out.empty() ? "" : fmt::format("  saved        {}\n", visible(question.out))));
  return {std::move(result), text};
}

}  // namespace helio::ask
