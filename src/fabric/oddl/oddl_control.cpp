// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_control.h"

#include <fmt/format.h>

#include "base/error.h"
#include "fabric/oddl/oddl_control_arbiter.h"
#include "fabric/oddl/oddl_control_messages.h"
#include "fabric/oddl/oddl_control_source.h"

namespace helio::fabric {
namespace {

void demand(bool holds, const char* what, const char* where, const char* advice) {
  if (!holds) throw Error(ErrorKind::kInput, what, where, advice);
}

OddlControlOptions checked(OddlControlOptions options) {
  const OddlControlOptions& o = options;
  demand(o.nodes > 0 && o.groups > 0, "ODDL's control has no nodes or no groups", "nodes", "give one or more of each");
  demand(o.receiver_count() <= OddlClaim::kReceivers, "ODDL's control cannot tell so many receivers apart", "nodes",
         "give at most 262,144 receivers");
  demand(o.coflow_bytes.size() < OddlClaim::kCoflows, "ODDL's control cannot tell so many coflows apart",
         "coflow_bytes", "give at most 8,191");
  demand(o.transmitters > 0 && o.transmitters <= 16, "a source has between 1 and 16 transmitters", "transmitters",
         "give a number in between");
  demand(o.lookahead <= 2, "lookahead is more than a source has slots for", "lookahead", "give 0, 1 or 2");
  demand(o.propagation >= Time() && o.arbiter_clock >= Time() && o.message_bytes >= 0 && o.control_rate.value > 0,
         "a delay of ODDL's control is negative, or its rate is 0", "control",
         "give delays of 0 or more and a rate above 0");
  demand(o.grant_timeout > o.round_trip(), "sources would repeat a request before the answer can come", "grant_timeout",
         "give more than 2 (message + propagation) + arbiter");
  demand(o.quantum_bytes == 0 || (o.quantum_bytes > 0 && o.transmitters == 1 && o.rate.value > 0),
         "flows are cut only where a source has one transmitter whose rate is known", "quantum",
         "set quantum to 0, or transmitters to 1 and a rate");
  demand(o.slot > Time(), "a slot has no length", "slot", "give more than 0");
  demand(!o.dead_arbiter || o.dead_arbiter->arbiter < o.offices(), "the arbiter that dies does not exist",
         "dead_arbiter", "name a group; 0 for the central arbiter");
  return options;
}

}  // namespace

OddlControlMode oddl_control_mode(std::string_view name) {
  static const std::vector<std::string> names{"distributed", "central", "slotted"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<OddlControlMode>(i);
  throw unknown_name("mode of ODDL's control", name, names);
}

Time OddlControlOptions::message_time() const {
  return propagation + Time::seconds(seconds_at(Bytes{message_bytes}, control_rate));
}

OddlController::OddlController(OddlControlOptions options) : options_(checked(std::move(options))) {}

std::unique_ptr<flow::AgentState> OddlController::initial(flow::Agent agent) const {
  if (agent < options_.nodes) return std::make_unique<OddlSourceState>(options_);
  auto state = std::make_unique<OddlArbiterState>(options_);
  if (agent - options_.nodes < options_.offices()) state->offices[agent - options_.nodes] = {};
  return state;
}

void OddlController::react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
                           std::vector<flow::Action>& actions) const {
  if (agent < options_.nodes)
    OddlSource(options_, static_cast<OddlSourceState&>(state), event.now, actions).hear(event);
  else
    OddlArbiter(options_, agent - options_.nodes, static_cast<OddlArbiterState&>(state), event.now, actions)
        .hear(event);
}

std::string OddlController::describe(const flow::Message& message) const {
  const OddlLetter letter = OddlLetter::unpack(message);
  const char* name = kOddlKindNames[static_cast<int>(letter.kind)];
  if (letter.kind == OddlKind::kInquire || letter.kind == OddlKind::kClear || letter.kind == OddlKind::kRetire)
    return fmt::format("{} of group {}, epoch {}", name, letter.receiver, letter.epoch);
  return fmt::format("{} of request {}.{} for receiver {}", name, letter.slot, letter.generation, letter.receiver);
}

}  // namespace helio::fabric
