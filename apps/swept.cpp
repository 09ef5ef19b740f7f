// SPDX-License-Identifier: Apache-2.0
#include "swept.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>

#include "base/error.h"
#include "base/json_dump.h"
#include "commands.h"
#include "option_bounds.h"
#include "pipeline/version.h"

namespace helio::apps {
namespace {

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

}  // namespace

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

void add_sweep_options(CLI::App& command, SweepQuestion& question) {
  add_path(command, "SWEEP", question.file, PathUse::kRead, "a TOML file: docs/sweep.md");
  add_path(command, "--out", question.out, PathUse::kUpdated,
           "the database, made or gone on with: a row for each point");
  add_integer(command, "--workers", question.workers,
              "processes that answer; as many as cores when left out, under mpirun one for each rank",
              {.least = 1, .most = 1024});
  command.add_option("--part", question.part,
                     "of the points those of one job of several, such as 3/16; helio sweep join puts them together");
}

namespace {

// "3/16", counted from 1.
sweep::Share share_of(const std::string& part) {
  if (part.empty()) return {};
  std::uint64_t which = 0, of = 0;
  const char* const end = part.data() + part.size();
  const auto [slash, first] = std::from_chars(part.data(), end, which);
  if (first == std::errc() && slash != end && *slash == '/')
    if (const auto [last, second] = std::from_chars(slash + 1, end, of);
        second == std::errc() && last == end && which >= 1 && which <= of && of <= 1'000'000)
      return {which - 1, of};
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is no part of a sweep", part), "--part",
              "the third of sixteen is 3/16");
}

}  // namespace

void check(const SweepQuestion& q) {
  share_of(q.part);
  if (q.file.empty() || q.out.empty())
    throw Error(ErrorKind::kUsage, "a sweep needs a file and where its results go", q.file.empty() ? "SWEEP" : "--out",
                "helio sweep SWEEP.toml --out results.db");
}

std::string swept(const SweepQuestion& q, bool json, std::size_t workers,
                  const std::function<sweep::Serve(const sweep::Space&)>& serve, const sweep::Others& others) {
  const sweep::Space space = sweep::read_space(q.file);
  sweep::Pool pool(workers, space.limit_s, serve(space));
  if (access(q.out.c_str(), F_OK) != 0) try_some(space, pool);
  sweep::Store store(q.out, {space.text, space.points(), space.seed, std::string(pipeline::kVersion)}, "--out");
  interrupted = 0;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  const auto start = std::chrono::steady_clock::now();
  const sweep::Progress done = watched([&](const ask::Watch& watch) {
    return sweep::run(
        space, store, pool,
        [&](const sweep::Progress& p) {
          const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
          const auto here = static_cast<double>(p.finished - p.found);
          const double left = here > 0 ? spent * static_cast<double>(p.points - p.finished) / here : 0;
          watch.begin(p.finished, p.points, fmt::format("{} without a result, about {:.0f} s left", p.refused, left));
          return interrupted == 0;
        },
        others, share_of(q.part));
  });
  std::signal(SIGINT, SIG_DFL);
  Json facts = facts_of(store, space);
  facts["found"] = done.found;
  facts["interrupted"] = done.interrupted;
  if (json) return json_dump(facts, 2) + "\n";
  return words_of(facts) + (done.found ? fmt::format("  {} were there before\n", done.found) : "") +
         (done.interrupted ? "  stopped: the same command goes on\n" : "");
}

}  // namespace helio::apps
