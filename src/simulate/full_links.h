// SPDX-License-Identifier: Apache-2.0
// Who gets how much of shared links where very many flows cross: the rates are those of sharing.h, but what is solved for are full links.
//
// A flow that is not alone has the level of the link that holds it back: full, and nobody on it has a higher level. Flows with the same
// such link have one level, so that they are one variable, and one clock tells how far all of them are:
//
//     link l     level(l) = (capacity - what those on it take that others hold back) / (weight of those that it holds back)
//     clock(l)   grows by level(l) each second; who came when it showed v with r bytes for its share goes when it shows v + r
//
//          flows that A holds back            weight(A,B): of these, those that cross B too
//        A ══════════╦═══════════▶ B          level(A) rises by d: the load of B rises by d weight(A,B), and nothing else need be known
//                    ╚═══════════▶ C
//
// A dense exchange of n nodes has n² flows over some ten links each; pairs of links (A,B) with weight are a twelfth of these uses on a torus of 16x8,
// and an end changes the levels of two thirds of the full links, hence nearly all rates: that costs a look at each pair, not at each flow.
//
// After flows have begun or ended links are made right one by one, lowest level first. A link that is made right
//
//     has room, or too much load, and nobody on it is above its new level      takes that level and tells the pairs
//     would have somebody on it above its level, or is newly full              looks at all its flows and takes those with the highest
//                                                                              levels from whoever holds them, until nobody is above it
//
// When all are right every flow is held back by a full link on which nobody is above it: that is max-min fairness. It comes to an end: let
// all flows of true level T and below be right. A link that was made right has no lower level than the next true one, T', because
// what is on it and not right yet is not above it; so after each was made right once nobody is below T', and then the
// link whose true level is T' finds T' and keeps it. In practice a link is made right once or twice.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "flow/program.h"

namespace helio::simulate {

// Flows are the operations of a template, all of one class. Seconds, bytes, bytes per second.
class FullLinks {
 public:
  // Requires: transfers over links only.
  FullLinks(const flow::Program& program, const flow::Template& body);

  // The flow is on its links from `now` on. Requires: bytes > 0, and links.
  void begin(std::uint32_t flow, double now);
  // When the next flow ends; infinity where none does.
  double next_end() const;
  // Takes those that end now off their links, into `ended` (cleared first): whoever has next to nothing left ends with the first.
  // Requires: no time before next_end() was left out.
  void take_ended(double now, std::vector<std::uint32_t>& ended);
  // Shares links anew among those who are on them. To be called after every change, before the time of the next.
  void share(double now);

  // Bytes that it has left; infinity: it has not begun.
  double left(std::uint32_t flow, double now) const;
  std::uint64_t work() const { return work_; }  // pairs and flows looked at, so far

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // What is looked at most often.
  struct Link {
    double load = 0;
    double least = -kNever, most = 0;  // load that leaves it as it is: a full link's own capacity, else up to that
  };
  struct Pair {  // of those that a link holds back, those that cross another
    std::uint32_t link;
    std::uint32_t flows = 0;
    double weight = 0;
  };
  struct PairOf {
    std::uint32_t holder, pair;
  };
  struct Due {
    double at;  // the clock's
    std::uint32_t flow;
  };
  struct On {
    std::uint32_t flow, use;
    double weight;  // times the share
  };
  struct Holder {
    double capacity = 0;
    double weight = 0;  // of those that it holds back
    std::uint32_t held = 0;
    std::uint32_t fresh = 0;  // flows that nobody holds back yet,
    double loose = 0;         // and their weight
    double clock = 0, since = 0;
    double crossing = 0;    // weight of all on it
    std::vector<On> flows;  // all on it
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> places;  // of each, in crossed_by of the other link
    std::vector<PairOf> crossed_by;     // pairs of others with it
    std::uint32_t empty_pairs = 0;
    std::vector<Due> due;  // a heap; whoever was taken by another since is still in it
    bool queued = false, touched = false;
  };
  struct Use {
    std::uint32_t flow, link;
    std::uint32_t place = 0;     // among the flows of the link
    std::uint32_t pair = kNone;  // of the link that holds the flow back
    double weight = 0;           // times the share
  };
  struct Flow {
    std::uint32_t first_use = 0;  // the last is before that of the next
    bool here = false;
    double at = 0;    // it goes when the clock shows so; while nobody holds it back: what it has left for its share
    double size = 0;  // bytes over share
  };
  struct Turn {
    double level;
    std::uint32_t link;
  };

  std::span<Use> uses(std::uint32_t flow) {
    return std::span(uses_).subspan(flows_[flow].first_use, flows_[flow + 1].first_use - flows_[flow].first_use);
  }
  void number_links(const flow::Program& program, const flow::Template& body);
  double expected_level(std::uint32_t link) const {
    const Holder& holder = holders_[link];
    return holder.held > 0 ? levels_[link] : holder.capacity / holder.crossing;
  }
  void watch(std::uint32_t link);
  void queue(std::uint32_t link, double level);
  void look_at(std::uint32_t link) {
    if (const Link& l = links_[link]; l.load < l.least || l.load > l.most) queue(link, expected_level(link));
  }
  void touch(std::uint32_t link);
  void make_right(std::uint32_t link);
  void set_level(std::uint32_t link, double level);
  void take_highest(std::uint32_t link);
  void let_go(std::uint32_t flow);
  void hold(std::uint32_t flow, std::uint32_t link);
  void close_gaps(std::uint32_t link);
  double highest_on(std::uint32_t link) const;
  // At which it is full, if it holds back whom it does. Requires: somebody.
  double level_now(std::uint32_t link) const {
    return levels_[link] + (holders_[link].capacity - links_[link].load) / holders_[link].weight;
  }
  void add_up();
  void start_over();

  std::vector<Link> links_;     // those crossed by anybody, in order of their first use
  std::vector<double> levels_;  // of those that each link holds back
  std::vector<Holder> holders_;
  std::vector<Use> uses_;
  std::vector<Flow> flows_;             // and one past the last
  std::vector<std::uint32_t> held_by_;  // by flow
  std::vector<double> shares_;
  std::vector<double> next_;             // end of each link's, by link
  std::vector<std::uint32_t> touched_;   // links whose next end may be another
  std::vector<Turn> queue_;              // a heap, lowest level first
  std::vector<std::uint32_t> pair_of_;   // by link, while a link takes flows: its pair
  std::vector<std::uint32_t> new_pair_;  // by link, while gaps are closed
  std::vector<std::uint32_t> fresh_;     // flows that began
  std::size_t here_ = 0;                 // flows
  struct Above {
    double level, weight;
    std::uint32_t flow;
  };
  std::vector<Above> above_;  // those on a link that others hold back
  double now_ = 0;
  std::uint64_t work_ = 0, turns_ = 0;
};

}  // namespace helio::simulate
