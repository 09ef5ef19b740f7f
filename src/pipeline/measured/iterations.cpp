// SPDX-License-Identifier: Apache-2.0
// Iterations of GPT models with Megatron-LM on A100 80 GB, as vTrain's measurements tell them: up to 8 GPUs on one server, more on a
// cluster of servers with four HDR NICs each (fitted: docs/compute-model.md).
#include <fmt/format.h>

#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

constexpr double kServer = 8;

MeasuredCase read(const MeasuredRow& row) {
  const std::string place = row.place();
  const auto number = [&](std::string_view column) { return row.whole(column); };
  const std::string npus = number("# GPUs");
  const bool many = row.number("# GPUs") > kServer;

  MeasuredCase found;
  found.what = fmt::format("{} GPUs, hidden {}, {} layers, batch {}/{}, tp {} dp {} pp {}", npus, number("hidden size"),
                           number("# layers"), number("global batch"), number("micro batch"),
                           number("tensor parallelism"), number("data parallelism"), number("pipeline parallelism"));
  found.groups = {many ? "many servers" : "one server", "tp " + number("tensor parallelism")};
  found.measured_s = row.measured("iteration time (ms)", 1e-3);

  Draft& draft = found.draft;
  draft.source = row.source();
  const auto set = [&](Settings& settings, const char* key, std::string text) {
    settings[key] = {std::move(text), place};
  };
  set(draft.fabric, "name", "cluster");
  set(draft.fabric, "nodes", npus);
  if (many) {
    set(draft.fabric, "nics", "4");
    set(draft.fabric, "network_efficiency", "0.9");
    set(draft.fabric, "network_latency", "5 us");
  }
  JobBlock job{.place = place, .keys = {}, .tables = {}};
  set(job.keys, "name", fmt::format("line {}", row.line()));
  set(job.keys, "model", "gpt");
  Settings& model = job.tables["model_parameters"];
  set(model, "layers", number("# layers"));
  set(model, "hidden", number("hidden size"));
  set(model, "heads", number("attention heads"));
  set(model, "sequence", number("sequence length"));
  set(job.keys, "npu", "a100-80");
  set(job.tables["npu_parameters"], "memory", "1 PB");  // it ran, so it fitted
  set(job.keys, "tp", number("tensor parallelism"));
  set(job.keys, "dp", number("data parallelism"));
  set(job.keys, "pp", number("pipeline parallelism"));
  set(job.keys, "global_batch", number("global batch"));
  set(job.keys, "micro_batch", number("micro batch"));
  // Megatron-LM of that time: gradients in half precision, reduced after backward; all activations recomputed on large clusters
  set(job.keys, "precision", "fp16");
  set(job.keys, "overlap", "false");
  set(job.keys, "recompute", many ? "full" : "none");
  draft.jobs.push_back(std::move(job));
  return found;
}

}  // namespace

RowKind iterations_of_vtrain() {
  return {.name = "iterations",
          .measures = "training iterations",
          .needed = {{"# GPUs", "A100 80 GB, 8 of a server"},
                     {"global batch", "samples of an iteration"},
                     {"micro batch", "samples at once"},
                     {"hidden size", "of the GPT model"},
                     {"attention heads", "of each layer"},
                     {"# layers", "of the model"},
                     {"sequence length", "tokens of a sample"},
                     {"tensor parallelism", "GPUs that share a layer"},
                     {"data parallelism", "replicas"},
                     {"pipeline parallelism", "stages"},
                     {"iteration time (ms)", "as measured"}},
          .optional = {},
          .fitted_on = {"220 rows of vTrain's iterations"},
          .constants = {"job.compute.matrix_efficiency", "job.compute.backward_traffic", "job.compute.forward_launch",
                        "job.compute.backward_launch", "job.compute.exchange_launch", "job.compute.exchange_skew",
                        "job.compute.optimiser_traffic"},
          .left_out = "tensor parallelism",
          .read = read};
}

}  // namespace helio::pipeline
