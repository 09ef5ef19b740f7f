// SPDX-License-Identifier: Apache-2.0
// A schedule by levels (schedule/levels/by_level.h) as one template: a call for every stage and instance, lowered by the level's own fabric.
//
//     chain 0   wafer 0: sums ─┐                        ┌▶ wafer 0: copies        a call waits for those that last had its nodes,
//               wafer 1: sums ─┴▶ between: all-reduce ──┴▶ wafer 1: copies        in its own chain
//     chain 1   between: sums ──▶ wafer 0: all-reduce ──▶ between: copies         every call is repeated, a wave after the other
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fabric/composite/level_ways.h"

namespace helio::fabric {

class LevelStages {
 public:
  // `told` hears what each level was used for.
  LevelStages(const std::vector<Level>& levels, const LevelCarriers& carriers, LevelWays& ways, flow::Program& program,
              std::vector<LevelStory>& told)
      : levels_(levels), carriers_(carriers), ways_(ways), program_(program), told_(told) {}

  // Throws Blocked. Requires: as Carrier::lower.
  LowerResult lower(const std::vector<schedule::LevelStage>& stages, std::uint32_t waves, const std::string& name,
                    const schedule::CollectiveRequest& request, const LowerOptions& options);

 private:
  // Units of one instance that run one stage together, and the nodes that hold their parts.
  struct Class {
    std::vector<NodeId> units;                 // numbers in the instance, by rank of the stage's schedule
    std::vector<std::vector<NodeId>> holders;  // of each
    std::uint32_t merged = 0;                  // teams of groups whose units are the same
  };

  void collect(const schedule::LevelStage& stage, const schedule::CollectiveRequest& request,
               std::map<std::uint64_t, std::vector<Class>>& by_instance) const;
  LowerResult lower_classes(const schedule::LevelStage& stage, std::uint64_t instance, std::span<const Class> classes,
                            std::uint32_t waves, const schedule::CollectiveRequest& request, LowerOptions options);
  Doors doors_of(const schedule::LevelStage& stage, std::span<const Class> classes,
                 const schedule::CollectiveRequest& request);

  const std::vector<Level>& levels_;
  const LevelCarriers& carriers_;
  LevelWays& ways_;
  flow::Program& program_;
  std::vector<LevelStory>& told_;
};

// What a level that refuses said, with its name.
Refusal said_by(const Level& level, Refusal refusal);

}  // namespace helio::fabric
