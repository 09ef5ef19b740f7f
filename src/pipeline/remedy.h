// SPDX-License-Identifier: Apache-2.0
// Lowering that does not give up at the first "no": the only loop back in the house.
//
// A fabric may refuse some groups of a schedule, and an algorithm may refuse a fabric. The allowed remedies are then tried
// in their order until one carries all groups; every attempt is kept.
//
//     block      waves of groups, one after the other:   [ accepted ] ─▶ [ refused ] ─▶ …
//     endpoint   side by side:                           [ accepted ]
//                                                        [ refused, by an endpoint algorithm ]
//     middle     with more middle switches   ┐ where the fabric knows how (Carrier::remedy);
//     replace    on other nodes               │ others are "not applicable"
//     split      set anew between parts       ┘          [ part ] ─ change ─▶ [ part ] ─ change ─▶ …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/carrier.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"

namespace helio::pipeline {

// What an algorithm made of a request: a schedule, which somebody else keeps, or its own "no" to this fabric.
class Planned {
 public:
  Planned(const schedule::Schedule& schedule) : schedule_(&schedule) {}
  Planned(const schedule::Schedule&&) = delete;
  Planned(fabric::Refusal refusal) : refusal_(std::move(refusal)) {}

  const schedule::Schedule* schedule() const { return schedule_; }
  const fabric::Refusal& refusal() const { return refusal_; }

 private:
  const schedule::Schedule* schedule_ = nullptr;
  fabric::Refusal refusal_;
};

struct Carried {
  fabric::Lowered lowered;                     // of all groups together; its facts are those of the fabric
  std::vector<Attempt> attempts;               // empty: carried as asked
  bool other_hardware = false;                 // than the fabric has, so that its power is not known
  bool original = true;                        // some group runs the schedule as asked
  std::optional<schedule::Schedule> endpoint;  // what the other groups run instead
};

// Nothing helped: what Error says, and the first "no" by itself, for those who tell it their own way.
class RefusedError : public Error {
 public:
  RefusedError(const Error& error, fabric::Refusal refusal) : Error(error), refusal_(std::move(refusal)) {}
  const fabric::Refusal& refusal() const { return refusal_; }

 private:
  fabric::Refusal refusal_;
};

// The endpoint algorithm that needs nothing from a fabric and has the kind; its name is empty where there is none.
Choice endpoint_algorithm(schedule::Kind kind);

// Lowers what `algorithm` planned into the carrier's program.
// Throws RefusedError(kInfeasible) at the remedies' place with the reason, what was tried and the advice, when none carries it.
Carried lower_with_remedies(fabric::Carrier& carrier, const std::string& algorithm, const Planned& planned,
                            const schedule::CollectiveRequest& request, const fabric::LowerOptions& options,
                            const Placed<std::vector<Remedy>>& remedies);

}  // namespace helio::pipeline
