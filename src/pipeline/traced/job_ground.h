// SPDX-License-Identifier: Apache-2.0
// Where jobs that come and go stand on a fabric: which nodes each gets, what it takes to set them up, and what it shares with others.
//
//     slices    oddl                       nodes and light by the slice planner, apart from all others; `wss` to set up
//     links     switch, fat-tree, torus …  runs of free nodes, pieces where there is no run; flows meet on links
//     arcs      sip-ring, wdm-ring         neighbours on the ring only, so that no segment has light of two jobs
//     patched   patch-panel                any nodes: a ring of their own, patched once for each job; `setup`
//
// Who meets others on links has what the mean of them leaves: of a link of capacity C, on which a job wants u and others want v_j for
// the part d_j of their time (JobPace::duty), the job gets C / (u + Σ d_j v_j) of its rate, and never more than all of it; its slowest link
// counts. Others are there as if they always were, each for its part: who meets whom when is not told (docs/job-logs.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "pipeline/assembly.h"

namespace helio::pipeline {

enum class Footing : std::uint8_t { kSlices, kLinks, kArcs, kPatched };
std::string_view name_of(Footing footing);

// How jobs stand on a fabric of the catalogue; throws Error(kInput) at its place for one that jobs cannot share.
Footing footing_on(const ChosenFabric& fabric);

class Ground {
 public:
  struct Stand {
    double setup_s = 0;
    std::uint32_t changes = 0;  // of WSS, or of a patch panel
    bool masked = false;        // another job has nodes in one of its groups
  };

  virtual ~Ground() = default;

  // Gives a job its nodes, or says no and changes nothing. `duty`: as JobPace. Requires: the job stands nowhere; 0 < nodes <= those there are.
  virtual std::optional<Stand> enter(std::uint32_t job, std::uint32_t nodes, double duty) = 0;
  virtual void leave(std::uint32_t job) = 0;
  // How many times as slow the network is as on the first nodes of the fabric without anybody else, where paces are taken: where the job
  // stands, with the others and without them.
  struct Slower {
    double now = 1, alone = 1;
  };
  virtual Slower slower(std::uint32_t) const { return {}; }
  // Others whose answer the last enter or leave may have changed.
  const std::vector<std::uint32_t>& touched() const { return touched_; }
  virtual std::uint32_t free_nodes() const = 0;
  // Free nodes in blocks (groups, racks) that are partly in use, as a part of all.
  virtual double fragmented() const = 0;
  // Light that jobs hold, as a part of all; none: there is none to hold.
  virtual std::optional<double> lit() const { return std::nullopt; }

 protected:
  std::vector<std::uint32_t> touched_;
};

struct GroundOptions {
  double setup_s = 0;      // of a patch panel
  bool scattered = false;  // links: any free nodes, drawn, in place of runs of them
  std::uint64_t seed = 1;  // of that
};

// Throws Error(kInput) for a fabric that cannot be one.
std::unique_ptr<Ground> make_ground(Footing footing, const ChosenFabric& fabric, std::uint32_t nodes,
                                    const GroundOptions& options);

}  // namespace helio::pipeline
