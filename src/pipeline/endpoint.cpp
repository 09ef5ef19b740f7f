// SPDX-License-Identifier: Apache-2.0
#include "pipeline/endpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "pipeline/draft.h"

namespace helio::pipeline {

std::optional<Endpoint> endpoint_of(const Experiment& experiment, const placement::Npu& npu) {
  const Parameters parameters("endpoint", endpoint_parameters(), experiment.endpoint);
  if (parameters.text("endpoint") == "free") {
    if (parameters.place("endpoint_accesses") != "default")
      throw Error(ErrorKind::kInput, "endpoints that add for free need no accesses",
                  parameters.place("endpoint_accesses"), "Leave it out, or set fabric.endpoint = npu.");
    return std::nullopt;
  }
  return Endpoint{npu.name, BitRate{8 * npu.memory_bandwidth}, parameters.number("endpoint_accesses")};
}

std::optional<Endpoint> endpoint_of(const Experiment& experiment, const Collective& collective) {
  if (collective.npu.value.empty()) {
    const bool any =
        std::ranges::any_of(experiment.collectives, [](const Collective& each) { return !each.npu.value.empty(); });
    if (const auto given = experiment.endpoint.find("endpoint_accesses");
        given != experiment.endpoint.end() && experiment.jobs.empty() && !any)
      throw Error(ErrorKind::kInput, "nobody knows whose memory is accessed", given->second.place,
                  "Name the NPU: " + advised("npu", "h100") + ".");
    return std::nullopt;
  }
  const auto& entry = placement::npus().at(collective.npu.value, collective.npu.place);
  return endpoint_of(experiment, entry.factory(placement::npus().resolve(entry, {})));
}

bool may_hold_up(const Endpoint& endpoint, const schedule::Capabilities& capabilities) {
  return !capabilities.adding_included && endpoint.adding() * capabilities.least_wire_factor < capabilities.ejection;
}

Bound raised_by_adding(Bound bound, const Endpoint& endpoint, const schedule::Capabilities& capabilities,
                       const schedule::CollectiveRequest& request) {
  using schedule::Kind;
  const bool adds =
      request.kind == Kind::kAllReduce || request.kind == Kind::kReduceScatter || request.kind == Kind::kReduce;
  if (!adds || capabilities.reduces || request.ranks() < 2 || !may_hold_up(endpoint, capabilities)) return bound;
  for (const schedule::Capabilities::Part& part : capabilities.parts)
    if (part.capabilities.adding_included) return bound;
  const double n = request.ranks(), d = request.bytes.value * (n - 1) / n;
  const double adding = seconds_at(Bytes{d}, endpoint.adding());
  const double before =
      (capabilities.step_overhead + capabilities.nearest_latency + capabilities.first_setup).to_seconds();
  if (adding + before <= bound.seconds) return bound;
  return {adding + before,
          fmt::format("a rank must add {} at {}: {}{}", format(Bytes{d}), format(endpoint.adding()),
                      format(Time::seconds(adding)),
                      before > 0 ? fmt::format(" + {} before its first byte", format(Time::seconds(before))) : "")};
}

std::string in_words(const Endpoint& endpoint, const schedule::Capabilities& capabilities) {
  if (capabilities.adding_included) return "what adding at an endpoint takes is in the fitted constants of the fabric";
  const std::string how = fmt::format("{} accesses a byte to the memory of {}, {}", endpoint.accesses, endpoint.npu,
                                      format(endpoint.memory));
  if (may_hold_up(endpoint, capabilities)) return "adding at an endpoint takes " + how + ", while it receives";
  return "adding at an endpoint holds up nothing: " + how + ", are faster than all that a node can receive";
}

}  // namespace helio::pipeline
