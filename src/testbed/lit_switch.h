// SPDX-License-Identifier: Apache-2.0
// What light lets through and when, by the clock of whoever asks: the rules that the switch daemon enforces, without its sockets.
//
//   tune      a transmitter is told a light. The slice leads it to a group (fabric/oddl/oddl_slice.h), its wavelength class to a node there.
//             Transmitter, light and receiver must be nobody else's; where one of them had another circuit last, all is dark for
//             tune + lock + guard (simulate/channels.h, the simulator's own rule).
//   pass      a frame goes to the node that the circuit leads to, no earlier than the circuit is lit and the frames before it are
//             through at the rate. Time is counted on, not from when somebody looks: who looks late catches up, nobody is faster.
//   release   the flow's last byte was the frame before.
//
// An ideal switch has everything lit: frames wait for nothing but the rate of both ports.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "simulate/channels.h"
#include "testbed/plan.h"

namespace helio::testbed {

class LitSwitch {
 public:
  // The plan outlives it.
  LitSwitch(const Plan& plan, bool ideal);

  struct Lit {
    Time from;             // bytes may pass
    NodeId to;             // where the light ends
    bool changed = false;  // it was dark before
  };
  // Or in words why nothing can be lit so. Requires: not ideal.
  std::variant<Lit, std::string> tune(NodeId node, std::uint32_t light, Time told);
  // When its last bit has passed, or why it may not pass. `offered`: when the node had it ready.
  std::variant<Time, std::string> pass(NodeId node, NodeId to, std::size_t bytes, Time offered);
  void release(NodeId node, Time at);

 private:
  struct Circuit {
    bool held = false;
    Lit lit;
    std::uint32_t light = 0;
  };
  std::vector<flow::ResourceId> taken(NodeId node, const Circuit& circuit) const;

  const Plan& plan_;
  const bool ideal_;
  simulate::Channels channels_;
  std::vector<Circuit> circuits_;         // by node
  std::vector<Time> out_free_, in_free_;  // by node: until then its port is busy with what has passed or will
};

}  // namespace helio::testbed
