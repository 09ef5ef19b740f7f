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

  // Adds everything from `last` backwards, `times` times; returns its length.
  double follow(std::uint32_t last, double times) {
    double length = 0;
    for (std::uint32_t at = last; at != Link::kNone; at = timeline_.links[at].previous) {
      const Link& link = timeline_.links[at];
      const double own = (link.end - link.start).to_seconds();
      const auto rounds = static_cast<double>(link.rounds);
      if (link.operation == Link::kNone) {  // rounds of a body
        follow(link.inner, times * rounds);
      } else {
        const LoweredJobs::Origin& from = assembled_.origin[link.where.value];
        const LoweredJobs::Told& task = assembled_.told[from.job][from.body][link.operation];
        const double inside = link.inner != Link::kNone ? follow(link.inner, times) : 0;
        const double outside = std::max(0.0, own - inside) * times;  // of a body: it waited
        shares.seconds[static_cast<std::size_t>(task.activity)] += outside;
        if (task.verb == placement::Verb::kHost) shares.host += outside;
        shares.rows[task.row] += outside;
      }
      length += own * rounds;
    }
    return length;
  }

 private:
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
