// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "onn_command.h"
#include "onn_text.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "photonics/onn_search.h"

namespace helio::apps {

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
Onn best_of(const AveragingTask& task, const std::string& what, Encoding encoding) {
  if (what == "margin") {
    Construction how;
    how.activation = ActivationKind::kSaturating;
    how.slope = 8;
    how.regenerate = how.thermometer_inputs = true;
    return constructed(task, how, true, encoding);
  }
  if (what != "mzis" && what != "depth") throw unknown_name("aim", what, {"mzis", "depth", "margin"}, "--best");
  if (encoding != Encoding::kAmplitude)
    throw Error(ErrorKind::kInfeasible, "the search knows networks of amplitudes only", "--encoding",
                "use --best margin, or amplitude");
  const std::vector<Candidate> found = search(task);
  if (found.empty()) throw Error(ErrorKind::kInfeasible, "no construction admits this task", "--best");
  const auto price = [&](const Candidate& c) {
    const std::pair<long, long> by_mzis{c.cost.mzis, c.cost.depth};
    return what == "mzis" ? by_mzis : std::pair{by_mzis.second, by_mzis.first};
  };
  return std::ranges::min_element(found, {}, price)->onn;
}

// The command that builds it again.
std::string command_of(const OnnBuildOptions& options) {
  const AveragingTask& task = options.task;
  const AveragingTask usual;
  std::string command = fmt::format("helio onn build --servers {} --bits {}", task.servers, task.bits);
  const auto add = [&](const char* name, const auto& value, const auto& left_out) {
    if (value != left_out) command += fmt::format(" {} {}", name, value);
  };
  add("--symbol-bits", task.symbol_bits, usual.symbol_bits);
  add("--rounding", options.rounding, OnnBuildOptions().rounding);
  add("--in-fraction", task.in_fraction, 0);
  add("--out-fraction", task.out_fraction, 0);
  add("--merge", task.merge, 1);
  add("--encoding", options.encoding, OnnBuildOptions().encoding);
  add("--method", options.method.value_or(""), std::string());
  add("--activation", options.activation.value_or(""), std::string());
  if (options.slope) command += fmt::format(" --slope {}", *options.slope);
  add("--best", options.best, std::string());
  return command;
}

}  // namespace

std::string onn_build(const OnnBuildOptions& options, bool json) {
  AveragingTask task = options.task;
  task.rounding = rounding_named(options.rounding, "--rounding");
  task.check();
  // Beyond, whether a matrix can be taken apart would hang on how its sums happen to be rounded.
  if (task.bits > kMostBits)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("matrices for codes of {} bits hold more than double precision can take apart", task.bits),
                "--bits", fmt::format("give at most {}", kMostBits));
  const Encoding encoding = encoding_named(options.encoding, "--encoding");
  const auto begin = std::chrono::steady_clock::now();
  Onn onn;
  if (!options.best.empty()) {
    if (options.method || options.activation || options.slope)
      throw Error(ErrorKind::kUsage, "--best chooses method, activation and slope itself", "",
                  "leave out one or the other");
    onn = best_of(task, options.best, encoding);
  } else {
    Construction how;
    if (options.method) how.direction = direction_named(*options.method, "--method");
    how.activation = activation_named(options.activation.value_or("saturating"), "--activation");
    // Powers of different lanes do not add up as fields: every wire is made anew from steps
    how.regenerate = how.thermometer_inputs = encoding == Encoding::kIntensity;
    how.slope = options.slope.value_or(how.activation == ActivationKind::kSaturating ? 4 : 1);
    onn = constructed(task, how, !options.method, encoding);
  }
  onn.provenance.command = command_of(options);
  onn.provenance.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // Is it exact?
  EvaluationOptions counting;
  if (Grid(task).size() > kCountedWhole) {
    counting.sampling = Sampling::kGrid;
    counting.points = kCounted;
  }
  const Evaluation counted = evaluate(onn, counting);
  Json result = task_in_json(task);
  result["method"] = onn.provenance.method;
  try {
    add_cost(result, compile(onn, Compilation::kCompact));
  } catch (const Error& error) {
    throw Error(ErrorKind::kInfeasible,
                fmt::format("its matrices hold more than double precision can take apart: {}", error.message()), "",
                "give fewer bits or servers, or a smaller slope");
  }
  result["grid_points"] = counted.grid;
  result["points"] = counted.points;
  result["wrong"] = counted.wrong;
  if (!options.out.empty()) save_onn(onn, options.out, Packing::kNumbers, "--out");
  result["out"] = options.out.empty() ? Json(nullptr) : Json(options.out);
  if (json) return result.dump(2) + "\n";
  return in_words(onn, result,
                  fmt::format("  wrong        {} of {} {}points\n{}", counted.wrong, counted.points,
                              counting.sampling == Sampling::kAll ? "" : "random ",
                              options.out.empty() ? "" : fmt::format("  saved        {}\n", options.out)));
}

}  // namespace helio::apps
