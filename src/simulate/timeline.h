// SPDX-License-Identifier: Apache-2.0
// What happened when: the result of a simulation. Rounds that were jumped over appear as counts, so it stays small.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "flow/program.h"

namespace helio::simulate {

// Where the time of the critical path went.
struct Split {
  Time overhead;      // endpoint cost of steps
  Time setup;         // circuits being set up
  Time latency;       // propagation
  Time transmission;  // bytes flowing
  Time compute;       // computes and delays
  Time waiting;       // for a channel that others hold, or while suspended
  Time control;       // for a controller's decision, less the longest that others held one of the channels meanwhile

  Time total() const { return overhead + setup + latency + transmission + compute + waiting + control; }
  Split& operator+=(const Split& other);
  Split scaled(std::int64_t times) const;
  friend bool operator==(const Split&, const Split&) = default;
};

// One run of one operation, or `rounds` runs of it, each `period` after the last.
struct Span {
  flow::TemplateId where;
  std::uint32_t operation = 0;
  std::uint32_t depth = 0;  // nesting of calls
  Time start, end;          // of the first
  std::uint64_t rounds = 1;
  Time period;
};

// A link of the critical path, for templates that are visible: one operation, or `rounds` equal rounds of a template, what
// went before it, and, of a call or a round, the last link inside. Links that share a past share it in memory.
struct Link {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t previous = kNone;
  std::uint32_t inner = kNone;
  flow::TemplateId where;
  std::uint32_t operation = kNone;  // kNone: rounds of the template
  std::uint64_t rounds = 1;
  Time start, end;  // of an operation: from when its dependencies were met; of rounds: of the first one
};

struct Timeline {
  Time end;
  std::uint64_t steps = 0;                // step operations on the critical path
  Split critical;                         // sums to `end`
  std::vector<Span> spans;                // of calls always; of every operation when recording
  bool spans_cut = false;                 // recording stopped at the limit
  std::vector<Link> links;                // of the critical path and of those that might have become it
  std::uint32_t last_link = Link::kNone;  // the critical path's last; none when the entry is not visible
  std::vector<double> busy_seconds;       // per resource: bytes over rate for links, time held for channels
  std::uint64_t events = 0;               // work done, for benches
  std::uint64_t rounds_jumped = 0;
  std::uint64_t control_messages = 0;
  std::uint64_t messages_lost = 0;
};

}  // namespace helio::simulate
