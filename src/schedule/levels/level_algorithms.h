// SPDX-License-Identifier: Apache-2.0
// What each level of a schedule by levels runs (schedule/by_level.h): an algorithm that was named for it, or what its fabric is usually good at.
//
//     levels = in-fabric/wrht:group=3      the lowest adds in flight, the one above runs wrht in groups of 3
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/algorithm.h"

namespace helio::schedule {

// The algorithm that a level takes when nobody chose one: the first that it admits of what its fabric is good at.
Schedule usual_schedule(const CollectiveRequest& request, const Capabilities& capabilities);

class LevelAlgorithms {
 public:
  // Of the lowest `levels`, as `parameters` name them. Throws Error(kInput) at the place where names do not fit.
  LevelAlgorithms(const CollectiveRequest& request, const Capabilities& capabilities, const Parameters& parameters,
                  std::size_t levels);

  // "" where nobody named one.
  const std::string& asked_for(std::size_t k) const { return choices_[k].algorithm; }

  // The schedule of level k among these units of an instance, for `bytes` together; always the same for the same question. Throws Error
  // with the level's name.
  std::shared_ptr<const Schedule> among(std::size_t k, Kind kind, const std::vector<NodeId>& units, Position root,
                                        Bytes bytes);

  // "wafer: in-fabric; between: wrht": what was asked of each level so far.
  std::string in_words() const;
  // A schedule of level k that did not come from a catalogue.
  void note(std::size_t k, const std::string& algorithm);

 private:
  struct Choice {
    std::string algorithm;
    Settings settings;
  };
  struct Made {
    std::tuple<std::size_t, Kind, Position, double> question;
    std::vector<NodeId> units;
    std::shared_ptr<const Schedule> schedule;
  };

  const CollectiveRequest& request_;
  const Capabilities& capabilities_;
  std::string place_;
  std::vector<Choice> choices_;  // by level
  std::vector<Made> made_;
  std::vector<std::vector<std::string>> used_;  // by level
};

}  // namespace helio::schedule
