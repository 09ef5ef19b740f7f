// SPDX-License-Identifier: Apache-2.0
// A fabric says what a network is: what it can do, which resources it has, which of them lie between two nodes.
//
//     Fabric    never changes after it was made, and may be used by several threads at once
//       │ install(program, site)
//       ▼
//     Carrier   (carrier.h) the fabric in one program: owns whatever grows while schedules are lowered
//
// A fabric may stand several times in one program, each time on nodes of its own: wafers of a composite are one fabric, installed
// once for every wafer. It numbers its nodes and its resources from 0; a carrier knows what these are in the program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/advice.h"
#include "base/catalogue.h"
#include "base/fact.h"
#include "base/id.h"
#include "fabric/bill.h"
#include "flow/program.h"
#include "schedule/capabilities.h"
#include "schedule/schedule.h"

namespace helio::fabric {

class Carrier;

// An expected "no": which moves, why, and what would work.
struct Refusal {
  std::string reason;
  Advice advice;
  std::uint32_t phase = 0;
  std::vector<std::uint32_t> moves;   // of that phase; may be empty: all
  std::vector<std::uint32_t> groups;  // those refused; may be empty: all
};

struct Lowered {
  flow::TemplateId entry;  // running it once is the whole collective
  std::uint32_t wavelengths_used = 0;
  std::uint32_t longest_path_hops = 0;  // where the fabric counts them
  Facts facts;                          // what else the fabric has to say about it
};

using LowerResult = std::variant<Lowered, Refusal>;

// What lies between each node of a fabric that joins others and those whose bytes it hands on: the ways of the `holders` of a unit to
// their gateways, and the gateways. In resources of the program; a weight of 1 is what one holder sends.
struct Doors {
  struct Door {
    std::vector<flow::LinkUse> links;
    Time latency;
  };
  std::vector<Door> out, in;  // by node of the fabric
  std::uint32_t holders = 1;  // of each
};

// Where endpoints add what they receive: a byte that is added at a node takes its part of the node's memory link, which everything that
// is added there shares.
struct Memories {
  flow::ResourceId first;                    // of the program: that of node 0, and on
  std::vector<std::vector<NodeId>> holders;  // of a level: nodes of the program that a node stands for; empty: itself
  double added = 1;                          // bytes for each byte of the request
};

struct LowerOptions {
  schedule::Order order = schedule::Order::kStep;
  std::uint8_t priority = 0;
  float share = 1;  // of the links that its class divides: flow::Operation
  bool condense =
      false;  // rounds to what decides their time (flow/condense.h). Requires: nothing runs beside the collective
  std::uint64_t crossing_limit = 0;    // links on the ways of all moves together; 0: none; else WorkLimitError past it
  bool merged = false;                 // moves that share their ends and rounds are one transfer of so much more weight
  const Doors* doors = nullptr;        // of a level of a composite
  const Memories* memories = nullptr;  // none: endpoints add in no time
};

// What may be done when some groups of a collective are refused.
//   block      refused groups run after the accepted ones
//   middle     all groups, by a fabric with more middle switches than it has
//   endpoint   refused groups run an endpoint algorithm instead
//   replace    groups move to other nodes
//   split      the fabric is set anew between parts of the collective
enum class Remedy : std::uint8_t { kBlock, kMiddle, kEndpoint, kReplace, kSplit };

// What became of a remedy that only the fabric knows how to apply.
struct Remedied {
  LowerResult result;
  std::string words;            // what is different: "4 middle switches instead of 3"
  bool other_hardware = false;  // than the fabric has, which its bill does not count
};

// Where in a program a fabric stands.
struct Site {
  std::vector<NodeId> nodes;  // of the program, that the fabric's own 0, 1, … are; empty: the same numbers
  std::string name;           // before the names of its resources; empty: nothing, where it stands alone
};

class Fabric {
 public:
  virtual ~Fabric() = default;
  const schedule::Capabilities& capabilities() const { return capabilities_; }
  const flow::ResourceTable& resources() const { return resources_; }

  // The same network with only as many resources as these schedules can tell apart, for programs that hold nothing else; none: all of
  // them are needed.
  virtual std::unique_ptr<Fabric> simplified_for(std::span<const schedule::Schedule* const>) const { return nullptr; }

  // Whether a way through it can be asked for by itself (Carrier::add_way): light and averages must be settled for a whole schedule.
  bool gives_ways() const { return gives_ways_; }

  // Its parts, counted from its parameters. Default: links are copper between nodes.
  virtual Bill bill() const { return bill_of_direct_links(resources_); }

  // Adds its resources to a program, and whatever decides at run time. Requires: the fabric and the program outlive the carrier.
  virtual std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const = 0;

 protected:
  Fabric() = default;
  Fabric(const Fabric&) = default;

  schedule::Capabilities capabilities_;
  flow::ResourceTable resources_;
  bool gives_ways_ = true;
};

using Factory = std::function<std::unique_ptr<Fabric>(const Parameters&)>;

const Catalogue<Factory>& fabrics();

std::unique_ptr<Fabric> make(std::string_view name, const Settings& settings, std::string_view place = {});

}  // namespace helio::fabric
