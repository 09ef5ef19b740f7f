// SPDX-License-Identifier: Apache-2.0
// The resource table: everything that operations compete for, of whatever fabric or part of a fabric.
//
//   link     shared: strict priority between classes, weighted max-min fair within one
//   channel  serves one operation at a time (a wavelength on a segment, a receiver, a switch port, an NPU). It remembers
//            the circuit it was last set to; another circuit pays `setup` before anything moves.
//
// Resources come in blocks of equals and are named on demand, so that a million links cost no strings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/quantity.h"
#include "base/time.h"

namespace helio::flow {

using ResourceId = Id<struct ResourceTag>;

// Identity of what a channel is set to. Two operations with the same circuit follow each other without setup.
using Circuit = std::uint64_t;
inline constexpr Circuit kDark = 0;  // what every channel starts with

struct ChannelRules {
  Time setup;               // charged when the channel's circuit changes
  bool preemptive = false;  // a more urgent operation suspends the one that holds it
  bool is_link = false;     // a stretch between nodes (a wavelength on a segment), whose bytes count as traffic
};

class ResourceTable {
 public:
  using Namer = std::function<std::string(std::uint32_t index_in_block)>;

  // Each returns the first id of `count` consecutive ones. Requires: rate > 0 for links; a channel's rate may be 0, which
  // means that it does not limit (a receiver token, an NPU).
  ResourceId add_links(std::uint32_t count, BitRate rate, Namer namer);
  ResourceId add_channels(std::uint32_t count, BitRate rate, ChannelRules rules, Namer namer);

  std::uint32_t size() const { return static_cast<std::uint32_t>(rate_.size()); }
  bool is_channel(ResourceId id) const { return channel_[id.value] != 0; }
  BitRate rate(ResourceId id) const { return {rate_[id.value]}; }
  void set_rate(ResourceId id, BitRate rate) { rate_[id.value] = rate.value; }
  // Whether its bytes are traffic of the network; an operator, a port or an NPU is no link.
  bool is_link(ResourceId id) const { return !is_channel(id) || rules(id).is_link; }
  const ChannelRules& rules(ResourceId id) const { return block_of(id).rules; }
  std::string name(ResourceId id) const;

 private:
  struct Block {
    std::uint32_t first = 0, count = 0;
    ChannelRules rules;
    Namer namer;
  };
  ResourceId add(std::uint32_t count, BitRate rate, bool channel, ChannelRules rules, Namer namer);
  const Block& block_of(ResourceId id) const;

  std::vector<double> rate_;  // bits per second
  std::vector<std::uint8_t> channel_;
  std::vector<Block> blocks_;
};

}  // namespace helio::flow
