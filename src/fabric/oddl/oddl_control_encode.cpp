// SPDX-License-Identifier: Apache-2.0
// The agents' states as words, for the explorer: what encodes alike behaves alike.
#include "fabric/oddl/oddl_control_arbiter.h"
#include "fabric/oddl/oddl_control_source.h"

namespace helio::fabric {
namespace {

void encode_time(Time time, std::vector<std::uint64_t>& words) {
  words.insert(words.end(), {static_cast<std::uint64_t>(time.count()), static_cast<std::uint64_t>(time.count() >> 64)});
}

void encode_flow(const OddlFlow& flow, std::vector<std::uint64_t>& words) {
  words.insert(words.end(), {flow.ticket, flow.receiver, flow.coflow, flow.keep, flow.suspended, flow.priority,
                             static_cast<std::uint64_t>(flow.bytes)});
  encode_time(flow.since, words);
}

}  // namespace

void OddlSourceState::encode(std::vector<std::uint64_t>& words) const {
  words.push_back(leases.size());
  for (const OddlLease& lease : leases) {
    words.insert(words.end(), {static_cast<std::uint64_t>(lease.phase), lease.generation});
    if (lease.phase == OddlLease::Phase::kFree) continue;
    words.insert(words.end(), {lease.epoch, lease.receiver, lease.contended, lease.confirmed, lease.declined,
                               lease.inherited, lease.silent, lease.followers.size()});
    encode_time(lease.deadline, words);
    if (lease.phase == OddlLease::Phase::kReleasing) continue;
    words.push_back(lease.transmitter);
    for (const Time time : {lease.start, lease.held, lease.cut}) encode_time(time, words);
    if (lease.phase != OddlLease::Phase::kKept) {  // of the flow that ended nothing is used any more
      encode_time(lease.end, words);
      encode_flow(lease.flow, words);
    }
    for (const OddlFlow& flow : lease.followers) encode_flow(flow, words);
  }
  queue.encode(words);
  queue.for_each([&](const OddlWaiting& waiting) { encode_flow(flows[waiting.place], words); });
  encode_time(tick, words);
  words.insert(words.end(), {numbered, modest, alarms, epochs.size()});
  for (const auto& [office, epoch] : epochs) words.insert(words.end(), {office, epoch});
  for (const auto& [coflow, bytes] : sent) words.insert(words.end(), {coflow, static_cast<std::uint64_t>(bytes)});
  words.insert(words.end(), tuned.begin(), tuned.end());
  words.insert(words.end(), user.begin(), user.end());
}

// `busy`, and how often something was said, are left out: they change nothing but when messages come.
void OddlArbiterState::encode(std::vector<std::uint64_t>& words) const {
  words.push_back(dead);
  for (std::size_t source = 0; source < records.size(); ++source) {
    words.push_back(records[source].size());
    for (const Record& record : records[source])
      words.insert(words.end(), {record.generation, static_cast<std::uint64_t>(record.status),
                                 static_cast<std::uint64_t>(record.start)});
  }
  words.push_back(receivers.size());
  for (const auto& [number, place] : receivers) {
    words.insert(words.end(), {number, place.holder.has_value(), place.pointer, place.watched,
                               static_cast<std::uint64_t>(place.last_start), static_cast<std::uint64_t>(place.last_end),
                               place.last_source, place.later.size()});
    encode_time(place.free, words);
    encode_time(place.wake, words);
    if (place.holder) {
      const Holder& holder = *place.holder;
      words.insert(words.end(),
                   {holder.source, holder.id, holder.epoch, holder.confirmed, holder.told, holder.committed});
      for (const Time time : {holder.end, holder.start, holder.spoken}) encode_time(time, words);
    }
    place.waiting.encode(words);
    for (const auto& [time, waiting] : place.later) {
      encode_time(time, words);
      words.insert(words.end(), {waiting.id, waiting.source});
    }
  }
  words.push_back(offices.size());
  for (const auto& [group, office] : offices) {
    words.insert(words.end(), {group, office.epoch, office.missing});
    for (const Answer& answer : office.answers) words.insert(words.end(), {answer.held, answer.known});
  }
  words.push_back(retired.size());
  for (const auto& [group, epoch] : retired) words.insert(words.end(), {group, epoch});
}

}  // namespace helio::fabric
