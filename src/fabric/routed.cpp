// SPDX-License-Identifier: Apache-2.0
#include "fabric/routed.h"

#include <cassert>
#include <utility>

namespace helio::fabric {
namespace {

using schedule::CollectiveRequest;
using schedule::Schedule;

// Asks the fabric, whatever is asked.
class RoutedCarrier : public Carrier {
 public:
  RoutedCarrier(const RoutedFabric& fabric, flow::Program& program, Site site)
      : Carrier(fabric, program, std::move(site)), routed_(fabric) {}

 protected:
  std::optional<Refusal> object(const Schedule& schedule, const CollectiveRequest& request,
                                const LowerOptions& options) override {
    return routed_.object(schedule, request, options);
  }
  void assign(const CollectiveRequest& request, std::span<const Traveller> travellers,
              std::vector<Assignment>& assignments) override {
    routed_.assign(request, travellers, assignments);
  }
  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) override {
    routed_.route(from, to, carriage, way);
  }
  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                 Way& way) override {
    routed_.route_set(from, to, carriage, way);
  }
  std::optional<Refusal> complete(const Schedule& schedule, const CollectiveRequest& request,
                                  const LowerOptions& options, std::size_t, Lowered& lowered) override {
    return routed_.complete(schedule, request, options, program(), lowered);
  }
  bool stream_here(std::span<const std::vector<NodeId>> shards, bool inward, Way& way) override {
    return routed_.stream(shards, inward, way);
  }
  Picture picture_here(const Schedule& schedule, const CollectiveRequest& request, const Lowered& lowered) override {
    return routed_.picture(schedule, request, lowered, program(), offset());
  }

 private:
  const RoutedFabric& routed_;
};

}  // namespace

std::unique_ptr<Carrier> RoutedFabric::install(flow::Program& program, Site site) const {
  return std::make_unique<RoutedCarrier>(*this, program, std::move(site));
}

void RoutedFabric::route_set(std::span<const NodeId>, std::span<const NodeId>, const Carriage&, Way&) const {
  assert(false && "a fabric that lets in-fabric moves pass must route them");
}

void RoutedFabric::assign(const CollectiveRequest&, std::span<const Traveller>, std::vector<Assignment>&) const {}

std::optional<Refusal> RoutedFabric::object(const Schedule& schedule, const CollectiveRequest&,
                                            const LowerOptions&) const {
  return usual_objection(capabilities_, schedule);
}

std::optional<Refusal> RoutedFabric::complete(const Schedule&, const CollectiveRequest&, const LowerOptions&,
                                              flow::Program&, Lowered&) const {
  return std::nullopt;
}

bool RoutedFabric::stream(std::span<const std::vector<NodeId>>, bool, Way&) const { return false; }

Picture RoutedFabric::picture(const Schedule&, const CollectiveRequest&, const Lowered&, const flow::Program&,
                              std::uint32_t) const {
  return {};
}

}  // namespace helio::fabric
