// SPDX-License-Identifier: Apache-2.0
// Exhaustive exploration of a Controller: every order of messages, timers and completions, every loss up to a budget.
//
// The explorer keeps the multiset of messages in flight and of armed timers, the operations that are ready, running or
// done, and every agent's state; from each such situation it takes every possible next event. Times are ignored on
// purpose: what holds for every order holds for every delay.
//
//   begin            every agent hears kStart before anything else
//   from then on     an operation becomes ready (its agent hears kReady) · a running one completes (kDone) ·
//                    a message arrives · a message is lost · an armed timer fires
//
// Timers. A retransmission timer may fire again and again before anything else happens, so that situations have no end.
// The bound therefore counts the *early* firings, those while something else could have happened instead; when nothing
// else can happen it is *quiet*, time passes until a timer fires, and that is free. Within the bound the exploration is
// exhaustive, as it is within the budget of losses, and reaching the bound is no deadlock: what is under way goes its way,
// it falls quiet, and the timer that was held back has its turn.
//
// Deadlock. A timer that fires for ever leaves no situation in which nothing can happen, yet operations may starve. So a
// situation is a deadlock when an operation is not done and *no* continuation within the bounds makes all of them done;
// nothing being able to happen at all is the plainest case. It is a real one: there is a run, that with timers slower than
// everything else, which stays there for ever. Only where it never falls quiet again (agents that exchange messages without
// end) while a timer is held back is the answer not known: then `complete` is false and no deadlock is claimed.
//
// A suspended operation holds no resource and does not complete. As in the engine, suspending what does not run yet and
// resuming what is not suspended mean nothing, but either is a fault before kReady and after kDone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "flow/controller.h"

namespace helio::flow {

// One controlled operation of the case under test; its ticket is its index. Each becomes ready at any moment.
struct ExploredOperation {
  Agent agent = 0;  // who hears kReady and kDone
  std::uint32_t claim = 0;
  std::vector<std::uint32_t> exclusive;  // resources that no two running operations may share
};

struct ExploreOptions {
  std::uint32_t losses = 0;                   // messages that may be lost along one run
  std::uint64_t situation_limit = 5'000'000;  // give up (complete = false) past this many; each takes some 250 bytes
  std::uint32_t timers_at_most = 2;           // times that one timer may fire early along one run
};

struct Exploration {
  std::uint64_t situations = 0;  // distinct ones visited
  bool complete = false;         // all within the bounds were visited, and no end was left unknown
  // Empty when the property held everywhere; else what was wrong and the shortest list of events that leads there. The
  // exploration stops at a double grant; the deadlock shown is the first situation from which there is no way out.
  std::string double_grant;  // two running operations share an exclusive resource, or a command came at a wrong time
  std::string deadlock;      // an operation is not done, and nothing that can happen completes it
  bool ok() const { return complete && double_grant.empty() && deadlock.empty(); }
};

Exploration explore(const Controller& controller, const std::vector<ExploredOperation>& operations,
                    const ExploreOptions& options = {});

}  // namespace helio::flow
