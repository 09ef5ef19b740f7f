// SPDX-License-Identifier: Apache-2.0
// The collectives of paper 8.1, 1 GB each (papers/fred.md 6.1). The text argues an effective bandwidth per NPU and the bytes it is
// applied to; that makes a time, the closed forms of phase_time.h make another, and a run on links a third.
#include <fmt/format.h>

#include "studies/fred/assumption.h"
#include "studies/fred/chapters.h"

namespace helio::studies::fred_study {
namespace {

using placement::StrategyPhase;
using placement::TrainingPhase;

struct Argued {
  double gbytes_per_s, bytes;  // of an NPU; times D
};
struct Case {
  const char* name;
  StrategyPhase phase;
  Argued argued[5];  // mesh, A, B, C, D
};

constexpr Case kCases[] = {
    {"all-reduce 20", {20, 1, 1, TrainingPhase::kMp}, {{1500, 1.9}, {1850, 1.9}, {1500, 1}, {3000, 1.9}, {3000, 1}}},
    {"MP2 of 2-5-2", {2, 5, 2, TrainingPhase::kMp}, {{750, 1}, {3000, 1}, {3000, 1}, {3000, 1}, {3000, 1}}},
    {"DP5 of 2-5-2", {2, 5, 2, TrainingPhase::kDp}, {{750, 1.6}, {375, 1.6}, {375, 1}, {3000, 1.6}, {3000, 1}}},
    {"PP2 of 2-5-2", {2, 5, 2, TrainingPhase::kPp}, {{750, 1}, {3000, 1}, {3000, 1}, {3000, 1}, {3000, 1}}},
};

Assumption argued() {
  return taken_literally(
      "the bandwidth that the text argues, not a bar of its figure; \"half traffic\" is D instead of 1.9 D",
      paper("8.1, text"));
}
// The bandwidth argued is that of a link, which went in: nothing is left to come out.
Assumption a_rate_that_went_in(double milliseconds) {
  return restated("the rate argued is that of a link, a constant of the machine: restated, or divided",
                  paper("7.1, 8.1"), {milliseconds});
}
Assumption rates() { return taken_literally("rates of links as published", paper("6.2.3, 7.1, 8.1")); }
Assumption no_latency() { return of_our_own("run on links with latency 0: that of a switch is not published"); }
Assumption pipelined() {
  return of_our_own(fmt::format("in {} pieces that follow each other; chunk counts are not published", kPieces));
}

double milliseconds(double seconds) { return 1e3 * seconds; }

// The whole wafer: the paper's rules beside what links give.
void add_whole_wafer(Rows& rows, Runs& runs) {
  const char* source = "papers/fred.md 6.1, derived";
  const Assumptions run{no_latency(), pipelined()};
  const auto two_chunks = [&](const char* split) {
    return milliseconds(runs({.algorithm = "dimension-ordered", .pieces = kPieces, .split = split}).seconds);
  };
  rows.push_back(derived_row("all-reduce 20, mesh (ms), simulated, two equal chunks in opposite orders", 4.0 / 3,
                             two_chunks(""), run, source));
  rows.push_back(derived_row(
      "all-reduce 20, mesh (ms), simulated, chunks 11:13", 1.9 / 1.5, two_chunks("11:13"),
      run + Assumptions{of_our_own("rows first to columns first as 11:13, which loads all links alike")}, source));
  rows.push_back(published_row("all-reduce 20, Fred-A (ms), 375 + 4·375 GB/s as the text adds them", 1.9e3 / 1850,
                               1.9e3 / 1875,
                               {restated("375 + 4·375 as the text adds them: local to global traffic is 4:1, which "
                                         "links do not give (3.75:1)",
                                         paper("8.1, text"), {1.9e3 / 1850})},
                               paper("8.1, which prints 1850 for 1875")));
}

}  // namespace

Rows microbenchmarks(Runs& runs) {
  Rows rows;
  for (const Case& c : kCases)
    for (int w = 0; w < 5; ++w) {
      const auto wafer = static_cast<Wafer>(w);
      const Argued& text = c.argued[w];
      const double closed = milliseconds(kBytes * seconds_per_byte(c.phase, wafer, MeshRule::kXyRings));
      const std::string name = fmt::format("{}, {} (ms)", c.name, name_of(wafer));
      const Question question = as_published(c.phase, wafer);
      const bool rule = wafer == Wafer::kMesh && &c == kCases;

      const double published = text.bytes * 1e3 / text.gbytes_per_s;
      Assumptions closed_form{argued(), rates()};
      if (rule)
        closed_form.push_back(
            restated("the paper's rule of two links per NPU, put in by hand", paper("8.1, text"), {published}));
      else if (const double rate = 1e9 * text.gbytes_per_s;
               rate == kNpuRate || rate == kMeshLink || rate == uplink_of(wafer))
        closed_form.push_back(a_rate_that_went_in(published));
      rows.push_back(
          published_row(name + ", closed form", published, closed, closed_form,
                        paper(fmt::format("8.1, text: {} GB/s per NPU, {:g} D", text.gbytes_per_s, text.bytes))));
      if (rule) continue;  // its simulations stand below
      Assumptions run{no_latency()};
      if (question.pieces > 1) run.push_back(pipelined());
      rows.push_back(derived_row(fmt::format("{}, simulated, {}", name, question.algorithm), closed,
                                 milliseconds(runs(question).seconds), run, "papers/fred.md 6.1 and 2.8: closed form"));
    }
  add_whole_wafer(rows, runs);
  return rows;
}

// What an NPU sends by a ring over what it sends into switches that add (2.2): 2(n-1)/n.
Rows traffic(Runs& runs) {
  struct Line {
    StrategyPhase phase;
    double members;
  };
  constexpr Line kLines[] = {
      {{20, 1, 1, TrainingPhase::kMp}, 20}, {{2, 5, 2, TrainingPhase::kDp}, 5}, {{2, 5, 2, TrainingPhase::kMp}, 2}};
  const Assumptions counted{taken_literally("switches add and copy as described", paper("papers/fred.md 2.2")),
                            noted("bytes that an NPU sends, counted in runs on Fred-C and Fred-D")};
  Rows rows;
  double at_20 = 0;
  for (const Line& line : kLines) {
    const double ours =
        runs(as_published(line.phase, Wafer::kC)).injected / runs(as_published(line.phase, Wafer::kD)).injected;
    if (line.members == kNpus) at_20 = ours;
    rows.push_back(derived_row(fmt::format("all-reduce of {}: endpoint over in-switch bytes", line.members),
                               2 * (line.members - 1) / line.members, ours, counted, "papers/fred.md 6.1: 2(n-1)/n"));
    if (line.members == 5)
      rows.push_back(published_row("all-reduce of 5: less traffic in the switch (%)", 37.5, 100 * (1 - 1 / ours),
                                   counted, paper("8.1, text")));
  }
  rows.push_back(published_row("all-reduce: endpoint over in-switch bytes, \"about 2x\", at n = 20", 2, at_20,
                               counted + Assumptions{noted("2 is the limit of large n")},
                               "arXiv 2406.19580 v1, abstract"));

  // The halves of an all-reduce gain nothing: D goes in (or out) where a ring moves (n-1)/n D
  for (const char* kind : {"reduce-scatter", "all-gather"}) {
    const double ring = runs({.wafer = Wafer::kC, .algorithm = "ring", .kind = kind}).seconds;
    const double within = runs({.wafer = Wafer::kD, .algorithm = "in-fabric", .kind = kind}).seconds;
    rows.push_back(derived_row(fmt::format("{} of 20 alone: time of Fred-C over Fred-D", kind), 0.95, ring / within,
                               {no_latency()}, "papers/fred.md 2.2: (n-1)/n D over D"));
  }

  // ZeRO-2 is both in turn, unless the sums of one bucket pass beside the copies of the one before: (1 + 1/B) D
  for (const int buckets : {1, 16})
    rows.push_back(
        derived_row(fmt::format("all-reduce 20 as reduce-scatter and all-gather, {} bucket{}, Fred-D (ms)", buckets,
                                buckets > 1 ? "s" : ""),
                    milliseconds((1 + 1.0 / buckets) * kBytes / kNpuRate),
                    milliseconds(runs({.wafer = Wafer::kD, .algorithm = "in-fabric", .buckets = buckets}).seconds),
                    {no_latency(), of_our_own("what ZeRO-2 really does; the paper charges an all-reduce")},
                    "papers/fred.md 2.2 and 7: 2 D, or overlapped across buckets"));
  return rows;
}

}  // namespace helio::studies::fred_study
