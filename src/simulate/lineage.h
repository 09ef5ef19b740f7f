// SPDX-License-Identifier: Apache-2.0
// Who called whom, remembered as long as somebody asks: frames are used again, lineages are not.
//
// A channel remembers whose operation had it last, and that frame may be long closed when the next one comes. Its callers may
// still be in the round in which it ran, so the chain upwards must survive. Nodes are counted and freed with their last user.
#pragma once

#include <cstdint>
#include <vector>

namespace helio::simulate {

class Lineages {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // A new one for an open frame, held once. `parent` may be kNone.
  std::uint32_t open(std::uint32_t parent, std::uint32_t frame) {
    std::uint32_t id;
    if (free_.empty()) {
      id = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      id = free_.back();
      free_.pop_back();
    }
    hold(parent);
    nodes_[id] = {parent, frame, parent == kNone ? 0 : nodes_[parent].depth + 1, 1};
    return id;
  }
  // The frame is gone; the chain stays while somebody holds it.
  void close(std::uint32_t id) {
    nodes_[id].frame = kNone;
    drop(id);
  }
  void hold(std::uint32_t id) {
    if (id != kNone) ++nodes_[id].users;
  }
  void drop(std::uint32_t id) {
    while (id != kNone && --nodes_[id].users == 0) {
      free_.push_back(id);
      id = nodes_[id].parent;
    }
  }

  std::uint32_t parent(std::uint32_t id) const { return nodes_[id].parent; }
  std::uint32_t frame(std::uint32_t id) const { return nodes_[id].frame; }  // kNone once closed
  // Whether `id` is `caller` or was called by it, however indirectly.
  bool inside(std::uint32_t id, std::uint32_t caller) const {
    while (id != kNone && nodes_[id].depth > nodes_[caller].depth) id = nodes_[id].parent;
    return id == caller;
  }
  // Requires: both descend from one root.
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      if (nodes_[a].depth >= nodes_[b].depth)
        a = nodes_[a].parent;
      else
        b = nodes_[b].parent;
    }
    return a;
  }

 private:
  struct Node {
    std::uint32_t parent = kNone, frame = kNone, depth = 0, users = 0;
  };
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_;
};

}  // namespace helio::simulate
