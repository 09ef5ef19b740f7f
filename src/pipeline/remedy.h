// SPDX-License-Identifier: Apache-2.0
// Lowering that does not give up at the first "no": the only loop back in the house.
//
// A fabric may refuse some groups of a schedule, and an algorithm may refuse a fabric. The allowed remedies are then tried
// in their order until one carries all groups; every attempt is kept.
//
//     block      waves of groups, one after the other:   [ accepted ] ─▶ [ refused ] ─▶ …
//     endpoint   side by side:                           [ accepted ]
//                                                        [ refused, by an endpoint algorithm ]
//     middle     with more middle switches   ┐ where the fabric knows how (fabric::Otherwise);
//     replace    on other nodes               │ others are "not applicable"
//     split      set anew between parts       ┘          [ part ] ─ change ─▶ [ part ] ─ change ─▶ …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fabric.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"

namespace helio::pipeline {

// What an algorithm made of a request: a schedule, or its own "no" to this fabric.
using Planned = std::variant<schedule::Schedule, fabric::Refusal>;

struct Carried {
  flow::TemplateId entry;  // of the program
  std::uint32_t wavelengths_used = 0;
  Facts facts;                                 // of the fabric
  std::vector<Attempt> attempts;               // empty: carried as asked
  bool other_hardware = false;                 // than the fabric has, so that its power is not known
  bool original = true;                        // some group runs the schedule as asked
  std::optional<schedule::Schedule> endpoint;  // what the other groups run instead
};

// Lowers what `algorithm` planned into `program` (in which `fabric` is installed).
// Throws Error(kInfeasible) at the remedies' place with the reason, what was tried and the advice, when none carries it.
Carried lower_with_remedies(const fabric::Fabric& fabric, const std::string& algorithm, const Planned& planned,
                            const schedule::CollectiveRequest& request, const fabric::LowerOptions& options,
                            const Placed<std::vector<Remedy>>& remedies, flow::Program& program);

}  // namespace helio::pipeline
