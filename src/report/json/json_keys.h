// SPDX-License-Identifier: Apache-2.0
// Every key of the JSON that `helio … --json` prints, with its unit and what it means: `helio describe keys` and the reference of the
// documentation are made of this table, and tests hold it against what is really printed, both ways.
//
// A path names objects within objects and lists: "rows[].study" is the key `study` of every element of the list `rows`. Of an open object the
// keys are names from elsewhere (parameters, facts, numbers), not keys of this table.
#pragma once

#include <string_view>
#include <vector>

namespace helio::report {

struct JsonKey {
  std::string_view printed_by;  // "helio collective"; kFacts: of algorithms and fabrics
  std::string_view path;
  std::string_view unit;  // "" for names, counts, words and truths; "1" for a ratio
  std::string_view meaning;
  bool open = false;
};

// Facts that algorithms and fabrics tell (base/fact.h): keys beside the others of a collective, and of `facts` of a job and of traffic.
inline constexpr std::string_view kFacts = "facts of algorithms and fabrics";

// In the order in which they are printed, grouped by who prints them.
const std::vector<JsonKey>& json_keys();

// The parts of it: results of experiments and studies; what the other commands print; facts.
std::vector<JsonKey> result_keys();
std::vector<JsonKey> command_keys();
std::vector<JsonKey> sweep_keys();
std::vector<JsonKey> execution_keys();
std::vector<JsonKey> fact_keys();

}  // namespace helio::report
