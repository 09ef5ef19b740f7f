// SPDX-License-Identifier: Apache-2.0
// Agents of a controller in a real process: what simulate/control.cpp is to the engine. The controller is the same object (flow/controller.h);
// here time is the machine's, and messages and starts go to whoever hosts the agents.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "flow/controller.h"

namespace helio::testbed {

class Agents {
 public:
  using Send = std::function<void(flow::Agent from, flow::Agent to, const flow::Message& message, Time delay)>;
  using Start = std::function<void(flow::Ticket ticket)>;

  // Agents [first, first + count) of the controller, which outlives this.
  Agents(const flow::Controller& controller, flow::Agent first, flow::Agent count, Send send, Start start);

  // Tells all of them that the program begins.
  void begin(Time now);
  // When somebody's next timer ends.
  std::optional<Time> next() const;
  void hear(flow::Agent agent, flow::Event event, Time now);
  // Timers whose time has come.
  void fire(Time now);

 private:
  const flow::Controller& controller_;
  const flow::Agent first_;
  Send send_;
  Start start_;
  std::vector<std::unique_ptr<flow::AgentState>> states_;
  std::multimap<Time, std::pair<flow::Agent, std::uint64_t>> timers_;
};

}  // namespace helio::testbed
