// SPDX-License-Identifier: Apache-2.0
// An arbiter's requests and receivers: who waits, who is granted, who is told to leave.
#include "fabric/oddl/oddl_control_arbiter.h"

#include <algorithm>
#include <cassert>

namespace helio::fabric {

using flow::Action;

void OddlArbiter::hear(const flow::Event& event) {
  if (s_.dead) return;
  delay_ = o_.arbiter_time() + o_.message_time();
  if (event.kind == flow::Event::Kind::kStart) {
    if (o_.dead_arbiter && o_.dead_arbiter->arbiter == self_) arm(kDie, 0, o_.dead_arbiter->at);
  } else if (event.kind == flow::Event::Kind::kTimer) {
    expire(static_cast<TimerKind>(event.timer & 3), static_cast<std::uint32_t>(event.timer >> 2));
  } else if (event.kind == flow::Event::Kind::kMessage) {
    // One server: a message waits until those before it are dealt with.
    if (o_.mode == OddlControlMode::kCentral) {
      s_.busy = std::max(s_.busy, now_) + o_.arbiter_time();
      delay_ = s_.busy - now_ + o_.message_time();
    }
    hear(OddlLetter::unpack(event.message), event.from);
  }
}

void OddlArbiter::arm(TimerKind kind, std::uint32_t subject, Time at) {
  actions_.push_back(Action::set_timer(std::uint64_t{subject} << 2 | kind, std::max(at - now_, Time())));
}

OddlArbiterState::Receiver& OddlArbiter::receiver(std::uint32_t number) {
  const auto found = s_.receivers.find(number);
  return found != s_.receivers.end() ? found->second
                                     : s_.receivers.emplace(number, State::Receiver(o_.policy, o_.aging)).first->second;
}

OddlArbiterState::Record& OddlArbiter::record(std::uint32_t source, std::uint32_t slot) {
  std::vector<State::Record>& records = s_.records[source];
  if (slot >= records.size()) records.resize(slot + 1);
  return records[slot];
}

void OddlArbiter::hear(const OddlLetter& letter, std::uint32_t source) {
  switch (letter.kind) {
    case OddlKind::kRequest: return enter(letter, source);
    case OddlKind::kDone:
    case OddlKind::kDecline: return leave(letter, source);
    case OddlKind::kBusy: return confirm(letter, source);
    case OddlKind::kClear: return clear(letter, source);
    case OddlKind::kRetire: return retire(letter);
    case OddlKind::kCheck: {
      State::Record& known = record(source, letter.slot);
      if (letter.generation > known.generation) known = {letter.generation, Status::kHolding, letter.time};
      return;
    }
    default: assert(false && "a source does not say that to an arbiter");
  }
}

void OddlArbiter::enter(const OddlLetter& letter, std::uint32_t source) {
  if (!in_office(letter, source)) return;
  State::Record& known = record(source, letter.slot);
  if (letter.generation < known.generation) return;
  State::Receiver& place = receiver(letter.receiver);

  // Heard before: it waits still, or its GRANT was lost, or it is over.
  if (letter.generation == known.generation) {
    if (known.status == Status::kQueued) answer(letter, source, OddlKind::kWait);
    if (known.status == Status::kHolding && place.holder && place.holder->source == source &&
        place.holder->id == letter.id())
      grant(letter.receiver, place);
    return;
  }

  // A transmitter that is not free yet: no grant shall arrive before it is.
  known = {letter.generation, Status::kQueued};
  const OddlWaiting waiting{std::uint64_t{letter.epoch} << 32 | letter.id(), source,
                            static_cast<std::uint8_t>(letter.priority), letter.bytes,
                            now_ - Time::microseconds(1) * static_cast<std::int64_t>(letter.age)};
  const Time from = now_ + Time::nanoseconds(1) * static_cast<std::int64_t>(letter.ready) - o_.message_time() - ahead();
  if (letter.ready == 0 || from <= now_)
    place.waiting.insert(waiting);
  else
    place.later.emplace(from, waiting);

  serve(letter.receiver, place);
  if (known.status == Status::kHolding) return;
  answer(letter, source, OddlKind::kWait);
  if (place.holder && place.holder->source != source && !place.holder->told) recall(letter.receiver, place);
}

void OddlArbiter::leave(const OddlLetter& letter, std::uint32_t source) {
  State::Record& known = record(source, letter.slot);
  answer(letter, source, OddlKind::kAck);
  if (letter.generation < known.generation) return;
  if (o_.policy == OddlPolicy::kPlanned) return check(letter, source);
  const bool held = letter.generation == known.generation && known.status == Status::kHolding;
  known = {letter.generation, Status::kOver};
  const auto found = s_.receivers.find(letter.receiver);
  if (!held || found == s_.receivers.end()) return;
  State::Receiver& place = found->second;
  if (place.holder && place.holder->source == source && place.holder->id == letter.id()) {
    if (letter.kind == OddlKind::kDone) place.pointer = source + 1;
    place.holder.reset();
  }
  serve(letter.receiver, place);
}

void OddlArbiter::confirm(const OddlLetter& letter, std::uint32_t source) {
  const auto found = s_.receivers.find(letter.receiver);
  if (found == s_.receivers.end() || !found->second.holder) return;
  State::Receiver& place = found->second;
  State::Holder& holder = *place.holder;
  if (holder.source != source || holder.id != letter.id()) return;
  holder.confirmed = true;
  holder.times = 0;
  place.pointer = source + 1;
  if (!letter.flag) return;
  holder.committed = true;
  holder.end = letter.time == 0 ? Time() : oddl_time(letter.time);
  serve(letter.receiver, place);
}

// Gives the receiver to whom the policy chooses, or sees to it that this happens in time. `decided`: the time has come.
void OddlArbiter::serve(std::uint32_t number, State::Receiver& place, bool decided) {
  if (s_.offices.at(o_.office_of(number)).missing > 0) return;
  while (!place.later.empty() && due(place.later.begin()->first)) {
    place.waiting.insert(place.later.begin()->second);
    place.later.erase(place.later.begin());
  }
  if (place.waiting.empty() && place.later.empty()) return;

  // Ahead of its release a receiver is granted only if its holder has bound itself to an end, and clocks can be trusted.
  if (place.holder) {
    const State::Holder& holder = *place.holder;
    if (!o_.timed() || !holder.committed || holder.end.is_zero()) return;
    if (now_ < to_boundary(holder.end) - ahead()) return wake(number, place, to_boundary(holder.end) - ahead());
    place.free = holder.end + o_.clock_error;
    place.holder.reset();
  }
  if (place.waiting.empty()) return wake(number, place, place.later.begin()->first);
  const Time start = std::max(now_ + ahead(), place.free);
  if (o_.mode == OddlControlMode::kSlotted && !decided && now_ < to_boundary(start) - ahead())
    return wake(number, place, to_boundary(start) - ahead());

  const OddlWaiting next = place.waiting.take(now_, place.pointer);
  State::Holder holder;
  holder.source = next.source;
  holder.id = static_cast<std::uint32_t>(next.id);
  holder.epoch = static_cast<std::uint32_t>(next.id >> 32);
  if (o_.mode == OddlControlMode::kSlotted || start > now_ + ahead()) holder.start = to_boundary(start);
  record(holder).status = Status::kHolding;
  place.holder = holder;
  grant(number, place);
}

// The end of the slot that `time` lies in, or is; without slots the time itself.
Time OddlArbiter::to_boundary(Time time) const {
  if (o_.mode != OddlControlMode::kSlotted) return time;
  return o_.slot * ((time + o_.slot - Time::zeptoseconds(1)) / o_.slot);
}

void OddlArbiter::grant(std::uint32_t number, State::Receiver& place) {
  State::Holder& holder = *place.holder;
  OddlLetter letter = about(number, holder, OddlKind::kGrant);
  letter.time = holder.start.is_zero() ? 0 : oddl_picoseconds(holder.start);
  letter.flag = holder.told = contended(place);
  holder.spoken = now_;
  ++holder.times;
  send(holder.source, letter);
  watch(number, place);
}

void OddlArbiter::recall(std::uint32_t number, State::Receiver& place) {
  place.holder->told = true;
  place.holder->spoken = now_;
  ++place.holder->times;
  send(place.holder->source, about(number, *place.holder, OddlKind::kRecall));
  watch(number, place);
}

bool OddlArbiter::contended(const State::Receiver& place) {
  if (place.waiting.others_than(place.holder->source)) return true;
  return std::ranges::any_of(place.later,
                             [&](const auto& entry) { return entry.second.source != place.holder->source; });
}

OddlLetter OddlArbiter::about(std::uint32_t number, const State::Holder& holder, OddlKind kind) const {
  OddlLetter letter;
  letter.kind = kind;
  letter.receiver = number;
  letter.slot = holder.id >> 24;
  letter.generation = holder.id & 0xffffff;
  letter.epoch = holder.epoch;
  return letter;
}

void OddlArbiter::answer(const OddlLetter& letter, std::uint32_t source, OddlKind kind) {
  OddlLetter reply;
  reply.kind = kind;
  reply.receiver = letter.receiver;
  reply.slot = letter.slot;
  reply.generation = letter.generation;
  reply.epoch = letter.epoch;
  send(source, reply);
}

// Policy planned: two flows whose times at one receiver overlap were planned wrongly.
void OddlArbiter::check(const OddlLetter& letter, std::uint32_t source) {
  State::Record& known = record(source, letter.slot);
  const std::int64_t start =
      letter.generation == known.generation && known.status == Status::kHolding ? known.start : -1;
  const bool again = letter.generation == known.generation && known.status == Status::kOver;
  known = {letter.generation, Status::kOver};
  if (start < 0 || again) return;  // its CHECK was lost: nothing to compare
  State::Receiver& place = receiver(letter.receiver);
  const bool overlap = start < place.last_end && place.last_start < letter.time;
  if (overlap && place.last_source != source) answer(letter, source, OddlKind::kAlarm);
  if (letter.time < place.last_end) return;
  place.last_start = start;
  place.last_end = letter.time;
  place.last_source = source;
}

}  // namespace helio::fabric
