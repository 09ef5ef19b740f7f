// SPDX-License-Identifier: Apache-2.0
#include "pipeline/critical_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace helio::pipeline {
namespace {

using placement::Activity;
using simulate::Link;

class Walk {
 public:
  Walk(const simulate::Timeline& timeline, const LoweredJobs& assembled) : timeline_(timeline), assembled_(assembled) {}

  PathShares shares;

  // Adds everything from `last` backwards, `times` times; returns its length. `around`: the task that calls what `last` is part of.
  double follow(std::uint32_t last, double times, const LoweredJobs::Told* around = nullptr) {
    double length = 0;
    for (std::uint32_t at = last; at != Link::kNone; at = timeline_.links[at].previous) {
      const Link& link = timeline_.links[at];
      const double own = (link.end - link.start).to_seconds();
      const auto rounds = static_cast<double>(link.rounds);
      if (link.operation == Link::kNone) {  // rounds of a body
        follow(link.inner, times * rounds, around);
      } else if (const LoweredJobs::Origin& from = assembled_.origin[link.where.value]; from.valid) {
        const LoweredJobs::Told& task = assembled_.told[from.job][from.body][link.operation];
        const double inside = link.inner != Link::kNone ? follow(link.inner, times, &task) : 0;
        add(task, std::max(0.0, own - inside) * times, task.level);  // of a body: it waited
      } else if (const auto stages = assembled_.stages.find(link.where.value); stages != assembled_.stages.end()) {
        add(*around, own * times, stages->second[link.operation]);
      } else {  // waves, one after the other
        follow(link.inner, times, around);
      }
      length += own * rounds;
    }
    return length;
  }

 private:
  void add(const LoweredJobs::Told& task, double seconds, std::uint32_t level) {
    const auto activity = static_cast<std::size_t>(task.activity);
    shares.seconds[activity] += seconds;
    if (task.verb == placement::Verb::kHost) shares.host += seconds;
    shares.rows[task.row] += seconds;
    if (level != LoweredJobs::kNoLevel) shares.levels[level][activity] += seconds;
  }

  const simulate::Timeline& timeline_;
  const LoweredJobs& assembled_;
};

const char* words_for(Activity activity) {
  switch (activity) {
    case Activity::kCompute: return "computing";
    case Activity::kTp: return "tensor-parallel exchange";
    case Activity::kPp: return "sending between stages";
    case Activity::kDp: return "exchange between replicas";
    case Activity::kEp: return "expert exchange";
    case Activity::kLoad: return "loading samples";
    case Activity::kStreaming: return "streaming parameters";
    case Activity::kCp: return "exchange within sequences";
  }
  return "";
}

}  // namespace

PathShares shares_of(const simulate::Timeline& timeline, const LoweredJobs& assembled, std::uint32_t job) {
  Walk walk(timeline, assembled);
  for (const Link& link : timeline.links)
    if (link.where == assembled.entry && link.operation == job) walk.follow(link.inner, 1);
  return walk.shares;
}

std::string in_words(const PathShares& shares, const placement::Program& program) {
  double total = 0;
  for (const double seconds : shares.seconds) total += seconds;
  if (total <= 0) return "nothing takes time";

  // What on, the longest first
  std::vector<int> order;
  for (int a = 0; a < placement::kActivities; ++a)
    if (shares.seconds[static_cast<std::size_t>(a)] > 0) order.push_back(a);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return shares.seconds[static_cast<std::size_t>(a)] > shares.seconds[static_cast<std::size_t>(b)];
  });
  std::string words;
  for (const int a : order) {
    words += fmt::format("{}{} {:.1f} %", words.empty() ? "" : ", ", words_for(static_cast<Activity>(a)),
                         100 * shares.seconds[static_cast<std::size_t>(a)] / total);
    if (static_cast<Activity>(a) == Activity::kCompute && shares.host > 0)
      words += fmt::format(" (of all time {:.1f} % the host issuing kernels)", 100 * shares.host / total);
  }

  // Where
  const auto most = std::max_element(shares.rows.begin(), shares.rows.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return words + fmt::format("; {:.0f} % of it at {}", 100 * most->second / total, program.rows[most->first]);
}

}  // namespace helio::pipeline
