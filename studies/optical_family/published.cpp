// SPDX-License-Identifier: Apache-2.0
// What its members' authors say of them, where something here can be held against it.
#include "fabric/bill.h"
#include "studies/assumption.h"
#include "studies/optical_family/chapters.h"

namespace helio::studies::optical_family_study {
namespace {

const RowMaker published_row{.study = "optical-family", .published = true, .always = {noted(kSameForAll)}};

double watts(const char* fabric, Words words) {
  Settings settings;
  for (const auto& [name, value] : words) settings[name] = {value, "studies"};
  return fabric::bill(*fabric::make(fabric, settings)).watts.middle();
}

}  // namespace

Rows published_rows(FamilyRuns& runs) {
  Rows rows;

  // Opera's direct light beside a network of as many lights that never changes
  const Job whole{64, 64};
  const std::vector<Phase> bulk = {{"all-to-all", 64 * 10e6}};
  Member torus = member("TopoOpt-like"), direct = member("RotorNet-like");
  torus.change = 0;
  torus.builds = {torus.builds[1]};
  direct.builds = {direct.builds[0]};
  rows.push_back(published_row(
      "all-to-all in bulk: a calendar of direct light over static light of degree four (times as fast)", 4,
      runs.seconds(torus, bulk, whole) / runs.seconds(direct, bulk, whole),
      {of_our_own(
          "64 nodes, 10 MB a pair; a torus of 8x8 in place of its expander and its Clos of 3:1, which have 648 hosts")},
      "arXiv 1903.12307, abstract"));

  // Sirius without electrical switches
  rows.push_back(published_row(
      "power that a calendar of light saves beside a network of electrical switches (share)", 0.77,
      1 - watts("rotor", {{"nodes", "1024"}, {"rate", "400 Gb/s"}}) /
              watts("fat-tree", {{"k", "16"}, {"rate", "400 Gb/s"}}),
      {of_our_own("all on, at full load: 1,024 nodes of 400 Gb/s, parts of docs/parts.md; a k = 16 fat-tree without "
                  "oversubscription; passive gratings, no tunable lasers and no more lights than without, while Sirius "
                  "has more")},
      "Ballani et al., SIGCOMM 2020, abstract: up to 74 to 77 % lower"));

  // PULSE: as many bytes as an epoch takes, from everyone to everyone
  const Member& slotted = member("PULSE-like");
  const std::vector<Phase> cells = {{"all-to-all", 64 * 108 * kRate / 8 * 1e-9}};
  rows.push_back(published_row(
      "throughput of receivers that decide slot by slot (share)", 0.93,
      63 * 108e-9 / runs.seconds(slotted, cells, whole),
      {of_our_own("64 nodes, 108 ns of bytes and 12 ns of change fill a slot of 120 ns, everyone to everyone at once; "
                  "PULSE's traffic is random and its requests travel while data of other epochs does")},
      "arXiv 2002.04077, abstract"));
  return rows;
}

}  // namespace helio::studies::optical_family_study
