// SPDX-License-Identifier: Apache-2.0
#include "schedule/algorithm.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

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
#include "schedule/own_algorithm.h"
#include "schedule/pipelined.h"
#include "schedule/recursive_doubling.h"
#include "schedule/ring.h"
#include "schedule/schedule_file.h"
#include "schedule/stripe.h"
#include "schedule/two_level.h"
#include "schedule/wrht.h"

namespace helio::schedule {
namespace {

bool has(const Algorithm& algorithm, Kind kind) {
  return std::find(algorithm.kinds.begin(), algorithm.kinds.end(), kind) != algorithm.kinds.end();
}

}  // namespace

namespace {

const Catalogue<Algorithm>& built_in() {
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

// With what the process brought itself; none: the catalogue is the built-in one.
std::atomic<const Catalogue<Algorithm>*> extended = nullptr;
std::mutex extending;
std::vector<std::unique_ptr<const Catalogue<Algorithm>>> made;  // the current one last, if it is extended
int users = 0;

// Requires: `extending` is held.
void forget_old() {
  const Catalogue<Algorithm>* current = extended;
  if (users == 0) std::erase_if(made, [&](const auto& one) { return one.get() != current; });
}

void replace(std::vector<AlgorithmEntry> entries) {
  if (entries.size() == built_in().entries().size()) {
    extended = nullptr;
  } else {
    made.push_back(std::make_unique<const Catalogue<Algorithm>>("algorithm", std::move(entries)));
    extended = made.back().get();
  }
  forget_old();
}

}  // namespace

const Catalogue<Algorithm>& algorithms() {
  const Catalogue<Algorithm>* current = extended;
  return current ? *current : built_in();
}

OwnAlgorithm::OwnAlgorithm(AlgorithmEntry entry, std::string place) : name_(entry.description.name) {
  const std::lock_guard guard(extending);
  if (name_.empty() || algorithms().find(name_))
    throw Error(ErrorKind::kInput, fmt::format("there is an algorithm '{}' already", name_), std::move(place),
                "give it another name");
  std::vector<AlgorithmEntry> entries = algorithms().entries();
  entries.push_back(std::move(entry));
  replace(std::move(entries));
}

OwnAlgorithm::~OwnAlgorithm() {
  const std::lock_guard guard(extending);
  std::vector<AlgorithmEntry> entries = algorithms().entries();
  std::erase_if(entries, [&](const AlgorithmEntry& entry) { return entry.description.name == name_; });
  replace(std::move(entries));
}

AlgorithmsInUse::AlgorithmsInUse() {
  const std::lock_guard guard(extending);
  ++users;
}

AlgorithmsInUse::~AlgorithmsInUse() {
  const std::lock_guard guard(extending);
  if (--users == 0) forget_old();
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
  if (const std::string_view path = schedule_path(algorithm); !path.empty()) {
    if (!settings.empty())
      throw Error(ErrorKind::kInput, fmt::format("a schedule file has no parameter '{}'", settings.begin()->first),
                  settings.begin()->second.place, "leave it out: the file says everything");
    Schedule schedule = read_schedule_for(request, capabilities, std::string(path), place);
    if (capabilities.averaging) refuse_single_senders(schedule, capabilities);
    return schedule;
  }
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
