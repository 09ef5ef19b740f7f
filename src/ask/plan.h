// SPDX-License-Identifier: Apache-2.0
// Which machine for a model, and how to run it there (plan/plan_model.h): what `helio plan` asks, in words or by a file.
//
//     helio plan gpt3-175b --npus 1024 --fabric fred --fabric cluster --tp 1,2,4,8
//
//     [plan]                         the same keys, underscores for dashes; lists as lists
//     model = "gpt3-175b"
//     npus = 1024
//     fabric = ["fred", "cluster"]
//     tp = [1, 2, 4, 8]
//
// With `map`, npus and batch are lists, and every pair of them is a plan of its own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ask/experiment.h"
#include "pipeline/compared/model_plan.h"

namespace helio::ask {

// Keys of a plan, beside `fabric`. Lists have commas between, those of rank_order semicolons.
struct PlanKey {
  std::string_view name, meaning;
  bool list = false;
};
const std::vector<PlanKey>& plan_keys();

struct PlanQuestion {
  std::string what;  // a model of the zoo, its config.json or table, or a file with [plan]
  std::map<std::string, Setting, std::less<>> keys = {};
  std::vector<std::string> fabric = {};  // ask/fabric_words.h; none: all that need nothing but nodes
  std::vector<Assignment> set = {};      // part.NAME.KEY, job.KEY
  std::string place = "question";
  Naming called = as_it_is;
  std::function<bool()> interrupted = {};
};

inline constexpr const char* kMapOfModels = "npus,batch";  // what `map` may be
// Up to so many NPUs switching values are looked for unasked.
inline constexpr std::uint64_t kMostNpusTurned = 64;

using Planned = std::variant<pipeline::ModelPlan, pipeline::ModelMap>;
// Throws Error(kInput) at the place of what is wrong, and as plan::plan_model.
Planned plan(const PlanQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
