// SPDX-License-Identifier: Apache-2.0
// `helio compare`: one question, several networks, one budget.
//
//     Experiment on fabric A ─┐                      ┌─▶ answer, answer_jobs ─▶ time, bound, exposed, error of the values
//     Experiment on fabric B ─┼─▶ on_footing (each) ─┤
//     …                       ┘                      └─▶ bill ─▶ watts, cost, parts          ─▶ Comparison, who won, why
//
// A network that cannot answer is a row with its reason; wrong words are an error. Each is asked as it would be alone, so a row is what
// `helio collective` or `helio simulate` says of the fabric with the settings of that row.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compared/comparison.h"
#include "pipeline/iteration.h"
#include "pipeline/run.h"

namespace helio::plan {

struct Contender {
  std::string title;
  pipeline::Experiment experiment;  // with the fabric as it was written
};

struct CompareQuestion {
  std::string title;
  std::vector<Contender> contenders;
  fabric::Footing footing;  // without an injection: that of the first contender that there can be, by its defaults
  std::string nodes_place;  // where the nodes of all were given: a fabric that cannot have so many says so in its row
  bool as_it_is = false;    // rates, too: nothing is set
  std::optional<double> most_error = {};  // of the values, that a winner may have
  // Where the answer changes (switching.h): parameters of dials.h, against all others; not set: all of them, against the runner-up, where
  // that takes little.
  std::optional<std::vector<std::string>> switching = {};
};

// Up to so many nodes, of a collective, it is looked for unasked.
inline constexpr std::uint64_t kMostNodesTurned = 64;

// What all have equal.
fabric::Footing settled(const CompareQuestion& question);
// Adds what jobs that ran side by side took: the slowest decides.
void add_jobs(pipeline::Candidate& candidate, const std::vector<pipeline::IterationResult>& jobs);
// One of them on the footing. `comparison` gets what all share: nodes, the ideal.
pipeline::Candidate judged(const Contender& contender, const CompareQuestion& question, const fabric::Footing& footing,
                           const pipeline::RunOptions& options, pipeline::Comparison& comparison);

// `begin` is told which of them is asked. Throws Error(kInfeasible) when none can do it, Error(kInput) for wrong words and for fabrics of
// different sizes.
pipeline::Comparison compare(const CompareQuestion& question, const pipeline::RunOptions& options,
                             const std::function<void(std::size_t, const std::string&)>& begin = {});

}  // namespace helio::plan
