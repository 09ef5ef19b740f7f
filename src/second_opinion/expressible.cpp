// SPDX-License-Identifier: Apache-2.0
#include "second_opinion/expressible.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace helio::second_opinion {
namespace {

using flow::Operation;
using flow::OperationKind;

constexpr const char* kAdvice = "use engine 'helio'";

[[noreturn]] void refuse(const flow::Program& program, std::uint32_t where, std::size_t operation, std::string what) {
  throw Error(ErrorKind::kInfeasible, "SimGrid cannot express " + std::move(what),
              fmt::format("template {} '{}', operation {}", where, program.templates[where].name, operation), kAdvice);
}

// The templates that run.
std::vector<std::uint32_t> called(const flow::Program& program) {
  std::vector<bool> seen(program.templates.size(), false);
  std::vector<std::uint32_t> found = {program.entry.value};
  seen[program.entry.value] = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Operation& op : program.templates[found[i]].operations) {
      if (op.kind != OperationKind::kCall || seen[op.callee.value]) continue;
      seen[op.callee.value] = true;
      found.push_back(op.callee.value);
    }
  return found;
}

}  // namespace

bool has_half_weights(const flow::Program& program) {
  for (std::uint32_t route = 0; route < program.routes.size(); ++route)
    for (const flow::LinkUse& use : program.routes.links(flow::RouteId{route}))
      if (use.weight != std::floor(use.weight)) return true;
  return false;
}

void refuse_what_simgrid_cannot_express(const flow::Program& program) {
  if (!program.controls.empty())
    throw Error(ErrorKind::kInfeasible, "SimGrid cannot express a controller, which decides at run time", "", kAdvice);
  constexpr int kUnused = -1;
  std::vector<int> class_of(program.resources.size(), kUnused);
  std::vector<float> share_of(program.resources.size(), 0);
  for (const std::uint32_t where : called(program)) {
    const auto& operations = program.templates[where].operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Operation& op = operations[i];
      if (!op.route.valid()) continue;

      // Nobody may have to wait for another
      if (const auto channels = program.routes.channels(op.route); !channels.empty())
        refuse(program, where, i,
               fmt::format("channel '{}', which serves one operation at a time", program.resources.name(channels[0])));
      if (op.kind != OperationKind::kTransfer) continue;

      // One class, one share (then it says nothing) and weights that crossings can say on each link
      for (const flow::LinkUse& use : program.routes.links(op.route)) {
        if (2 * use.weight != std::floor(2 * use.weight) || use.weight < 0.5f || use.weight > kLargestWeight)
          refuse(program, where, i,
                 fmt::format("weight {} on link '{}': it has to be a multiple of 0.5 up to {}", use.weight,
                             program.resources.name(use.link), kLargestWeight));
        int& known = class_of[use.link.value];
        if (known != kUnused && known != op.priority)
          refuse(program, where, i,
                 fmt::format("strict priority: classes {} and {} share link '{}'", known, op.priority,
                             program.resources.name(use.link)));
        known = op.priority;
        float& divided = share_of[use.link.value];
        if (divided != 0 && divided != op.share)
          refuse(
              program, where, i,
              fmt::format("shares: {} and {} meet on link '{}'", divided, op.share, program.resources.name(use.link)));
        divided = op.share;
      }
    }
  }
}

}  // namespace helio::second_opinion
