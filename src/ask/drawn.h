// SPDX-License-Identifier: Apache-2.0
// The moves that answer a question, proven: what `helio export schedule` writes (schedule/schedule_file.h) and `helio execute` runs.
#pragma once

#include <string>

#include "ask/experiment.h"
#include "pipeline/run.h"
#include "schedule/verify.h"

namespace helio::ask {

struct DrawnSchedule {
  schedule::Schedule schedule;
  schedule::CollectiveRequest request;
  schedule::Verification proof;
  pipeline::Result result;  // what its fabric makes of it
};

// Throws as `collective`, and Error(kInfeasible) where only a remedy gets it carried, or its proof would take too much work.
DrawnSchedule drawn(const CollectiveQuestion& question, const Watch& watch = {});

std::string to_json(const DrawnSchedule& drawn);
std::string to_text(const DrawnSchedule& drawn);

}  // namespace helio::ask
