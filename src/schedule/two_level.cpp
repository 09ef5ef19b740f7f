// SPDX-License-Identifier: Apache-2.0
#include "schedule/two_level.h"

#include <bit>
#include <iterator>
#include <numeric>

#include "schedule/halving_doubling.h"
#include "schedule/hierarchical_ring.h"
#include "schedule/walk.h"

namespace helio::schedule {
namespace {

Schedule build_two_level(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters) {
  const Position n = request.ranks(), members = ranks_per_group(request, capabilities, parameters);
  const Lattice lattice = lattice_of_groups(n, members);
  std::vector<std::size_t> inside_first(lattice.axes().size());
  std::iota(inside_first.begin(), inside_first.end(), std::size_t{0});
  const Share whole = lay_out(lattice, request.kind, std::move(inside_first));

  // One level is halving-doubling or a ring
  Schedule schedule{.algorithm = "two-level",
                    .kind = request.kind,
                    .ranks = n,
                    .root = request.root,
                    .chunks = static_cast<std::uint32_t>(n)};
  if (members == 1) schedule.symmetry = Symmetry::kRotation;
  if (members == n) schedule.symmetry = std::has_single_bit(schedule.chunks) ? Symmetry::kXor : Symmetry::kRotation;

  const auto append = [&](std::vector<Phase> phases) {
    std::move(phases.begin(), phases.end(), std::back_inserter(schedule.phases));
  };
  const std::size_t across = members > 1 ? 1 : 0;
  std::vector<Phase> inside;
  if (members > 1) inside = halve(lattice, whole, 0, schedule.chunks);
  const auto ring = [&](Action action) { return walk_axes(lattice, {&whole, 1}, action, schedule.chunks, across); };
  if (request.kind != Kind::kAllGather) append(inside), append(ring(Action::kReduce));
  if (request.kind != Kind::kReduceScatter)
    append(ring(Action::kStore)), append(mirror(std::move(inside), "all-gather"));
  return schedule;
}

}  // namespace

AlgorithmEntry two_level() {
  return {
      {.name = "two-level",
       .summary = "halving and doubling inside groups, rings across; the fewest bytes in 2 log2 m + 2(n/m - 1) steps",
       .reference = "Jia et al. 2018; Rabenseifner 2004",
       .parameters = {group_parameter("two-level")}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}, .build = build_two_level}};
}

}  // namespace helio::schedule
