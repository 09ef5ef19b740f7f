// SPDX-License-Identifier: Apache-2.0
// A rotor's calendar, and who waits for it: nobody decides, a pair has the slots that it has.
//
//     slot          0        1        2                 0        1         …     N - 1 shifts over the uplinks: u of them in each slot
//     light of    ▒▒████   ▒▒▒▒▒▒   ▒▒▒▒▒▒            ▒▒████                     a pair has one slot of each cycle, dark for `retune` at
//     a pair      ·──·open                            ·                          its beginning
//                 └───────────── cycle ─────────────▶└──────
//
// Light is counted, not walked: how much a pair has had by a time, and when it will have had so much, are formulas. So a flow of a million
// slots is two events. Flows of one pair follow each other. In the engine a flow moves without a pause, so late that it ends when its last
// slot lets it: what stands between is the same bytes at other times, and nobody else has the light of a pair.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/quantity.h"
#include "flow/controller.h"

namespace helio::fabric {

struct RotorCalendar {
  std::uint32_t nodes = 0, uplinks = 1;
  Time slot, retune;  // the second is the first part of the first

  std::uint32_t slots() const { return nodes < 2 ? 1 : (nodes - 2) / uplinks + 1; }  // of a cycle
  Time cycle() const { return slot * slots(); }
  Time open() const { return slot - retune; }
  double lit_share() const { return open().to_seconds() / slot.to_seconds(); }
  // The slot in which one node is joined to another. Requires: they are two.
  std::uint32_t slot_of(std::uint32_t from, std::uint32_t to) const {
    return ((to + nodes - from) % nodes - 1) / uplinks;
  }
  // Light of a slot, of all cycles until then; and the first time by which that much has been. Requires: slot < slots().
  Time lit_by(std::uint32_t slot, Time now) const;
  Time when_lit(std::uint32_t slot, Time light) const;
};

// An agent for each node; a claim is the node that a flow goes to.
class RotorController : public flow::Controller {
 public:
  // `rate`: of one light; `overhead`: what every flow takes before its first byte can leave.
  RotorController(const RotorCalendar& calendar, BitRate rate, Time overhead)
      : calendar_(calendar), rate_(rate), overhead_(overhead) {}

  flow::Agent agents() const override { return calendar_.nodes; }
  std::unique_ptr<flow::AgentState> initial(flow::Agent agent) const override;
  void react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
             std::vector<flow::Action>& actions) const override;

 private:
  RotorCalendar calendar_;
  BitRate rate_;
  Time overhead_;
};

}  // namespace helio::fabric
