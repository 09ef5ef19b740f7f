// SPDX-License-Identifier: Apache-2.0
// A fabric that remembers nothing while it carries: its answers depend on the question alone, so one carrier serves all such fabrics.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fabric/carrier.h"
#include "fabric/fabric.h"

namespace helio::fabric {

// Each function answers what Carrier asks under the same name (carrier.h), in the fabric's own nodes and resources, as far as a fabric
// without memory needs to know the question.
class RoutedFabric : public Fabric {
 public:
  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  virtual void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) const = 0;
  // Default: for fabrics without in-fabric abilities, never called.
  virtual void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                         Way& way) const;
  // Default: nothing needs a lane.
  virtual void assign(const schedule::CollectiveRequest& request, std::span<const Traveller> travellers,
                      std::vector<Assignment>& assignments) const;
  // Default: usual_objection.
  virtual std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                        const LowerOptions& options) const;
  // Default: nothing to add.
  virtual std::optional<Refusal> complete(const schedule::Schedule& schedule,
                                          const schedule::CollectiveRequest& request, const LowerOptions& options,
                                          flow::Program& program, Lowered& lowered) const;
  // Default: no I/O.
  virtual bool stream(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) const;
  // Default: nothing to show. `offset`: of resource 0 in the program.
  virtual Picture picture(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                          const Lowered& lowered, const flow::Program& program, std::uint32_t offset) const;
};

}  // namespace helio::fabric
