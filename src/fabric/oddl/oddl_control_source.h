// SPDX-License-Identifier: Apache-2.0
// The source's machine of ODDL's control plane: its flows, its leases of receivers, its transmitters.
//
// A flow waits in the queue until it may be requested. From then on it is in a lease: a numbered slot, whose generation
// counts the requests made with it, so that every request has an identity of its own and a late message is known as such.
//
//              REQUEST            GRANT               transmitter free, start reached       end of flow, and neither the next
//    (free) ───────────▶ asking ─────────▶ granted ───────────────────────────────▶ running ─────────────────────┐ one for this
//       ▲                 │  ▲               │  cannot be met in time                  │ ▲                        │ receiver nor
//       │        timer: REQUEST again        │ DECLINE                end of flow, keep │ │ next flow              │ `keep`, or
//       │                                    ▼                                         ▼ │                        │ RECALL heard
//       └───────────────────────────── releasing ◀──────────────────────────────────  kept ─────────────────────▶ │
//                     ACK               │  ▲   ▲        RECALL, or its transmitter is needed                       │ DONE
//                                       └──┘   └──────────────────────────────────────────────────────────────────┘
//                             timer: DONE or DECLINE again
//
// Flows for a receiver for which there is a lease that nobody has recalled do not ask: they follow in it.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "fabric/oddl/oddl_control.h"
#include "fabric/oddl/oddl_control_messages.h"

namespace helio::fabric {

struct OddlFlow {
  flow::Ticket ticket = 0;
  std::uint32_t receiver = 0, coflow = 0;
  bool keep = false, suspended = false;
  std::uint8_t priority = 0;
  double bytes = 0;  // left
  Time since;        // ready, or cut, since then
};

struct OddlLease {
  enum class Phase : std::uint8_t { kFree, kAsking, kGranted, kRunning, kKept, kReleasing };
  Phase phase = Phase::kFree;
  std::uint32_t generation = 0, epoch = 0, receiver = 0;
  bool contended = false;         // somebody else waits for the receiver: it is left after this flow
  bool confirmed = false;         // BUSY was sent
  bool declined = false;          // kReleasing: by DECLINE, not DONE
  bool inherited = false;         // granted in an epoch before `epoch`: its arbiter knows of it by CLEAR only
  std::uint32_t silent = 0;       // repetitions that nobody answered
  std::uint32_t repeated = 0;     // of this request, or of giving it back
  std::uint32_t transmitter = 0;  // kRunning, kKept
  Time deadline;                  // kAsking, kReleasing: then it is repeated
  Time start;                     // kGranted: not before
  Time held, end, cut;            // held since; the flow ends (zero: not known); it is cut
  OddlFlow flow;                  // kAsking, kGranted, kRunning
  std::list<OddlFlow> followers;

  bool live() const { return phase != Phase::kFree && phase != Phase::kReleasing; }
};

struct OddlSourceState : flow::AgentState {
  explicit OddlSourceState(const OddlControlOptions& options)
      : queue(options.policy == OddlPolicy::kRoundRobin ? OddlPolicy::kFifo : options.policy, options.aging),
        tuned(options.transmitters, kNone),
        user(options.transmitters, kNone) {}

  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<OddlLease> leases;                  // by slot
  OddlQueue queue;                                // flows that were not requested yet, by number
  std::vector<OddlFlow> flows;                    // those in the queue, each in its place
  std::vector<std::uint32_t> free;                // places of `flows`
  std::uint64_t numbered = 0;                     // flows so far
  std::vector<std::uint32_t> tuned, user;         // by transmitter: the receiver it is tuned to, the slot that has it
  bool modest = false;                            // a grant was declined: no lookahead until a flow has ended
  Time tick;                                      // the timer for repetitions is armed for then; zero: it is not
  std::map<std::uint32_t, std::uint32_t> epochs;  // by office; those not here are 0
  std::map<std::uint32_t, double> sent;           // bytes of each coflow that are done here
  std::uint64_t alarms = 0;                       // policy planned: collisions that an arbiter saw

  std::unique_ptr<AgentState> clone() const override { return std::make_unique<OddlSourceState>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override;
};

// One reaction of a source.
class OddlSource {
 public:
  OddlSource(const OddlControlFacts& options, OddlSourceState& state, Time now, std::vector<flow::Action>& actions)
      : o_(options), s_(state), now_(now), actions_(actions) {}

  void hear(const flow::Event& event);

 private:
  // Timers: one for repetitions, and per slot one for the start of a grant and one for the end of a quantum.
  enum TimerKind : std::uint64_t { kTick, kStart, kCut };
  static constexpr std::uint32_t kNone = OddlSourceState::kNone;
  using Phase = OddlLease::Phase;

  bool planned() const { return o_.policy == OddlPolicy::kPlanned; }
  std::uint32_t slot_of(const OddlLease& lease) const { return static_cast<std::uint32_t>(&lease - s_.leases.data()); }
  // A timer's time has come. The explorer has no time: there it has come whenever the timer fires.
  bool due(Time time) const { return now_.is_zero() || now_ >= time; }

  std::uint32_t epoch_of(std::uint32_t office) const;
  flow::Agent acting(std::uint32_t office, std::uint32_t epoch) const {
    return o_.nodes + (office + epoch) % o_.arbiters();
  }

  void send(flow::Agent to, const OddlLetter& letter);
  OddlLetter about(const OddlLease& lease, OddlKind kind) const;
  void tell_arbiter(const OddlLease& lease, const OddlLetter& letter);

  // oddl_control_source.cpp: flows and leases
  void become_ready(const flow::Event& event);
  void enqueue(const OddlFlow& flow);
  std::uint64_t key_of(const OddlFlow& flow) const;
  void proceed();
  std::uint32_t idle_transmitters() const;
  std::uint32_t asked() const;
  bool may_ask() const;
  std::size_t free_slot() const;
  void ask_or_follow(const OddlFlow& flow);
  void ask(OddlLease& lease);
  void request(const OddlLease& lease);
  Time wait_for_transmitter() const;
  bool start_one();
  void run(OddlLease& lease, std::uint32_t transmitter);
  void confirm(OddlLease& lease);
  void decline_what_cannot_be_met();
  void end_flow(flow::Ticket ticket);
  void release(OddlLease& lease);
  void give_back(const OddlLease& lease);
  void unfollow(OddlLease& lease);

  // oddl_control_source_messages.cpp: what it hears, and timers
  void hear(const OddlLetter& letter, flow::Agent from);
  void contend(OddlLease& lease, bool contended);
  void retire(std::uint32_t office, flow::Agent from);
  void answer(const OddlLetter& inquiry, flow::Agent from);
  void turn_to(std::uint32_t office, std::uint32_t epoch);
  void arm(TimerKind kind, std::uint32_t slot, Time at);
  void expire(TimerKind kind, std::uint64_t slot);
  static bool waits_for_answer(const OddlLease& lease);
  static bool holds(const OddlLease& lease) { return lease.phase == Phase::kRunning || lease.phase == Phase::kKept; }
  bool repeat(OddlLease& lease);
  void tick_if_needed();
  void cut(OddlLease& lease);

  const OddlControlFacts& o_;
  OddlSourceState& s_;
  const Time now_;
  std::vector<flow::Action>& actions_;
};

}  // namespace helio::fabric
