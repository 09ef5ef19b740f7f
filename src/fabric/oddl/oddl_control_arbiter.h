// SPDX-License-Identifier: Apache-2.0
// The arbiter's machine of ODDL's control plane: who holds and who waits for each receiver of the groups it is in office for.
//
// For each request, known by its source, slot and generation:
//
//                REQUEST              receiver free, chosen by the policy               DONE, DECLINE
//     (unknown) ─────────▶ queued ───────────────────────────────────────▶ holding ───────────────────▶ over
//                           │  ▲                    GRANT                   │   ▲          ACK           │  ▲
//                           └──┘                                            └───┘                        └──┘
//                      REQUEST: WAIT                              REQUEST, or a timer without       REQUEST: nothing
//                                                                 BUSY heard: GRANT again           DONE: ACK again
//
// One record per source and slot is enough, because a source uses a slot again only after ACK: an older generation is over.
//
// An office is the right to grant a group's receivers. Arbiter (g + e) mod arbiters holds that of group g in epoch e; epoch 0
// needs no ceremony. When a source names a later epoch in its REQUEST, the arbiter takes office: it sends INQUIRE to every
// source until each has answered CLEAR, and grants nothing before. CLEAR of epoch e says: I obey no grant of an earlier epoch
// any more, and of what was granted me in these I use nothing but the leases named. Those go over: from then on their source
// gives them back to this arbiter. So grants of two epochs never meet, whether the predecessor is dead or only slow.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "fabric/oddl/oddl_control.h"
#include "fabric/oddl/oddl_control_messages.h"

namespace helio::fabric {

struct OddlArbiterState : flow::AgentState {
  explicit OddlArbiterState(const OddlControlOptions& options) : records(options.nodes) {}

  struct Record {
    enum class Status : std::uint8_t { kOver, kQueued, kHolding };
    std::uint32_t generation = 0;
    Status status = Status::kOver;
    std::int64_t start = -1;  // policy planned: picoseconds; -1: not heard
  };
  struct Holder {
    std::uint32_t source = 0, id = 0, epoch = 0;
    bool confirmed = false;   // BUSY was heard
    bool told = false;        // that others wait
    bool committed = false;   // it leaves the receiver at `end`
    Time end;                 // zero: not known
    Time start;               // as granted; zero: at once
    Time spoken;              // when it was last addressed,
    std::uint32_t times = 0;  // and how often without an answer
  };
  struct Receiver {
    Receiver(OddlPolicy policy, Time aging) : waiting(policy, aging) {}
    std::optional<Holder> holder;
    OddlQueue waiting;                          // those whose transmitter is free, or will be when a GRANT arrives
    std::multimap<Time, OddlWaiting> later;     // the others, by the time when they will be
    std::uint32_t pointer = 0;                  // whose turn it is among equals
    Time free;                                  // not before
    Time wake;                                  // a timer to serve it is armed for then; zero: none
    bool watched = false;                       // the timer for repetitions is armed
    std::int64_t last_start = 0, last_end = 0;  // policy planned: the flow that ended last
    std::uint32_t last_source = 0;
  };
  // What a source has said in CLEAR, a bit per transmitter. Its leases of earlier epochs can only become fewer, so that every
  // letter, however late, names all that are left.
  struct Answer {
    std::uint16_t held = 0xffff;  // with a lease, as far as is known
    std::uint16_t known = 0;      // with a lease that was named, and is the holder's here or over
    bool clear() const { return (held & ~known) == 0; }
  };
  struct Office {
    std::uint32_t epoch = 0;
    std::vector<Answer> answers;  // by source; empty in epoch 0
    std::uint32_t missing = 0;    // sources that are not clear
    std::uint32_t asked = 0;      // how often they were asked again
  };

  bool dead = false;
  Time busy;                                 // central: with earlier messages, until then
  std::vector<std::vector<Record>> records;  // by source and slot
  std::map<std::uint32_t, Receiver> receivers;
  std::map<std::uint32_t, Office> offices;
  std::map<std::uint32_t, std::uint32_t> retired;  // by group: the epoch that others are in, as heard

  std::unique_ptr<AgentState> clone() const override { return std::make_unique<OddlArbiterState>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override;
};

// One reaction of an arbiter; `self` counts arbiters from 0 on.
class OddlArbiter {
 public:
  OddlArbiter(const OddlControlFacts& options, std::uint32_t self, OddlArbiterState& state, Time now,
              std::vector<flow::Action>& actions)
      : o_(options), self_(self), s_(state), now_(now), actions_(actions) {}

  void hear(const flow::Event& event);

 private:
  // Timers: the arbiter's death; and with a receiver (or an office) to serve it, to repeat what its holder did not answer,
  // and to repeat INQUIRE.
  enum TimerKind : std::uint64_t { kDie, kWake, kWatch, kInquireAgain };
  using State = OddlArbiterState;
  using Status = State::Record::Status;

  // A timer's time has come. The explorer has no time: there it has come whenever the timer fires.
  bool due(Time time) const { return now_.is_zero() || now_ >= time; }
  // From a decision to the moment when its GRANT is heard.
  Time ahead() const { return o_.arbiter_time() + o_.message_time(); }

  void send(flow::Agent to, const OddlLetter& letter) {
    actions_.push_back(flow::Action::send(to, letter.pack(), delay_));
  }
  void arm(TimerKind kind, std::uint32_t subject, Time at);
  State::Receiver& receiver(std::uint32_t number);
  State::Record& record(std::uint32_t source, std::uint32_t slot);
  State::Record& record(const State::Holder& holder) { return record(holder.source, holder.id >> 24); }

  void hear(const OddlLetter& letter, std::uint32_t source);

  // oddl_control_arbiter.cpp: requests and receivers
  void enter(const OddlLetter& letter, std::uint32_t source);
  void leave(const OddlLetter& letter, std::uint32_t source);
  void confirm(const OddlLetter& letter, std::uint32_t source);
  void serve(std::uint32_t number, State::Receiver& place, bool decided = false);
  Time to_boundary(Time time) const;
  void grant(std::uint32_t number, State::Receiver& place);
  void recall(std::uint32_t number, State::Receiver& place);
  static bool contended(const State::Receiver& place);
  OddlLetter about(std::uint32_t number, const State::Holder& holder, OddlKind kind) const;
  void answer(const OddlLetter& letter, std::uint32_t source, OddlKind kind);
  void check(const OddlLetter& letter, std::uint32_t source);

  // oddl_control_arbiter_offices.cpp: offices and timers
  bool in_office(const OddlLetter& letter, std::uint32_t source);
  void inquire(std::uint32_t group, const State::Office& office, std::uint32_t source);
  void clear(const OddlLetter& letter, std::uint32_t source);
  bool take_over(const OddlLetter& letter, std::uint32_t source);
  void retire(const OddlLetter& letter);
  void drop(std::uint32_t group);
  void wake(std::uint32_t number, State::Receiver& place, Time at);
  void watch(std::uint32_t number, State::Receiver& place);
  void expire(TimerKind kind, std::uint32_t subject);

  const OddlControlFacts& o_;
  const std::uint32_t self_;
  State& s_;
  const Time now_;
  std::vector<flow::Action>& actions_;
  Time delay_;
};

}  // namespace helio::fabric
