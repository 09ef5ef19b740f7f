// SPDX-License-Identifier: Apache-2.0
// Which groups an arbiter may grant receivers of, and its timers.
#include "fabric/oddl/oddl_control_arbiter.h"

#include <algorithm>
#include <cassert>

namespace helio::fabric {

using flow::Action;

// Whether this arbiter deals with the request's group in the request's epoch; it takes office if it is called.
bool OddlArbiter::in_office(const OddlLetter& letter, std::uint32_t source) {
  const std::uint32_t group = o_.office_of(letter.receiver);
  const auto found = s_.offices.find(group);
  if (found != s_.offices.end() && found->second.epoch == letter.epoch) return true;
  if (found != s_.offices.end() && found->second.epoch > letter.epoch) {
    inquire(group, found->second, source);  // it has not heard yet
    return false;
  }
  // Of an epoch that is over. (That which it heard of may well be its own: the REQUEST that calls it was overtaken.)
  if (const auto later = s_.retired.find(group); later != s_.retired.end() && letter.epoch < later->second)
    return false;
  drop(group);
  State::Office& office = s_.offices[group];
  office = {letter.epoch, std::vector<State::Answer>(o_.nodes), o_.nodes, 0};
  for (std::uint32_t node = 0; node < o_.nodes; ++node) inquire(group, office, node);
  arm(kInquireAgain, group, now_ + o_.grant_timeout);
  return true;
}

void OddlArbiter::inquire(std::uint32_t group, const State::Office& office, std::uint32_t source) {
  OddlLetter letter;
  letter.kind = OddlKind::kInquire;
  letter.receiver = group;
  letter.epoch = office.epoch;
  send(source, letter);
}

void OddlArbiter::clear(const OddlLetter& letter, std::uint32_t source) {
  const auto found = s_.offices.find(letter.receiver);
  if (found == s_.offices.end()) return;
  State::Office& office = found->second;
  if (office.epoch != letter.epoch || office.missing == 0 || office.answers[source].clear()) return;
  State::Answer& answer = office.answers[source];
  answer.held &= letter.held;
  if (letter.held != 0 && take_over(letter, source))
    answer.known |= static_cast<std::uint16_t>(1u << letter.transmitter);
  if (!answer.clear() || --office.missing > 0) return;
  for (auto& [number, place] : s_.receivers)
    if (o_.office_of(number) == letter.receiver) serve(number, place);
}

// Makes the lease that CLEAR names one of this arbiter. False: another source is still the holder here. (Where grants are timed,
// the predecessor may have let the one follow the other, and the first's DONE is under way.)
bool OddlArbiter::take_over(const OddlLetter& letter, std::uint32_t source) {
  State::Record& known = record(source, letter.slot);
  if (letter.generation < known.generation) return true;
  if (letter.generation == known.generation && known.status == Status::kOver) return true;
  State::Receiver& place = receiver(letter.held_receiver);
  if (place.holder) return place.holder->source == source && place.holder->id == letter.id();
  known = {letter.generation, Status::kHolding};
  place.holder = State::Holder{.source = source, .id = letter.id(), .epoch = letter.epoch, .confirmed = true};
  if (contended(place)) recall(letter.held_receiver, place);
  return true;
}

void OddlArbiter::retire(const OddlLetter& letter) {
  const auto found = s_.offices.find(letter.receiver);
  if (found == s_.offices.end() || found->second.epoch >= letter.epoch) return;
  s_.retired[letter.receiver] = std::max(s_.retired[letter.receiver], letter.epoch);
  drop(letter.receiver);
  s_.offices.erase(letter.receiver);
}

void OddlArbiter::drop(std::uint32_t group) {
  std::erase_if(s_.receivers, [&](const auto& entry) { return o_.office_of(entry.first) == group; });
}

void OddlArbiter::wake(std::uint32_t number, State::Receiver& place, Time at) {
  if (!place.wake.is_zero() && place.wake <= at) return;
  place.wake = at;
  arm(kWake, number, at);
}

void OddlArbiter::watch(std::uint32_t number, State::Receiver& place) {
  if (place.watched) return;
  place.watched = true;
  arm(kWatch, number, place.holder->spoken + o_.patience(place.holder->times));
}

void OddlArbiter::expire(TimerKind kind, std::uint32_t subject) {
  if (kind == kDie) {
    s_ = State(o_);
    s_.dead = true;
    return;
  }
  if (kind == kInquireAgain) {
    const auto found = s_.offices.find(subject);
    if (found == s_.offices.end() || found->second.missing == 0) return;
    for (std::uint32_t node = 0; node < o_.nodes; ++node)
      if (!found->second.answers[node].clear()) inquire(subject, found->second, node);
    return arm(kInquireAgain, subject, now_ + o_.patience(++found->second.asked));
  }
  const auto found = s_.receivers.find(subject);
  if (found == s_.receivers.end()) return;
  State::Receiver& place = found->second;
  if (kind == kWake) {
    if (!due(place.wake)) return;
    place.wake = Time();
    return serve(subject, place, true);
  }

  // A holder that has not answered is addressed again: by its GRANT, or by RECALL where others wait for the receiver.
  place.watched = false;
  if (!place.holder) return;
  State::Holder& holder = *place.holder;
  const bool recalls = holder.confirmed && !holder.committed && contended(place);
  if (holder.confirmed && !recalls) return;
  if (!due(holder.spoken + o_.patience(holder.times))) return watch(subject, place);
  if (recalls)
    recall(subject, place);
  else
    grant(subject, place);
}

}  // namespace helio::fabric
