// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/csv_table.h"
#include "base/error.h"
#include "base/file.h"
#include "pipeline/assembly.h"
#include "pipeline/iteration.h"
#include "pipeline/measured/chosen_rows.h"
#include "placement/software.h"
#include "placement/strategy.h"

namespace helio::pipeline {
namespace {

constexpr std::string_view kNoComment = "# GPUs";  // a column that starts as a comment does

const RowKind& kind_of(const CsvTable& table) {
  std::string known;
  for (const RowKind& kind : row_kinds()) {
    std::vector<std::string> missing, all;
    for (const RowKind::Column& column : kind.needed) {
      all.push_back(column.name);
      if (table.index(column.name) == CsvTable::kNone) missing.push_back(column.name);
    }
    if (missing.empty()) return kind;
    known += fmt::format("{}{}: {}{}", known.empty() ? "" : "; or, for ", kind.name, fmt::join(all, ", "),
                         missing.size() < all.size() ? fmt::format(" (not there: {})", fmt::join(missing, ", ")) : "");
  }
  throw Error(ErrorKind::kInput, "its columns are not those of any kind of measurement", table.source + ":1:1",
              fmt::format("Name, for {}.", known));
}

// Numbers that are none are found before the first prediction.
void check_numbers(const RowKind& kind, const MeasuredRow& row) {
  for (const auto* columns : {&kind.needed, &kind.optional})
    for (const RowKind::Column& column : *columns)
      if (column.numbers && row.has(column.name)) row.number(column.name);
}

void assert_of(Draft& draft, const Assertions& assertions) {
  if (assertions.fabric) {
    const Setting nodes = draft.fabric["nodes"];
    draft.fabric = {{"name", *assertions.fabric}, {"nodes", nodes}};
  }
  if (assertions.npu) {
    for (JobBlock& job : draft.jobs) job.keys["npu"] = *assertions.npu;
    if (draft.fabric.contains("npu")) draft.fabric["npu"] = *assertions.npu;
  }
  for (const auto& [path, setting] : assertions.set) set(draft, path, setting);
}

MeasuredCase case_of(const ReadRows& rows, std::size_t i, const Assertions& assertions) {
  MeasuredCase measured = rows.kind().read(rows.row(i));
  assert_of(measured.draft, assertions);
  return measured;
}

// Time of a step, and what it consists of. Of many micro-batches only some are simulated: a pipeline fills and empties once, and between
// every stage takes its turn with pp of them again and again, each as long as the one before. Two steps that are some turns apart tell how
// long:
//
//     time ▲          ⎽ ⎺        what happens once is all in a: filling, emptying, what replicas exchange
//          │      b⎽ ⎺            of M micro-batches: a + (b − a) (M − those of a) / (those of b − those of a)
//          │   a⎺
//          └───┴──┴──────────▶ micro-batches
std::pair<double, std::string> step_of(Experiment experiment, const RunOptions& options) {
  constexpr std::uint64_t kTurns = 1;  // of a
  constexpr std::uint64_t kLeast = 8;  // micro-batches by which b is longer
  Settings& keys = experiment.jobs.front().strategy;
  const placement::Strategy strategy = placement::strategy_from(
      Parameters("job", placement::strategy_parameters(), keys), ChosenFabric(experiment.fabric).capabilities().nodes);
  const std::uint64_t all = strategy.micro_batches, stages = static_cast<std::uint64_t>(strategy.pp),
                      turn = (kLeast + stages - 1) / stages * stages, few = kTurns * turn + all % turn;
  if (experiment.jobs.size() > 1 || strategy.streaming || all <= 2 * few + turn) {
    const IterationResult whole = run_jobs(experiment, options).front();
    return {whole.time_s, whole.critical_path};
  }
  const auto with = [&](std::uint64_t micro_batches) {
    keys.erase("global_batch");
    keys["micro_batches"] = {fmt::format("{}", micro_batches), experiment.jobs.front().place};
    return run_jobs(experiment, options).front();
  };
  const double a = with(few).time_s;
  const IterationResult b = with(few + turn);
  return {a + (b.time_s - a) * static_cast<double>((all - few) / turn),
          fmt::format("{}; as told by {} of {} micro-batches", b.critical_path, few + turn, all)};
}

// What a release is made of, so that those that share what matters ask the same: a model without experts sees nothing of mixtures.
Settings constants_of(const Settings& given, bool dense) {
  const auto software = given.find("software");
  if (software == given.end()) return given;
  Settings constants = given;
  constants.erase("software");
  for (const Parameter& constant : placement::compute_parameters(
           placement::software_named(software->second.text, software->second.place).constants))
    if (!constant.optional) constants.try_emplace(constant.name, Setting{constant.fallback, "default"});
  if (dense) constants.erase("mixture_overhead");
  return constants;
}

// What a draft asks, without the names of what asks it.
std::string question_of(const Draft& draft) {
  std::string text;
  const auto add = [&](const Settings& settings) {
    for (const auto& [name, setting] : settings)
      if (name != "name") text += fmt::format("{}={};", name, setting.text);
    text += '|';
  };
  text += draft.fabric.at("name").text;
  add(draft.fabric);
  add(draft.run);
  add(draft.parts);
  for (const Draft::Block& block : draft.collectives) {
    add(block.keys);
    add(block.parameters);
  }
  for (const JobBlock& job : draft.jobs) {
    add(job.keys);
    const auto shape = job.tables.find("model_parameters");
    const bool dense = shape != job.tables.end() && !shape->second.contains("experts");
    for (const auto& [table, settings] : job.tables) {
      text += table;
      add(table == "compute" ? constants_of(settings, dense) : settings);
    }
  }
  return text;
}

}  // namespace

ReadRows::ReadRows(std::string_view text, const std::string& source, const Assertions& assertions)
    : table_(parse_csv(text, source, {.hash = kNoComment})),
      kind_(&kind_of(table_)),
      rows_(chosen_rows(table_, assertions.where)) {
  for (const CsvTable::Row& row : table_.rows) check_numbers(*kind_, {table_, row});
  if (rows_.empty())
    throw Error(ErrorKind::kInput, "no row is as asked for", assertions.where.front().place, "Ask for less.");
}

std::string ReadRows::cell(std::size_t i, std::string_view column) const {
  if (table_.index(column) == CsvTable::kNone) {
    std::vector<std::string> names;
    for (const CsvTable::Cell& cell : table_.names.cells) names.emplace_back(cell.text);
    throw unknown_name("column", column, names, table_.source);
  }
  return std::string(row(i).text(column));
}

Experiment experiment_of(const ReadRows& rows, std::size_t i, const Assertions& assertions) {
  return interpret(case_of(rows, i, assertions).draft);
}

ComparedRow predict(const ReadRows& rows, std::size_t i, const Assertions& assertions, const RunOptions& options,
                    Answers* known) {
  MeasuredCase measured = case_of(rows, i, assertions);
  ComparedRow result{.line = rows.row(i).line(),
                     .what = std::move(measured.what),
                     .reason = {},
                     .groups = std::move(measured.groups),
                     .measured_s = measured.measured_s};
  const std::string question = known ? question_of(measured.draft) : std::string();
  if (known)
    if (const auto found = known->find(question); found != known->end()) {
      std::tie(result.predicted_s, result.reason) = found->second;
      return result;
    }
  const Experiment experiment = interpret(measured.draft);
  if (!experiment.jobs.empty()) {
    std::tie(result.predicted_s, result.reason) = step_of(experiment, options);
  } else {
    const Result found = run(experiment, experiment.collectives.front(), options);
    result.predicted_s = found.time_s;
    result.reason = fmt::format("{}: {}", found.algorithm, found.bottleneck);
  }
  if (known) known->emplace(question, std::pair(result.predicted_s, result.reason));
  return result;
}

Errors errors_of(std::string name, const std::vector<const ComparedRow*>& rows) {
  Errors errors{.name = std::move(name), .rows = rows.size()};
  if (rows.empty()) return errors;
  std::vector<double> sizes;
  for (const ComparedRow* row : rows) {
    const double error = row->error_percent();
    sizes.push_back(std::abs(error));
    errors.mean += std::abs(error) / static_cast<double>(rows.size());
    errors.bias += error / static_cast<double>(rows.size());
  }
  std::sort(sizes.begin(), sizes.end());
  const std::size_t n = sizes.size();
  errors.median = (sizes[(n - 1) / 2] + sizes[n / 2]) / 2;
  errors.p90 = sizes[static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(n))) - 1];
  return errors;
}

Errors Validation::errors() const {
  std::vector<const ComparedRow*> all;
  for (const ComparedRow& row : rows) all.push_back(&row);
  return errors_of("", all);
}

std::vector<Errors> Validation::groups() const {
  std::map<std::string, std::vector<const ComparedRow*>> by_name;
  for (const ComparedRow& row : rows)
    for (const std::string& group : row.groups) by_name[group].push_back(&row);
  std::vector<Errors> found;
  for (const auto& [name, some] : by_name)
    if (some.size() < rows.size()) found.push_back(errors_of(name, some));
  return found;
}

std::vector<ComparedRow> Validation::worst(std::size_t count) const {
  std::vector<ComparedRow> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(), [](const ComparedRow& a, const ComparedRow& b) {
    return std::abs(a.error_percent()) > std::abs(b.error_percent());
  });
  sorted.resize(std::min(count, sorted.size()));
  return sorted;
}

Validation validate(std::string_view text, const std::string& source, const Assertions& assertions,
                    const RunOptions& options) {
  const ReadRows rows(text, source, assertions);
  Validation validation{.file = source, .kind = rows.kind().measures, .fitted_on = rows.kind().fitted_on};
  validation.left_out = rows.left_out();

  RunOptions quiet = options;
  quiet.progress = nullptr;
  quiet.values = quiet.compare = false;
  Answers known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (options.progress) options.progress(fmt::format("predicting row {} of {}", i + 1, rows.size()));
    try {
      validation.rows.push_back(predict(rows, i, assertions, quiet, &known));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      validation.refused.push_back({rows.row(i).line(), error.message()});
    }
  }
  if (validation.rows.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("no row can be predicted: {}", validation.refused.front().reason),
                source, "check the rows");
  return validation;
}

Validation validate_file(const std::string& path, const Assertions& assertions, const RunOptions& options) {
  return validate(read_text(path, path, "file of measurements", "docs/validate.md"), path, assertions, options);
}

}  // namespace helio::pipeline
