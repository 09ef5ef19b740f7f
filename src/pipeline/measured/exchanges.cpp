// SPDX-License-Identifier: Apache-2.0
// Exchanges of experts: tokens dispatched to the GPUs that hold their experts, and combined again. Each is the all-to-all that its kernel
// amounts to (pipeline/measured/expert_exchange.h), on a cluster whose ports and NICs are as fast as the kernel drives them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/units.h"
#include "pipeline/measured/expert_exchange.h"
#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

template <class Value>
Value named(const MeasuredRow& row, std::string_view column,
            std::initializer_list<std::pair<const char*, Value>> known) {
  const std::string word = row.words(column);
  for (const auto& [name, value] : known)
    if (word == name) return value;
  throw row.refused(fmt::format("{} '{}' is not known", column, word));
}

// Of an element on its way, with the scales of blocks of 128 (fp8) and 16 (fp4).
double element_bytes(const MeasuredRow& row, ExpertPhase phase) {
  if (phase == ExpertPhase::kCombine) return 2;
  if (phase == ExpertPhase::kCombineLow) return 1;
  return named<double>(row, "dtype",
                       {{"bf16", 2}, {"bfloat16", 2}, {"half", 2}, {"fp8", 1 + 4.0 / 128}, {"nvfp4", 0.5 + 1.0 / 16}});
}

MeasuredCase read(const MeasuredRow& row) {
  const std::string place = row.place(), gpu = row.words("gpu"), words = row.words("mode");
  const auto mode = named<ExpertMode>(row, "mode",
                                      {{"normal", ExpertMode::kNormal},
                                       {"low-latency", ExpertMode::kLowLatency},
                                       {"nvlink-one-sided", ExpertMode::kOneSided},
                                       {"nvlink-two-sided", ExpertMode::kTwoSided}});
  const auto phase = named<ExpertPhase>(row, "phase",
                                        {{"dispatch", ExpertPhase::kDispatch},
                                         {"combine", ExpertPhase::kCombine},
                                         {"combine_low_precision", ExpertPhase::kCombineLow},
                                         {"prepare", ExpertPhase::kPrepare}});
  const auto number = [&](std::string_view column) { return parse_number(row.whole(column)); };
  ExpertShape shape{.gpus = number("gpus"),
                    .servers = number("nodes"),
                    .tokens = number("tokens"),
                    .hidden = number("hidden"),
                    .topk = number("topk")};
  if (shape.gpus < 2) throw row.refused("one GPU alone exchanges nothing");
  if (row.has("experts"))
    shape.experts = number("experts");
  else if (mode == ExpertMode::kNormal)
    throw row.refused("'experts' is not said");
  shape.element_bytes = element_bytes(row, phase);
  if (mode == ExpertMode::kLowLatency && phase == ExpertPhase::kDispatch) shape.element_bytes += 16 / shape.hidden;
  if (row.has("sms")) shape.sms = number("sms");
  if (mode == ExpertMode::kNormal && !row.has("sms")) throw row.refused("'sms' is not said");
  const bool domain = mode == ExpertMode::kOneSided || mode == ExpertMode::kTwoSided;
  const double servers = domain ? 1 : shape.servers, each = shape.gpus / servers;
  if (each != static_cast<long long>(each))
    throw row.refused(fmt::format("{:g} GPUs do not fill {:g} servers", shape.gpus, servers));
  const std::optional<ExpertKernel> kernel = expert_kernel(npu_named(gpu), mode, phase, shape);
  if (!kernel) throw row.refused(fmt::format("{} of {} is not known on {}", row.words("phase"), words, gpu));

  MeasuredCase found;
  found.what = fmt::format("{} {} of {:g} tokens of {:g}, {:g} of {:g} experts, on {:g} {}{}", words,
                           row.words("phase"), shape.tokens, shape.hidden, shape.topk, shape.experts, shape.gpus, gpu,
                           servers > 1 ? fmt::format(" in {:g} servers", servers) : "");
  found.groups = {gpu, fmt::format("{}, {}", words, row.words("phase")),
                  fmt::format("{}{}", words, servers > 1 ? ", several servers" : ", one server")};
  found.measured_s = row.measured("time_s");
  Draft& draft = found.draft;
  draft.source = row.source();
  const auto set = [&](Settings& settings, const char* key, std::string text) {
    settings[key] = {std::move(text), place};
  };
  const auto rate = [](BitRate value) { return fmt::format("{} b/s", value.value > 0 ? value.value : 1e15); };
  set(draft.fabric, "name", "cluster");
  set(draft.fabric, "nodes", fmt::format("{:.0f}", shape.gpus));
  set(draft.fabric, "npus_per_node", fmt::format("{:.0f}", each));
  set(draft.fabric, "protocol", "none");
  set(draft.fabric, "launch", fmt::format("{} s", kernel->once.to_seconds()));
  for (const char* none : {"latency", "network_latency"}) set(draft.fabric, none, "0 s");
  for (const char* whole : {"efficiency", "network_efficiency"}) set(draft.fabric, whole, "1");
  set(draft.fabric, "rate", rate(kernel->port));
  set(draft.fabric, "network_rate", rate(kernel->network));
  Draft::Block block{.place = place, .keys = {}, .parameters = {}};
  set(block.keys, "kind", "all-to-all");
  set(block.keys, "bytes", fmt::format("{:.0f} B", std::max(1.0, kernel->bytes.value)));
  set(block.keys, "algorithm", "direct");
  draft.collectives.push_back(std::move(block));
  return found;
}

}  // namespace

RowKind exchanges_of_experts() {
  return {.name = "exchanges of experts",
          .measures = "exchanges of experts",
          .needed = {{"gpu", "what exchanges", false},
                     {"mode", "normal, low-latency, nvlink-one-sided or nvlink-two-sided", false},
                     {"phase", "dispatch, combine, combine_low_precision or prepare", false},
                     {"nodes", "servers"},
                     {"gpus", "all of them"},
                     {"tokens", "of each GPU"},
                     {"hidden", "elements of a token"},
                     {"topk", "experts that a token goes to"},
                     {"time_s", "seconds, as measured"}},
          .optional = {{"experts", "over all GPUs; low-latency without: 256"},
                       {"dtype", "of what is dispatched: bf16, fp8 or nvfp4", false},
                       {"sms", "multiprocessors of a normal kernel"}},
          .fitted_on = {"dispatch and combine of DeepEP on H100, B200 and GB200, and of TensorRT-LLM on GB200"},
          .constants = {},
          .left_out = "gpu",
          .read = read};
}

}  // namespace helio::pipeline
