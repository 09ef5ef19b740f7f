// SPDX-License-Identifier: Apache-2.0
// The messages of ODDL's control plane, and how they fit into the words of flow::Message. docs/oddl.md has the table.
//
//   type    | receiver or office, 27 bits                       | kind, 4 bits |
//   ticket  | age, 24 bits | epoch, 8 | slot, 8 | generation, 24               |     (slot, generation) is the request's id
//   value   REQUEST: | ready, 24 bits | priority, 4 | bytes left, 36 |     others: a time and a flag
//           CLEAR: | receiver held, 18 bits | its transmitter, 4 | leases held, a bit per transmitter, 16 |
//
// Ages are in microseconds, ready times in nanoseconds from now, other times in picoseconds of the common clock. What does
// not fit saturates: 68 GB left and 16 s old are as good as infinite, priority 15 is the lowest. Beyond 16 ms a ready time is told to
// a 64th, rounded down. 16.7 million requests of one slot and 53 days on the clock are the most.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/time.h"
#include "flow/controller.h"

namespace helio::fabric {

enum class OddlKind : std::int32_t {
  kRequest,
  kGrant,
  kWait,
  kDecline,
  kBusy,
  kRecall,
  kDone,
  kAck,  // for a receiver
  kInquire,
  kClear,
  kRetire,  // who is the arbiter of a group
  kCheck,
  kAlarm,  // policy planned
};
inline constexpr const char* kOddlKindNames[] = {"REQUEST", "GRANT",   "WAIT",  "DECLINE", "BUSY",  "RECALL", "DONE",
                                                 "ACK",     "INQUIRE", "CLEAR", "RETIRE",  "CHECK", "ALARM"};

// Nanoseconds in 24 bits. The last 4096 numbers are floating: 64 powers of two, each in 64 parts.
inline constexpr std::uint64_t kOddlExact = (1u << 24) - 4096;
inline std::uint64_t oddl_ready_code(std::uint64_t nanoseconds) {
  if (nanoseconds < kOddlExact) return nanoseconds;
  std::uint64_t power = 0;
  while (power < 38 && nanoseconds / 2 >= kOddlExact << power) ++power;  // 38: below 2^63
  const std::uint64_t unit = (kOddlExact << power) / 64;
  return kOddlExact + 64 * power + std::min<std::uint64_t>(63, (nanoseconds - (kOddlExact << power)) / unit);
}
inline std::uint64_t oddl_ready(std::uint64_t code) {
  if (code < kOddlExact) return code;
  const std::uint64_t power = (code - kOddlExact) / 64, parts = (code - kOddlExact) % 64;
  return (kOddlExact << power) + (kOddlExact << power) / 64 * parts;
}

struct OddlLetter {
  OddlKind kind = OddlKind::kRequest;
  std::uint32_t receiver = 0;  // INQUIRE, CLEAR, RETIRE: the office, that is the group
  std::uint32_t slot = 0, generation = 0, epoch = 0;
  // REQUEST
  std::uint64_t age = 0;    // microseconds
  std::uint64_t ready = 0;  // nanoseconds
  std::uint32_t priority = 0;
  std::uint64_t bytes = 0;  // left, of the flow or its step
  // GRANT: start, and whether others wait. BUSY: end (0: not known), and whether it is final. CHECK: start. DONE: end.
  std::int64_t time = 0;  // picoseconds
  bool flag = false;
  // CLEAR: the transmitters with leases of earlier epochs; of one of these, its transmitter and receiver, and slot and
  // generation above.
  std::uint16_t held = 0;
  std::uint32_t transmitter = 0, held_receiver = 0;

  std::uint32_t id() const { return slot << 24 | generation; }

  flow::Message pack() const {
    const auto most = [](std::uint64_t value, int bits) { return std::min(value, (std::uint64_t{1} << bits) - 1); };
    flow::Message message;
    message.type = static_cast<std::int32_t>(kind) | static_cast<std::int32_t>(receiver) << 4;
    message.ticket = most(age, 24) << 40 | std::uint64_t{epoch} << 32 | slot << 24 | generation;
    if (kind == OddlKind::kRequest)
      message.value =
          static_cast<std::int64_t>(oddl_ready_code(ready) << 40 | most(priority, 4) << 36 | most(bytes, 36));
    else if (kind == OddlKind::kClear)
      message.value = static_cast<std::int64_t>(std::uint64_t{held_receiver} << 20 | transmitter << 16 | held);
    else
      message.value = time * 2 + (flag ? 1 : 0);
    return message;
  }

  static OddlLetter unpack(const flow::Message& message) {
    const auto part = [](std::uint64_t word, int shift, int bits) {
      return word >> shift & ((std::uint64_t{1} << bits) - 1);
    };
    OddlLetter letter;
    letter.kind = static_cast<OddlKind>(message.type & 15);
    letter.receiver = static_cast<std::uint32_t>(message.type) >> 4;
    letter.generation = static_cast<std::uint32_t>(part(message.ticket, 0, 24));
    letter.slot = static_cast<std::uint32_t>(part(message.ticket, 24, 8));
    letter.epoch = static_cast<std::uint32_t>(part(message.ticket, 32, 8));
    letter.age = part(message.ticket, 40, 24);
    const auto value = static_cast<std::uint64_t>(message.value);
    if (letter.kind == OddlKind::kRequest) {
      letter.ready = oddl_ready(part(value, 40, 24));
      letter.priority = static_cast<std::uint32_t>(part(value, 36, 4));
      letter.bytes = part(value, 0, 36);
    } else if (letter.kind == OddlKind::kClear) {
      letter.held = static_cast<std::uint16_t>(part(value, 0, 16));
      letter.transmitter = static_cast<std::uint32_t>(part(value, 16, 4));
      letter.held_receiver = static_cast<std::uint32_t>(part(value, 20, 18));
    } else {
      letter.time = message.value >> 1;
      letter.flag = (message.value & 1) != 0;
    }
    return letter;
  }
};

inline constexpr Time kOddlLatest = Time::seconds(4.6e6);  // 2^62 ps: one bit is the flag, one the sign

// Picoseconds, rounded up, so that nothing starts before its time. Throws Error(kInfeasible) for what messages do not hold.
inline std::int64_t oddl_picoseconds(Time time) {
  if (time > kOddlLatest)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("control messages hold {:.0f} s, and flows end at {:.3g} s", kOddlLatest.to_seconds(),
                            time.to_seconds()),
                "", "Raise fabric.rate, or send fewer bytes");
  return static_cast<std::int64_t>((time.count() + 999'999'999) / 1'000'000'000);
}
inline Time oddl_time(std::int64_t picoseconds) { return Time::picoseconds(1) * picoseconds; }

}  // namespace helio::fabric
