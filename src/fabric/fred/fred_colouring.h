// SPDX-License-Identifier: Apache-2.0
// Exact colouring: a colour for each node so that neighbours differ and no listed set has one colour throughout; or the
// smallest reason why not.
//
//       a ──── b        edges      ab, bc, ca, cd          with 2 colours: none, because of the core {a, b, c}
//        ╲    ╱                                            with 3 colours: a 0, b 1, c 2, d 0
//          c ──── d     sets       {a, b, d}: not all three alike
//
// Nodes are flows in one FRED switch, colours its middle switches, an edge is a shared micro-switch, and a set is known not to
// fit into one middle switch together (fred_router.h).
//
// Method: components apart; in each the node with the fewest colours left first (DSATUR, Brélaz 1979), the lightest
// allowed colour first, a colour that is new to the component tried once because new ones are alike; backtracking. When
// the search is exhausted, nodes and then sets are left out as long as nothing can be coloured still: what is left is a
// core, from which nothing more can be left out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace helio::fabric {

struct ColouringProblem {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // each once, no loops
  std::vector<std::vector<std::uint32_t>> sets;                // of two nodes or more
  std::vector<std::uint32_t> weights;                          // of nodes: colours are filled evenly; empty: all alike
};

enum class ColouringOutcome { kFound, kImpossible, kGaveUp };

struct Colouring {
  ColouringOutcome outcome = ColouringOutcome::kFound;
  std::vector<std::uint32_t> colours;    // when found
  std::vector<std::uint32_t> core;       // when impossible: nodes, ascending
  std::vector<std::uint32_t> core_sets;  // and the sets that are needed to show it
  std::uint64_t tried = 0;               // choices of a colour until the first answer, before the core was made small
};

// Spends `work`, one for each choice of a colour, and gives up when it is 0.
Colouring colour(const ColouringProblem& problem, std::uint32_t colours, std::uint64_t& work);

}  // namespace helio::fabric
