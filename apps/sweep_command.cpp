// SPDX-License-Identifier: Apache-2.0
// helio sweep: one command for every combination of values, answered by processes of this program; helio sweep show: what came of it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <thread>

#include "ask/report.h"
#include "base/budget.h"
#include "base/csv_field.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_reader.h"
#include "commands.h"
#include "companion_program.h"
#include "complaint.h"
#include "option_bounds.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"
#include "report/pages/sweep_page.h"
#include "sweep/run.h"
#include "swept.h"

namespace helio::apps {
namespace {

constexpr const char* kSweptFile = "sweep.json";
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A point is a question: it answers in JSON and writes no file.
void refuse_outputs(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->count() > 0; }))
    if (const auto word = path_word(*option); word && word->use != PathUse::kRead)
      throw Error(ErrorKind::kUsage, "a point of a sweep writes no file", option->get_name(), "leave it out");
  for (const CLI::App* within : app.get_subcommands()) refuse_outputs(*within);
}

// "time_s", or "jobs.0.iteration_s" within objects and lists; NaN where there is no such number.
double value_in(const Json& json, std::string_view path) {
  const Json* at = &json;
  while (!path.empty()) {
    const std::string key(path.substr(0, path.find('.')));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    if (at->is_object() && at->contains(key)) {
      at = &(*at)[key];
    } else if (at->is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos &&
               key.size() < 9 && std::stoul(key) < at->size()) {
      at = &(*at)[std::stoul(key)];
    } else {
      return kNone;
    }
  }
  return at->is_number() ? at->get<double>() : kNone;
}

std::string joined(const std::vector<std::string>& words) {
  std::vector<const char*> pointers = {"helio"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return command_of(static_cast<int>(pointers.size()), pointers.data()).substr(6);
}

// What the command says for one point, whatever that is.
sweep::Row answered(const sweep::Space& space, std::uint64_t point) {
  std::vector<std::string> words = space.words_of(space.values(point));
  sweep::Row row{.point = point, .value = kNone, .configuration = joined(words)};
  words.insert(words.begin(), "helio");
  words.push_back("--json");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  try {
    const std::optional<std::string> answer =
        answer_to(static_cast<int>(words.size()), pointers.data(), refuse_outputs);
    if (!answer) throw Error(ErrorKind::kUsage, "this asks nothing", space.source, "name a command with an answer");
    row.value = value_in(parse_json(*answer, "answer"), space.compared_by);
    row.result = sweep::compressed(*answer);
  } catch (const Error& error) {
    row.code = exit_code(error.kind());
    row.reason = complaint(error.message(), error.place(), error.advice());
  } catch (const std::bad_alloc&) {
    row.code = exit_code(ErrorKind::kInfeasible);
    row.reason = "this needs more memory than there is";
  } catch (const std::exception& error) {
    row.code = 1;
    row.reason = std::string("our fault, not yours: ") + error.what();
  }
  return row;
}

void answer_points(const sweep::Space& space, int in, int out) {
  sweep::answer_points(in, out, [&](std::uint64_t point) { return answered(space, point); });
}

// As a process of another program's pool.
std::string answer_for(const std::string& file) {
  answer_points(sweep::read_space(file), STDIN_FILENO, STDOUT_FILENO);
  return "";
}

// Whether mpirun, or srun, has started this process as one of several.
bool on_ranks() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size && std::strtol(size, nullptr, 10) > 1;
}

std::vector<std::string> words_for_ranks(const Asked<SweepQuestion>& asked) {
  std::vector<std::string> words = {"sweep", asked.question.file, "--out", asked.question.out};
  if (asked.question.workers) words.insert(words.end(), {"--workers", fmt::format("{}", asked.question.workers)});
  if (!asked.question.part.empty()) words.insert(words.end(), {"--part", asked.question.part});
  if (asked.output.json) words.emplace_back("--json");
  return words;
}

struct JoinQuestion {
  std::vector<std::string> parts;
  std::string out;
};

// Rows of all parts in one database; a point that is in two of them is taken from the first.
std::string joined(const Asked<JoinQuestion>& asked) {
  const JoinQuestion& q = asked.question;
  const sweep::SweepFacts facts = sweep::Store(q.parts.front(), "DATABASE").facts();
  sweep::Store all(q.out, facts, "--out");
  std::vector<bool> there = all.finished();
  for (const std::string& path : q.parts) {
    const sweep::Store part(path, "DATABASE");
    const sweep::SweepFacts& f = part.facts();
    if (f.file != facts.file || f.points != facts.points || f.seed != facts.seed || f.version != facts.version)
      throw Error(ErrorKind::kInput, fmt::format("'{}' is of another sweep than '{}'", path, q.parts.front()),
                  "DATABASE", "give parts of one sweep, by one version");
    part.visit(false, 0, [&](const sweep::Row& row) {
      if (row.point >= there.size() || there[row.point]) return;
      all.add(row);
      there[row.point] = true;
    });
  }
  all.commit();
  const Json json = facts_of(all, sweep::parse_space(facts.file, q.out));
  return asked.output.json ? json_dump(json, 2) + "\n" : words_of(json);
}

struct ShowQuestion {
  std::string file, csv, against;
  std::size_t best = 10;
};

// What the database holds, for pages. Axes that walk together are one.
report::Swept swept_of(const sweep::Store& store, const sweep::Space& space, const ShowQuestion& q) {
  report::Swept swept{.source = std::filesystem::path(q.file).filename().string(),
                      .value = space.compared_by,
                      .against = q.against,
                      .asked = store.facts().points};
  std::vector<std::map<std::string, std::uint32_t>> places;
  for (const sweep::Axis& axis : space.axes) {
    report::SweptAxis& named = swept.axes.emplace_back();
    named.name = fmt::format("{}", fmt::join(axis.keys, " / "));
    std::map<std::string, std::uint32_t>& place = places.emplace_back();
    for (const std::vector<std::string>& step : axis.values) {
      named.values.push_back(fmt::format("{}", fmt::join(step, " / ")));
      place[fmt::format("{}", fmt::join(step, "\n"))] = static_cast<std::uint32_t>(named.values.size() - 1);
    }
  }
  std::map<std::string, std::uint64_t> reasons;
  store.visit(false, 0, [&](const sweep::Row& row) {
    if (!std::isfinite(row.value)) {
      ++reasons[row.reason.empty() ? fmt::format("the answer has no {}", space.compared_by) : row.reason];
      return;
    }
    report::SweptPoint& point = swept.points.emplace_back();
    point.number = row.point;
    point.value = row.value;
    point.against =
        q.against.empty() ? kNone : value_in(parse_json(sweep::uncompressed(row.result, q.file), q.file), q.against);
    const sweep::Values values = space.values(row.point);
    auto value = values.begin();
    for (std::size_t a = 0; a < space.axes.size(); ++a) {
      std::string step = (value++)->second;
      for (std::size_t k = 1; k < space.axes[a].keys.size(); ++k) step += "\n" + (value++)->second;
      point.at.push_back(places[a].at(step));
    }
  });
  if (!q.against.empty() &&
      std::ranges::none_of(swept.points, [](const auto& point) { return std::isfinite(point.against); }))
    throw Error(ErrorKind::kInput, fmt::format("no answer has a number '{}'", q.against), "--against",
                "name a key of the answers, such as energy_j, or jobs.0.iteration_s for one within");
  for (const auto& [reason, count] : reasons) swept.refused.emplace_back(reason, count);
  std::ranges::stable_sort(swept.refused, std::greater(), [](const auto& one) { return one.second; });

  std::map<std::uint64_t, std::size_t> order;
  for (const std::uint64_t number : report::worth_telling(swept)) order.emplace(number, order.size());
  swept.told.resize(order.size());
  store.visit(false, 0, [&](const sweep::Row& row) {
    if (const auto found = order.find(row.point); found != order.end())
      swept.told[found->second] = {row.point, row.configuration, sweep::uncompressed(row.result, q.file), row.seconds};
  });
  return swept;
}

std::string shown(const Asked<ShowQuestion>& asked, const std::string& typed) {
  const ShowQuestion& q = asked.question;
  const sweep::Store store(q.file, "DATABASE");
  const sweep::Space space = sweep::parse_space(store.facts().file, q.file);
  if (!q.against.empty() && asked.output.report.empty())
    throw Error(ErrorKind::kUsage, "only a report draws one number against another", "--against", "add --report DIR");
  if (!q.csv.empty()) {
    FileWriter out(q.csv, "--csv", Parents::kMade);
    std::string line = "point";
    for (const auto& [key, value] : space.values(0)) line += "," + csv_field(key);
    out << line << ",code," << csv_field(space.compared_by) << ",seconds,reason\n";
    store.visit(false, 0, [&](const sweep::Row& row) {
      line = fmt::format("{}", row.point);
      for (const auto& [key, value] : space.values(row.point)) line += "," + csv_field(value);
      out << line
          << fmt::format(",{},{},{:.6g},{}\n", row.code, std::isfinite(row.value) ? fmt::format("{}", row.value) : "",
                         row.seconds, csv_field(row.reason));
    });
    out.commit();
  }
  Json facts = facts_of(store, space);
  Json rows = Json::array();
  store.visit(true, q.best, [&](const sweep::Row& row) {
    Json values = Json::object();
    for (const auto& [key, value] : space.values(row.point)) values[key] = value;
    rows.push_back({{"point", row.point}, {"value", row.value}, {"seconds", row.seconds}, {"values", values}});
  });
  facts["rows"] = rows;
  if (!asked.output.report.empty())
    ask::write({report::pages_of(swept_of(store, space, q)), {{kSweptFile, json_dump(facts, 2) + "\n"}}},
               asked.output.report, typed, "--report");
  if (asked.output.json) return json_dump(facts, 2) + "\n";
  std::string text = words_of(facts);
  for (const Json& row : rows) {
    text += fmt::format("  {:<12.6g}", row["value"].get<double>());
    for (const auto& [key, value] : row["values"].items()) text += fmt::format(" {}={}", key, value.get<std::string>());
    text += "\n";
  }
  return text;
}

}  // namespace

void add_sweep_command(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand("sweep", "One command for many values, its answers in a database");
  command.require_subcommand(0, 1);
  const auto answers = std::make_shared<bool>(false);
  auto& asked = add<SweepQuestion>(commands, command, [answers](auto& a) -> std::string {
    if (*answers) return answer_for(a.question.file);
    check(a.question);
    if (on_ranks()) become(kExecution, words_for_ranks(a), "helio sweep");
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    return swept(a.question, a.output.json, a.question.workers ? a.question.workers : cores,
                 [](const sweep::Space& space) -> sweep::Serve {
                   return [&space](int in, int out) { answer_points(space, in, out); };
                 });
  });
  add_sweep_options(command, asked.question);
  command.add_flag("--answer", *answers, "numbers of points on standard input, answers on standard output")->group("");
  add_json(command, asked.output);

  CLI::App& join = *command.add_subcommand("join", "The databases of several jobs of one sweep, as one");
  auto& together = add<JoinQuestion>(commands, join, [](auto& a) { return joined(a); });
  add_path(join, "DATABASE", together.question.parts, PathUse::kRead, "what sweep --part wrote")->required();
  add_path(join, "--out", together.question.out, PathUse::kUpdated, "the database that has all of them")->required();
  add_json(join, together.output);

  CLI::App& show = *command.add_subcommand("show", "What is in the database of a sweep");
  auto& looked = add<ShowQuestion>(commands, show, [typed = commands.typed](auto& a) { return shown(a, typed); });
  add_path(show, "DATABASE", looked.question.file, PathUse::kRead, "what sweep wrote")->required();
  add_integer(show, "--best", looked.question.best, "so many of the best", {.least = 1, .most = 100'000});
  add_path(show, "--csv", looked.question.csv, PathUse::kWritten, "write a table of all points into this file");
  add_report(show, looked.output, kSweptFile,
             "write pages into this folder: lines, heat-maps and the front, and the best points each with its own");
  show.add_option("--against", looked.question.against,
                  "of --report: another number of the answers, such as energy_j, for the front of both");
  add_json(show, looked.output);
}

}  // namespace helio::apps
