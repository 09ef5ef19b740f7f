// SPDX-License-Identifier: Apache-2.0
#include "flow/resource.h"

#include <cassert>
#include <numeric>

namespace helio::flow {

ResourceId ResourceTable::add(std::uint32_t count, BitRate rate, bool channel, ChannelRules rules, Names names) {
  const ResourceId first{size_};
  if (count > 0) blocks_.push_back({size_, count, channel, false, rate.value, {}, rules, std::move(names), ""});
  size_ += count;
  return first;
}

ResourceId ResourceTable::add_links(std::uint32_t count, BitRate rate, Names names, bool outside) {
  assert(rate.value > 0 && "a link needs a rate");
  const ResourceId first = add(count, rate, false, {}, std::move(names));
  if (count > 0) blocks_.back().outside = outside;
  return first;
}

std::vector<ResourceTable::Links> ResourceTable::links() const {
  std::vector<Links> all;
  for (const Block& block : blocks_) {
    if (block.channel || block.outside) continue;
    const double total =
        block.rates.empty() ? block.rate * block.count : std::accumulate(block.rates.begin(), block.rates.end(), 0.0);
    all.push_back({ResourceId{block.first}, block.count, BitRate{total}});
  }
  return all;
}

ResourceId ResourceTable::add_channels(std::uint32_t count, BitRate rate, ChannelRules rules, Names names) {
  assert(rate.value >= 0 && "a channel's rate is not negative");
  return add(count, rate, true, rules, std::move(names));
}

std::uint32_t ResourceTable::append(const ResourceTable& other, const std::string& site) {
  const std::uint32_t offset = size_;
  for (Block block : other.blocks_) {
    block.first += offset;
    if (!site.empty()) block.site = block.site.empty() ? site : site + ", " + block.site;
    blocks_.push_back(std::move(block));
  }
  size_ += other.size_;
  return offset;
}

void ResourceTable::set_rate(ResourceId id, BitRate rate) {
  Block& block = blocks_[block_index(id)];
  if (block.rates.empty()) block.rates.assign(block.count, block.rate);
  block.rates[id.value - block.first] = rate.value;
}

std::string ResourceTable::name(ResourceId id) const {
  const Block& block = block_of(id);
  const std::string own =
      block.names.one ? block.names.one(id.value - block.first) : "resource " + std::to_string(id.value);
  return block.site.empty() ? own : block.site + ": " + own;
}

std::string ResourceTable::class_name(ResourceId id) const {
  const Block& block = block_of(id);
  return block.names.class_name ? block.names.class_name(id.value - block.first) : "resource";
}

}  // namespace helio::flow
