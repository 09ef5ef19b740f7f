// SPDX-License-Identifier: Apache-2.0
// The largest ring whose light arrives without regenerators, by loss per hop (papers/wrht.md 2.6).
//
//     generous light    h_max = floor((laser - sensitivity - ends - penalties) / loss per hop) = floor(24 dB / loss per hop)
//     physical light    h_max of photonics/link_budget.h: 20 dBm on the bus, a receiver's noise, in-band crosstalk, parts that differ
//
// WRHT. The longest lightpath is that of schedules that were built, one for every N, with the shortcut and 64 wavelengths: the last
// step spans about N/2 whatever m is, so N stays near 2 h_max. It is held against floor(r/2) m^l (closed_forms.h).
// wdm-planned. The circulant schedule's longest path is its last stride, at most 64 for 64 wavelengths and at most N/2; a static
// ring, the chain of the one radix N, has paths of one hop. Hops of both are those of the planner's own candidates.
//
// For some m the longest path falls when N grows by one (m = 9: 99 hops at N = 198, 81 at 199), so "the largest N" means that every
// smaller ring closes as well.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "photonics/link_budget.h"
#include "plan/wdm_cost.h"
#include "schedule/algorithm.h"
#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {
namespace {

constexpr double kLosses[] = {0.05, 0.1, 0.2, 0.322, 0.5, 1};  // dB; 0.322 is 64 rings of 0.005 and 0.002 of fibre
constexpr int kMost = 1 << 20;                                 // nodes that are asked about

// The longest path of any ring up to so many nodes, each counted once.
class LongestSoFar {
 public:
  // Requires: no path has more than `cap` hops.
  explicit LongestSoFar(std::function<int(int)> hops, int cap = kMost) : hops_(std::move(hops)), cap_(cap) {}
  int operator()(int nodes) {
    const auto index = static_cast<std::size_t>(nodes);
    while (longest_.size() <= index && longest_.back() < cap_)
      longest_.push_back(std::max(longest_.back(), hops_(static_cast<int>(longest_.size()))));
    return longest_[std::min(index, longest_.size() - 1)];
  }

 private:
  std::function<int(int)> hops_;
  int cap_;
  std::vector<int> longest_ = {0, 0};  // of no node and of one
};

int hops_of(const schedule::Move& move, int nodes) {
  const int clockwise = (move.destination - move.source + nodes) % nodes;
  return move.lane.direction == 0 ? clockwise : nodes - clockwise;
}

// Of a schedule that is built for the purpose.
int longest_built(int nodes, int group) {
  const schedule::Capabilities ring{.fabric = "wdm-ring",
                                    .nodes = static_cast<std::uint64_t>(nodes),
                                    .adjacency = schedule::Adjacency::kRing,
                                    .wavelengths = kWavelengths,
                                    .directions = 2};
  const schedule::Schedule schedule =
      schedule::build("wrht", schedule::request_on_all(schedule::Kind::kAllReduce, Bytes{1}, nodes), ring,
                      {{"group", {fmt::format("{}", group), "studies/wrht"}}});
  int longest = 0;
  for (const schedule::Phase& phase : schedule.phases)
    for (const schedule::Move& move : phase.moves) longest = std::max(longest, hops_of(move, nodes));
  return longest;
}

// Of all chains that the planner may choose from.
std::vector<plan::Candidate> chains(int nodes) {
  return plan::circulant_candidates({.nodes = static_cast<std::uint64_t>(nodes),
                                     .wavelengths = kWavelengths,
                                     .rate = kLiteralRate,
                                     .retune = kRetune,
                                     .drive = 2 * kWavelengths},
                                    kAlexnet.bytes);
}
int longest_chain(int nodes) {
  return static_cast<int>(std::ranges::max(chains(nodes), {}, &plan::Candidate::hops).hops);
}
int shortest_chain(int nodes) {
  return static_cast<int>(std::ranges::min(chains(nodes), {}, &plan::Candidate::hops).hops);
}

struct Design {
  std::string name;
  std::function<int(int)> counted, expected;  // hops of the longest path; neither falls with N
  const char* formula;
};

std::vector<Design> designs() {
  std::vector<Design> all;
  for (const int m : {3, 9, 17, 33, 65, 129})
    all.push_back({fmt::format("WRHT m={}", m), LongestSoFar([m](int nodes) { return longest_built(nodes, m); }),
                   LongestSoFar([m](int nodes) {
                     return static_cast<int>(wrht_longest_hops(static_cast<std::uint64_t>(nodes), kWavelengths,
                                                               static_cast<std::uint64_t>(m)));
                   }),
                   "closed form: floor(r/2) m^l <= h_max, r alive after l levels (papers/wrht.md 2.6)"});
  all.push_back({"planned, circulant of up to 64 hops", LongestSoFar(longest_chain, kWavelengths),
                 [](int nodes) { return std::min(nodes / 2, kWavelengths); },
                 "closed form: the last stride, min(N/2, w) <= h_max (papers/wrht.md 6.6)"});
  all.push_back({"planned, static ring", shortest_chain, [](int) { return 1; },
                 "closed form: one hop <= h_max (papers/wrht.md 6.6)"});
  return all;
}

}  // namespace

Findings reach() {
  struct Light {
    const char* name;
    photonics::LinkBudget budget;
    Assumptions assumptions;
  };
  const Assumptions counted{
      of_our_own("64 wavelengths each way, WRHT with the all-to-all step, counts of our schedules"),
      noted(fmt::format("every ring up to N closes; asked up to N = {}", kMost))};
  const Light lights[] = {
      {"", photonics::generous(),
       counted + Assumptions{of_our_own(
                     "light = generous: 10 dBm laser, -20 dBm receiver, 5 dB at the ends, 1 dB of crosstalk")}},
      {", physical light",
       {},
       counted + Assumptions{
                     from_memory("light = physical: 20 dBm on the bus, parts that differ by 0.5 dB, 95 % of all paths"),
                     of_our_own("light = physical: a receiver of published noise at 40 Gb/s and 2.4e-4, in-band "
                                "crosstalk of published filters")}}};
  report::Chart chart{.name = "wrht-reach",
                      .title = fmt::format("The largest ring that closes passively (asked up to N = {})", kMost),
                      .x_label = "loss per hop (dB)",
                      .y_label = "nodes",
                      .log_x = true,
                      .log_y = true};
  Findings found;
  for (const Design& design : designs())
    for (const Light& light : lights) {
      report::Series& series = chart.series.emplace_back(report::Series{.name = design.name + light.name});
      for (const double loss : kLosses) {
        photonics::LinkBudget budget = light.budget;
        budget.through_loss = Decibel{0};
        budget.hop_loss = Decibel{loss};
        const auto largest = [&](const std::function<int(int)>& longest) {
          return photonics::largest_ring(budget, kWavelengths, std::cref(longest), kMost);
        };
        const int ours = largest(design.counted);
        found.rows.push_back(
            derived_row(fmt::format("largest N that closes, {} dB a hop{}, {}", loss, light.name, design.name),
                        largest(design.expected), ours, light.assumptions, design.formula));
        series.points.emplace_back(loss, ours);
      }
    }
  found.charts.push_back(std::move(chart));
  return found;
}

}  // namespace helio::studies::wrht_study
