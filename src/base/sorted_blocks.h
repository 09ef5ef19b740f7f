// SPDX-License-Identifier: Apache-2.0
// A sorted list in short blocks: what std::set does, for small values of which hundreds wait and change all the time.
//
//     blocks_   [ 1 3 4 ] [ 7 8 ] [ 9 12 15 20 ]        no block is empty, none has more than kBlock values
//                         └ the block of a value: the first whose last value is not before it
//
// A value is found by halves among the last values of the blocks and then within one, and moves half a block aside. A tree of as many asks
// the memory once a level and the heap once a value, and both miss the caches where there is one such list for each of a thousand nodes.
//
// Invariant: the content depends on nothing but what was inserted and erased; O(log n) plus a block, plus n / kBlock² for its place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace helio {

template <class T, class Before>
class SortedBlocks {
 public:
  explicit SortedBlocks(Before before = {}) : before_(before) {}

  bool empty() const { return blocks_.empty(); }
  std::size_t size() const { return size_; }
  const Before& before() const { return before_; }
  // Requires: not empty.
  const T& front() const { return blocks_.front().front(); }
  // The first that is not before `value`; nullptr: none.
  const T* lower_bound(const T& value) const {
    const std::size_t b = block_of(value);
    return b < blocks_.size() ? &*place(blocks_[b], value) : nullptr;
  }
  // In order, until `is` holds for one; whether it did.
  template <class Is>
  bool any_of(const Is& is) const {
    return std::ranges::any_of(blocks_, [&](const Block& block) { return std::ranges::any_of(block, is); });
  }

  // Requires: no equal one is there.
  void insert(const T& value) {
    ++size_;
    if (blocks_.empty()) return blocks_.push_back({value});
    const std::size_t b = std::min(block_of(value), blocks_.size() - 1);
    blocks_[b].insert(place(blocks_[b], value), value);
    if (blocks_[b].size() <= kBlock) return;
    const auto half = blocks_[b].begin() + kBlock / 2;
    Block rest(half, blocks_[b].end());
    blocks_[b].erase(half, blocks_[b].end());
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(rest));
  }

  // Requires: it is there.
  void erase(const T& value) {
    --size_;
    const std::size_t b = block_of(value);
    Block& block = blocks_[b];
    block.erase(place(block, value));
    // What is left of it joins the next, where both together are few
    if (b + 1 < blocks_.size() && block.size() + blocks_[b + 1].size() <= kBlock / 2)
      blocks_[b + 1].insert(blocks_[b + 1].begin(), block.begin(), block.end());
    else if (!block.empty())
      return;
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
  }

 private:
  using Block = std::vector<T>;
  static constexpr std::size_t kBlock = 64;

  std::size_t block_of(const T& value) const {
    const auto found =
        std::ranges::partition_point(blocks_, [&](const Block& block) { return before_(block.back(), value); });
    return static_cast<std::size_t>(found - blocks_.begin());
  }
  template <class Of>
  auto place(Of& block, const T& value) const {
    return std::ranges::partition_point(block, [&](const T& one) { return before_(one, value); });
  }

  Before before_;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace helio
