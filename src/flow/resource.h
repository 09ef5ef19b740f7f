// SPDX-License-Identifier: Apache-2.0
// The resource table: everything that operations compete for, of whatever fabric or part of a fabric.
//
//   link     shared: strict priority between classes, weighted max-min fair within one
//   channel  serves one operation at a time (a wavelength on a segment, a receiver, a switch port, an NPU). It remembers
//            the circuit it was last set to; another circuit pays `setup` before anything moves.
//
// Resources come in blocks of equals and are named on demand, so that a million links cost no strings. A fabric has a table of its own,
// numbered from 0; a program's table is made of such tables, one behind the other.
//
//     fabric   0 … 7                    program   0 … 7 │ 8 … 15 │ 16 …       the same fabric twice, then something else
//                                       append gives      8
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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
  Time setup;                // charged when the channel's circuit changes
  bool preemptive = false;   // a more urgent operation suspends the one that holds it
  bool is_link = false;      // a stretch between nodes (a wavelength on a segment), whose bytes count as traffic
  std::uint32_t bundle = 1;  // as many equal channels, which nobody takes apart, stand here as one
};

class ResourceTable {
 public:
  using Namer = std::function<std::string(std::uint32_t index_in_block)>;

  // What the resources of a block are called: each by its own name, and all of one kind by the name of their class ("link host to
  // edge"), which thousands of links are told by.
  struct Names {
    Namer one;         // none: by its number
    Namer class_name;  // none: "resource"
    Names() = default;
    Names(std::nullptr_t) {}
    template <std::invocable<std::uint32_t> Function>
    Names(Function name, std::string of_all = "resource")
        : one(std::move(name)), class_name([of_all = std::move(of_all)](std::uint32_t) { return of_all; }) {}
    template <std::invocable<std::uint32_t> Function>
    Names(Function name, Namer class_of) : one(std::move(name)), class_name(std::move(class_of)) {}
  };

  // Each returns the first id of `count` consecutive ones. Requires: rate > 0 for links; a channel's rate may be 0, which
  // means that it does not limit (a receiver token, an NPU). `outside`: bytes over these links are not traffic of the network.
  ResourceId add_links(std::uint32_t count, BitRate rate, Names names, bool outside = false);
  ResourceId add_channels(std::uint32_t count, BitRate rate, ChannelRules rules, Names names);
  // All of another table behind what is here; the number that its resource 0 has now. `site`: whose they are, before their names.
  std::uint32_t append(const ResourceTable& other, const std::string& site = "");

  std::uint32_t size() const { return size_; }
  bool is_channel(ResourceId id) const { return block_of(id).channel; }
  BitRate rate(ResourceId id) const {
    const Block& block = block_of(id);
    return {block.rates.empty() ? block.rate : block.rates[id.value - block.first]};
  }
  void set_rate(ResourceId id, BitRate rate);
  // Whether its bytes are traffic of the network; an operator, a port, an NPU or its memory is no link.
  bool is_link(ResourceId id) const {
    const Block& block = block_of(id);
    return block.channel ? block.rules.is_link : !block.outside;
  }
  // The links of the network, block by block, with their rates together.
  struct Links {
    ResourceId first;
    std::uint32_t count = 0;
    BitRate total;
  };
  std::vector<Links> links() const;
  const ChannelRules& rules(ResourceId id) const { return block_of(id).rules; }
  std::string name(ResourceId id) const;
  std::string class_name(ResourceId id) const;

 private:
  struct Block {
    std::uint32_t first = 0, count = 0;
    bool channel = false, outside = false;
    double rate = 0;            // bits per second, of each;
    std::vector<double> rates;  // or, if not empty, by index
    ChannelRules rules;
    Names names;
    std::string site;
  };
  ResourceId add(std::uint32_t count, BitRate rate, bool channel, ChannelRules rules, Names names);
  std::size_t block_index(ResourceId id) const {
    std::size_t low = 0;
    for (std::size_t high = blocks_.size(); high - low > 1;) {
      const std::size_t middle = (low + high) / 2;
      (blocks_[middle].first <= id.value ? low : high) = middle;
    }
    return low;
  }
  const Block& block_of(ResourceId id) const { return blocks_[block_index(id)]; }

  std::uint32_t size_ = 0;
  std::vector<Block> blocks_;  // none is empty
};

}  // namespace helio::flow
