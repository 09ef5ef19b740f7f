// SPDX-License-Identifier: Apache-2.0
// Rounds by what decides how long they take: a round of many transfers that start together and meet nobody else, as a few.
//
//   a link binds nobody     if all that cross it cross, just before it or just behind it, one other link that is no faster: that one is full
//                           first. Rates x are max-min fair among all x >= 0 with sum w(f,l) x(f) <= C(l) for every l, and a
//                           condition that follows from another can be left out:
//
//                               broadcast from 0:   0 ═══▶ 1 ═══▶ 2 ═══▶ 3        0 to 1 carries all that 1 to 2 carries, and more
//
//   transfers in parallel   k of the same bytes over the same links that bind are one of k times the bytes and k times the share
//   transfers by themselves of the same bytes at the same rate, nobody else being on their links, end together: one of them tells when
//   links loaded alike      if all transfers are alike, and all links that they cross are full at the same level, they go at that level and
//                           end together: one of them tells when, on one link that it loads as all of them do
//   runs of translates      of many, those told in a row that are alike are taken for a class, and links that they cross at the same place of
//                           their ways for one. If every link of a class carries the same of every class, as it is checked, one of
//                           each class is left (simulate/fold.h says why): all-to-all on a ring is one transfer for each distance
//
// A million ranks that exchange in pairs are one transfer; of 16,383 ways out of one root one link each is left. What a link carries
// is counted as it was (Program::condensed).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "flow/program.h"

namespace helio::flow {

class Condensing {
 public:
  explicit Condensing(Program& program) : program_(program) {}

  // A round: its transfers are told twice in the same order, each with its way, so that ways need not be kept: of a round on a long
  // line they are more than anything else. First begin(), which forgets what was told before; then note() for each; then, unless
  // one was refused, compare() for each where that may help, and keep() for each; then made(). The round will run `times` times in all.
  // Requires: no edges and no channels; nothing else is ever on its links while it runs.
  void begin(double times);
  // False: it is decided at run time, repeats, or crosses nothing, and the round cannot be condensed.
  bool note(const Operation& op, std::span<const LinkUse> links, Time latency);
  bool may_have_classes() const { return !runs_.empty() && uses_ >= kManyUses && kFewRuns * runs_.size() <= told_; }
  void compare(std::span<const LinkUse> links);
  void keep(const Operation& op, std::span<const LinkUse> links, Time latency);
  Template made();

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu, kSeveral = 0xfffffffeu;
  static constexpr std::uint64_t kManyUses = 1 << 20;  // of links, from which on classes are looked for,
  static constexpr std::uint64_t kFewRuns = 16;        // if they have as many members, in the mean
  static constexpr std::size_t kUnlike =
      1 << 16;  // so many that are all unlike, and the rest is compared with the last alone

  // A link of the round at hand.
  struct Crossed {
    std::uint32_t round = 0;  // in which the rest was noted
    std::uint32_t uses = 0;
    std::uint32_t before = kNone, behind = kNone;  // that all cross too; kNone: not known yet
    double load = 0;                               // of weights
    std::uint32_t like = kNone;                    // another of its class; itself: it stands for the class
  };
  struct Kept {
    Operation operation;
    Time latency;
  };

  bool binds(std::uint32_t link) const;
  static bool alike(const Kept& a, const Operation& b, Time latency);
  bool loaded_alike() const;
  void note_run(const Operation& op, std::span<const LinkUse> links, Time latency);
  std::uint32_t class_of(std::uint32_t link);
  void end_run();

  Program& program_;
  std::vector<Crossed> crossed_;  // by resource
  std::vector<double> capacity_;
  std::uint32_t round_ = 0;
  double times_ = 1;                    // that it runs
  std::optional<Kept> first_;           // that was noted
  bool all_alike_ = true;               // those noted are like it
  std::vector<std::uint32_t> touched_;  // links
  struct Run {                          // of transfers that are alike
    Kept first;
    std::uint32_t members = 0;
    std::vector<LinkUse> load;  // of all of them, on the link that stands for each class
  };
  std::vector<Run> runs_;        // empty: they would be too many
  std::vector<LinkUse> leader_;  // the way of the first of the last run
  std::uint64_t uses_ = 0, told_ = 0;
  std::size_t run_ = 0;                        // that is compared,
  std::uint32_t compared_ = 0;                 // and so many of it
  bool classes_ = false;                       // as far as it was compared
  std::vector<std::uint32_t> crossed_by_run_;  // links
  struct Share {
    double carried = 0;         // of the run at hand
    std::uint32_t members = 0;  // of the class that it stands for
    std::uint32_t met = 0;      // of these, by the run at hand
  };
  std::vector<Share> shares_;            // by resource
  bool settled_ = false, even_ = false;  // whether all links are loaded alike, and whether that is known
  bool some_alike_ = false;              // of those that were kept
  std::vector<Kept> stay_;
  std::vector<std::uint32_t> stands_for_;
  std::uint32_t last_ = kNone;         // of those that stay: what the one before was like
  std::vector<LinkUse> kept_;          // of the operations that stay, one behind the other
  std::vector<std::size_t> kept_end_;  // of each
  std::vector<double> rate_;           // of each that is by itself; 0: it is not
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace helio::flow
