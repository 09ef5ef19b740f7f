// SPDX-License-Identifier: Apache-2.0
#include "studies/joined_wafers/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plan/wdm_cost.h"

namespace helio::studies::one_system_study {
namespace {

constexpr System kAll[] = {{Inside::kMesh, Between::kFatTree},  {Inside::kMesh, Between::kWrht},
                           {Inside::kFredD, Between::kFatTree}, {Inside::kFredD, Between::kWrht},
                           {Inside::kFredD, Between::kPlanned}, {Inside::kFredD, Between::kOddl},
                           {Inside::kFredD, Between::kOptinc}};

std::string between_of(Between between, double injection) {
  const std::string nodes = fmt::format("name=between,nodes={}", kWafers);
  switch (between) {
    case Between::kFatTree: return fmt::format("fat-tree:{},rate={} b/s,routing=spray", nodes, injection);
    case Between::kOddl: return fmt::format("oddl:{},rate={} b/s,light=generous", nodes, injection);
    case Between::kOptinc: return fmt::format("optinc:{},rate={} b/s", nodes, injection);
    case Between::kWrht:
    case Between::kWrhtPublished:
    case Between::kPlanned: break;
  }
  return fmt::format("wdm-ring:{},wavelengths={},rate={} b/s", nodes, kWavelengths, injection / (2 * kWavelengths));
}

// "circulant:radices=64,stripe=64"
std::string fastest(const std::vector<plan::Candidate>& candidates) {
  const plan::Candidate best = std::ranges::min(candidates, {}, &plan::Candidate::seconds);
  std::string words = best.algorithm;
  char before = ':';
  for (const auto& [name, setting] : best.settings) {
    words += fmt::format("{}{}={}", before, name, setting.text);
    before = ',';
  }
  return words;
}

}  // namespace

std::span<const System> systems() { return kAll; }

std::string name_of(Between between) {
  switch (between) {
    case Between::kFatTree: return "fat-tree";
    case Between::kWrht: return "WRHT";
    case Between::kWrhtPublished: return "WRHT as published";
    case Between::kPlanned: return "wdm-planned";
    case Between::kOddl: return "ODDL";
    case Between::kOptinc: break;
  }
  return "OptINC";
}

std::string name_of(const System& system) {
  return fmt::format("{} + {}", system.inside == Inside::kMesh ? "mesh" : "FRED-D", name_of(system.between));
}

std::string levels_of(const System& system, double injection) {
  // As in the study of FRED; rows of four NPUs hold a replica of GPT-3
  const char* inside = system.inside == Inside::kMesh
                           ? "mesh:name=wafer,dimensions=4x5,rate=750 GB/s,latency=0 s,multicast=true,io_rate=128 GB/s"
                           : "fred:name=wafer,variant=D,latency=0 s";
  return fmt::format("{}/{}", inside, between_of(system.between, injection));
}

std::string algorithms_of(const System& system, double injection, double bytes) {
  const plan::WdmMachine ring{.nodes = kWafers,
                              .wavelengths = kWavelengths,
                              .rate = injection / (2 * kWavelengths) / 8,
                              .retune = 25e-6,
                              .drive = 2 * kWavelengths};
  switch (system.between) {
    case Between::kWrht: return "auto/" + fastest(plan::wrht_candidates(ring, bytes));
    case Between::kWrhtPublished: return "auto/wrht";
    case Between::kPlanned: return "auto/" + fastest(plan::circulant_candidates(ring, bytes));
    case Between::kFatTree:
    case Between::kOddl:
    case Between::kOptinc: break;
  }
  return "auto/auto";
}

double least_sent(const System& system) {
  return system.between == Between::kOptinc ? 8.0 / 16 : 2.0 * (kWafers - 1) / kWafers;
}

}  // namespace helio::studies::one_system_study
