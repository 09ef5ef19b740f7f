// SPDX-License-Identifier: Apache-2.0
// The search behind `route_tree`: flows of one plane, a chip and links for each that crosses, one flow after the other, with
// every chip asked as soon as it carries one part more.
//
//     flow 0 ── chip 0 ── links in each L1 ── chips route? ── flow 1 ── chip 0 …
//                                                 │ no           └───── chip 1 …
//                                                 ▼
//                                         the next choice: what blocks with some flows blocks with more
//
// The answer "no" comes only after every choice: of L2 chips, and of links where these are not alike (fred_tree.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fabric/fred/fred_tree.h"

namespace helio::fabric {

enum class PlaneFit : std::uint8_t { kYes, kNo, kUnknown };

// A flow in one L1: its ports there.
struct TreePart {
  std::uint32_t group = 0;
  std::vector<std::uint32_t> inputs, outputs;
};

class PlaneRouter {
 public:
  // Requires: flows checked, shape and options that outlive this.
  PlaneRouter(const FredTreeShape& shape, std::span<const Flow> flows, const TreeRouteOptions& options);

  // Do these flows fit? With `colour` chips must route what they carry; otherwise links alone count.
  PlaneFit fit(std::span<const std::uint32_t> chosen, bool colour);

  // What fit() found, with the setting of every chip. Requires: the last fit() was with colours and said yes.
  FredPlane plane();

  const std::vector<TreePart>& parts(std::uint32_t flow) const { return parts_[flow]; }  // groups ascending
  std::uint64_t tried() const { return tried_; }                                         // over all fit()s
  const std::string& refusal() const { return refusal_; }  // a chip that blocked in the last fit(), and why

 private:
  struct Ported {
    std::uint32_t ports = 0;
    FredChip chip;
  };
  struct Known {
    PlaneFit fit = PlaneFit::kYes;
    std::string reason;
  };

  bool place(std::size_t next);
  bool link(std::size_t next, std::size_t stop);
  std::size_t slot(std::size_t direction, std::uint32_t group, std::uint32_t chip, std::uint32_t link) const;
  std::vector<std::uint32_t> free_links(bool needed, std::size_t direction, std::uint32_t group,
                                        std::uint32_t chip) const;
  bool l1_routes(std::uint32_t group);  // with all that has links there so far
  bool l2_routes(std::uint32_t chip);
  bool routes(const Ported& ported, const std::function<std::string()>& name);
  Ported l1_chip(std::uint32_t group) const;
  Ported l2_chip(std::uint32_t chip) const;
  FredChip configured(Ported ported);
  const FredSwitch& fred(std::uint32_t ports);

  const FredTreeShape& shape_;
  const TreeRouteOptions& options_;
  bool links_alike_;
  std::vector<std::vector<TreePart>> parts_;  // of each flow
  std::vector<bool> taken_;                   // direction, group, chip, link
  std::vector<TreeWay> ways_;
  std::vector<std::uint32_t> waiting_;  // flows that cross, in the order of the search
  std::map<std::uint32_t, FredSwitch> switches_;
  std::map<std::vector<std::uint32_t>, Known> known_;  // chips asked before
  std::string refusal_;
  std::uint64_t tried_ = 0;
  bool colour_ = true, unknown_ = false;
};

}  // namespace helio::fabric
