// SPDX-License-Identifier: Apache-2.0
// A node of the testbed, a process: its gradient, its part of the collective, its agent of ODDL's control.
//
//     round after round   flows that it sends become ready ─▶ agent asks, is granted ─▶ tune, frames ─▶ passed
//                         flows that it receives wait in buffers of their own
//                         both done: what arrived is added, in the order of the schedule's moves
//
// So the sums are those of emulate::execute, to the last bit. A node knows no other node's round: who is ahead sends, and is buffered.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "testbed/agents.h"
#include "testbed/shared.h"
#include "testbed/wire.h"

namespace helio::testbed {

// For tests: the node kills itself in this step, amid a flow.
struct Death {
  std::uint32_t node = 0;
  std::uint64_t step = 0;
};

class Node {
 public:
  Node(const Plan& plan, Shared& shared, const Clock& clock, NodeId id, Wires wires, bool ideal,
       std::optional<Death> death);

  // Until it is told to stop: 0; or its switch is gone: 1.
  int run();

 private:
  // A flow under way out of here.
  struct Sending {
    std::uint32_t flow = 0;
    std::size_t sent = 0;  // bytes
  };

  flow::Ticket ticket(std::uint32_t flow) const { return step_ * plan_.flows.size() + flow + 1; }
  bool read_frames();
  void hear(const Frame& frame, const char* bytes);
  void read_letters();
  void begin_round();
  void end_rounds();
  void add_up();
  void start(flow::Ticket ticket);
  void fill_writer();
  void send_some(Sending& sending);
  void tell_agent(flow::Event::Kind kind, std::uint32_t flow);

  const Plan& plan_;
  Shared& shared_;
  const Clock& clock_;
  const NodeId id_;
  Wires wires_;
  const bool ideal_;
  const std::optional<Death> death_;
  Agents agents_;
  FrameReader reader_;
  FrameWriter writer_;
  std::list<Sending> sending_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<char>> arriving_;  // by step and flow
  std::uint64_t step_ = 0;
  std::uint32_t round_ = 0, next_flow_ = 0;  // the first flow of the next round
  std::uint32_t first_flow_ = 0;             // of this round
  std::uint32_t to_send_ = 0;                // flows of this round that have not passed
  bool running_ = false, stopped_ = false;
};

}  // namespace helio::testbed
