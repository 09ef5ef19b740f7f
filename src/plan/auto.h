// SPDX-License-Identifier: Apache-2.0
// `--algorithm auto`: the same question put to every algorithm that has the kind, and the fastest answer.
//
//     Experiment ─┬─▶ pipeline::run, ring ──────────────▶ 5.019 ms ┐
//                 ├─▶ pipeline::run, halving-doubling ──▶ 14.68 ms ├─▶ the fastest Result, and the others in a table
//                 └─▶ pipeline::run, direct ────────────▶ "no"     ┘
//
// What takes little work is run in any case (kSmallLimits). The others follow by what their schedules must take at least
// (pipeline::prospect), and are not run when that, or what they put on links once lowered (flow/least_time.h), is more than the best
// so far takes.
//
// Invariant: the answer is what pipeline::run gives for the algorithm that it names, and no algorithm that ran was faster.
// Ties go to fewer steps, then to the name. Every algorithm with the kind is accounted for: it won, was slower or equal, was beaten
// without being run, is infeasible (with the reason), was skipped because trying it would take too much work (kSearchLimits) or the bound leaves
// too little to gain (good_enough), or was
// cut by the budget (base/budget.h): then the best of the others is the answer, which says so. On `wdm-ring` wdm-planned is one of them,
// and by-level (level_choice.h) on composites only.
// Parameters keep their defaults, but for one: an algorithm whose stages use different links is also tried in pieces that
// follow each other (schedule/pipelined.h), and its fastest variant speaks for it. Settings for an algorithm that is not
// chosen yet are an error.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/run.h"

namespace helio::plan {

inline constexpr std::string_view kAuto = "auto";

// How much work one algorithm may take before it is skipped, in counts that do not depend on the machine: a few seconds and
// about 2 GB. Naming the algorithm lifts them. Nodes are limited because a schedule with log n phases must fit into memory
// before its moves can be counted.
inline constexpr pipeline::WorkLimits kSearchLimits{
    .nodes = 1u << 20, .moves = 1u << 22, .crossings = 1u << 25, .sharing = 1u << 28, .events = 1u << 22};

// What is run whether or not it can win.
inline constexpr pipeline::WorkLimits kSmallLimits{
    .nodes = 1u << 20, .moves = 1u << 16, .crossings = 1u << 20, .sharing = 1u << 24, .events = 1u << 18};

// Who is tried in pieces, in how many, and within which limits: each round in which a pipeline fills or drains is lowered by
// itself, so that a variant takes about as many crossings as the moves of the whole schedule times its rounds.
inline constexpr std::array<std::string_view, 3> kInStages = {"hierarchical-ring", "two-level", "dimension-ordered"};
inline constexpr std::array<std::uint32_t, 6> kPieces = {16, 64, 256, 1024, 4096, 16384};
inline constexpr std::uint64_t kMostRanksInPieces = 4096;
inline constexpr pipeline::WorkLimits kPieceLimits{
    .nodes = 1u << 20, .moves = 1u << 16, .crossings = 1u << 18, .sharing = 1u << 24, .events = 1u << 20};

// Of more nodes, or of more nodes times links, nobody fits a schedule unless it is named; nor where the best of the others is as near to
// its bound as this. Where a network looks the same from every node, as a torus does, its moves are what is limited: those of 4,096 nodes.
inline constexpr std::uint64_t kMostNodesFitted = 256, kMostLooksFitted = 1u << 18, kMostLooksOverSwitches = 1u << 16,
                               kMostLooksOfARoot = 1u << 12;
inline constexpr std::uint64_t kMostTranslates = 1u << 25;
inline constexpr double kNearForFitted = 1.01,
                        kNearAmongMany = 1.05;  // the latter in searches that ask for many collectives

// How near to its bound a search ends, so that nothing else is tried: a factor. Of more nodes than kManyNodes a run takes long.
inline constexpr std::uint64_t kManyNodes = 4096;
constexpr double good_enough(std::uint64_t nodes) { return nodes > kManyNodes ? 1.01 : 1.005; }

// Answers `auto` by searching and every other algorithm as pipeline::run does. Limits in `options` are tightened to
// kSearchLimits while searching.
// Throws what pipeline::run throws; Error(kInfeasible) with every algorithm's reason when none can do it; Error(kUsage or
// kInput), as the place tells, when parameters of an algorithm were set together with auto.
pipeline::Result answer(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                        const pipeline::RunOptions& options = {});
std::vector<pipeline::Result> answer(const pipeline::Experiment& experiment, const pipeline::RunOptions& options = {});
// Whether the budget ended before all were tried.
bool was_cut(const pipeline::Result& result);

// The same search for those who ask for one collective among many (job_choice.h, level_choice.h): only what can win is run, on
// wavelengths in wider stripes, too; and of those within kAsGood of the fastest it is the one with the least to simulate. Nothing where
// nobody takes less than options.beat, or nobody can do it.
inline constexpr double kAsGood = 0.005;
std::optional<pipeline::Result> fastest(const pipeline::ChosenFabric& fabric, const pipeline::Experiment& experiment,
                                        const pipeline::Collective& collective, const pipeline::RunOptions& options);

// The algorithm that a result tells, with the settings that are not its defaults; no name where the catalogue has none.
pipeline::Choice choice_of(const pipeline::Result& result);

}  // namespace helio::plan
