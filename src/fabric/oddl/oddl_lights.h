// SPDX-License-Identifier: Apache-2.0
// The slice of a running program, as it grows: which light leads from a group to a node (papers/oddl.md 2.1, 2.2; ours).
//
//   (source group, destination node) ─▶ light = (source group, plane, channel)        one light for each, until the WSS moves
//
// Lights that an earlier collective was given stay where they are; a later one gets those that it lacks beside them.
// Invariant: two entries never have the same light.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "fabric/oddl/oddl_slice.h"

namespace helio::fabric {

// What some pairs use of the light.
struct OddlUse {
  std::vector<std::uint32_t> channels;  // by source group, over all planes
  std::uint32_t planes = 0;
  std::set<std::uint32_t> wavelengths;
};

class OddlLights {
 public:
  struct Entry {
    std::uint32_t group = 0;  // source
    NodeId to;
    std::uint32_t light = 0;  // of OddlGeometry
  };

  // Receivers that tune hear any channel that reaches their group, so that wavelength classes do not bind.
  OddlLights(const OddlGeometry& geometry, bool tunable_receivers) : geometry_(geometry), tunable_(tunable_receivers) {}

  // Requires: lit.
  std::uint32_t light(std::uint32_t group, NodeId to) const { return of_.at(key(group, to)); }
  bool lit(std::uint32_t group, NodeId to) const { return of_.contains(key(group, to)); }
  // Requires: all pairs are lit.
  OddlUse use(std::span<const NodePair> pairs) const;
  // What the pairs lack, or why it does not fit beside what is lit. Changes nothing.
  std::variant<std::vector<Entry>, Unfit> lacking(std::span<const NodePair> pairs) const;
  // Planes on which the pairs alone would fit.
  std::uint32_t planes_for(std::span<const NodePair> pairs) const;

  void add(std::span<const Entry> entries);
  // Takes every light that is lit there out of what can still be given away, without leading anywhere by it.
  void reserve(const OddlLights& other) { lit_.insert(other.lit_.begin(), other.lit_.end()); }

 private:
  static std::uint64_t key(std::uint32_t group, NodeId to) { return std::uint64_t{group} << 32 | to.value; }
  std::variant<std::vector<Entry>, Unfit> on_any_channel(std::span<const NodePair> pairs) const;

  OddlGeometry geometry_;
  bool tunable_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_;  // light, by group and node
  std::unordered_set<std::uint32_t> lit_;
};

// What a slice has lit, part by part.
std::vector<OddlLights> lights_of(const Slice& slice, const OddlGeometry& geometry);

}  // namespace helio::fabric
