// SPDX-License-Identifier: Apache-2.0
// A schedule on a fabric, lowered and timed: what the tests of fabrics share.
#pragma once

#include <string>
#include <variant>

#include "fabric/carrier.h"
#include "fabric/fabric.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"

namespace helio::fabric {

inline Settings settings(std::initializer_list<std::pair<const char*, const char*>> values) {
  Settings result;
  for (const auto& [name, value] : values) result[name] = {value, "test"};
  return result;
}

struct Timed {
  flow::Program program;
  simulate::Timeline timeline;
  std::unique_ptr<Fabric> fabric;
  std::string refusal;
};

inline Timed time_on(const std::string& name, const Settings& fabric_settings, const std::string& algorithm,
                     const schedule::CollectiveRequest& request, schedule::Order order = schedule::Order::kStep,
                     const Settings& algorithm_settings = {}) {
  Timed timed;
  timed.fabric = make(name, fabric_settings);
  const std::unique_ptr<Carrier> carrier = timed.fabric->install(timed.program);
  const schedule::Schedule schedule =
      schedule::build(algorithm, request, timed.fabric->capabilities(), algorithm_settings);
  LowerResult result = carrier->lower(schedule, request, {order, 0});
  if (const Refusal* refusal = std::get_if<Refusal>(&result)) {
    timed.refusal = refusal->reason;
    return timed;
  }
  timed.program.entry = std::get<Lowered>(result).entry;
  flow::check(timed.program);
  timed.timeline = simulate::simulate(timed.program);
  return timed;
}

inline double seconds(const Timed& timed) { return timed.timeline.end.to_seconds(); }

}  // namespace helio::fabric
