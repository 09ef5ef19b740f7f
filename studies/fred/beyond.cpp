// SPDX-License-Identifier: Apache-2.0
// What the paper does not have (papers/fred.md 7, all ours): compression at the ports, trees of more levels than a wafer, and how many
// middle switches a switch of P ports needs.
#include <fmt/format.h>

#include "studies/fred/assumption.h"
#include "studies/fred/chapters.h"
#include "studies/fred/strategy_flows.h"

namespace helio::studies::fred_study {
namespace {

// 1 GB of 16-bit elements through the switches: half in fp8. Of top-k, 1 % of the elements with 32-bit indices go up, 3 % of the
// bytes; the sum of all n keeps n times as many, 3n % of the bytes, over the narrowest link down.
void add_compression(Rows& rows, Runs& runs) {
  const Assumption ours = of_our_own("16-bit elements; sums keep what any contribution kept; codecs take no time");
  for (const Wafer wafer : {Wafer::kB, Wafer::kD}) {
    const double narrowest = wafer == Wafer::kB ? 1.5 : 3;  // TB/s
    for (const auto& [name, share] : {std::pair{"fp8", 0.5}, {"top-k", 0.01 * 3 * kNpus}})
      rows.push_back(derived_row(fmt::format("all-reduce 20 with {} at the ports, {} (ms)", name, name_of(wafer)),
                                 share / narrowest,
                                 1e3 * runs({.wafer = wafer, .algorithm = "in-fabric", .compression = name}).seconds,
                                 {ours}, "closed form: bytes down to an L1 or an NPU over its link"));
  }
}

// An all-reduce of everyone crosses each uplink once: the narrowest decides, an eighth of the NPUs below an L1 in B.
void add_trees(Rows& rows, Runs& runs) {
  const Assumption ours = of_our_own("uplinks of every level as the variant has them on the wafer");
  for (const char* radix : {"4x8x32", "4x5x50"})
    for (const Wafer wafer : {Wafer::kB, Wafer::kD})
      rows.push_back(derived_row(fmt::format("all-reduce of all NPUs of a {} tree, {} (ms)", radix, name_of(wafer)),
                                 wafer == Wafer::kB ? 1 / 1.5 : 1.0 / 3,
                                 1e3 * runs({.wafer = wafer, .algorithm = "in-fabric", .radix = radix}).seconds, {ours},
                                 "closed form: 1 GB over the narrowest link"));
}

// The least m with which every aligned strategy-phase of at most P NPUs routes. Two up to P = 5; the first that needs three is dp of
// 1-2-3 on six ports, whose three pairs form a triangle.
void add_middles(Rows& rows) {
  for (const auto& [ports, expected] : {std::pair{4u, 2}, {5u, 2}, {6u, 3}, {12u, 3}, {20u, 3}}) {
    std::uint32_t m = 2;
    while (studies::flexibility(fabric::FredSwitch(ports, m)).routed < placement::strategy_phases(ports).size()) ++m;
    rows.push_back(
        derived_row(fmt::format("fewest middle switches that route every aligned strategy of {} ports", ports),
                    expected, m, {of_our_own("NPU mp + MP·(pp + PP·dp) on the port of its number")},
                    "papers/fred.md 2.3: the smallest failure at m = 2 is dp of MP1-DP2-PP3"));
  }
}

}  // namespace

Rows beyond(Runs& runs) {
  Rows rows;
  add_compression(rows, runs);
  add_trees(rows, runs);
  add_middles(rows);
  return rows;
}

}  // namespace helio::studies::fred_study
