// SPDX-License-Identifier: Apache-2.0
// Where the positions of a group lie on the levels of a fabric made of fabrics.
//
//     group of 6 on switches of 4 nodes in a ring of 3        position     0  1 | 2  3 | 4  5
//                                                             level 0      0  1   0  1   0  1    coordinate: which unit of its instance
//                                                             level 1      0  0   1  1   2  2
//     width 2 and 3, every combination once: the group lies evenly
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "schedule/capabilities.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::schedule {

// Levels of a fabric; 0: it has none.
std::size_t count_levels(const Capabilities& capabilities);

// The levels of a fabric that all nodes of a request's groups are spread over: from 0 to the first with one instance around each group.
// 0: the fabric has no levels.
std::size_t levels_spanned(const CollectiveRequest& request, const Capabilities& capabilities);

// One instance of a level with those of its units that take part.
struct LevelMembers {
  std::vector<NodeId> units;  // numbers in the instance
  LevelStage::Team team;      // who holds the part of each
};

class LevelTree {
 public:
  // Of the lowest `levels`. Requires: levels >= 1.
  LevelTree(const std::vector<NodeId>& group, const Capabilities& capabilities, std::size_t levels);

  std::size_t levels() const { return width_.size(); }
  Position ranks() const { return static_cast<Position>(unit_.front().size()); }
  // Units of a level number in the fabric; coordinates number those of one instance that have members.
  std::uint64_t unit(std::size_t k, Position p) const { return unit_[k][static_cast<std::size_t>(p)]; }
  Position coordinate(std::size_t k, Position p) const { return coordinate_[k][static_cast<std::size_t>(p)]; }
  const std::vector<std::vector<Position>>& coordinates() const { return coordinate_; }
  // Units of an instance, by level; of the last where they differ.
  const std::vector<Position>& width() const { return width_; }
  // Coordinates name positions, and every combination is one.
  bool even() const { return even_; }
  bool lies_like(const LevelTree& other) const { return coordinate_ == other.coordinate_ && width_ == other.width_; }

  // Instances of level k, of the positions for which `holds`. Holders of two units come in the same order: by where they are on the levels
  // below.
  std::vector<LevelMembers> teams(std::size_t k, const std::function<bool(Position)>& holds) const;

 private:
  std::vector<std::uint64_t> nodes_;                // by level: units of an instance, taking part or not
  std::vector<std::vector<std::uint64_t>> unit_;    // by level, by position
  std::vector<std::vector<std::uint64_t>> inside_;  // by level, by position: the instance
  std::vector<std::vector<Position>> coordinate_;   // by level, by position
  std::vector<Position> width_;
  bool even_ = false;
};

}  // namespace helio::schedule
