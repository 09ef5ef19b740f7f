// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/text_file.h"
#include "base/units.h"
#include "pipeline/iteration.h"

namespace helio::pipeline {
namespace {

// A file of numbers below a line of names.
struct Table {
  struct Row {
    std::size_t line = 0;
    std::vector<double> values;
    std::vector<std::size_t> column;  // where each stands
  };
  std::string source;
  std::vector<std::string> names;
  std::vector<Row> rows;

  bool has(std::string_view name) const { return std::ranges::count(names, name) > 0; }
  double at(const Row& row, std::string_view name) const {
    return row.values[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  }
  std::string place(const Row& row, std::string_view name) const {
    return fmt::format("{}:{}:{}", source, row.line,
                       row.column[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())]);
  }
};

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

// Other columns may hold what they like.
bool is_read(const std::string& name) {
  const auto is = [&](const char* column) { return name == column; };
  return std::ranges::any_of(kIterationColumns, is) || std::ranges::any_of(kAllReduceColumns, is);
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

Table read_table(std::string_view text, const std::string& source) {
  Table table;
  table.source = source;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a mark that some editors write first
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(whole).empty()) continue;
    Table::Row row{line, {}, {}};
    for (std::size_t begin = 0; begin <= whole.size();) {
      const std::size_t comma = std::min(whole.find(',', begin), whole.size());
      const std::string cell = trimmed(whole.substr(begin, comma - begin));
      if (table.rows.empty() && table.names.size() == row.column.size() && row.values.empty() && line == 1) {
        table.names.push_back(cell);
      } else {
        try {
          const bool used = row.values.size() < table.names.size() && is_read(table.names[row.values.size()]);
          row.values.push_back(used ? parse_number(cell) : 0);
        } catch (const Error& error) {
          throw Error(ErrorKind::kInput, fmt::format("'{}' is no number", cell),
                      fmt::format("{}:{}:{}", source, line, begin + 1), "Rows below the first hold numbers only.");
        }
      }
      row.column.push_back(begin + 1);
      begin = comma + 1;
    }
    if (line == 1) continue;
    if (row.values.size() != table.names.size())
      throw Error(ErrorKind::kInput, fmt::format("{} values below {} names", row.values.size(), table.names.size()),
                  fmt::format("{}:{}:1", source, line), "Give every column a value.");
    table.rows.push_back(std::move(row));
  }
  if (table.names.empty())
    throw Error(ErrorKind::kInput, "the file is empty", source, "The first line names the columns.");
  if (table.rows.empty())
    throw Error(ErrorKind::kInput, "the file has no rows below its names", source, "Add measurements.");
  return table;
}

template <class Columns>
bool has_all(const Table& table, const Columns& columns) {
  return std::ranges::all_of(columns, [&](const char* name) { return table.has(name); });
}

// What was measured must be a positive number, sizes whole ones.
std::string whole(const Table& table, const Table::Row& row, std::string_view name) {
  const double value = table.at(row, name);
  if (!(value >= 1) || value > 1e12 || value != std::floor(value))
    throw Error(ErrorKind::kInput, fmt::format("'{}' must be a whole number from 1 on", name), table.place(row, name),
                "Correct the row.");
  return fmt::format("{:.0f}", value);
}

double measured(const Table& table, const Table::Row& row, std::string_view name, double unit) {
  const double value = table.at(row, name);
  if (!(value > 0) || value > 1e12)
    throw Error(ErrorKind::kInput, fmt::format("'{}' must be above 0", name), table.place(row, name),
                "Correct the row.");
  return value * unit;
}

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

ComparedRow iteration(const Table& table, const Table::Row& row, const RunOptions& options) {
  const std::string place = fmt::format("{}:{}:1", table.source, row.line);
  const auto number = [&](std::string_view name) { return whole(table, row, name); };
  const std::string npus = number("# GPUs");
  const bool many = table.at(row, "# GPUs") > kServer;

  Experiment experiment;
  experiment.source = table.source;
  experiment.fabric = measured_cluster(static_cast<std::uint64_t>(table.at(row, "# GPUs")), place);
  Job job;
  job.name = fmt::format("line {}", row.line);
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
  result.line = row.line;
  result.what = fmt::format("{} GPUs, hidden {}, {} layers, batch {}/{}, tp {} dp {} pp {}", npus,
                            number("hidden size"), number("# layers"), number("global batch"), number("micro batch"),
                            number("tensor parallelism"), number("data parallelism"), number("pipeline parallelism"));
  result.measured_s = measured(table, row, "iteration time (ms)", 1e-3);
  RunOptions quiet = options;
  quiet.progress = nullptr;
  result.predicted_s = run_jobs(experiment, quiet).front().time_s;
  return result;
}

ComparedRow all_reduce(const Table& table, const Table::Row& row, const RunOptions& options) {
  const std::string place = fmt::format("{}:{}:1", table.source, row.line);
  Experiment experiment;
  experiment.source = table.source;
  experiment.fabric = measured_cluster(kServer, place);
  Collective collective;
  collective.name = "all-reduce";
  collective.bytes = {parse_bytes(whole(table, row, "size_B") + " B"), place};
  collective.algorithm = {"ring", place, {}};
  ComparedRow result;
  result.line = row.line;
  result.what = fmt::format("all-reduce of {}", format(collective.bytes.value));
  result.measured_s = measured(table, row, "time_us", 1e-6);
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
  const Table table = read_table(text, source);
  Validation validation;
  validation.file = source;
  const bool iterations = has_all(table, kIterationColumns);
  if (!iterations && !has_all(table, kAllReduceColumns))
    throw Error(ErrorKind::kInput, "its columns are not those of measured iterations or collectives", source + ":1:1",
                fmt::format("Name {}; or {}.", fmt::join(kIterationColumns, ", "), fmt::join(kAllReduceColumns, ", ")));
  validation.kind = iterations ? "training iterations" : "all-reduce";
  for (const Table::Row& row : table.rows) {
    if (options.progress)
      options.progress(fmt::format("predicting row {} of {}", validation.rows.size() + validation.refused.size() + 1,
                                   table.rows.size()));
    try {
      validation.rows.push_back(iterations ? iteration(table, row, options) : all_reduce(table, row, options));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      validation.refused.push_back({row.line, error.message()});
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
