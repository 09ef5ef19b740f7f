// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/cluster_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace helio::fabric {
namespace {

// Microseconds and GB/s.
struct Constants {
  double launch, ll, ll_rate, ll128_start, ll128, ll128_rate, simple_start, simple, efficiency, copy, swap, swap_simple,
      swap_share;
};

// Fitted on nccl-tests numbers of 2 to 8 of them.
constexpr Constants kHopper{5.5, 0.19, 149, 13.2, 0.22, 331, 25.5, 1.2, 0.807, 0.43, 2.7, 8.5, 0.92};
constexpr Constants kBlackwell{7.7, 0.72, 295, 11.2, 0.81, 543, 3.8, 6.4, 0.867, 0.94, 2.5, 8.8, 0.78};
constexpr Constants kGraceBlackwell{8.2, 0.68, 319, 8, 0.79, 400, 0.8, 8, 0.905, 0.98, 3.2, 0.1, 0.77};

// Of a link of so many GB/s: one fit over all four types, rates as shares of the link.
Constants from_data_sheet(double link) {
  return {7.8, 0.56, 0.3 * link, 10.8, 0.58, 0.62 * link, 11.7, 4.5, 0.84, 0.65, 1.8, 6.2, 0.8};
}

struct Links {
  double link;  // GB/s, one direction of an NPU's port
  double npus;  // of a server, or of one domain of the switch
  double nics;  // of a server
  double nic;   // Gb/s each
};

ClusterSet set_of(std::string npu, std::string origin, const Links& links, const Constants& c) {
  const auto us = [](double value) { return fmt::format("{:g} us", value); };
  const auto gbs = [](double value) { return fmt::format("{:g} Gb/s", 8 * value); };
  return {std::move(npu),
          std::move(origin),
          {{"npus_per_node", fmt::format("{:g}", links.npus)},
           {"rate", gbs(links.link)},
           {"nics", fmt::format("{:g}", links.nics)},
           {"network_rate", fmt::format("{:g} Gb/s", links.nic)},
           {"efficiency", fmt::format("{:g}", c.efficiency)},
           {"launch", us(c.launch)},
           {"ll_latency", us(c.ll)},
           {"ll_rate", gbs(c.ll_rate)},
           {"ll128_start", us(c.ll128_start)},
           {"ll128_latency", us(c.ll128)},
           {"ll128_rate", gbs(c.ll128_rate)},
           {"simple_start", us(c.simple_start)},
           {"simple_latency", us(c.simple)},
           {"local_copy", fmt::format("{:g}", c.copy)},
           {"exchange_start", us(c.swap)},
           {"exchange_simple_start", us(c.swap_simple)},
           {"exchange_efficiency", fmt::format("{:g}", c.swap_share)}}};
}

// With sums in the switch: H100's and its like, where 8 NPUs share them.
ClusterSet with_sums(ClusterSet set, const char* rate, const char* start) {
  set.defaults.emplace_back("sums_rate", rate);
  set.defaults.emplace_back("sums_start", start);
  return set;
}

std::vector<ClusterSet> all_sets() {
  const std::string fitted = "protocols fitted on nccl-tests", derived = "protocols from data sheets";
  const ClusterSet usual{std::string(kUsualNpu), "NVIDIA DGX A100 data sheet; " + fitted, {}};
  ClusterSet a100 = usual, a800 = usual;
  a100.npu = "a100-40";
  a800.npu = "a800";
  a800.origin = "A100 with 8 links of 50 GB/s (recalled: 400 GB/s both ways); protocols of A100";
  a800.defaults = {{"rate", "1.6 Tb/s"}};
  const Links hopper{450, 8, 8, 400};
  return {
      set_of("v100", "NVIDIA DGX-2 data sheet: 6 links of 25 GB/s, 100 Gb/s NICs; " + derived, {150, 8, 8, 100},
             from_data_sheet(150)),
      a100,
      usual,
      a800,
      with_sums(set_of("h100", "NVIDIA DGX H100 data sheet: 18 links of 25 GB/s; " + fitted, hopper, kHopper),
                "262 GB/s", "62.4 us"),
      with_sums(set_of("h200", "NVIDIA DGX H200 data sheet; protocols of H100", hopper, kHopper), "262 GB/s",
                "62.4 us"),
      with_sums(set_of("h20", "links of H100 (recalled); protocols of H100", hopper, kHopper), "262 GB/s", "62.4 us"),
      with_sums(set_of("h800", "H100 with 8 links of 25 GB/s (DeepSeek-V3 report, 2024); protocols of H100",
                       {200, 8, 8, 400}, kHopper),
                "117 GB/s", "62.4 us"),
      set_of("b200", "NVIDIA DGX B200 data sheet: 18 links of 50 GB/s; " + fitted, {900, 8, 8, 400}, kBlackwell),
      set_of("b300", "NVIDIA DGX B300 data sheet: 800 Gb/s NICs; protocols of B200", {900, 8, 8, 800}, kBlackwell),
      set_of("gb200", "NVIDIA GB200 NVL72 data sheet: 72 NPUs on one switch; " + fitted, {900, 72, 72, 400},
             kGraceBlackwell),
      set_of("gb300", "NVIDIA GB300 NVL72 data sheet; protocols of GB200", {900, 72, 72, 800}, kGraceBlackwell),
      set_of("l40s", "PCIe 4.0 x16, 31.5 GB/s, no NVLink (NVIDIA L40S data sheet); " + derived, {31.5, 8, 8, 200},
             from_data_sheet(31.5)),
      set_of("mi300x", "AMD MI300X data sheet: 7 links of 64 GB/s, one to each neighbour; " + derived, {448, 8, 8, 400},
             from_data_sheet(448)),
      set_of("mi325x", "AMD MI325X data sheet: links of MI300X; " + derived, {448, 8, 8, 400}, from_data_sheet(448)),
  };
}

}  // namespace

const std::vector<ClusterSet>& cluster_sets() {
  static const std::vector<ClusterSet> sets = all_sets();
  return sets;
}

Settings with_defaults(std::string_view fabric, Settings settings) {
  const auto npu = settings.find("npu");
  if (fabric != "cluster" || npu == settings.end()) return settings;
  const auto set = std::ranges::find(cluster_sets(), npu->second.text, &ClusterSet::npu);
  if (set == cluster_sets().end()) return settings;
  const std::string place = fmt::format("npu {}", set->npu);
  for (const auto& [name, value] : set->defaults) settings.try_emplace(name, Setting{value, place});
  return settings;
}

}  // namespace helio::fabric
