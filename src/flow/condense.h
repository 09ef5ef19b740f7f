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
//
// A million ranks that exchange in pairs are one transfer; of 16,383 ways out of one root one link each is left. What a link carries
// is counted as it was (Program::condensed).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "flow/program.h"

namespace helio::flow {

class Condensing {
 public:
  explicit Condensing(Program& program) : program_(program) {}

  // Condenses a template whose routes, and nobody else's, are those from `first_route` on. It will run `runs` times in all.
  // One that holds channels, is decided at run time or has anything but transfers stays as it is.
  // Requires: no edges; nothing else is ever on its links while it runs.
  void condense(Template& body, std::uint32_t first_route, double runs);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu, kSeveral = 0xfffffffeu;

  // A link of the round at hand.
  struct Crossed {
    std::uint32_t round = 0;  // in which the rest was noted
    std::uint32_t uses = 0;
    std::uint32_t before = kNone, behind = kNone;  // that all cross too; kNone: not known yet
  };

  bool possible(const Template& body) const;
  void note(std::span<const LinkUse> links);
  bool binds(std::uint32_t link) const;
  bool alike(const Operation& a, const Operation& b) const;

  Program& program_;
  std::vector<Crossed> crossed_;  // by resource
  std::vector<double> capacity_;
  std::uint32_t round_ = 0;
  std::vector<LinkUse> kept_;          // of the operations that stay, one behind the other
  std::vector<std::size_t> kept_end_;  // of each
  std::vector<double> rate_;           // of each that is by itself; 0: it is not
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace helio::flow
