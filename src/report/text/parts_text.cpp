// SPDX-License-Identifier: Apache-2.0
#include "report/text/parts_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "pipeline/job.h"
#include "placement/software.h"
#include "report/text/table_text.h"

namespace helio::report {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12;

// "175,181,291,520"
std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string layers_of(const workload::Workload& model) {
  std::vector<std::vector<std::string>> rows = {{"layer", "repeat", "parameters", "forward GFLOP", "output elements"}};
  for (const workload::Layer& layer : model.layers)
    rows.push_back({layer.name, grouped(layer.repeat), grouped(layer.parameters),
                    fmt::format("{:.6g}", layer.forward_flops() / kGiga),
                    grouped(static_cast<std::uint64_t>(layer.output_elements))});
  return table_of(rows, {1, 2, 3, 4});
}

}  // namespace

bool names_a_model(const std::string& name) {
  return workload::models().find(name) || name.ends_with(".toml") || name.ends_with(".json");
}

std::string describe_model(const std::string& name, const std::string& place) {
  const workload::Workload model = workload::load(name, {}, place);
  std::string text = fmt::format("model {}\n  {}\n  reference: {}\n", model.name, model.title, model.reference);
  if (!model.shape.empty()) text += fmt::format("  shape: {}\n", model.shape);
  for (const std::string& said : model.not_modelled) text += fmt::format("  not modelled: {}\n", said);
  text += fmt::format("  sample: {}\n  parameters: {}\n  forward: {:.6g} GFLOP per sample\n", model.sample,
                      grouped(model.parameters()), model.forward_flops() / kGiga);
  if (model.tied_parameters > 0)
    text += fmt::format("  tied: {} parameters of the last layer are those of the first, counted once\n",
                        grouped(model.tied_parameters));
  if (const auto* entry = workload::models().find(name))
    text += table_of(entry->description.parameters, "job.model_parameters.");
  return text + "\n  Each of the equal layers that `repeat` counts has:\n" + layers_of(model);
}

std::string numbers_of(const placement::Npu& npu) {
  const double peak = npu.peak(placement::precision_named("bf16")), half = npu.peak(placement::precision_named("fp16"));
  return fmt::format("{:.4g} TFLOP/s of {}, {:.4g} GiB at {:.4g} GB/s", (peak > 0 ? peak : half) / kTera,
                     peak > 0 ? "bf16" : "fp16", npu.memory.value / parse_bytes("1 GiB").value,
                     npu.memory_bandwidth / kGiga);
}

std::string describe_npu(const Catalogue<placement::NpuFactory>::Entry& entry) {
  const placement::Npu npu = entry.factory(placement::npus().resolve(entry, {}));
  std::string text =
      fmt::format("npu {}\n  {}\n  reference: {}\n", npu.name, entry.description.summary, entry.description.reference);
  std::string peaks;
  for (const char* name : {"fp32", "tf32", "fp16", "bf16", "fp8", "nvfp4"})
    if (const double peak = npu.peak(placement::precision_named(name)); peak > 0)
      peaks += fmt::format("{}{} {:.6g}", peaks.empty() ? "" : ", ", name, peak / kTera);
  text += fmt::format("  dense peak: {} TFLOP/s\n  memory: {:.6g} GiB at {:.6g} GB/s\n", peaks,
                      npu.memory.value / parse_bytes("1 GiB").value, npu.memory_bandwidth / kGiga);
  if (npu.power > Power{0}) text += fmt::format("  power: {} at full load\n", format(npu.power));
  return text + table_of(entry.description.parameters, "job.npu_parameters.");
}

std::string describe_job() {
  return fmt::format(
      "job\n  training iterations of a model on NPUs of the fabric: a [[job]] table of an experiment file\n"
      "  reference: docs/experiment-file.md\n{}"
      "\n  [job.model_parameters]: helio describe MODEL; [job.npu_parameters]: helio describe NPU\n"
      "  [job.algorithm]: what carries tp, pp, dp and ep traffic, such as dp = \"ring\"; helio list algorithms\n"
      "  [job.compute]: constants of the compute model\n{}",
      table_of(pipeline::job_parameters(), "job."),
      table_of(placement::software_parameters(placement::all_software().front()), "job.compute."));
}

}  // namespace helio::report
