// SPDX-License-Identifier: Apache-2.0
// A source's flows and leases: what it asks for, starts, declines and gives back.
#include "fabric/oddl/oddl_control_source.h"

#include <algorithm>
#include <cassert>

namespace helio::fabric {

using flow::Action;

// The most slots that a source uses: those that ask or run, and those whose ACK is still under way.
static constexpr std::size_t kSlots = 128;

void OddlSource::hear(const flow::Event& event) {
  switch (event.kind) {
    case flow::Event::Kind::kStart: return;
    case flow::Event::Kind::kReady: become_ready(event); break;
    case flow::Event::Kind::kDone: end_flow(event.ticket); break;
    case flow::Event::Kind::kMessage: hear(OddlLetter::unpack(event.message), event.from); break;
    case flow::Event::Kind::kTimer: expire(static_cast<TimerKind>(event.timer & 3), event.timer >> 2); break;
  }
  proceed();
  tick_if_needed();
}

std::uint32_t OddlSource::epoch_of(std::uint32_t office) const {
  if (s_.epochs.empty()) return 0;
  const auto found = s_.epochs.find(office);
  return found == s_.epochs.end() ? 0 : found->second;
}

void OddlSource::send(flow::Agent to, const OddlLetter& letter) {
  actions_.push_back(Action::send(to, letter.pack(), o_.message_time()));
}

OddlLetter OddlSource::about(const OddlLease& lease, OddlKind kind) const {
  OddlLetter letter;
  letter.kind = kind;
  letter.receiver = lease.receiver;
  letter.slot = slot_of(lease);
  letter.generation = lease.generation;
  letter.epoch = lease.epoch;
  return letter;
}

void OddlSource::tell_arbiter(const OddlLease& lease, const OddlLetter& letter) {
  send(acting(o_.office_of(lease.receiver), lease.epoch), letter);
}

void OddlSource::become_ready(const flow::Event& event) {
  const OddlClaim claim = OddlClaim::unpack(event.claim);
  assert(claim.receiver < o_.receiver_count() && "a claim names a receiver");
  OddlFlow flow;
  flow.ticket = event.ticket;
  flow.receiver = claim.receiver;
  flow.coflow = claim.coflow;
  flow.keep = claim.keep;
  flow.priority = event.priority;
  flow.bytes = event.bytes;
  flow.since = now_;
  if (s_.queue.empty() && may_ask())
    ask_or_follow(flow);
  else
    enqueue(flow);
}

void OddlSource::enqueue(const OddlFlow& flow) {
  std::uint32_t place;
  if (s_.free.empty()) {
    place = static_cast<std::uint32_t>(s_.flows.size());
    s_.flows.push_back(flow);
  } else {
    place = s_.free.back();
    s_.free.pop_back();
    s_.flows[place] = flow;
  }
  s_.queue.insert(
      {s_.numbered++, 0, planned() ? std::uint8_t{0} : flow.priority, planned() ? 0 : key_of(flow), flow.since, place});
}

std::uint64_t OddlSource::key_of(const OddlFlow& flow) const {
  double bytes = flow.bytes;
  if (o_.policy == OddlPolicy::kCoflow && flow.coflow > 0 && flow.coflow <= o_.coflow_bytes.size()) {
    const auto sent = s_.sent.find(flow.coflow);
    bytes = o_.coflow_bytes[flow.coflow - 1] - (sent == s_.sent.end() ? 0 : sent->second);
  }
  return bytes <= 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

// Everything that the present situation allows: grants are used or declined, flows are requested.
void OddlSource::proceed() {
  while (start_one()) {
  }
  decline_what_cannot_be_met();
  while (!s_.queue.empty() && may_ask()) {
    const std::uint32_t place = s_.queue.take(now_).place;
    const OddlFlow flow = s_.flows[place];
    s_.free.push_back(place);
    ask_or_follow(flow);
    if (planned()) start_one();
  }
}

std::uint32_t OddlSource::idle_transmitters() const {
  std::uint32_t idle = 0;
  for (const std::uint32_t slot : s_.user) idle += slot == kNone || s_.leases[slot].phase == Phase::kKept;
  return idle;
}

std::uint32_t OddlSource::asked() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(s_.leases, [](const OddlLease& lease) {
    return lease.phase == Phase::kAsking || lease.phase == Phase::kGranted;
  }));
}

bool OddlSource::may_ask() const {
  std::uint32_t most = idle_transmitters();
  if (!planned() && !s_.modest) most += o_.lookahead * o_.transmitters;
  return asked() < most && (s_.leases.size() < kSlots || free_slot() < s_.leases.size());
}

std::size_t OddlSource::free_slot() const {
  return static_cast<std::size_t>(std::ranges::find(s_.leases, Phase::kFree, &OddlLease::phase) - s_.leases.begin());
}

// A flow joins the lease that there is for its receiver, unless others wait for it; else it asks for one.
void OddlSource::ask_or_follow(const OddlFlow& flow) {
  for (OddlLease& lease : s_.leases) {
    if (lease.receiver != flow.receiver || !lease.live() || lease.contended || planned()) continue;
    if (lease.phase != Phase::kKept) return lease.followers.push_back(flow);
    lease.flow = flow;
    return run(lease, lease.transmitter);
  }
  const std::size_t slot = free_slot();
  if (slot == s_.leases.size()) s_.leases.emplace_back();
  OddlLease& lease = s_.leases[slot];
  lease = OddlLease{.generation = lease.generation};
  lease.receiver = flow.receiver;
  lease.flow = flow;
  ask(lease);
}

void OddlSource::ask(OddlLease& lease) {
  ++lease.generation;
  assert(lease.generation < (1u << 24) && "a slot makes fewer than 2^24 requests");
  lease.epoch = epoch_of(o_.office_of(lease.receiver));
  lease.phase = Phase::kAsking;
  lease.contended = lease.confirmed = lease.declined = false;
  lease.silent = lease.repeated = 0;
  lease.start = Time();
  // By a plan it holds the receiver as soon as it has a transmitter, and there is one, or it would not have asked.
  if (planned()) {
    lease.phase = Phase::kGranted;
    return;
  }
  lease.deadline = now_ + o_.grant_timeout;
  request(lease);
}

void OddlSource::request(const OddlLease& lease) {
  OddlLetter letter = about(lease, OddlKind::kRequest);
  letter.priority = lease.flow.priority;
  letter.bytes = key_of(lease.flow);
  letter.age = static_cast<std::uint64_t>((now_ - lease.flow.since) / Time::microseconds(1));
  if (const Time wait = wait_for_transmitter(); asked() > idle_transmitters() && wait != Time::max())
    letter.ready = static_cast<std::uint64_t>(wait / Time::nanoseconds(1));
  tell_arbiter(lease, letter);
}

// Until the first transmitter that sends now will be free; max: not known.
Time OddlSource::wait_for_transmitter() const {
  Time wait = Time::max();
  for (const std::uint32_t slot : s_.user)
    if (slot != kNone && s_.leases[slot].phase == Phase::kRunning && !s_.leases[slot].end.is_zero())
      wait = std::min(wait, s_.leases[slot].end - now_);
  return std::max(wait, Time());
}

// Starts the grant whose time came first, if a transmitter is free for it.
bool OddlSource::start_one() {
  OddlLease* first = nullptr;
  for (OddlLease& lease : s_.leases) {
    if (lease.phase != Phase::kGranted || lease.start > now_) continue;
    if (first == nullptr || lease.start < first->start) first = &lease;
  }
  if (first == nullptr) return false;

  // Best the transmitter that is tuned to it already, then one without a circuit to lose.
  std::uint32_t best = kNone;
  int merit = 0;
  for (std::uint32_t t = 0; t < o_.transmitters; ++t) {
    const bool kept = s_.user[t] != kNone && s_.leases[s_.user[t]].phase == Phase::kKept;
    if (s_.user[t] != kNone && !kept) continue;
    const int worth = s_.tuned[t] == first->receiver ? 3 : kept ? 1 : 2;
    if (worth > merit) best = t, merit = worth;
  }
  if (best == kNone) return false;
  if (s_.user[best] != kNone) release(s_.leases[s_.user[best]]);
  run(*first, best);
  return true;
}

void OddlSource::run(OddlLease& lease, std::uint32_t transmitter) {
  // Only within a lease has nobody else used the receiver since: else it must lock anew, even if the transmitter stays.
  const bool fresh = lease.phase == Phase::kGranted;
  const Time before = (fresh ? o_.dark : Time()) + o_.lead;
  if (fresh) lease.held = now_;
  lease.phase = Phase::kRunning;
  lease.transmitter = transmitter;
  s_.user[transmitter] = slot_of(lease);
  s_.tuned[transmitter] = lease.receiver;
  const bool known = o_.rate.value > 0 && lease.flow.bytes > 0;
  lease.end = known ? now_ + before + Time::seconds(seconds_at(Bytes{lease.flow.bytes}, o_.rate)) : Time();

  // Off it goes.
  if (lease.flow.suspended)
    actions_.push_back(Action::resume(lease.flow.ticket));
  else
    actions_.push_back(
        Action::start(lease.flow.ticket, static_cast<std::uint16_t>(o_.transmitters > 1 ? transmitter : 0)));
  lease.flow.suspended = false;

  // The arbiter is told where it wants to know: whom others wait for, and who would be silent for long.
  if (planned()) {
    OddlLetter check = about(lease, OddlKind::kCheck);
    check.time = oddl_picoseconds(now_);
    return tell_arbiter(lease, check);
  }
  const bool long_silent = !known || lease.end - now_ > o_.grant_timeout - o_.round_trip();
  if (lease.contended || (long_silent && !lease.confirmed)) confirm(lease);
  if (o_.quantum_bytes > 0 && lease.flow.bytes > o_.quantum_bytes) {
    const Time quantum = before + Time::seconds(seconds_at(Bytes{o_.quantum_bytes}, o_.rate));
    lease.cut = now_ + std::max(quantum, o_.min_hold);
    arm(kCut, slot_of(lease), lease.cut);
  }
}

void OddlSource::confirm(OddlLease& lease) {
  lease.confirmed = true;
  OddlLetter busy = about(lease, OddlKind::kBusy);
  if (lease.phase == Phase::kRunning) {
    busy.time = lease.end.is_zero() ? 0 : oddl_picoseconds(lease.end);
    busy.flag = lease.contended;
  }
  tell_arbiter(lease, busy);
}

// A grant for which no transmitter comes free before it would time out is of more use to others.
void OddlSource::decline_what_cannot_be_met() {
  if (idle_transmitters() > 0 || planned()) return;
  const Time wait = wait_for_transmitter();
  for (OddlLease& lease : s_.leases) {
    if (lease.phase != Phase::kGranted || (o_.rate.value > 0 && wait < o_.grant_timeout)) continue;
    lease.declined = true;
    enqueue(lease.flow);
    release(lease);
    s_.modest = wait == Time::max();  // else the next request tells when
  }
}

void OddlSource::end_flow(flow::Ticket ticket) {
  const auto place = std::ranges::find_if(
      s_.leases, [&](const OddlLease& lease) { return lease.phase == Phase::kRunning && lease.flow.ticket == ticket; });
  assert(place != s_.leases.end() && "what ended was running");
  OddlLease& lease = *place;
  if (lease.flow.coflow > 0 && o_.policy == OddlPolicy::kCoflow) s_.sent[lease.flow.coflow] += lease.flow.bytes;
  s_.modest = false;
  const bool asked_for = lease.contended || planned();
  const bool others = !s_.queue.empty() || asked() > 0;  // own flows, for other receivers
  if (!asked_for && !lease.followers.empty() && (!others || now_ - lease.held < o_.min_hold)) {
    lease.flow = lease.followers.front();
    lease.followers.pop_front();
    run(lease, lease.transmitter);
  } else if (!asked_for && lease.followers.empty() && lease.flow.keep) {
    lease.phase = Phase::kKept;
  } else {
    release(lease);
  }
}

// Gives the receiver back. What followed in the lease must ask for itself.
void OddlSource::release(OddlLease& lease) {
  if (holds(lease)) s_.user[lease.transmitter] = kNone;
  unfollow(lease);
  lease.phase = Phase::kReleasing;
  lease.silent = lease.repeated = 0;
  lease.deadline = now_ + o_.grant_timeout;
  give_back(lease);
}

void OddlSource::give_back(const OddlLease& lease) {
  OddlLetter letter = about(lease, lease.declined ? OddlKind::kDecline : OddlKind::kDone);
  if (planned()) letter.time = oddl_picoseconds(now_);
  tell_arbiter(lease, letter);
}

void OddlSource::unfollow(OddlLease& lease) {
  for (const OddlFlow& flow : lease.followers) enqueue(flow);
  lease.followers.clear();
}

}  // namespace helio::fabric
