// SPDX-License-Identifier: Apache-2.0
// What is expensive to make and asked for again: kept by what it was made of, for all threads.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace helio {

// Requires: make(key) gives equal values for equal keys. Values are copied out; large ones are shared pointers.
template <class Key, class Value>
class Memo {
 public:
  explicit Memo(std::size_t most = 256) : most_(most) {}

  // Two threads may both make what neither finds; what throws is not kept.
  template <class Make>
  Value of(const Key& key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return found->second;
    }
    Value made = make();
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_) known_.clear();
    return known_.try_emplace(key, std::move(made)).first->second;
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::map<Key, Value> known_;
};

}  // namespace helio
