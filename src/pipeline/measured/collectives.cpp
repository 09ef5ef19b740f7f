// SPDX-License-Identifier: Apache-2.0
// Collectives as nccl-tests measures them, out of place. Its size is the larger of the two buffers: what every GPU ends with in an
// all-gather, what it starts with in a reduce-scatter, all that it sends in an all-to-all, its own part included. That is what `bytes`
// of a collective is here, too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "fabric/electrical/cluster_sets.h"
#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

constexpr double kLarge = 1e6;  // bytes from which groups count a row as large
constexpr double kTree = 64e6;  // bytes from which Amazon's tuner takes trees between two servers
constexpr const char* kEfa = "0.95";

// Networks that systems have: Amazon's EFA and HPE's Slingshot, latency and payload fitted on nccl-tests of several servers. Elsewhere it is
// InfiniBand, the default.
struct Network {
  std::string_view named;  // within the name of a system
  const char *latency, *efficiency;
};
constexpr Network kNetworks[] = {{"p4d", "2600 ns", kEfa},          {"p5", "1500 ns", kEfa},
                                 {"p6", "2600 ns", kEfa},           {"EFA", "2600 ns", kEfa},
                                 {"Perlmutter", "2300 ns", "0.78"}, {"Slingshot", "2300 ns", "0.78"}};

// Who measures with a process for each GPU (mpirun, as most do) waits for the last host to launch; aiconfigurator's are threads of one process.
// Fitted on four systems of one server, which agree: two of A100, H100, B200.
constexpr std::string_view kThreads = "aiconfigurator";
constexpr double kProcesses = 20e-6;  // s

// What the set of an NPU says of a parameter, or its own default. Requires: there is such a set.
std::string default_of(std::string_view npu, std::string_view parameter, std::string own) {
  const auto set = std::ranges::find(fabric::cluster_sets(), npu, &fabric::ClusterSet::npu);
  for (const auto& [name, value] : set->defaults)
    if (name == parameter) return value;
  return own;
}

Time launch_of(std::string_view npu) { return parse_time(default_of(npu, "launch", "10 us")); }

struct Where {
  std::string gpu;
  double gpus = 8, servers = 1;
  std::string system = {};
};

// NVLS-tree: within a server the switch adds up and copies, which takes what a sum of one server takes, starts once and leaves no part to
// copy, while trees go between servers. Said in what two rings inside are: 2 (n - 1) / n of the vector over each port. Nothing is fitted.
void add_in_switches(Settings& fabric, std::string_view npu, double server, const std::string& place) {
  const BitRate sums = parse_rate(default_of(npu, "sums_rate", "0 b/s"));
  if (!(sums > BitRate{0})) return;
  const double share = parse_number(default_of(npu, "efficiency", "1"));
  const Time start = launch_of(npu) + parse_time(default_of(npu, "sums_start", "0 s"));
  fabric["rate"] = {fmt::format("{:.0f} b/s", sums.value * 2 * (server - 1) / server / share), place};
  fabric["local_copy"] = {"0", place};
  fabric["launch"] = {fmt::format("{} s", start.to_seconds()), place};
}

// By the algorithm that NCCL's tuner takes, which `usual` does.
MeasuredCase collective(const MeasuredRow& row, const Where& where, const std::string& kind, const std::string& bytes,
                        double measured_s) {
  const std::string place = row.place(), npu = npu_named(where.gpu);
  if (where.gpus < 2) throw row.refused("one GPU alone exchanges nothing");
  if (std::ranges::find(fabric::cluster_sets(), npu, &fabric::ClusterSet::npu) == fabric::cluster_sets().end())
    throw row.refused(fmt::format("no cluster of {} is known", where.gpu));
  const double size = parse_number(bytes);
  const char* large = size >= kLarge ? "from 1 MB" : "below 1 MB";
  MeasuredCase found;
  found.what = fmt::format("{} of {} on {:.0f} {}{}", kind, format(Bytes{size}), where.gpus, where.gpu,
                           where.servers > 1 ? fmt::format(" in {:.0f} servers", where.servers) : "");
  found.groups = {fmt::format("{}, {}", where.gpu, large), fmt::format("{}, {}", kind, large),
                  fmt::format("{:.0f} GPUs, {}", where.gpus, large),
                  fmt::format("{}, {}", where.servers > 1 ? "several servers" : "one server", large)};
  found.measured_s = measured_s;
  Draft& draft = found.draft;
  draft.source = row.source();
  const auto set = [&](Settings& settings, const char* key, std::string text) {
    settings[key] = {std::move(text), place};
  };
  set(draft.fabric, "name", "cluster");
  set(draft.fabric, "npu", npu);
  set(draft.fabric, "nodes", fmt::format("{:.0f}", where.gpus));
  Draft::Block block{.place = place, .keys = {}, .parameters = {}};
  set(block.keys, "kind", kind);
  set(block.keys, "bytes", bytes + " B");
  set(block.keys, "algorithm", "usual");
  if (where.servers > 1) {
    const double each = where.gpus / where.servers;
    if (each != std::floor(each))
      throw row.refused(fmt::format("{:.0f} GPUs do not fill {:.0f} servers", where.gpus, where.servers));
    set(draft.fabric, "npus_per_node", fmt::format("{:.0f}", each));
    if (row.has("nics_per_node") && row.has("nic_gbps")) {
      // NICs that share a GPU act as one
      double nics = parse_number(row.whole("nics_per_node"));
      const double all = nics * row.number("nic_gbps");
      nics = std::min(nics, each);
      if (std::fmod(each, nics) != 0)
        throw row.refused(fmt::format("{:.0f} NICs cannot be shared evenly by {:.0f} GPUs", nics, each));
      set(draft.fabric, "nics", fmt::format("{:.0f}", nics));
      set(draft.fabric, "network_rate", fmt::format("{:g} Gb/s", all / nics));
    }
    bool efa = false;
    for (const Network& network : kNetworks)
      if (where.system.find(network.named) != std::string::npos) {
        set(draft.fabric, "network_latency", network.latency);
        set(draft.fabric, "network_efficiency", network.efficiency);
        set(draft.fabric, "network_ll128", "false");
        efa = std::string_view(network.efficiency) == kEfa;
        break;
      }
    if (kind != "all-to-all") set(block.keys, "algorithm", "ring");
    // Amazon's tuner (aws-ofi-nccl) takes trees for large vectors between two servers: each sends the vector once, as here
    if (efa && kind == "all-reduce" && where.servers == 2 && size >= kTree) {
      set(block.keys, "algorithm", "hierarchical-ring");
      set(block.parameters, "pieces", "32");
      if (row.text("dtype") != "int8") add_in_switches(draft.fabric, npu, each, place);
    }
  }
  if (where.servers == 1 && row.has("source") && row.text("source").find(kThreads) == std::string_view::npos)
    set(draft.fabric, "launch", fmt::format("{} s", (launch_of(npu) + Time::seconds(kProcesses)).to_seconds()));
  // Sums in the switch are of floating-point numbers
  if (row.text("dtype") == "int8") set(draft.fabric, "sums_rate", "0 b/s");
  draft.collectives.push_back(std::move(block));
  return found;
}

std::vector<std::string> fitted_constants() {
  std::vector<std::string> paths;
  for (const char* name :
       {"launch", "efficiency", "ll_latency", "ll_rate", "ll128_start", "ll128_latency", "ll128_rate", "simple_start",
        "simple_latency", "local_copy", "exchange_start", "exchange_simple_start", "exchange_efficiency"})
    paths.push_back(std::string("fabric.") + name);
  return paths;
}

MeasuredCase of_servers(const MeasuredRow& row) {
  const Where where{.gpu = row.words("gpu"),
                    .gpus = parse_number(row.whole("gpus")),
                    .servers = row.has("nodes") ? parse_number(row.whole("nodes")) : 1,
                    .system = std::string(row.text("system"))};
  return collective(row, where, row.words("collective"), row.whole("bytes"), row.measured("time_s"));
}

MeasuredCase of_a100(const MeasuredRow& row) {
  return collective(row, {.gpu = "A100"}, "all-reduce", row.whole("size_B"), row.measured("time_us", 1e-6));
}

}  // namespace

RowKind collectives_of_servers() {
  return {.name = "collectives",
          .measures = "collectives",
          .needed = {{"gpu", "what exchanges", false},
                     {"collective", "all-reduce, all-gather, reduce-scatter, all-to-all", false},
                     {"gpus", "all of them"},
                     {"bytes", "the larger of the two buffers of a GPU"},
                     {"time_s", "seconds, as measured"}},
          .optional = {{"system", "its name: tells the network", false},
                       {"nodes", "servers; unset: one"},
                       {"nics_per_node", "of a server; unset: those of the GPU's usual server"},
                       {"nic_gbps", "of each NIC"},
                       {"source", "who measured, which tells how: by threads or processes", false},
                       {"algo", "as the source names it", false},
                       {"dtype", "of the elements: half or int8", false}},
          .fitted_on = {"nccl-tests of 2 to 8 A100, H100, B200 and GB200, and of Perlmutter"},
          .constants = fitted_constants(),
          .left_out = "gpus",
          .read = of_servers};
}

RowKind all_reduces_of_a100() {
  return {.name = "all-reduce of 8 A100",
          .measures = "all-reduce",
          .needed = {{"size_B", "the vector"}, {"time_us", "microseconds, as measured"}},
          .optional = {},
          .fitted_on = {"one table of nccl-tests, and those of 2 to 8 A100"},
          .constants = fitted_constants(),
          .left_out = "size_B",
          .read = of_a100};
}

}  // namespace helio::pipeline
