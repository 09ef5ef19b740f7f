// SPDX-License-Identifier: Apache-2.0
// The wafer itself: loads of its I/O (papers/fred.md 2.7), areas (2.6) and the census of its switches (2.1).
#include <fmt/format.h>

#include "fabric/electrical/wafer_io.h"
#include "fabric/fred/fred_chiplets.h"
#include "fabric/fred/fred_switch.h"
#include "studies/fred/assumption.h"
#include "studies/fred/chapters.h"

namespace helio::studies::fred_study {
namespace {

constexpr double kMeshIoShare = 0.65;  // published

}  // namespace

Rows io_hotspot(Runs& runs) {
  // The routing was taken because it gives the count, and with it the share
  constexpr std::uint32_t kLeast = 2, kMost = 8;
  std::vector<double> given = {kMeshIoShare};
  for (std::uint32_t n = kLeast; n <= kMost; ++n) given.push_back(2 * n - 1);
  const Assumption fan_out =
      fitted_to(given, "straight across first, then sideways: the routing that gives the published count");
  Rows rows;
  for (std::uint32_t n = kLeast; n <= kMost; ++n)
    rows.push_back(published_row(fmt::format("I/O broadcast on {}x{}: channels on the hottest link", n, n), 2 * n - 1,
                                 fabric::wafer_io_broadcast(n, n).hottest(), {fan_out},
                                 paper("2N-1 (papers/fred.md 2.7)")));
  double along_rows = 0, along_columns = 0;
  for (const fabric::WaferIoLink& link : fabric::wafer_io_broadcast(kColumns, kRows).links) {
    double& most = link.from.value / kColumns == link.to.value / kColumns ? along_rows : along_columns;
    most = std::max(most, link.load);
  }
  rows.push_back(derived_row("I/O broadcast on 5x4: channels on the hottest row link", 9, along_rows, {fan_out},
                             "papers/fred.md 2.7: 2·5-1"));
  rows.push_back(derived_row("I/O broadcast on 5x4: channels on the hottest column link", 7, along_columns, {fan_out},
                             "papers/fred.md 2.7: 2·4-1"));

  // The share of line rate that is left
  rows.push_back(published_row("I/O share of line rate, mesh", kMeshIoShare, io_share(Wafer::kMesh), {fan_out},
                               paper("papers/fred.md 2.7")));
  rows.push_back(
      following({kMeshIoShare}, derived_row("I/O share of line rate, mesh, 750 over 9·128 GB/s", 750.0 / 1152,
                                            io_share(Wafer::kMesh), {fan_out}, "papers/fred.md 2.7")));
  rows.push_back(following(
      {kMeshIoShare}, derived_row("I/O share of line rate, mesh, counted on the links of the product's fabric",
                                  750.0 / 1152, runs({.wafer = Wafer::kMesh}).told("io_broadcast_share").value_or(0),
                                  {fan_out}, "papers/fred.md 2.7")));
  for (const Wafer wafer : kTrees) {
    const Question any{.wafer = wafer, .algorithm = reduces(wafer) ? "in-fabric" : "ring"};
    rows.push_back(derived_row(fmt::format("I/O share of line rate, {}", name_of(wafer)),
                               uplink_of(wafer) < 15 * kIoChannel ? 0.78125 : 1,
                               runs(any).told("io_broadcast_share").value_or(0),
                               {taken_literally("links and channels as published, counted on the product's fabric",
                                                paper("8.1 and papers/fred.md 2.7"))},
                               "papers/fred.md 2.7: uplink over 15·128 GB/s"));
  }
  rows.push_back(published_row(
      "I/O share of line rate, mesh, GPT-3 in its MP2·PP2 shards", kMeshIoShare, mesh_io_share_of_shards(2, 5, 2),
      {fan_out, of_our_own("every shard goes to its five replicas only; the paper broadcasts it to all")},
      paper("papers/fred.md 2.7")));
  return rows;
}

Rows silicon() {
  const Assumption counts =
      fitted_to({fabric::kFredWaferAreaMm2},
                "how many of each chiplet is reconstructed from this total, 35 chiplets and 18 I/O controllers");
  Rows rows;
  rows.push_back(published_row("area of all switches (mm2): 15·685 + 10·678 + 10·814", fabric::kFredWaferAreaMm2,
                               fabric::fred_wafer_area_mm2(), {counts}, paper("papers/fred.md 2.6")));
  for (const auto& [density, percent] : {std::pair{250.0, 18.4}, {1000.0, 5.0}})
    rows.push_back(published_row(fmt::format("area with {:g} GB/s per mm of edge (% of 107.4)", density), percent,
                                 100 * fabric::fred_area_share(density),
                                 {restated("area falls with the square of the edge, down to the 5 % of logic: inputs "
                                           "divided, or the floor itself",
                                           paper("papers/fred.md 2.6"), {percent})},
                                 paper("papers/fred.md 2.6")));

  struct Line {
    std::uint32_t ports;
    fabric::FredCensus census;
  };
  constexpr Line kTable[] = {{3, {1, 1, 3, 2, 3}},
                             {8, {10, 10, 9, 0, 5}},
                             {10, {20, 20, 27, 24, 7}},
                             {11, {23, 23, 27, 20, 7}},
                             {12, {24, 24, 27, 18, 7}}};
  for (const Line& line : kTable) {
    const fabric::FredCensus built = fabric::FredSwitch(line.ports, 3).census();
    const auto add = [&](const char* what, std::uint64_t expected, std::uint64_t ours) {
      rows.push_back(derived_row(fmt::format("Fred_3({}): {}", line.ports, what), static_cast<double>(expected),
                                 static_cast<double>(ours),
                                 {taken_literally("the switch as its construction is described, counted as built",
                                                  paper("papers/fred.md 2.1"))},
                                 "papers/fred.md 2.1, derived"));
    };
    add("R", line.census.reduce, built.reduce);
    add("D", line.census.distribute, built.distribute);
    add("RD", line.census.reduce_distribute, built.reduce_distribute);
    add("mux and demux", line.census.lone, built.lone);
    add("stages", line.census.stages, built.stages);
  }
  return rows;
}

}  // namespace helio::studies::fred_study
