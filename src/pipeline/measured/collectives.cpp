// SPDX-License-Identifier: Apache-2.0
// Collectives as nccl-tests measures them, out of place. Its size is the larger of the two buffers: what every GPU ends with in an
// all-gather, what it starts with in a reduce-scatter, all that it sends in an all-to-all, its own part included. That is what `bytes`
// of a collective is here, too.
#include <fmt/format.h>

#include "base/units.h"
#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

constexpr double kLarge = 1e6;  // bytes from which groups count a row as large

// On one server, or on `servers` of them.
MeasuredCase collective(const MeasuredRow& row, const std::string& gpu, const std::string& kind, double gpus,
                        double servers, const std::string& bytes, double measured_s) {
  const std::string place = row.place();
  if (gpus < 2) throw row.refused("one GPU alone exchanges nothing");
  const double size = parse_number(bytes);
  const char* large = size >= kLarge ? "from 1 MB" : "below 1 MB";
  MeasuredCase found;
  found.what = fmt::format("{} of {} on {:.0f} {}{}", kind, format(Bytes{size}), gpus, gpu,
                           servers > 1 ? fmt::format(" in {:.0f} servers", servers) : "");
  found.groups = {fmt::format("{}, {}", gpu, large), fmt::format("{}, {}", kind, large),
                  fmt::format("{:.0f} GPUs, {}", gpus, large)};
  found.measured_s = measured_s;
  Draft& draft = found.draft;
  draft.source = row.source();
  const auto set = [&](Settings& settings, const char* key, std::string text) {
    settings[key] = {std::move(text), place};
  };
  set(draft.fabric, "name", "cluster");
  set(draft.fabric, "nodes", fmt::format("{:.0f}", gpus));
  Draft::Block block{.place = place, .keys = {}, .parameters = {}};
  set(block.keys, "kind", kind);
  set(block.keys, "bytes", bytes + " B");
  set(block.keys, "algorithm", kind == "all-to-all" ? "direct" : "ring");
  draft.collectives.push_back(std::move(block));
  return found;
}

MeasuredCase of_servers(const MeasuredRow& row) {
  const double gpus = parse_number(row.whole("gpus")),
               servers = row.has("nodes") ? parse_number(row.whole("nodes")) : 1;
  const std::string gpu = row.words("gpu");
  if (npu_named(gpu) != "a100-80") throw row.refused(fmt::format("no cluster of {} is known", gpu));
  if (servers > 1) throw row.refused("collectives between servers are not predicted yet");
  return collective(row, gpu, row.words("collective"), gpus, servers, row.whole("bytes"), row.measured("time_s"));
}

MeasuredCase of_a100(const MeasuredRow& row) {
  return collective(row, "A100", "all-reduce", 8, 1, row.whole("size_B"), row.measured("time_us", 1e-6));
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
          .optional = {{"nodes", "servers; unset: one"},
                       {"nics_per_node", "of a server; unset: those of the GPU's usual server"},
                       {"nic_gbps", "of each NIC"},
                       {"algo", "as the source names it", false},
                       {"dtype", "of the elements: half or int8", false}},
          .fitted_on = {},
          .read = of_servers};
}

RowKind all_reduces_of_a100() {
  return {.name = "all-reduce of 8 A100",
          .measures = "all-reduce",
          .needed = {{"size_B", "the vector"}, {"time_us", "microseconds, as measured"}},
          .optional = {},
          .fitted_on = {"one table of nccl-tests"},
          .read = of_a100};
}

}  // namespace helio::pipeline
