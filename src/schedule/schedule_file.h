// SPDX-License-Identifier: Apache-2.0
// A schedule as a JSON file: to look at, to verify again, to run elsewhere (docs/schedule-file.md).
//
//     {"format": "heliograph-schedule", "version": 1, "algorithm": "ring", "kind": "all-reduce", "ranks": 4, "chunks": 4, …
//      "phases": [{"name": "reduce-scatter", "repeat": 3, "moves": [{"from": 0, "to": 1, "from_slot": 3, …, "do": "reduce"}, …]}]}
//
// Phases stay as compact as they are: rounds are counted, translates and runs are named by their first. Only the stages of a schedule that
// goes by levels are left out: they say how fabrics made of fabrics carry the same moves.
//
// Invariant: what is read is proven before anybody sees it, and schedule_from_text(schedule_text(s)) has the moves and claims of s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/capabilities.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::schedule {

// "file:PATH" in place of an algorithm's name; "" where it is none.
std::string_view schedule_path(std::string_view algorithm);

// `made_by`: whoever reads the file learns from what command it came. Requires: check(schedule) passed.
std::string schedule_text(const Schedule& schedule, std::string_view made_by = {});

// Throws Error(kInput) where it is no such file, and for a schedule that does not compute its collective: with the slot, the rank and what
// is missing there or doubled. Error(kInfeasible) where the proof would take too much work.
enum class Trust : std::uint8_t { kNone, kProven };  // kProven: by another process of the same run
Schedule schedule_from_text(std::string_view text, const std::string& source, Trust trust = Trust::kNone);
Schedule read_schedule(const std::string& path, std::string_view place);

// Gives each way the latency of its links. Throws Error(kInput) at `source` where they do not lead from one end to the other on this
// network, Error(kInfeasible) where the fabric does not show its links.
void settle_ways(std::vector<PlannedWay>& ways, const Capabilities& capabilities, const std::string& source);

// The schedule in the file, for this request on this fabric. Throws Error(kInput) where it is for other ranks, another root or other links,
// Error(kInfeasible) for another kind.
Schedule read_schedule_for(const CollectiveRequest& request, const Capabilities& capabilities, const std::string& path,
                           std::string_view place);

}  // namespace helio::schedule
