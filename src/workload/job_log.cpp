// SPDX-License-Identifier: Apache-2.0
#include "workload/job_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/csv_table.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_node.h"
#include "base/units.h"
#include "base/visible.h"
#include "workload/moment.h"

namespace helio::workload {
namespace {

constexpr const char* kPage = "docs/job-logs.md";
constexpr std::size_t kLargestLog = 2048 * kMiB;  // Philly's is about 100 MB, PAI's tasks 300
constexpr double kMostGpus = 1e6;
constexpr double kLongest = 1e10;  // seconds: three centuries

// Which column says what. A name that is empty: the log does not say it.
struct Columns {
  const char* name;
  const char* published;  // the line of names, for files that were published without one; "": they have it
  const char* mark;       // a column that only this set has, besides those that it needs
  const char *arrival, *begin, *end;
  const char* duration;  // where it is told; "": end - begin
  const char* gpus;
  double of_gpus;      // what one GPU is in that column: 100 where they are percent
  const char* each;    // how many times as many; "": once
  double of_each;      // what "once" is in that column
  const char* joined;  // rows that agree in it are one job; "": every row is one
  const char *job, *tenant, *model;
};

constexpr std::array kColumns = {
    Columns{"plain", "", "", "arrival_s", "", "", "duration_s", "gpus", 1, "", 1, "", "", "virtual_cluster", "model"},
    Columns{"helios", "", "vc", "submit_time", "start_time", "end_time", "", "gpu_num", 1, "", 1, "", "job_id", "vc",
            ""},
    Columns{"acme", "", "gpu_time", "submit_time", "start_time", "end_time", "", "gpu_num", 1, "", 1, "", "job_id", "",
            ""},
    Columns{"pai-task", "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type",
            "task_name", "start_time", "start_time", "end_time", "", "plan_gpu", 100, "inst_num", 1, "job_name",
            "job_name", "", ""},
    Columns{"pai-job", "job_name,inst_id,user,status,start_time,end_time", "inst_id", "start_time", "start_time",
            "end_time", "", "", 1, "", 1, "", "job_name", "", ""},
    Columns{"openb", "", "num_gpu", "creation_time", "scheduled_time", "deletion_time", "", "num_gpu", 1, "gpu_milli",
            1000, "", "name", "", ""}};

constexpr const char* kPhilly = "philly";

Error wrong(const std::string& place, std::string what, Advice advice = {}) {
  return Error(ErrorKind::kInput, std::move(what), place, std::move(advice));
}

bool absent(std::string_view text) {
  return text.empty() || text == "None" || text == "nan" || text == "NaN" || text == "NULL" || text == "null";
}

// A time as seconds, or as a date; none: the cell says that there was none.
std::optional<double> time_in(std::string_view text, const std::string& place) {
  if (absent(text)) return std::nullopt;
  if (const auto date = moment(text)) return date;
  try {
    const double seconds = parse_number(text);
    if (std::abs(seconds) <= kLongest) return seconds;
  } catch (const Error&) {
    // said below
  }
  throw wrong(place, fmt::format("'{}' is no time", shown(text)),
              "Give seconds, or a date such as 2017-10-07 01:11:39.");
}

std::optional<double> number_in(std::string_view text, const std::string& place, double most) {
  if (absent(text)) return std::nullopt;
  try {
    const double number = parse_number(text);
    if (number >= 0 && number <= most) return number;
  } catch (const Error&) {
    throw wrong(place, fmt::format("'{}' is no number", shown(text)), "Correct the row, or leave it out.");
  }
  throw wrong(place, fmt::format("{} is not between 0 and {:g}", shown(text), most),
              "Correct the row, or leave it out.");
}

std::uint32_t whole_gpus(double gpus) { return static_cast<std::uint32_t>(std::ceil(gpus - 1e-9)); }

// What a row, or several of one job, come to before they are a job.
struct Found {
  LoggedJob job;
  std::optional<double> arrival, begin, end, duration;
  double gpus = 0;
};

// The job, or why there is none.
std::string settle(Found& found) {
  LoggedJob& job = found.job;
  if (!(found.gpus > 0)) return "no GPU";
  if (!found.arrival) return "no arrival";
  if (!found.duration && (!found.begin || !found.end)) return "no begin or no end";
  const double duration = found.duration ? *found.duration : *found.end - *found.begin;
  if (duration < 0) return "ends before it begins";
  if (duration == 0) return "ran for no time";
  job.arrival_s = *found.arrival;
  job.duration_s = duration;
  job.gpus = whole_gpus(found.gpus);
  return "";
}

void keep(Found&& found, JobLog& log) {
  ++log.rows;
  if (const std::string reason = settle(found); !reason.empty())
    ++log.without[reason];
  else
    log.jobs.push_back(std::move(found.job));
}

// In the order of arrival, the first at 0.
JobLog ordered(JobLog log) {
  if (log.jobs.empty()) {
    std::string reasons;
    for (const auto& [reason, count] : log.without)
      reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", reason, count);
    throw wrong(log.source, fmt::format("no row of {} is a job: {}", log.rows, reasons),
                "Rows need GPUs, an arrival and a time for which they ran.");
  }
  std::ranges::stable_sort(log.jobs, {}, &LoggedJob::arrival_s);
  const double first = log.jobs.front().arrival_s;
  for (LoggedJob& job : log.jobs) job.arrival_s -= first;
  return log;
}

// Which set a table is of.
const Columns* set_of(const CsvTable& table) {
  for (const Columns& set : kColumns) {
    const auto has = [&](std::string_view name) { return name.empty() || table.index(name) != CsvTable::kNone; };
    if (has(set.mark) && has(set.arrival) && has(set.begin) && has(set.end) && has(set.duration) && has(set.gpus) &&
        has(set.each) && has(set.joined))
      return &set;
  }
  return nullptr;
}

const Columns* set_named(const std::string& name) {
  const auto found = std::ranges::find_if(kColumns, [&](const Columns& set) { return set.name == name; });
  return found == kColumns.end() ? nullptr : &*found;
}

class TableReader {
 public:
  TableReader(const CsvTable& table, const Columns& set) : table_(table), set_(set) {}

  JobLog read() const {
    JobLog log{.source = table_.source, .columns = set_.name};
    if (!*set_.gpus)
      throw wrong(table_.source, fmt::format("'{}' says when jobs came, not how many GPUs they had", set_.name),
                  "Give the table of tasks (pai_task_table) first, and this one beside it.");
    std::map<std::string, std::size_t, std::less<>> known;
    std::vector<Found> jobs;
    for (const CsvTable::Row& row : table_.rows) {
      Found found = read(row);
      if (!*set_.joined) {
        keep(std::move(found), log);
        continue;
      }
      const auto [at, fresh] = known.try_emplace(std::string(text(row, set_.joined)), jobs.size());
      if (fresh)
        jobs.push_back(std::move(found));
      else
        join(found, jobs[at->second]);
    }
    for (Found& found : jobs) keep(std::move(found), log);
    return log;
  }

  // When each job arrived, by its name.
  std::map<std::string, double, std::less<>> arrivals() const {
    std::map<std::string, double, std::less<>> times;
    for (const CsvTable::Row& row : table_.rows)
      if (const auto time = this->time(row, set_.arrival)) times.emplace(text(row, set_.job), *time);
    return times;
  }

 private:
  std::string_view text(const CsvTable::Row& row, std::string_view name) const {
    const std::size_t at = name.empty() ? CsvTable::kNone : table_.index(name);
    return at == CsvTable::kNone ? std::string_view{} : row.cells[at].text;
  }
  std::string place(const CsvTable::Row& row, std::string_view name) const {
    const std::size_t at = table_.index(name);
    return table_.place(row, at == CsvTable::kNone ? 0 : at);
  }
  std::optional<double> time(const CsvTable::Row& row, std::string_view name) const {
    return name.empty() ? std::nullopt : time_in(text(row, name), place(row, name));
  }

  Found read(const CsvTable::Row& row) const {
    Found found;
    found.job.name = text(row, set_.job);
    found.job.tenant = text(row, set_.tenant);
    found.job.model = text(row, set_.model);
    found.job.place = place(row, set_.gpus);
    found.arrival = time(row, set_.arrival);
    found.begin = time(row, set_.begin);
    found.end = time(row, set_.end);
    if (*set_.duration) found.duration = number_in(text(row, set_.duration), place(row, set_.duration), kLongest);
    const double gpus =
        number_in(text(row, set_.gpus), place(row, set_.gpus), kMostGpus * set_.of_gpus).value_or(0) / set_.of_gpus;
    const double each =
        *set_.each
            ? number_in(text(row, set_.each), place(row, set_.each), kMostGpus * set_.of_each).value_or(set_.of_each) /
                  set_.of_each
            : 1;
    found.gpus = gpus * each;
    if (found.gpus > kMostGpus)
      throw wrong(place(row, set_.gpus), fmt::format("a job of {:g} GPUs", found.gpus), "No cluster has so many.");
    return found;
  }

  // Roles of one job run beside each other: GPUs add up, from the first begin to the last end.
  static void join(const Found& more, Found& job) {
    const auto least = [](std::optional<double>& a, const std::optional<double>& b) {
      if (b && (!a || *b < *a)) a = b;
    };
    if (!(more.gpus > 0)) return;
    if (!(job.gpus > 0)) job.arrival = job.begin = job.end = std::nullopt;  // of a role without GPUs
    job.gpus += more.gpus;
    least(job.arrival, more.arrival);
    least(job.begin, more.begin);
    if (more.end && (!job.end || *more.end > *job.end)) job.end = more.end;
  }

  const CsvTable& table_;
  const Columns& set_;
};

// Philly's log: attempts one after the other, each on servers with their GPUs.
JobLog read_philly(std::string_view text, const std::string& source) {
  const Advice advice = fmt::format("See {}.", kPage);
  const Json parsed = parse_json(text, source, advice);
  const JsonOrigin origin{source, advice};
  const JsonNode all(parsed, origin);
  JobLog log{.source = source, .columns = kPhilly};
  const auto time = [](const JsonNode& node, std::string_view key) -> std::optional<double> {
    if (!node.has(key) || node.at(key).value().is_null()) return std::nullopt;
    return time_in(node.at(key).text(), node.at(key).place());
  };
  for (std::size_t j = 0; j < all.size(); ++j) {
    const JsonNode node = all.at(j);
    Found found;
    found.job.name = node.at("jobid").text();
    found.job.tenant = node.has("vc") ? node.at("vc").text() : "";
    found.job.place = node.place();
    found.arrival = time(node, "submitted_time");
    const JsonNode attempts = node.at("attempts");
    for (std::size_t a = 0; a < attempts.size(); ++a) {
      const JsonNode attempt = attempts.at(a);
      const JsonNode detail = attempt.at("detail");
      double gpus = 0;
      for (std::size_t d = 0; d < detail.size(); ++d) gpus += static_cast<double>(detail.at(d).at("gpus").size());
      if (found.gpus == 0) found.gpus = gpus;  // of the first attempt that had any
      const auto begin = time(attempt, "start_time"), end = time(attempt, "end_time");
      if (begin && end) found.duration = found.duration.value_or(0) + (*end - *begin);
    }
    keep(std::move(found), log);
  }
  return log;
}

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

// A table with names, its own or those that it was published under.
struct Table {
  CsvTable cells;
  const Columns* set;
};

Table table_of(std::string_view text, const std::string& source, const std::string& columns) {
  const Columns* named = columns.empty() ? nullptr : set_named(columns);
  if (!columns.empty() && !named) throw unknown_name("set of columns", columns, log_columns(), source);
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const bool bare = named && *named->published && line != named->published;
  Table table{parse_csv(text, source, {.names = bare ? named->published : std::string_view()}), nullptr};
  table.set = set_of(table.cells);
  if (named && table.set != named)
    throw wrong(table.cells.place(table.cells.names, 0), fmt::format("these are not the columns of '{}'", columns),
                fmt::format("See {}.", kPage));
  if (!table.set)
    throw wrong(
        table.cells.place(table.cells.names, 0), "these are the columns of no log that is known",
        fmt::format("Have arrival_s, gpus and duration_s, or those of a log in {}; a log of PAI, which has no line "
                    "of names, is read by the name of its columns.",
                    kPage));
  return table;
}

}  // namespace

std::vector<std::string> log_columns() {
  std::vector<std::string> names;
  for (const Columns& set : kColumns) names.emplace_back(set.name);
  names.emplace_back(kPhilly);
  return names;
}

JobLog parse_job_log(std::string_view text, const std::string& source, const std::string& columns) {
  if (columns == kPhilly || (columns.empty() && is_json(text))) return ordered(read_philly(text, source));
  const Table table = table_of(text, source, columns);
  return ordered(TableReader(table.cells, *table.set).read());
}

JobLog read_job_logs(const std::vector<std::string>& paths, const std::string& columns, const std::string& place) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(read_text(path, path, "log of jobs", kPage, kLargestLog));
  if (paths.size() == 1) return parse_job_log(texts[0], paths[0], columns);
  if (paths.size() != 2)
    throw Error(ErrorKind::kUsage, fmt::format("{} logs of jobs", paths.size()), place,
                "Give one, or a table of PAI's tasks and that of their jobs.");

  // The second says when the jobs of the first were submitted
  const bool bare = columns == "pai-task";
  const Table tasks = table_of(texts[0], paths[0], columns), jobs = table_of(texts[1], paths[1], bare ? "pai-job" : "");
  if (std::string_view(tasks.set->name) != "pai-task" || std::string_view(jobs.set->name) != "pai-job")
    throw wrong(paths[1], fmt::format("'{}' beside '{}' is no pair of logs", jobs.set->name, tasks.set->name),
                "Only PAI's table of tasks has one of jobs beside it, in this order.");
  JobLog log = TableReader(tasks.cells, *tasks.set).read();
  const auto arrivals = TableReader(jobs.cells, *jobs.set).arrivals();
  for (LoggedJob& job : log.jobs)
    if (const auto at = arrivals.find(job.name); at != arrivals.end()) job.arrival_s = at->second;
  return ordered(std::move(log));
}

}  // namespace helio::workload
