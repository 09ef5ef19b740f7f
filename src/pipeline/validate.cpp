// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/csv_table.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/iteration.h"

namespace helio::pipeline {
namespace {

constexpr const char* kIterationColumns[] = {"# GPUs",
                                             "global batch",
                                             "micro batch",
                                             "hidden size",
                                             "attention heads",
                                             "# layers",
                                             "sequence length",
                                             "tensor parallelism",
                                             "data parallelism",
                                             "pipeline parallelism",
                                             "iteration time (ms)"};
constexpr const char* kAllReduceColumns[] = {"size_B", "time_us"};

template <class Columns>
bool has_all(const CsvTable& table, const Columns& columns) {
  return std::ranges::all_of(columns, [&](const char* name) { return table.index(name) != CsvTable::kNone; });
}

// The measurements of one row. Columns that nobody asks for may hold what they like.
class Measured {
 public:
  Measured(const CsvTable& table, const CsvTable::Row& row) : table_(table), row_(row) {}

  const std::string& source() const { return table_.source; }
  std::size_t line() const { return row_.line; }
  std::string place() const { return table_.place(row_, 0); }

  double number(std::string_view name) const {
    const std::string_view cell = row_.cells[table_.index(name)].text;
    try {
      return parse_number(cell);
    } catch (const Error&) {
      throw wrong(name, fmt::format("'{}' is no number", shown(cell)), "Rows below the first hold numbers only.");
    }
  }
  // Sizes and what was measured must be positive.
  std::string whole(std::string_view name) const {
    const double value = number(name);
    if (!(value >= 1) || value > 1e12 || value != std::floor(value))
      throw wrong(name, fmt::format("'{}' must be a whole number from 1 on", name), "Correct the row.");
    return fmt::format("{:.0f}", value);
  }
  double measured(std::string_view name, double unit) const {
    const double value = number(name);
    if (!(value > 0) || value > 1e12) throw wrong(name, fmt::format("'{}' must be above 0", name), "Correct the row.");
    return value * unit;
  }

 private:
  Error wrong(std::string_view name, std::string what, std::string advice) const {
    return Error(ErrorKind::kInput, std::move(what), table_.place(row_, table_.index(name)), std::move(advice));
  }

  const CsvTable& table_;
  const CsvTable::Row& row_;
};

// The cluster on which the iterations were measured: servers of 8 A100, four HDR NICs each (fitted, docs/compute-model.md).
constexpr std::uint64_t kServer = 8;

Choice measured_cluster(std::uint64_t npus, const std::string& place) {
  Choice fabric{"cluster", place, {}};
  fabric.settings["nodes"] = {fmt::format("{}", npus), place};
  if (npus > kServer) {
    fabric.settings["nics"] = {"4", place};
    fabric.settings["network_efficiency"] = {"0.9", place};
    fabric.settings["network_latency"] = {"5 us", place};
  }
  return fabric;
}

ComparedRow iteration(const Measured& row, const RunOptions& options) {
  const std::string place = row.place();
  const auto number = [&](std::string_view name) { return row.whole(name); };
  const std::string npus = number("# GPUs");
  const bool many = row.number("# GPUs") > kServer;

  Experiment experiment;
  experiment.source = row.source();
  experiment.fabric = measured_cluster(static_cast<std::uint64_t>(row.number("# GPUs")), place);
  Job job;
  job.name = fmt::format("line {}", row.line());
  job.place = place;
  job.model = {"gpt", place};
  const auto set = [&](Settings& settings, const char* key, std::string text) {
    settings[key] = {std::move(text), place};
  };
  set(job.model_settings, "layers", number("# layers"));
  set(job.model_settings, "hidden", number("hidden size"));
  set(job.model_settings, "heads", number("attention heads"));
  set(job.model_settings, "sequence", number("sequence length"));
  job.npu = {"a100-80", place, {}};
  set(job.npu.settings, "memory", "1 PB");  // it ran, so it fitted
  set(job.strategy, "tp", number("tensor parallelism"));
  set(job.strategy, "dp", number("data parallelism"));
  set(job.strategy, "pp", number("pipeline parallelism"));
  set(job.strategy, "global_batch", number("global batch"));
  set(job.strategy, "micro_batch", number("micro batch"));
  // Megatron-LM of that time: gradients in half precision, reduced after backward; all activations recomputed on large clusters
  set(job.strategy, "precision", "fp16");
  set(job.strategy, "overlap", "false");
  set(job.strategy, "recompute", many ? "full" : "none");
  experiment.jobs.push_back(std::move(job));

  ComparedRow result;
  result.line = row.line();
  result.what = fmt::format("{} GPUs, hidden {}, {} layers, batch {}/{}, tp {} dp {} pp {}", npus,
                            number("hidden size"), number("# layers"), number("global batch"), number("micro batch"),
                            number("tensor parallelism"), number("data parallelism"), number("pipeline parallelism"));
  result.measured_s = row.measured("iteration time (ms)", 1e-3);
  RunOptions quiet = options;
  quiet.progress = nullptr;
  result.predicted_s = run_jobs(experiment, quiet).front().time_s;
  return result;
}

ComparedRow all_reduce(const Measured& row, const RunOptions& options) {
  const std::string place = row.place();
  Experiment experiment;
  experiment.source = row.source();
  experiment.fabric = measured_cluster(kServer, place);
  Collective collective;
  collective.name = "all-reduce";
  collective.bytes = {parse_bytes(row.whole("size_B") + " B"), place};
  collective.algorithm = {"ring", place, {}};
  ComparedRow result;
  result.line = row.line();
  result.what = fmt::format("all-reduce of {}", format(collective.bytes.value));
  result.measured_s = row.measured("time_us", 1e-6);
  RunOptions quiet = options;
  quiet.progress = nullptr;
  result.predicted_s = run(experiment, collective, quiet).time_s;
  return result;
}

}  // namespace

double Validation::mape_percent() const {
  double sum = 0;
  for (const ComparedRow& row : rows) sum += std::abs(row.error_percent());
  return sum / static_cast<double>(rows.size());
}

double Validation::bias_percent() const {
  double sum = 0;
  for (const ComparedRow& row : rows) sum += row.error_percent();
  return sum / static_cast<double>(rows.size());
}

std::vector<ComparedRow> Validation::worst(std::size_t count) const {
  std::vector<ComparedRow> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(), [](const ComparedRow& a, const ComparedRow& b) {
    return std::abs(a.error_percent()) > std::abs(b.error_percent());
  });
  sorted.resize(std::min(count, sorted.size()));
  return sorted;
}

Validation validate(std::string_view text, const std::string& source, const RunOptions& options) {
  const CsvTable table = parse_csv(text, source);
  Validation validation;
  validation.file = source;
  const bool iterations = has_all(table, kIterationColumns);
  if (!iterations && !has_all(table, kAllReduceColumns))
    throw Error(ErrorKind::kInput, "its columns are not those of measured iterations or collectives", source + ":1:1",
                fmt::format("Name {}; or {}.", fmt::join(kIterationColumns, ", "), fmt::join(kAllReduceColumns, ", ")));
  validation.kind = iterations ? "training iterations" : "all-reduce";
  const auto columns = iterations ? std::span<const char* const>(kIterationColumns) : kAllReduceColumns;
  for (const CsvTable::Row& row : table.rows)  // before the first prediction
    for (const char* name : columns) Measured(table, row).number(name);
  for (const CsvTable::Row& cells : table.rows) {
    const Measured row(table, cells);
    if (options.progress)
      options.progress(fmt::format("predicting row {} of {}", validation.rows.size() + validation.refused.size() + 1,
                                   table.rows.size()));
    try {
      validation.rows.push_back(iterations ? iteration(row, options) : all_reduce(row, options));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      validation.refused.push_back({row.line(), error.message()});
    }
  }
  if (validation.rows.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("no row can be predicted: {}", validation.refused.front().reason),
                source, "check the rows");
  return validation;
}

Validation validate_file(const std::string& path, const RunOptions& options) {
  return validate(read_text(path, path, "file of measurements", "docs/compute-model.md"), path, options);
}

}  // namespace helio::pipeline
