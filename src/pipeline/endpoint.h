// SPDX-License-Identifier: Apache-2.0
// What endpoints take to add: every byte that is added at a node is read, added to one that is read, and written, and all of that goes
// through the node's memory while the byte comes in.
//
//     link ──▶ node 3 ◀── link         two streams that are added at node 3: their rates together are at most M / a
//               │                      M: bandwidth of the NPU's memory, a: accesses for each added byte, 3 by default
//            memory of node 3
//
// In a program that is one shared link for each node, on the way of every move that reduces into it (fabric/lowering.cpp). Where memory
// adds faster than a node can hear there is none, for it could never bind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalogue.h"
#include "base/quantity.h"
#include "pipeline/bound.h"
#include "pipeline/experiment.h"
#include "placement/npu.h"

namespace helio::pipeline {

struct Endpoint {
  std::string npu;
  BitRate memory;  // bandwidth
  double accesses = 3;
  BitRate adding() const { return memory / accesses; }
};

// Of an NPU of the catalogue; none where endpoints add for free. Throw Error(kInput) at the place of what is wrong.
std::optional<Endpoint> endpoint_of(const Experiment& experiment, const placement::Npu& npu);
// Of the NPU that a collective names; none also where it names none.
std::optional<Endpoint> endpoint_of(const Experiment& experiment, const Collective& collective);

// Whether adding can hold up anything on such a fabric.
bool may_hold_up(const Endpoint& endpoint, const schedule::Capabilities& capabilities);
// The bound, or what adding takes where that is more: of n vectors to be added up, n - 1 are, at n endpoints.
Bound raised_by_adding(Bound bound, const Endpoint& endpoint, const schedule::Capabilities& capabilities,
                       const schedule::CollectiveRequest& request);
// As an assumption.
std::string in_words(const Endpoint& endpoint, const schedule::Capabilities& capabilities);

}  // namespace helio::pipeline
