// SPDX-License-Identifier: Apache-2.0
// A heap of fours, the least first: half as deep as one of twos, and four children lie side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace helio::simulate {

inline constexpr std::size_t kHeapChildren = 4;

// `T::operator<` orders any two.
template <class T>
class Heap {
 public:
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  // Requires: not empty.
  const T& front() const { return all_.front(); }
  // The first is the least; behind it are its children.
  const T& operator[](std::size_t i) const { return all_[i]; }

  void push(const T& one) {
    std::size_t at = all_.size();
    all_.push_back(one);
    for (; at > 0 && one < all_[(at - 1) / kHeapChildren]; at = (at - 1) / kHeapChildren)
      all_[at] = all_[(at - 1) / kHeapChildren];
    all_[at] = one;
  }
  // Requires: not empty.
  void pop() {
    const T last = all_.back();
    all_.pop_back();
    if (all_.empty()) return;
    std::size_t at = 0;
    for (std::size_t child = 1; child < all_.size(); child = kHeapChildren * at + 1) {
      const std::size_t end = std::min(child + kHeapChildren, all_.size());
      for (std::size_t other = child + 1; other < end; ++other)
        if (all_[other] < all_[child]) child = other;
      if (!(all_[child] < last)) break;
      all_[at] = all_[child];
      at = child;
    }
    all_[at] = last;
  }

 private:
  std::vector<T> all_;
};

}  // namespace helio::simulate
