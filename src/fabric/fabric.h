// SPDX-License-Identifier: Apache-2.0
// A fabric carries schedules: Schedule → templates of a FlowProgram, or a Refusal.
//
// A fabric installs its resources once in a program's table; several fabrics (parts of a composite) may share one table.
// `lower` then turns a schedule into a template of that program and may be called often: an iteration lowers many.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/catalogue.h"
#include "base/fact.h"
#include "flow/program.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"
#include "schedule/schedule.h"

namespace helio::fabric {

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

struct LowerOptions {
  schedule::Order order = schedule::Order::kStep;
  std::uint8_t priority = 0;
  float share = 1;                   // of the links that its class divides: flow::Operation
  std::uint64_t crossing_limit = 0;  // links on the ways of all moves together; 0: none; else WorkLimitError past it
};

// Another way to carry what was refused, which only the fabric knows.
enum class Otherwise : std::uint8_t {
  kMoreMiddles,  // with more middle switches than it has
  kOtherNodes,   // the same groups on other nodes
  kInParts,      // with the fabric set anew between parts of the collective
};

struct Instead {
  LowerResult result;
  std::string words;  // what is different: "4 middle switches instead of 3"
};

class Fabric {
 public:
  virtual ~Fabric() = default;
  const schedule::Capabilities& capabilities() const { return capabilities_; }

  // Adds the fabric's resources. Requires: called once, before lower.
  virtual void install(flow::Program& program) = 0;
  // Requires: schedule and request are checked and belong together; nodes are below capabilities().nodes; installed in
  // `program`.
  virtual LowerResult lower(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                            const LowerOptions& options, flow::Program& program) const = 0;
  // Settles beforehand what several requests that may run beside each other need together; `together` has all their groups. They are
  // then lowered one by one. Default: nothing to settle. Requires: as `lower`.
  virtual std::optional<Refusal> settle(const schedule::Schedule& schedule,
                                        const schedule::CollectiveRequest& together);
  // Lowers what was refused in another way. Default: none, because the fabric has no such way.
  virtual std::optional<Instead> lower_otherwise(Otherwise way, const schedule::Schedule& schedule,
                                                 const schedule::CollectiveRequest& request,
                                                 const LowerOptions& options, flow::Program& program) const;
  // What one byte of a stream through the fabric's I/O takes of each link, when it is spread over all channels. `shards`: the
  // stream in equal parts, each copied to all nodes of its list (inward) or added up from them on the way (outward).
  // Default: false, for fabrics without I/O. Requires: installed.
  virtual bool stream(std::span<const std::vector<NodeId>> shards, bool inward,
                      std::vector<flow::LinkUse>& links) const;

 protected:
  schedule::Capabilities capabilities_;
};

using Factory = std::function<std::unique_ptr<Fabric>(const Parameters&)>;

const Catalogue<Factory>& fabrics();

std::unique_ptr<Fabric> make(std::string_view name, const Settings& settings, std::string_view place = {});

}  // namespace helio::fabric
