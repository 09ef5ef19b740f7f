// SPDX-License-Identifier: Apache-2.0
// What a fabric can do, as plain data, so that algorithms can shape a schedule and bounds can be derived without
// knowing the fabric.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/averaging.h"
#include "base/quantity.h"
#include "base/time.h"
#include "schedule/network.h"

namespace helio::schedule {

enum class Adjacency : std::uint8_t {
  kAny,
  kRing,
  kGrid
};  // who is one hop away: everyone or unknown, i+-1, a mesh or torus

// What ports make of 16-bit elements (fabric/fred/compression.h, emulate/codec.h).
enum class WireFormat : std::uint8_t { kPlain, kFp8, kTopK };

// A way to cut the fabric in two: `inside` ranks on one side; bytes per second from inside to outside and back.
struct Cut {
  std::string name;
  std::uint64_t inside = 0;
  BitRate outward, inward;
};

struct Capabilities {
  std::string fabric;
  std::uint64_t nodes = 0;
  Adjacency adjacency = Adjacency::kAny;
  std::vector<long long> dimensions;  // kGrid
  bool wraps = false;                 // kGrid: torus

  BitRate link_rate;            // what one transfer between neighbours gets when alone
  BitRate injection, ejection;  // all that one rank can send, receive at once (the largest over ranks)
  double lit_share = 1;         // of the time that light is on; rates above are line rates times this
  Time hop_latency;
  Time nearest_latency;   // between the two closest ranks
  Time farthest_latency;  // between the two most distant ranks
  Time step_overhead;

  int wavelengths = 0;  // per direction; 0: no lanes
  int directions = 1;
  Time first_setup;  // before the first byte can move (the first retune)
  Time
      step_setup;  // and before every further step that goes elsewhere than the last; an estimate, to shape schedules by
  int senders_heard = 0;  // ranks a node can hear in one step; 0: all of them

  bool reduces = false;          // in-fabric reduction
  bool multicasts = false;       // in-fabric copies
  double least_wire_factor = 1;  // bytes on the wire per byte of the vector, at least: below 1 where ports compress
  WireFormat wire_format = WireFormat::kPlain;
  double wire_keep = 1;  // kTopK: the share of elements that are kept
  // In-fabric reduction adds numbers as codes of a few bits and hands on their rounded average, level by level (OptINC); not set: it
  // adds exactly.
  std::optional<AveragingCascade> averaging;
  BitRate io_rate;               // of all channels to the outside together, one direction; 0: none
  bool adding_included = false;  // what endpoints take to add is in constants that were fitted on measurements
  std::vector<Cut> cuts;
  std::function<Network()> network;      // its links, made when they are asked for; none: it does not show them
  std::vector<std::string> assumptions;  // behind the fabric's own model, for every result on it

  struct Part;
  std::vector<Part> parts;  // nested fabrics of a composite
};

// Instances of one fabric that nodes belong to: servers of a cluster, or a level of a composite, whose fabric joins units of `unit` nodes
// each. Levels come lowest first, all nodes belong to each, and node x is in unit x / unit, counted over all instances.
struct Capabilities::Part {
  std::string name;
  Capabilities capabilities = {};                          // of one instance; of a level: among its units
  std::vector<std::vector<std::uint32_t>> instances = {};  // the nodes that each instance joins
  std::uint64_t unit = 0;                                  // 0: it is no level
  std::vector<std::uint32_t> gateways =
      {};            // of a level: nodes of a unit, from 0, through which it is reached; empty: all
  bool open = true;  // of a level: what only passes through an instance needs nothing but shared links
};

}  // namespace helio::schedule
