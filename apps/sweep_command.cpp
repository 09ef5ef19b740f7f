// SPDX-License-Identifier: Apache-2.0
// helio sweep: one command for every combination of values, answered by processes of this program; helio sweep show: what came of it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <new>
#include <thread>

#include "base/budget.h"
#include "base/csv_field.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/json_reader.h"
#include "commands.h"
#include "complaint.h"
#include "option_bounds.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"
#include "sweep/run.h"

namespace helio::apps {
namespace {

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

struct SweepQuestion {
  std::string file, out;
  std::size_t workers = 0;
};

// A file whose points all are wrong is wrong itself: a path that leads nowhere, a command that is none. Some of them, far apart, are tried
// before anything is made.
void try_some(const sweep::Space& space, sweep::Pool& pool) {
  constexpr std::uint64_t kTried = 8;
  const std::uint64_t points = space.points(), tried = std::min(points, kTried);
  std::uint64_t asked = 0, told = 0;
  std::string reason;
  while (told < tried) {
    for (; asked < tried && pool.room() > 0; ++asked) pool.ask(asked * points / tried);
    for (const sweep::Row& row : pool.answers(100)) {
      ++told;
      if (row.code != exit_code(ErrorKind::kUsage) && row.code != exit_code(ErrorKind::kInput))
        asked = tried, reason = "-";
      if (reason.empty()) reason = row.reason;
    }
    if (reason == "-" && pool.busy() == 0) return;
  }
  if (reason != "-")
    throw Error(ErrorKind::kInput, fmt::format("none of {} points that were tried can be asked: {}", tried, reason),
                space.source, "correct the file: docs/sweep.md");
}

volatile std::sig_atomic_t interrupted = 0;

Json facts_of(const sweep::Store& store, const sweep::Space& space) {
  std::uint64_t finished = 0;
  Json codes = Json::object();
  for (const auto& [code, count] : store.codes()) {
    codes[fmt::format("{}", code)] = count;
    finished += count;
  }
  Json json = {
      {"points", store.facts().points}, {"finished", finished}, {"codes", codes}, {"value", space.compared_by}};
  json["best"] = nullptr;
  store.visit(true, 1, [&](const sweep::Row& row) {
    json["best"] = {{"point", row.point}, {"value", row.value}, {"command", row.configuration}};
  });
  return json;
}

std::string words_of(const Json& facts) {
  std::string text = fmt::format("{} points, {} finished\n", facts["points"].get<std::uint64_t>(),
                                 facts["finished"].get<std::uint64_t>());
  const auto meaning = [](const std::string& code) {
    return code == "0"                  ? "with a result"
           : code == "4"                ? "infeasible, or over their budget"
           : code == "124"              ? "took too long"
           : code == "2" || code == "3" ? "wrong"
                                        : "crashed";
  };
  for (const auto& [code, count] : facts["codes"].items())
    text += fmt::format("  {:<10} {} ({})\n", count.get<std::uint64_t>(), meaning(code), code);
  if (!facts["best"].is_null())
    text += fmt::format("  best       {} = {:.6g}: helio {}\n", facts["value"].get<std::string>(),
                        facts["best"]["value"].get<double>(), facts["best"]["command"].get<std::string>());
  return text;
}

std::string swept(const Asked<SweepQuestion>& asked) {
  const SweepQuestion& q = asked.question;
  if (q.file.empty() || q.out.empty())
    throw Error(ErrorKind::kUsage, "a sweep needs a file and where its results go", q.file.empty() ? "SWEEP" : "--out",
                "helio sweep SWEEP.toml --out results.db");
  const sweep::Space space = sweep::read_space(q.file);
  const std::size_t cores = q.workers ? q.workers : std::max(1U, std::thread::hardware_concurrency());
  sweep::Pool pool(cores, space.limit_s, [&](int in, int out) {
    sweep::answer_points(in, out, [&](std::uint64_t point) { return answered(space, point); });
  });
  if (access(q.out.c_str(), F_OK) != 0) try_some(space, pool);
  sweep::Store store(q.out, {space.text, space.points(), space.seed, std::string(pipeline::kVersion)}, "--out");
  interrupted = 0;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  const auto start = std::chrono::steady_clock::now();
  const sweep::Progress done = watched([&](const ask::Watch& watch) {
    return sweep::run(space, store, pool, [&](const sweep::Progress& p) {
      const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const auto here = static_cast<double>(p.finished - p.found);
      const double left = here > 0 ? spent * static_cast<double>(p.points - p.finished) / here : 0;
      watch.begin(p.finished, p.points, fmt::format("{} without a result, about {:.0f} s left", p.refused, left));
      return interrupted == 0;
    });
  });
  std::signal(SIGINT, SIG_DFL);
  Json facts = facts_of(store, space);
  facts["found"] = done.found;
  facts["interrupted"] = done.interrupted;
  if (asked.output.json) return json_dump(facts, 2) + "\n";
  return words_of(facts) + (done.found ? fmt::format("  {} were there before\n", done.found) : "") +
         (done.interrupted ? "  stopped: the same command goes on\n" : "");
}

struct ShowQuestion {
  std::string file, csv;
  std::size_t best = 10;
};

std::string shown(const Asked<ShowQuestion>& asked) {
  const ShowQuestion& q = asked.question;
  const sweep::Store store(q.file, "DATABASE");
  const sweep::Space space = sweep::parse_space(store.facts().file, q.file);
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
  auto& asked = add<SweepQuestion>(commands, command, [](auto& a) { return swept(a); });
  add_path(command, "SWEEP", asked.question.file, PathUse::kRead, "a TOML file: docs/sweep.md");
  add_path(command, "--out", asked.question.out, PathUse::kUpdated,
           "the database, made or gone on with: a row for each point");
  add_integer(command, "--workers", asked.question.workers, "processes that answer; as many as cores when left out",
              {.least = 1, .most = 1024});
  add_json(command, asked.output);

  CLI::App& show = *command.add_subcommand("show", "What is in the database of a sweep");
  auto& looked = add<ShowQuestion>(commands, show, [](auto& a) { return shown(a); });
  add_path(show, "DATABASE", looked.question.file, PathUse::kRead, "what sweep wrote")->required();
  add_integer(show, "--best", looked.question.best, "so many of the best", {.least = 1, .most = 100'000});
  add_path(show, "--csv", looked.question.csv, PathUse::kWritten, "write a table of all points into this file");
  add_json(show, looked.output);
}

}  // namespace helio::apps
