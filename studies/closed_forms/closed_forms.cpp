// SPDX-License-Identifier: Apache-2.0
#include "studies/closed_forms/closed_forms.h"

#include <fmt/format.h>

#include <cmath>

#include "studies/asking.h"
#include "studies/assumption.h"

namespace helio::studies {
namespace {

// One case: the question as it would be asked on the command line, and its answer as algebra.
struct Case {
  const char* kind;
  const char* fabric;
  const char* algorithm;
  double nodes;
  const char* overhead;
  const char* formula;
  double (*seconds)(double n);
  const char* algorithm_parameter = nullptr;
  const char* algorithm_value = nullptr;
};

// Shared by all cases: 100 MB, 400 Gb/s (50 GB/s), 500 ns per hop
constexpr double kBytes = 100e6, kRate = 50e9, kHop = 0.5e-6, kOverhead = 1e-6;
constexpr const char *kBytesText = "100 MB", *kRateText = "400 Gb/s", *kHopText = "500 ns", *kOverheadText = "1 us",
                     *kNone = "0";

const Case kCases[] = {
    // n-1 rounds that add, n-1 that copy; in each every rank hands one block to its neighbour
    {"all-reduce", "ring", "ring", 1024, kNone, "2(n-1)(l + d/(nr))",
     [](double n) { return 2 * (n - 1) * (kHop + kBytes / n / kRate); }},
    {"all-reduce", "ring", "ring", 1048576, kNone, "2(n-1)(l + d/(nr))",
     [](double n) { return 2 * (n - 1) * (kHop + kBytes / n / kRate); }},
    {"all-reduce", "ring", "ring", 1024, kOverheadText, "2(n-1)(s + l + d/(nr))",
     [](double n) { return 2 * (n - 1) * (kOverhead + kHop + kBytes / n / kRate); }},
    {"reduce-scatter", "ring", "ring", 1000, kNone, "(n-1)(l + d/(nr))",
     [](double n) { return (n - 1) * (kHop + kBytes / n / kRate); }},
    {"all-gather", "ring", "ring", 1000, kNone, "(n-1)(l + d/(nr))",
     [](double n) { return (n - 1) * (kHop + kBytes / n / kRate); }},
    // The same rounds with half a block each way
    {"all-reduce", "ring", "bidirectional-ring", 1024, kNone, "2(n-1)(l + d/(2nr))",
     [](double n) { return 2 * (n - 1) * (kHop + kBytes / n / 2 / kRate); }},
    // p pieces follow each other along n-1 links: the last leaves after p rounds and has n-2 more to go
    {"broadcast", "ring", "ring", 256, kNone, "(p+n-2)(l + d/(pr)), p = 100",
     [](double n) { return (100 + n - 2) * (kHop + kBytes / 100 / kRate); }, "chunks", "100"},
    {"reduce", "ring", "ring", 256, kNone, "(p+n-2)(l + d/(pr)), p = 100",
     [](double n) { return (100 + n - 2) * (kHop + kBytes / 100 / kRate); }, "chunks", "100"},
    // log2(n) rounds of d/2, d/4, … d/n, then back; two hops through the switch
    {"all-reduce", "switch", "halving-doubling", 1024, kNone, "2(2l log2(n) + d(n-1)/(nr))",
     [](double n) { return 2 * (2 * kHop * std::log2(n) + kBytes * (n - 1) / n / kRate); }},
    // Every rank's port carries n-1 blocks at once, and so does every other port
    {"all-to-all", "switch", "direct", 64, kNone, "2l + d(n-1)/(nr)",
     [](double n) { return 2 * kHop + kBytes * (n - 1) / n / kRate; }},
    // Every pair has a link of its own: one block, once to add and once to copy
    {"all-reduce", "full-mesh", "direct", 64, kNone, "2(l + d/(nr))",
     [](double n) { return 2 * (kHop + kBytes / n / kRate); }},
    {"broadcast", "full-mesh", "direct", 64, kNone, "l + d/r", [](double) { return kHop + kBytes / kRate; }},
};

report::Row row_of(const Case& c, const pipeline::RunOptions& options) {
  Question question{.fabric = c.fabric,
                    .settings = {{"rate", kRateText}, {"latency", kHopText}, {"step_overhead", c.overhead}},
                    .algorithm = c.algorithm,
                    .bytes = kBytes,
                    .nodes = static_cast<int>(c.nodes),
                    .kind = c.kind,
                    .keys = {{"sync", "step"}}};
  if (c.algorithm_parameter) question.parameters = {{c.algorithm_parameter, c.algorithm_value}};
  const pipeline::Experiment experiment = experiment_of(question);
  const pipeline::Result result = pipeline::run(experiment, experiment.collectives.front(), options);
  Assumptions assumptions{of_our_own("rates and latencies of our choice")};
  for (const std::string& text : result.assumptions) assumptions.push_back(of_our_own(text));
  return RowMaker{.study = "closed-forms", .published = false}(
      fmt::format("{} by {} on {}, n = {:.0f}{}, time (s)", c.kind, c.algorithm, c.fabric, c.nodes,
                  c.overhead == kNone ? "" : fmt::format(", s = {}", c.overhead)),
      c.seconds(c.nodes), result.time_s, assumptions, fmt::format("closed form: {}", c.formula));
}

}  // namespace

Catalogue<Study>::Entry closed_forms() {
  return {{.name = "closed-forms",
           .summary = fmt::format("cases that a line of algebra solves ({}, {}, {} per hop), against the engine",
                                  kBytesText, kRateText, kHopText),
           .reference = "ours; the formulas follow from the step order of docs/pipeline.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            Findings found;
            for (const Case& c : kCases) found.rows.push_back(row_of(c, options));
            return found;
          }};
}

}  // namespace helio::studies
