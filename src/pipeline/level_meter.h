// SPDX-License-Identifier: Apache-2.0
// What each level of a composite carried, for its picture and its timeline: bytes by class of traffic, counted on the program before it
// runs, and how busy links were, read off the timeline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/composite/composite.h"
#include "flow/program.h"
#include "pipeline/result.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

class LevelMeter {
 public:
  // Of another fabric it has no levels and does nothing. Requires: the fabric is the first that stands in the program.
  explicit LevelMeter(const fabric::Fabric& fabric);
  bool has_levels() const { return picture_.has_value(); }
  const std::optional<fabric::LevelsPicture>& picture() const { return picture_; }

  // Adds up bytes over links. `class_of`: an index into `classes` for an operation; none: as whoever calls its template.
  using ClassOf = std::function<std::optional<std::size_t>(flow::TemplateId where, std::size_t operation)>;
  void count(const flow::Program& program, std::vector<std::string> classes, const ClassOf& class_of);
  // Bits of the levels that each template goes over, its callees included.
  std::vector<std::uint32_t> levels_of_templates(const flow::Program& program) const;
  // Of a transfer: the level it begins on; of a call: all of them.
  std::uint32_t levels_of(const flow::Program& program, const flow::Operation& operation,
                          const std::vector<std::uint32_t>& of_templates) const;

  // Requires: resources of the program are those that were counted.
  std::vector<LevelUse> read(const flow::Program& program, const simulate::Timeline& timeline) const;

 private:
  std::optional<fabric::LevelsPicture> picture_;
  fabric::LevelResources where_;
  std::vector<std::string> classes_;
  std::vector<std::vector<double>> bytes_;  // by level and class
};

}  // namespace helio::pipeline
