// SPDX-License-Identifier: Apache-2.0
#include "flow/resource.h"

#include <algorithm>
#include <cassert>

namespace helio::flow {

ResourceId ResourceTable::add(std::uint32_t count, BitRate rate, bool channel, ChannelRules rules, Namer namer) {
  const std::uint32_t first = size();
  rate_.resize(first + count, rate.value);
  channel_.resize(first + count, channel ? 1 : 0);
  blocks_.push_back({first, count, rules, std::move(namer)});
  return ResourceId{first};
}

ResourceId ResourceTable::add_links(std::uint32_t count, BitRate rate, Namer namer) {
  assert(rate.value > 0 && "a link needs a rate");
  return add(count, rate, false, {}, std::move(namer));
}

ResourceId ResourceTable::add_channels(std::uint32_t count, BitRate rate, ChannelRules rules, Namer namer) {
  assert(rate.value >= 0 && "a channel's rate is not negative");
  return add(count, rate, true, rules, std::move(namer));
}

const ResourceTable::Block& ResourceTable::block_of(ResourceId id) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), id.value,
                                      [](std::uint32_t value, const Block& block) { return value < block.first; });
  return *std::prev(after);
}

std::string ResourceTable::name(ResourceId id) const {
  const Block& block = block_of(id);
  return block.namer ? block.namer(id.value - block.first) : "resource " + std::to_string(id.value);
}

}  // namespace helio::flow
