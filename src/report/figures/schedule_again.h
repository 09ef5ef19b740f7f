// SPDX-License-Identifier: Apache-2.0
// A collective that ran, up to its schedule once more: for pictures of what is inside, which a result does not carry.
#pragma once

#include <memory>

#include "fabric/fabric.h"
#include "pipeline/experiment.h"
#include "pipeline/result.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::report {

struct ScheduleAgain {
  std::unique_ptr<fabric::Fabric> fabric;
  schedule::CollectiveRequest request;
  schedule::Schedule schedule;
};

// With the algorithm that really ran and the parameters it ran with. Requires: `result` is what `collective` gave, without remedies.
ScheduleAgain schedule_again(const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                             const pipeline::Result& result);

}  // namespace helio::report
