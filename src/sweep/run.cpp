// SPDX-License-Identifier: Apache-2.0
#include "sweep/run.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace helio::sweep {
namespace {

constexpr double kBetweenCommits = 0.25;  // seconds: what a kill may cost

}  // namespace

Progress run(const Space& space, Store& store, Pool& pool, const std::function<bool(const Progress&)>& watch,
             const Others& others, const Share& share) {
  using Clock = std::chrono::steady_clock;
  std::vector<bool> finished = store.finished();
  Progress progress;
  progress.found = progress.finished = static_cast<std::uint64_t>(std::ranges::count(finished, true));
  progress.points = progress.found;
  for (std::size_t i = 0; i < finished.size(); ++i)
    if (i % share.parts != share.part)
      finished[i] = true;  // for somebody else
    else if (!finished[i])
      ++progress.points;
  std::uint64_t at = 0;
  const auto next = [&](std::uint64_t& point) {
    while (at < finished.size() && finished[at]) ++at;
    if (at >= finished.size() || progress.interrupted) return false;
    point = at++;
    return true;
  };
  const auto take = [&](Row row) {
    if (row.configuration.empty()) {  // its process is gone, and with it what it was asked
      for (const std::string& word : space.words_of(space.values(row.point)))
        row.configuration += (row.configuration.empty() ? "" : " ") + word;
    }
    store.add(row);
    ++progress.finished;
    if (row.code != 0) ++progress.refused;
  };
  auto committed = Clock::now();
  bool elsewhere = static_cast<bool>(others.serve);
  while (true) {
    for (std::uint64_t point; pool.room() > 0 && next(point);) pool.ask(point);
    if (elsewhere) elsewhere = others.serve(next, take);
    if (pool.busy() == 0 && !elsewhere) break;
    for (Row& row : pool.answers(elsewhere ? 1 : 100)) take(std::move(row));
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - committed).count() < kBetweenCommits) continue;
    store.commit();
    committed = now;
    if (watch && !watch(progress)) {
      progress.interrupted = true;
      if (!elsewhere) break;
    }
  }
  store.commit();
  return progress;
}

}  // namespace helio::sweep
