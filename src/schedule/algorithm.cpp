// SPDX-License-Identifier: Apache-2.0
#include "schedule/algorithm.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/bidirectional_ring.h"
#include "schedule/binary_tree.h"
#include "schedule/circulant.h"
#include "schedule/dimension_ordered.h"
#include "schedule/direct.h"
#include "schedule/double_binary_tree.h"
#include "schedule/fitted/fitted.h"
#include "schedule/halving_doubling.h"
#include "schedule/hierarchical_ring.h"
#include "schedule/in_fabric.h"
#include "schedule/levels/by_level.h"
#include "schedule/optree.h"
#include "schedule/pipelined.h"
#include "schedule/recursive_doubling.h"
#include "schedule/ring.h"
#include "schedule/stripe.h"
#include "schedule/two_level.h"
#include "schedule/wrht.h"

namespace helio::schedule {
namespace {

bool has(const Algorithm& algorithm, Kind kind) {
  return std::find(algorithm.kinds.begin(), algorithm.kinds.end(), kind) != algorithm.kinds.end();
}

}  // namespace

const Catalogue<Algorithm>& algorithms() {
  static const Catalogue<Algorithm> catalogue("algorithm", {
                                                               pipelined(striped(ring())),
                                                               pipelined(striped(bidirectional_ring())),
                                                               pipelined(striped(recursive_doubling())),
                                                               pipelined(striped(halving_doubling())),
                                                               pipelined(striped(binary_tree())),
                                                               pipelined(striped(double_binary_tree())),
                                                               pipelined(striped(hierarchical_ring())),
                                                               pipelined(striped(two_level())),
                                                               pipelined(direct()),
                                                               pipelined(dimension_ordered()),
                                                               wrht(),
                                                               optree(),
                                                               circulant(),
                                                               in_fabric(),
                                                               by_level(),
                                                               fitted(),
                                                           });
  return catalogue;
}

namespace {

// What leaves a fabric that averages is an average of all, never what some of them have.
void refuse_single_senders(const Schedule& schedule, const Capabilities& capabilities) {
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves)
      if (const std::size_t senders = schedule.members(move.source).size();
          senders < static_cast<std::size_t>(schedule.ranks))
        throw Error(
            ErrorKind::kInfeasible,
            fmt::format("{} {} sends what {} of {} ranks have, and what leaves '{}' is the average of all",
                        schedule.algorithm, name_of(schedule.kind), senders, schedule.ranks, capabilities.fabric),
            "", "use " + advised("algorithm", "in-fabric") + ", for all-reduce, reduce and reduce-scatter");
}

}  // namespace

Schedule build(std::string_view algorithm, const CollectiveRequest& request, const Capabilities& capabilities,
               const Settings& settings, std::string_view place) {
  const AlgorithmEntry& entry = algorithms().at(algorithm, std::string(place));
  if (!has(entry.factory, request.kind)) {
    std::vector<std::string> able;
    const bool levels = levels_spanned(request, capabilities) > 0;
    for (const AlgorithmEntry& other : algorithms().entries())
      if (has(other.factory, request.kind) && (levels || other.description.name != kByLevel))
        able.push_back(other.description.name);
    throw Error(ErrorKind::kInfeasible, fmt::format("algorithm '{}' has no {}", algorithm, name_of(request.kind)),
                std::string(place), fmt::format("those that have it: {}", fmt::join(able, ", ")));
  }
  const Parameters parameters = algorithms().resolve(entry, settings);

  // A rank alone has its result already
  if (request.ranks() == 1)
    return {.algorithm = entry.description.name, .kind = request.kind, .ranks = 1, .root = request.root};

  Schedule schedule = entry.factory.build(request, capabilities, parameters);
  check(schedule);
  if (capabilities.averaging) refuse_single_senders(schedule, capabilities);
  return schedule;
}

}  // namespace helio::schedule
