// SPDX-License-Identifier: Apache-2.0
// Exclusive channels: who holds them, what circuit they are set to, and who waits.
//
// Taken all or none. A waiting operation stands in the line of the first channel that it found closed (held by somebody whom
// it may not push aside), so a release looks only at that line: the most urgent first, then the one that asked first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "flow/program.h"

namespace helio::simulate {

// An operation of a frame: who holds, who waits.
struct Holder {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t frame = kNone, operation = 0;
  bool valid() const { return frame != kNone; }
  friend bool operator==(const Holder&, const Holder&) = default;
};

// An operation in line. Smaller is served first: the more urgent, then who asked earlier, then by place in the program, which
// unlike the order of processing does not depend on what the engine skipped.
struct Waiter {
  Holder who;
  std::uint8_t priority = 0;
  Time asked;
  std::uint64_t place = 0;  // of the frame
  friend bool operator<(const Waiter& a, const Waiter& b) {
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.asked != b.asked) return a.asked < b.asked;
    return a.place != b.place ? a.place < b.place : a.who.operation < b.who.operation;
  }
};

class Channels {
 public:
  struct Channel {
    Holder holder;
    std::uint8_t priority = 0;  // of the holder
    flow::Circuit circuit = flow::kDark;
    Time held_since, held;
    std::uint32_t last_lineage = Holder::kNone;  // whose operation had it last
    std::vector<Waiter> line;
  };

  explicit Channels(const flow::ResourceTable& resources) : resources_(resources) {}

  Channel& operator[](flow::ResourceId id) {
    if (channels_.empty()) channels_.resize(resources_.size());
    return channels_[id.value];
  }
  // The first among `wanted` whose holder an operation of this priority may not push aside, or an invalid id.
  flow::ResourceId first_closed(std::span<const flow::ResourceId> wanted, std::uint8_t priority) {
    for (flow::ResourceId id : wanted) {
      const Channel& channel = (*this)[id];
      if (channel.holder.valid() && (!resources_.rules(id).preemptive || channel.priority <= priority)) return id;
    }
    return {};
  }
  // Takes all of them and returns the setup that is due: the longest of those whose circuit changes (or of all, if `always`).
  // Requires: none is busy.
  Time take(std::span<const flow::ResourceId> wanted, Holder who, std::uint8_t priority, flow::Circuit circuit,
            bool always, Time now) {
    Time setup;
    for (flow::ResourceId id : wanted) {
      Channel& channel = (*this)[id];
      if (always || channel.circuit != circuit) setup = std::max(setup, resources_.rules(id).setup);
      channel.circuit = circuit;
      channel.holder = who;
      channel.priority = priority;
      channel.held_since = now;
    }
    return setup;
  }
  // Lets go of all of them and moves everyone who stood in line there to `woken`.
  void release(std::span<const flow::ResourceId> held, Time now, std::vector<Waiter>& woken) {
    for (flow::ResourceId id : held) {
      Channel& channel = (*this)[id];
      channel.held += now - channel.held_since;
      channel.holder = {};
      woken.insert(woken.end(), channel.line.begin(), channel.line.end());
      channel.line.clear();
    }
  }
  // The rate that the slowest of them allows, in bytes per second; 0 when none limits.
  double rate(std::span<const flow::ResourceId> used) const {
    double rate = 0;
    for (flow::ResourceId id : used)
      if (const double own = resources_.rate(id).value / 8; own > 0 && (rate == 0 || own < rate)) rate = own;
    return rate;
  }
  bool used() const { return !channels_.empty(); }

 private:
  const flow::ResourceTable& resources_;
  std::vector<Channel> channels_;  // by resource id; made at the first use
};

}  // namespace helio::simulate
