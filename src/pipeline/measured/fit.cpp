// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/advice.h"
#include "base/error.h"
#include "base/file.h"
#include "pipeline/assembly.h"
#include "pipeline/measured/simplex.h"
#include "placement/software.h"

namespace helio::pipeline {
namespace {

constexpr std::string_view kShare = "job.compute.matrix_efficiency";
constexpr double kHopeless = 1e6;  // loss of constants that are not allowed

// One constant as a number to be changed: kind of unit, and its value in it.
struct Constant {
  std::string path;
  ParameterType type = ParameterType::kNumber;
  double value = 0;

  std::string text(double scaled) const {
    switch (type) {
      case ParameterType::kTime: return fmt::format("{:.4g} us", scaled);
      case ParameterType::kRate: return fmt::format("{:.4g} Gb/s", scaled);
      default: return fmt::format("{:.4g}", scaled);
    }
  }
};

Constant constant_of(const std::string& path, const Experiment& experiment) {
  const auto read = [&](const Parameters& parameters, const std::vector<Parameter>& declared, const std::string& name) {
    const auto found = std::ranges::find(declared, name, &Parameter::name);
    if (found == declared.end())
      throw unknown_name("constant", path, {"fabric.launch", "job.compute.matrix_efficiency"}, "");
    Constant constant{.path = path, .type = found->type};
    if (found->type == ParameterType::kTime)
      constant.value = 1e6 * parameters.time(name).to_seconds();
    else if (found->type == ParameterType::kRate)
      constant.value = parameters.rate(name).value / 1e9;
    else if (found->type == ParameterType::kNumber)
      constant.value = parameters.number(name);
    if (!(constant.value > 0))
      throw Error(ErrorKind::kInput, fmt::format("'{}' is no positive quantity, which alone can be fitted", path), "",
                  "leave it out");
    return constant;
  };
  constexpr std::string_view kFabric = "fabric.", kCompute = "job.compute.";
  if (path.starts_with(kFabric)) {
    const ChosenFabric fabric(experiment.fabric);
    return read(fabric.parameters(), fabric::fabrics().at(fabric.name()).description.parameters,
                path.substr(kFabric.size()));
  }
  if (path.starts_with(kCompute) && !experiment.jobs.empty()) {
    Settings given = experiment.jobs.front().compute;
    const auto asked = given.find("software");
    const placement::Software& software = asked == given.end()
                                              ? placement::usual_software(experiment.jobs.front().npu.name)
                                              : placement::software_named(asked->second.text, asked->second.place);
    // 0 says that the NPU's own is taken, which differs by precision: a fit of one starts at the mean of all
    if (path == kShare && software.constants.matrix_efficiency == 0)
      given.try_emplace("matrix_efficiency", Setting{"0.64", "fit"});
    const std::vector<Parameter> declared = placement::software_parameters(software);
    return read(Parameters("compute", declared, given), declared, path.substr(kCompute.size()));
  }
  throw Error(ErrorKind::kInput, fmt::format("'{}' cannot be fitted", path), "",
              "name constants of the fabric or of job.compute");
}

class Fitting {
 public:
  Fitting(const ReadRows& rows, const Assertions& assertions, const RunOptions& options)
      : rows_(rows), assertions_(assertions), options_(options) {}

  std::vector<Constant> constants;
  std::uint64_t evaluations = 0;

  Assertions with(const std::vector<double>& logs) const {
    Assertions all = assertions_;
    for (std::size_t i = 0; i < constants.size(); ++i)
      all.set.emplace_back(constants[i].path, Setting{constants[i].text(std::exp(logs[i])), "fit"});
    return all;
  }

  std::vector<ComparedRow> compared(const std::vector<double>& logs, const std::vector<std::size_t>& which) const {
    const Assertions all = with(logs);
    std::vector<ComparedRow> found;
    Answers known;
    for (const std::size_t i : which) found.push_back(predict(rows_, i, all, options_, &known));
    return found;
  }

  double loss(const std::vector<double>& logs, const std::vector<std::size_t>& which) {
    ++evaluations;
    double sum = 0;
    try {
      for (const ComparedRow& row : compared(logs, which)) {
        const double e = std::log(row.predicted_s / row.measured_s);
        sum += std::abs(e) + 2 * e * e;
      }
    } catch (const Error&) {
      return kHopeless;  // a share above 1, say
    }
    return sum / static_cast<double>(which.size());
  }

  std::vector<double> best(std::vector<double> start, const std::vector<std::size_t>& which, std::uint64_t most) {
    return lowest_point([&](const std::vector<double>& at) { return loss(at, which); }, std::move(start), 0.15, most);
  }

  Errors errors(std::string name, const std::vector<double>& logs, const std::vector<std::size_t>& which) const {
    const std::vector<ComparedRow> rows = compared(logs, which);
    std::vector<const ComparedRow*> all;
    for (const ComparedRow& row : rows) all.push_back(&row);
    return errors_of(std::move(name), all);
  }

 private:
  const ReadRows& rows_;
  const Assertions& assertions_;
  const RunOptions& options_;
};

}  // namespace

Fit fit(std::string_view text, const std::string& source, const FitOptions& wanted, const Assertions& assertions,
        const RunOptions& options) {
  const ReadRows rows(text, source, assertions);
  const RowKind& kind = rows.kind();
  const std::vector<std::string> paths = wanted.constants.empty() ? kind.constants : wanted.constants;
  if (paths.empty())
    throw Error(ErrorKind::kInput, fmt::format("nothing of {} can be fitted", kind.name), source,
                "take a file of collectives or of iterations");
  RunOptions quiet = options;
  quiet.progress = nullptr;
  quiet.values = quiet.compare = false;

  // Rows that can be predicted at all
  Fit found{.file = source, .kind = kind.measures};
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < rows.size(); ++i) try {
      predict(rows, i, assertions, quiet);
      all.push_back(i);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      ++found.refused;
    }
  if (all.empty()) throw Error(ErrorKind::kInfeasible, "no row can be predicted", source, "check the rows");

  // One set of constants is of one NPU
  const Experiment first = experiment_of(rows, all.front(), assertions);
  const auto npu_of = [](const Experiment& experiment) {
    const auto npu = experiment.fabric.settings.find("npu");
    return npu == experiment.fabric.settings.end() ? std::string() : npu->second.text;
  };
  for (const std::size_t i : all)
    if (const std::string npu = npu_of(experiment_of(rows, i, assertions)); npu != npu_of(first))
      throw Error(ErrorKind::kInput, fmt::format("its rows are of {} and of {}", npu_of(first), npu), source,
                  "Choose those of one, such as " + advised("where", "gpu=" + npu) + ".");

  // The fit
  Fitting fitting(rows, assertions, quiet);
  std::vector<double> start;
  for (const std::string& path : paths) {
    fitting.constants.push_back(constant_of(path, first));
    start.push_back(std::log(fitting.constants.back().value));
  }
  const auto progress = [&](const std::string& stage) {
    if (options.progress) options.progress(stage);
  };
  progress("fitting");
  found.before = fitting.errors("before", start, all);
  const std::vector<double> best = fitting.best(start, all, wanted.evaluations);
  found.after = fitting.errors("after", best, all);
  for (std::size_t i = 0; i < paths.size(); ++i)
    found.constants.push_back(
        {paths[i], fitting.constants[i].text(std::exp(start[i])), fitting.constants[i].text(std::exp(best[i]))});

  // Rows of one value after the other left out
  found.left_out = wanted.left_out.empty() ? kind.left_out : wanted.left_out;
  std::map<std::string, std::vector<std::size_t>> by_value;
  for (const std::size_t i : all) by_value[rows.cell(i, found.left_out)].push_back(i);
  std::vector<ComparedRow> unseen;
  if (by_value.size() > 1)
    for (const auto& [value, these] : by_value) {
      progress(fmt::format("fitting without {} {}", found.left_out, value));
      std::vector<std::size_t> others;
      std::ranges::set_difference(all, these, std::back_inserter(others));
      const std::vector<double> there = fitting.best(best, others, wanted.evaluations / 4);
      found.unseen.push_back(fitting.errors(value, there, these));
      std::ranges::move(fitting.compared(there, these), std::back_inserter(unseen));
    }
  std::vector<const ComparedRow*> together;
  for (const ComparedRow& row : unseen) together.push_back(&row);
  found.unseen_together = errors_of("", together);
  found.evaluations = fitting.evaluations;
  return found;
}

Fit fit_file(const std::string& path, const FitOptions& wanted, const Assertions& assertions,
             const RunOptions& options) {
  return fit(read_text(path, path, "file of measurements", "docs/validate.md"), path, wanted, assertions, options);
}

}  // namespace helio::pipeline
