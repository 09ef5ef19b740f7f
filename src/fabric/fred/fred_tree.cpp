// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "fabric/fred/fred_tree_plane.h"

namespace helio::fabric {
namespace {

constexpr std::uint32_t kMostEnds = 1u << 16;

using Side = std::vector<std::uint32_t> TreePart::*;
constexpr struct {
  Side side;
  const char* link;
  const char* what;
} kDirections[] = {{&TreePart::inputs, "uplink", "inputs"}, {&TreePart::outputs, "downlink", "outputs"}};

// Flows of `core` need more links of one L1 than it has; "" when they do not.
std::string too_many_at_one_l1(const FredTreeShape& shape, const PlaneRouter& router,
                               std::span<const std::uint32_t> core) {
  for (const auto& direction : kDirections) {
    std::vector<std::uint32_t> count(shape.groups, 0);
    for (const std::uint32_t f : core)
      for (const TreePart& part : router.parts(f))
        count[part.group] += router.parts(f).size() > 1 && !(part.*direction.side).empty();
    const auto most = static_cast<std::uint32_t>(std::ranges::max_element(count) - count.begin());
    if (count[most] > shape.uplinks())
      return fmt::format(
          "{} of flows {} have {} in L1 group {} and cross its border, which takes {} {}s of the {} there are",
          count[most], fmt::join(core, ", "), direction.what, most, count[most], direction.link, shape.uplinks());
  }
  return "";
}

// Flows of `core` need more links of the L2 chips than these have, whichever goes where; "" when the count does not show it.
std::string too_many_for_the_chips(const FredTreeShape& shape, const PlaneRouter& router,
                                   std::span<const std::uint32_t> core) {
  for (const auto& direction : kDirections) {
    // How many L1s each flow has links to, and how many L1s are concerned
    std::vector<std::uint32_t> spans;
    std::vector<bool> concerned(shape.groups, false);
    for (const std::uint32_t f : core) {
      if (router.parts(f).size() == 1) continue;
      spans.push_back(0);
      for (const TreePart& part : router.parts(f))
        if (!(part.*direction.side).empty()) ++spans.back(), concerned[part.group] = true;
    }
    const auto l1s = static_cast<std::uint32_t>(std::ranges::count(concerned, true));

    // A chip carries at most as many as the smallest fill its links
    std::ranges::sort(spans);
    const std::uint32_t slots = l1s * shape.links_per_chip;
    std::uint32_t most = 0, filled = 0;
    while (most < spans.size() && filled + spans[most] <= slots) filled += spans[most++];
    if (most * std::uint64_t{shape.chips_per_plane} >= spans.size()) continue;
    return fmt::format(
        "an L2 chip has {} {}s of the {} L1 groups concerned, and the {} of flows {} that need fewest take {}; so a "
        "chip "
        "carries at most {}, {} chips {}, and there are {}",
        slots, direction.link, l1s, most + 1, fmt::join(core, ", "), filled + spans[most], most, shape.chips_per_plane,
        most * shape.chips_per_plane, spans.size());
  }
  return "";
}

// Why the flows of a core do not fit.
FredTreeBlocked explain(const FredTreeShape& shape, PlaneRouter& router, std::vector<std::uint32_t> core) {
  FredTreeBlocked blocked;
  blocked.flows = std::move(core);
  if (blocked.reason = too_many_at_one_l1(shape, router, blocked.flows); !blocked.reason.empty()) {
    blocked.kind = TreeObstacle::kUplinks;
  } else if (blocked.reason = too_many_for_the_chips(shape, router, blocked.flows); !blocked.reason.empty()) {
    blocked.kind = TreeObstacle::kChipSlots;
  } else if (const PlaneFit links = router.fit(blocked.flows, false); links == PlaneFit::kNo) {
    blocked.kind = TreeObstacle::kPacking;
    blocked.reason = fmt::format(
        "every choice of an L2 chip for flows {} was tried, and each takes more links than some L1 has to a chip",
        fmt::join(blocked.flows, ", "));
  } else {
    blocked.kind = TreeObstacle::kColouring;
    const std::uint64_t before = router.tried();
    router.fit(blocked.flows, true);
    blocked.reason = fmt::format(
        "flows {} {}, and some chip blocks whichever L2 chips carry them ({} choices); the last: {}",
        fmt::join(blocked.flows, ", "), links == PlaneFit::kYes ? "have links enough" : "may have links enough",
        router.tried() - before, router.refusal());
  }
  return blocked;
}

}  // namespace

std::uint32_t FredTreeShape::ends() const { return std::accumulate(io_ports.begin(), io_ports.end(), places()); }

std::uint32_t FredTreeShape::group_of(std::uint32_t end) const {
  if (end < places()) return end / npus;
  std::uint32_t group = 0, io = end - places();
  while (io >= io_ports[group]) io -= io_ports[group++];
  return group;
}

std::uint32_t FredTreeShape::l1_port(std::uint32_t end) const {
  if (end < places()) return end % npus;
  std::uint32_t group = 0, io = end - places();
  while (io >= io_ports[group]) io -= io_ports[group++];
  return npus + uplinks() + io;
}

void check_shape(const FredTreeShape& shape) {
  const auto refuse = [](std::string what, std::string advice) {
    throw Error(ErrorKind::kInput, std::move(what), {}, std::move(advice));
  };
  if (shape.groups == 0 || shape.npus == 0 || shape.planes == 0 || shape.chips_per_plane == 0 ||
      shape.links_per_chip == 0)
    refuse("a FRED tree needs groups, NPUs, planes, L2 chips and links", "give one or more of each");
  if (shape.io_ports.size() != shape.groups)
    refuse(fmt::format("{} numbers of I/O ports for {} L1 groups", shape.io_ports.size(), shape.groups),
           "give one for each group, 0 where there are none");
  const std::uint64_t per_l1 = std::uint64_t{shape.chips_per_plane} * shape.links_per_chip;
  std::uint64_t io = 0;
  for (const std::uint32_t ports : shape.io_ports) io += ports;
  if (shape.groups * (shape.npus + per_l1) + io > kMostEnds)
    refuse("a FRED tree of this size cannot be built", fmt::format("give at most {} ports in a plane", kMostEnds));
  if (shape.l2_ports() < 2) refuse("an L2 chip of one port cannot be built", "give two groups or two links per chip");
  for (const std::uint32_t ports : {shape.l1_ports(0), shape.l2_ports()}) fred_census(ports, shape.middles);
}

FredTreeRouting route_tree(const FredTreeShape& shape, std::span<const Flow> flows,
                           std::span<const std::uint32_t> chosen, const TreeRouteOptions& options) {
  check_shape(shape);
  check_flows(shape.ends(), flows);
  PlaneRouter router(shape, flows, options);
  const PlaneFit fit = router.fit(chosen, true);
  if (fit == PlaneFit::kYes) return router.plane();
  const auto gave_up = [&] {
    return FredTreeBlocked{
        .kind = TreeObstacle::kWorkLimit,
        .proven = false,
        .flows = {chosen.begin(), chosen.end()},
        .reason = fmt::format("no routing was found within {} choices, and none was excluded", options.work_limit),
        .tried = router.tried()};
  };

  // A count may say no where the search was too long; it needs no core
  if (fit == PlaneFit::kUnknown) {
    const std::string at_l1 = too_many_at_one_l1(shape, router, chosen);
    const std::string at_l2 = too_many_for_the_chips(shape, router, chosen);
    if (at_l1.empty() && at_l2.empty()) return gave_up();
    return FredTreeBlocked{.kind = at_l1.empty() ? TreeObstacle::kChipSlots : TreeObstacle::kUplinks,
                           .flows = {chosen.begin(), chosen.end()},
                           .reason = at_l1.empty() ? at_l2 : at_l1,
                           .tried = router.tried()};
  }

  // Leave out what is not needed for the "no"
  std::vector<std::uint32_t> core(chosen.begin(), chosen.end());
  for (std::size_t i = core.size(); i-- > 0;) {
    std::vector<std::uint32_t> fewer = core;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (router.fit(fewer, true) == PlaneFit::kNo) core = std::move(fewer);
  }
  FredTreeBlocked blocked = explain(shape, router, std::move(core));
  blocked.tried = router.tried();
  return blocked;
}

FredTreeRouting route_tree(const FredTreeShape& shape, std::span<const Flow> flows, const TreeRouteOptions& options) {
  std::vector<std::uint32_t> all(flows.size());
  std::iota(all.begin(), all.end(), 0u);
  return route_tree(shape, flows, all, options);
}

}  // namespace helio::fabric
