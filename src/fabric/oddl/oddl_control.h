// SPDX-License-Identifier: Apache-2.0
// ODDL's control plane: sources ask the arbiter of the destination's group for its receiver, flow by flow.
//
// papers/oddl.md §2.3, §2.4, §2.7. Only the paper's abstract is known ("distributed, accurate, fine-grained"), so every
// message, rule and number below is ours; docs/oddl.md has the state diagrams and the message table.
//
//    agents 0 … n−1            control network            agents n … n+g−1
//    ┌──────────┐  REQUEST, DECLINE, BUSY, DONE, CLEAR   ┌───────────────┐   one per group, owns the receivers of its
//    │ source s │ ─────────────────────────────────────▶ │ arbiter of    │   group; one for all in `central`
//    │ (node s) │ ◀───────────────────────────────────── │ group h       │
//    └──────────┘   GRANT, WAIT, RECALL, ACK, INQUIRE    └───────────────┘
//
//    a message takes  serialisation + propagation;  an arbiter adds  cycles · clock:   rtg = 2(msg + prop) + arb
//
//    lone flow                 ready ──rtg──▶ start ──dark──▶ bytes          dark = tune + lock + guard is not charged here:
//    next flow, lookahead ≥ 1  end of the last ──dark──▶ bytes               it is the `setup` of the engine's channels
//    same receiver, held       end of the last ──────▶ bytes
//
// Holding a receiver implies holding the channel to it (the path rule), so that one grant is enough and arbiters never wait
// for each other. A grant is a lease: it ends by DONE or DECLINE of its source alone, never by a clock of the arbiter.
// Therefore neither loss, nor reordering, nor a slow message can put two sources on one receiver; that much is shown by
// exhaustive exploration (tests/fabric/oddl/oddl_control_test.cpp). Only `timed` grants (below) lean on clocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"
#include "fabric/oddl/oddl_policy.h"
#include "flow/controller.h"

namespace helio::fabric {

enum class OddlControlMode : std::uint8_t {
  kDistributed,  // one arbiter per group, pipelined: messages do not wait for each other
  kCentral,      // one arbiter for all receivers that works on one message at a time, for comparison
  kSlotted,      // distributed; flows start at slot boundaries only, requests are collected between them (PULSE-like)
};

// Throws Error(kInput) with the legal names: distributed, central, slotted.
OddlControlMode oddl_control_mode(std::string_view name);

// What an operation asks for: Operation.claim = OddlClaim{…}.pack(), Operation.agent = its source node.
struct OddlClaim {
  static constexpr std::uint32_t kReceivers = 1u << 18, kCoflows = 1u << 13;  // how many can be told apart
  std::uint32_t receiver = 0;
  // The source keeps the idle circuit after the flow, until somebody else asks for the receiver or its transmitter is needed:
  // for the rounds of a ring, whose flows follow each other with gaps.
  bool keep = false;
  std::uint32_t coflow = 0;  // index in OddlControlOptions::coflow_bytes, plus 1; 0: none

  std::uint32_t pack() const { return receiver | std::uint32_t{keep} << 18 | coflow << 19; }
  static OddlClaim unpack(std::uint32_t claim) {
    return {claim & (kReceivers - 1), (claim >> 18 & 1) != 0, claim >> 19};
  }
};

// Defaults: papers/oddl.md §2.3 and §4.1, all of them ours.
struct OddlControlOptions {
  std::uint32_t nodes = 1024;      // sources
  std::uint32_t receivers = 0;     // what claims name; 0: one per node, the node's own number
  std::uint32_t groups = 32;       // receiver r belongs to group r / ceil(receivers / groups)
  std::uint32_t transmitters = 1;  // per source; with more than one, route k of an operation leaves by transmitter k
  OddlControlMode mode = OddlControlMode::kDistributed;
  OddlPolicy policy = OddlPolicy::kSrpt;

  // Messages.
  Time propagation = Time::nanoseconds(250);  // 50 m of fibre at 5 ns/m
  double message_bytes = 64;
  BitRate control_rate{10e9};
  std::uint32_t arbiter_cycles = 3;  // per message
  Time arbiter_clock = Time::nanoseconds(5);
  Time grant_timeout = Time::microseconds(5);  // silence after which a message is repeated; more than a round trip

  // Requests.
  std::uint32_t lookahead = 1;             // requests per transmitter beyond those for idle transmitters
  Time aging = Time::milliseconds(1);      // who has waited so long goes first
  Time min_hold = Time::microseconds(10);  // a source is not made to leave a receiver that it has held for less
  double quantum_bytes = 0;          // a flow that others wait for is cut after so much; 0: off; one transmitter only
  std::vector<double> coflow_bytes;  // policy coflow: bytes of each collective step, over all its flows

  // What a source knows of its own flows, to tell when they end. Rate 0: nothing; then a grant that finds no transmitter
  // free is declined, and no grant is timed. Must be those of the fabric's channels.
  BitRate rate{100e9};
  Time dark = Time::nanoseconds(220);  // tune + lock + guard, when the circuit changes
  Time lead;                           // endpoint overhead and propagation before the bytes

  // Clocks. An arbiter grants a receiver ahead of its release, with a start that leaves room for what two clocks differ by; where that is more
  // than the round trip that it saves, a grant means "now" and comes after DONE.
  Time clock_error = Time::nanoseconds(0);
  Time slot = Time::microseconds(1);  // mode slotted

  // Failure. After `silences` repetitions without any answer a source turns to the next arbiter, which takes the group over
  // once every source has told it that nothing granted by its predecessor is left. 0: never.
  std::uint32_t silences = 3;
  struct Death {
    std::uint32_t arbiter = 0;  // group; 0 when central
    Time at;
  };
  std::optional<Death> dead_arbiter;

  std::uint32_t receiver_count() const { return receivers == 0 ? nodes : receivers; }
  std::uint32_t offices() const { return mode == OddlControlMode::kCentral ? 1 : groups; }  // groups that arbiters own
  // Where there would be only one arbiter, a spare one does nothing but stand in.
  std::uint32_t arbiters() const { return offices() < 2 ? 2 : offices(); }
  Time message_time() const;  // from sending to hearing, without jitter
  // Of silence before a message is said again that was repeated so often already: every eight repetitions it is one time-out more, so that
  // of what is late by many time-outs only the square root of as many copies are under way.
  Time patience(std::uint32_t repeated) const { return grant_timeout * (1 + repeated / 8); }
  Time arbiter_time() const { return arbiter_clock * arbiter_cycles; }
  Time round_trip() const { return 2 * message_time() + arbiter_time(); }  // rtg
  bool timed() const { return clock_error < round_trip() && rate.value > 0; }
};

// Options with what follows from them, worked out once: every message asks for it.
struct OddlControlFacts : OddlControlOptions {
  explicit OddlControlFacts(OddlControlOptions options)
      : OddlControlOptions(std::move(options)),
        message(OddlControlOptions::message_time()),
        office_size((receiver_count() + offices() - 1) / offices()) {}
  Time message_time() const { return message; }
  Time round_trip() const { return 2 * message + arbiter_time(); }
  std::uint32_t office_of(std::uint32_t receiver) const { return receiver / office_size; }

  Time message;
  std::uint32_t office_size;
};

class OddlController : public flow::Controller {
 public:
  // Throws Error(kInput) for options that make no sense.
  explicit OddlController(OddlControlOptions options);

  flow::Agent agents() const override { return options_.nodes + options_.arbiters(); }
  std::unique_ptr<flow::AgentState> initial(flow::Agent agent) const override;
  void react(flow::Agent agent, flow::AgentState& state, const flow::Event& event,
             std::vector<flow::Action>& actions) const override;
  // Who runs flows in a lease that it keeps, asks nobody and looks at no clock; who has others in its queue numbers them, which is encoded.
  bool repeats() const override { return true; }
  std::string describe(const flow::Message& message) const override;
  const OddlControlOptions& options() const { return options_; }

 private:
  OddlControlFacts options_;
};

}  // namespace helio::fabric
