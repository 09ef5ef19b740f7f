// SPDX-License-Identifier: Apache-2.0
// What a source hears from arbiters, whom it obeys, and what it does when nobody answers.
#include "fabric/oddl/oddl_control_source.h"

#include <algorithm>
#include <cassert>

namespace helio::fabric {

using flow::Action;

void OddlSource::hear(const OddlLetter& letter, flow::Agent from) {
  if (letter.kind == OddlKind::kInquire) return answer(letter, from);
  if (letter.kind == OddlKind::kAlarm) {
    ++s_.alarms;
    return;
  }

  // An arbiter that is no longer in office is told so; one that is, is alive. What concerns an earlier request is ignored.
  const std::uint32_t office = o_.office_of(letter.receiver);
  if (letter.epoch < epoch_of(office)) return retire(office, from);
  for (OddlLease& lease : s_.leases)
    if (waits_for_answer(lease) && o_.office_of(lease.receiver) == office) lease.silent = 0;
  if (letter.slot >= s_.leases.size() || s_.leases[letter.slot].generation != letter.generation) return;
  OddlLease& lease = s_.leases[letter.slot];
  switch (letter.kind) {
    case OddlKind::kGrant:
      if (lease.phase == Phase::kAsking) {
        lease.phase = Phase::kGranted;
        lease.start = letter.time == 0 ? Time() : oddl_time(letter.time);
        contend(lease, lease.contended || letter.flag);
        if (lease.start > now_) arm(kStart, letter.slot, lease.start);
      } else if (lease.live()) {
        confirm(lease);
      }
      break;
    case OddlKind::kWait:
      // It is in the queue. From now on it asks ever more rarely, only to see whether the arbiter is still there.
      if (lease.phase == Phase::kAsking) lease.deadline = now_ + std::max(o_.grant_timeout, now_ - lease.flow.since);
      break;
    case OddlKind::kRecall:
      if (!lease.live()) break;
      contend(lease, true);
      if (lease.phase == Phase::kKept)
        release(lease);
      else if (lease.phase == Phase::kRunning)
        confirm(lease);
      break;
    case OddlKind::kAck:
      if (lease.phase == Phase::kReleasing) lease.phase = Phase::kFree;
      break;
    default: assert(false && "an arbiter does not say that to a source");
  }
}

void OddlSource::contend(OddlLease& lease, bool contended) {
  lease.contended = contended;
  if (contended) unfollow(lease);
}

void OddlSource::retire(std::uint32_t office, flow::Agent from) {
  OddlLetter letter;
  letter.kind = OddlKind::kRetire;
  letter.receiver = office;
  letter.epoch = epoch_of(office);
  send(from, letter);
}

// A new arbiter wants to know what is still in use of what earlier ones granted: one letter per lease, each of which tells how
// many there are.
void OddlSource::answer(const OddlLetter& inquiry, flow::Agent from) {
  const std::uint32_t office = inquiry.receiver;
  if (inquiry.epoch < epoch_of(office)) return retire(office, from);
  if (inquiry.epoch > epoch_of(office)) turn_to(office, inquiry.epoch);
  const auto held = [&](const OddlLease& lease) {
    return lease.inherited && holds(lease) && o_.office_of(lease.receiver) == office;
  };
  OddlLetter clear = inquiry;
  clear.kind = OddlKind::kClear;
  for (const OddlLease& lease : s_.leases)
    if (held(lease)) clear.held |= static_cast<std::uint16_t>(1u << lease.transmitter);
  if (clear.held == 0) return send(from, clear);
  for (const OddlLease& lease : s_.leases) {
    if (!held(lease)) continue;
    clear.slot = slot_of(lease);
    clear.generation = lease.generation;
    clear.transmitter = lease.transmitter;
    clear.held_receiver = lease.receiver;
    send(from, clear);
  }
}

// From now on only the arbiter of `epoch` is obeyed: what is in use goes over to it, all else asks anew. What was given back
// is known to nobody but its arbiter, which is no longer asked.
void OddlSource::turn_to(std::uint32_t office, std::uint32_t epoch) {
  assert(epoch < 256 && "fewer than 256 arbiters have stood in for each other");
  s_.epochs[office] = epoch;
  for (OddlLease& lease : s_.leases) {
    if (lease.phase == Phase::kFree || o_.office_of(lease.receiver) != office) continue;
    if (lease.phase == Phase::kAsking || lease.phase == Phase::kGranted) {
      ask(lease);
    } else if (holds(lease)) {
      lease.epoch = epoch;
      lease.inherited = true;
    } else {
      lease.phase = Phase::kFree;
    }
  }
}

void OddlSource::arm(TimerKind kind, std::uint32_t slot, Time at) {
  actions_.push_back(Action::set_timer(std::uint64_t{slot} << 2 | kind, at - now_));
}

void OddlSource::expire(TimerKind kind, std::uint64_t slot) {
  if (kind == kTick) {
    if (!due(s_.tick)) return;
    s_.tick = Time();
    for (OddlLease& lease : s_.leases)
      if (waits_for_answer(lease) && due(lease.deadline) && !repeat(lease)) break;
  } else if (kind == kStart) {
    // The explorer's clock stands still, so that there the start is reached by this.
    if (OddlLease& lease = s_.leases[slot]; now_.is_zero() && lease.phase == Phase::kGranted) lease.start = Time();
  } else {
    cut(s_.leases[slot]);
  }
}

bool OddlSource::waits_for_answer(const OddlLease& lease) {
  return lease.phase == Phase::kAsking || lease.phase == Phase::kReleasing;
}

// False when the arbiter was given up instead, which sets other leases moving. Only who asks may give it up: its REQUEST
// makes the successor take office, and all others turn to that. A DONE would leave the others where they are, with an arbiter
// that, if it lives, never hears that the receiver is free.
bool OddlSource::repeat(OddlLease& lease) {
  const std::uint32_t patience = o_.silences << std::min(lease.epoch, 16u);
  if (o_.silences > 0 && lease.silent >= patience && lease.epoch < 255) {
    if (planned()) {
      lease.phase = Phase::kFree;  // nobody checks any more
      return true;
    }
    if (lease.phase == Phase::kAsking) {
      turn_to(o_.office_of(lease.receiver), lease.epoch + 1);
      return false;
    }
  }
  if (lease.silent < patience) ++lease.silent;
  lease.deadline = now_ + o_.patience(++lease.repeated);
  if (lease.phase == Phase::kAsking)
    request(lease);
  else
    give_back(lease);
  return true;
}

void OddlSource::tick_if_needed() {
  Time first = Time::max();
  for (const OddlLease& lease : s_.leases)
    if (waits_for_answer(lease)) first = std::min(first, lease.deadline);
  if (first == Time::max() || (!s_.tick.is_zero() && s_.tick <= first)) return;
  s_.tick = first;
  arm(kTick, 0, first);
}

// The quantum of a flow is over: if others wait, the rest of it waits behind them.
void OddlSource::cut(OddlLease& lease) {
  if (lease.phase != Phase::kRunning || lease.cut.is_zero() || !due(lease.cut)) return;
  if (!lease.contended) {
    lease.cut = now_ + std::max(o_.min_hold, Time::seconds(seconds_at(Bytes{o_.quantum_bytes}, o_.rate)));
    return arm(kCut, slot_of(lease), lease.cut);
  }
  actions_.push_back(Action::suspend(lease.flow.ticket));
  lease.flow.suspended = true;
  lease.flow.bytes = std::min(lease.flow.bytes, (lease.end - now_).to_seconds() * o_.rate.value / 8);
  lease.flow.since = now_;
  enqueue(lease.flow);
  release(lease);
}

}  // namespace helio::fabric
