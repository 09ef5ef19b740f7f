// SPDX-License-Identifier: Apache-2.0
// The arbiter: sources ask one agent for exclusive use of a resource, over a channel that loses and reorders.
//
// It is the first user of Controller, and the request/grant round of ODDL's distributed control (papers/oddl.md §2.3)
// without its policies: one resource per operation, named by the operation's claim, first come first served.
//
//      source 0 ──REQUEST──▶ ┌─────────┐   REQUEST  ticket, resource        agents 0 … n−1 are sources,
//      source 1 ◀──GRANT──── │ arbiter │   GRANT    ticket                  agent n is the arbiter
//         …     ──DONE─────▶ │ agent n │   DONE     ticket, resource
//      source n−1 ◀──ACK──── └─────────┘   ACK      ticket
//
// A source, for each of its tickets:
//
//                kReady                  GRANT                   kDone                  ACK
//     (unknown) ───────▶ kRequesting ───────────▶ kRunning ───────────▶ kReleasing ───────────▶ (unknown)
//               REQUEST   │   ▲          start op             DONE       │   ▲
//                         └───┘                                          └───┘
//                  timer: REQUEST again                             timer: DONE again
//
//     Everything else is ignored. In particular a GRANT starts an operation only in kRequesting, so that neither its
//     duplicate nor one that comes after the end starts anything. There is one timer per ticket: armed when the REQUEST
//     leaves, armed again each time it found something to repeat, else let lapse, and armed anew by kDone if it lapsed.
//
// The arbiter, for each ticket:
//
//                REQUEST                 resource free, head of queue                DONE
//     (unknown) ─────────▶ queued ──────────────────────────────────▶ holder ──────────────────▶ completed
//                           │   ▲               GRANT                  │   ▲      ACK, next GRANT  │   ▲
//                           └───┘                                      └───┘                       └───┘
//                       REQUEST: nothing                          REQUEST: GRANT again       REQUEST: nothing
//                                                                                            DONE: ACK again
//
// The arbiter has no timer: a lost GRANT is asked for again by the source's REQUEST, a lost ACK by its DONE. It remembers
// completed tickets, because a REQUEST that was repeated may arrive after the DONE; granting it again would give the
// resource to a source that has long forgotten the ticket and will never release it.
//
// Invariants, shown by the explorer in tests/flow/arbiter_test.cpp: an operation runs only while its ticket is the holder;
// every REQUEST is granted once as far as its source can tell; every resource is released.
//
// The memory of completed tickets grows by one word per operation. Forgetting needs numbers that are consecutive per
// source, or a longest life of a message; neither is assumed here.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "flow/controller.h"

namespace helio::flow {

struct ArbiterOptions {
  // From the moment a message is sent until it is heard, without the channel's jitter. 301.2 ns: 50 m of fibre at 5 ns/m
  // and 64 bytes at 10 Gb/s (papers/oddl.md §2.3).
  Time message_delay = Time::nanoseconds(301.2);
  // How long a source waits for an answer before it repeats itself. 5 us: ODDL's grant time-out (papers/oddl.md §4.1).
  // Must exceed one round trip. Retries never change what is granted, only how soon a loss is mended.
  Time retry_after = Time::microseconds(5);
};

class ArbiterController : public Controller {
 public:
  enum MessageType : std::int32_t { kRequest, kGrant, kDone, kAck };

  // Throws Error(kInput) when a delay is negative or `retry_after` does not exceed a round trip.
  explicit ArbiterController(Agent sources, ArbiterOptions options = {});

  Agent agents() const override { return sources_ + 1; }
  Agent arbiter() const { return sources_; }
  std::unique_ptr<AgentState> initial(Agent agent) const override;
  std::string describe(const Message& message) const override;
  void react(Agent agent, AgentState& state, const Event& event, std::vector<Action>& actions) const override;

 private:
  Agent sources_;
  ArbiterOptions options_;
};

// What a source knows: its tickets from kReady to ACK.
struct SourceState : AgentState {
  enum class Phase : std::uint8_t { kRequesting, kRunning, kReleasing };
  struct Entry {
    std::uint32_t resource = 0;
    Phase phase = Phase::kRequesting;
    bool armed = true;  // its timer
  };
  std::map<Ticket, Entry> tickets;

  std::unique_ptr<AgentState> clone() const override { return std::make_unique<SourceState>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override;
};

// What the arbiter knows: who holds and who waits for each resource, and what is over.
struct ArbiterState : AgentState {
  struct Claim {
    Ticket ticket = 0;
    Agent source = 0;
  };
  struct Resource {
    std::optional<Claim> holder;
    std::deque<Claim> queue;  // in order of arrival; each ticket once
  };
  std::map<std::uint32_t, Resource> resources;  // those in use
  std::set<Ticket> completed;

  std::unique_ptr<AgentState> clone() const override { return std::make_unique<ArbiterState>(*this); }
  void encode(std::vector<std::uint64_t>& words) const override;
};

}  // namespace helio::flow
