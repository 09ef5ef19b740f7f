// SPDX-License-Identifier: Apache-2.0
// Tasks of hand-made placed programs: what tests of assembling share.
#pragma once

#include "placement/program.h"

namespace helio::pipeline {

inline placement::Task collective(std::uint32_t request, placement::Activity activity) {
  placement::Task task;
  task.kind = placement::TaskKind::kCollective;
  task.activity = activity;
  task.index = request;
  return task;
}

inline placement::Task run_body(std::uint32_t body, std::uint64_t rounds) {
  placement::Task task;
  task.kind = placement::TaskKind::kBody;
  task.index = body;
  task.rounds = rounds;
  return task;
}

}  // namespace helio::pipeline
