// SPDX-License-Identifier: Apache-2.0
// Who gets how much of the shared links: strict priority between classes, weighted max-min fairness within one.
//
// A flow f of class c uses link l with weight w(f,l), has the share s(f) and may not exceed cap(f). Class 0 is solved on the
// full capacities, class 1 on what is left, and so on. Within a class the allocation x is max-min fair in x/s: no x(f) can
// grow without an x(g) with x(g)/s(g) <= x(f)/s(f) shrinking. So every flow is at its cap, or one full link holds it back: nobody of its
// class on that link has a larger x/s, its level, and less urgent ones there have nothing (Bertsekas & Gallager, Data Networks, 6.5.2,
// where all shares are 1).
//
//     link of 12, shares 3, 2, 1:   level 2, rates 6 4 2         with the first capped at 3:   level 3, rates 3 6 3
//
// A link's height is the class and the level at which it is full, if those that others hold back stay as they are:
//
//     sum over f of w(f,l) s(f) min(level, ceiling(f)) = capacity      ceiling: where others hold f back, else its cap
//
// After a change links are made right one by one, the lowest height first: a link finds its height, takes over whoever is above it, and
// lets go to his cap who is below. Other links of a flow whose level changed have their turn if they are full, or may be now; nothing else can
// have changed. Who begins is looked at by one of his links, and the others hear of it so. When nobody is left to have a turn, every flow is as said above,
// and so the rates are the max-min fair ones, which are unique. Why it comes to an end: full_links.h.
//
// Only flows whose rate changes cost anything, and links that carry them: in gradient rings of 128 groups on one torus that is a third of what full links connect
// to a change. A height is found from the flows on the link, not from sums that are kept, so that it does not drift: rates of a
// round that repeats are the same to the last digit. With all shares 1 the level is the rate. Shares are single-precision numbers of a
// bounded range (flow/program.h), so with whole weights their sums are exact up to 2^20.
//
// Rates of flows that end or begin at other times differ by rounding where they are equal on paper, and so do the ends that follow. A
// flow that has next to nothing left when its rate changes, because another ended, ends with that one.
//
// Of the flows that one full link holds back only the first to end is an event: when it ends, the link is made right, and then it is
// seen who is next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/time.h"
#include "flow/program.h"
#include "simulate/heap.h"

namespace helio::simulate {

class Sharing {
 public:
  using FlowIndex = std::uint32_t;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr double kNoCap = std::numeric_limits<double>::infinity();
  static constexpr double kForever = 1e15;  // seconds past which a flow counts as stalled: 30 million years

  explicit Sharing(const flow::ResourceTable& resources);

  // What a flow may claim beside others.
  struct Claim {
    std::uint8_t priority = 0;
    float share = 1;
  };
  // `owner` and `owner_part` are handed back in `changed`. Bytes and bytes per second. Requires: links not empty; share > 0.
  FlowIndex add(std::span<const flow::LinkUse> links, double bytes, double cap, Claim claim, std::uint32_t owner,
                std::uint32_t owner_part, Time now);
  // At which a flow without a cap goes that is alone on these.
  double rate_alone(std::span<const flow::LinkUse> links) const {
    double rate = kNoCap;
    for (const flow::LinkUse& use : links) rate = std::min(rate, links_[use.link.value].capacity / use.weight);
    return rate;
  }
  // A flow that was alone on its links `since` then. Requires: it still is, and has no cap.
  FlowIndex add_alone(std::span<const flow::LinkUse> links, double bytes, Claim claim, std::uint32_t owner,
                      std::uint32_t owner_part, Time since);
  // Who uses a link alone need not be known here; until it is added, the link counts as used. Requires: nobody is on it; he alone is.
  void lend(std::uint32_t link) { links_[link].count = 1; }
  void take_back(std::uint32_t link) { links_[link].count = 0; }
  bool lent(std::uint32_t link) const { return links_[link].count > 0 && links_[link].crossed_by.empty(); }
  // Room for `flows` more flows, most of them on one or two links.
  void reserve(std::size_t flows);
  // Takes the flow off its links. The first form, for a flow that is stopped, returns the bytes that it had left.
  double remove(FlowIndex flow, Time now);
  void remove(FlowIndex flow);

  // When a flow will be done is another time than was told before, if nothing changes until then (Time::max() when stalled); or it
  // need not be known any more: `due` is false where another ends before it on the same link.
  struct Change {
    std::uint32_t owner, owner_part;
    Time done;  // Time::max(): need not be known
    bool due;
  };
  bool dirty() const { return !dirty_.empty() || !fresh_.empty(); }
  // What changed since the last solve(), taken out to be put back later.
  struct Pending {
    std::vector<std::uint32_t> dirty, fresh;
  };
  Pending take_pending() { return {std::exchange(dirty_, {}), std::exchange(fresh_, {})}; }
  void put_pending(const Pending& pending) {
    dirty_.insert(dirty_.end(), pending.dirty.begin(), pending.dirty.end());
    fresh_.insert(fresh_.end(), pending.fresh.begin(), pending.fresh.end());
  }
  // Solves around everything that changed since the last call; the changes stay valid until the next.
  const std::vector<Change>& solve(Time now);

  // Moves a flow in time as it is: what it has left at `t` it has left at t + by. Requires: it is not dirty.
  // It counts as due: who shifts it waits for its end.
  void shift(FlowIndex flow, Time by) {
    flows_[flow].updated += by;
    flows_[flow].end_known = false;
    flows_[flow].due = true;
  }

  std::uint32_t flows_on(std::uint32_t link) const { return links_[link].count; }
  double rate(FlowIndex flow) const { return flows_[flow].rate; }
  // When it will be done if nothing changes until then; Time::max() when it is stalled. Requires: solved.
  Time done(FlowIndex index) const {
    const Flow& flow = flows_[index];
    if (!flow.end_known) {
      flow.end = flow.seconds < kForever ? flow.updated + Time::seconds(flow.seconds) : Time::max();
      flow.end_known = true;
    }
    return flow.end;
  }
  // Bytes that it has left.
  double remaining(FlowIndex index, Time now) const {
    const Flow& flow = flows_[index];
    return std::max(0.0, flow.remaining - (flow.rate > 0 ? flow.rate * (now - flow.updated).to_seconds() : 0));
  }
  std::uint64_t work() const { return work_; }  // link uses visited while filling, so far

 private:
  // A level of a class: less urgent classes and higher levels of the same lie above it.
  struct Height {
    std::uint32_t priority = 0;
    double level = 0;
  };
  // A flow on a link; where it is gone, a gap.
  struct Crossed {
    std::uint32_t flow, use;
    float weight;
    float share;
  };
  struct alignas(64) Link {        // in its first 64 bytes what is looked at most often
    double capacity = 0;           // bytes per second
    double load = 0;               // of it
    double weight = 0;             // of flows on it times their shares
    Height height;                 // at which it is full
    std::uint32_t count = 0;       // flows, or one that it is lent to
    std::uint32_t made_right = 0;  // stamp
    bool full = false;             // it holds somebody back
    bool queued = false;
    bool moved = false;  // those that it holds back, or their levels, are others than when it was told who ends first
    std::uint32_t gaps = 0;
    std::vector<Crossed> crossed_by;  // the last to come last
  };
  struct Use {                  // a link of a flow
    std::uint32_t link, place;  // there
    float weight;
    float share;  // of the flow
  };
  struct alignas(64) Flow {  // in its first 64 bytes what is looked at most often
    double level = 0;        // rate / share, as it was found
    double seconds = 0;      // from `updated` until it is done
    Time updated;
    double cap = kNoCap;
    std::uint32_t held_by = kNone;  // the full link; none: its cap, or it was alone when it began
    std::uint32_t first_use = 0, uses = 0;
    std::uint32_t stamp = 0;
    std::uint8_t priority = 0;
    bool loose = false;    // it has just begun
    bool changed = false;  // its rate, by this solution
    bool due = false;      // its end is waited for, as it was told
    mutable bool end_known = false;
    std::uint32_t owner = 0, owner_part = 0;
    double rate = -1, remaining = 0, bytes = 0;
    mutable Time end;  // once it was asked for
  };
  struct Turn {
    double level;
    std::uint32_t priority, link;
    bool operator<(const Turn& other) const {
      if (priority != other.priority) return priority < other.priority;
      return level != other.level ? level < other.level : link < other.link;
    }
  };
  struct Crossing {  // of a flow on the link at hand
    std::uint32_t flow;
    std::uint8_t priority;
    bool own;      // it is held back here, or has just begun
    bool reaches;  // the level at which the link is full
    double weight;
    double ceiling;  // how high it is without this link
  };

  void queue(std::uint32_t link, Height height);
  static std::optional<double> fill(std::span<Crossing> all, double& left);
  bool has_room(std::uint32_t link) const;
  void make_right(std::uint32_t link);
  void set_level(std::uint32_t flow, double level, std::uint32_t held_by);
  void tell_first(std::uint32_t link, Time now);
  bool begin_alone(std::uint32_t flow, Time now);
  void commit(std::uint32_t flow, double rate, Time now);
  void tell(std::uint32_t flow, bool due);
  std::uint32_t allocate_uses(std::uint32_t count);
  void close_gaps(Link& link);
  // Calls `visit` for those on a link, the last to come first, as long as it returns true.
  template <class Visit>
  static void for_each_on(const Link& link, Visit visit) {
    for (std::size_t i = link.crossed_by.size(); i-- > 0;)
      if (const Crossed& on = link.crossed_by[i]; on.flow != kNone && !visit(on)) return;
  }

  std::vector<Link> links_;
  std::vector<Use> uses_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::vector<std::vector<std::uint32_t>> free_uses_;  // by length
  std::vector<std::uint32_t> dirty_;                   // links that were full and lost a flow
  std::vector<std::uint32_t> fresh_;                   // flows that never were solved
  std::uint32_t turn_ = 0;                             // stamp
  std::uint32_t at_ = kNone;                           // the link that is made right
  Heap<Turn> turns_;
  std::vector<Crossing> crossings_;
  std::vector<std::uint32_t> touched_, made_right_;  // flows, links
  std::vector<std::uint32_t> held_;                  // flows that the link at hand holds back
  std::uint64_t work_ = 0;
  std::vector<Change> changes_;
};

}  // namespace helio::simulate
