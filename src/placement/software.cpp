// SPDX-License-Identifier: Apache-2.0
#include "placement/software.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/catalogue.h"

namespace helio::placement {
namespace {

// What releases of 2025 and 2026 share, on GPUs: fitted on training_steps.csv but for what is marked.
ComputeConstants of_today() {
  ComputeConstants c;
  c.matrix_efficiency = 0;     // the NPU's
  c.fused_attention_from = 1;  // counted: all of them have fused attention
  c.fused_batch = 0;           // counted: so there is no softmax to fuse
  c.tile_fill = 42;
  c.quantised_bytes = 1.7;
  c.grouped_efficiency = 0.61;
  c.attention_efficiency = 0.43;
  c.score_share =
      0.5;  // counted: a B200's units take 64 of 8192 operations a clock for 4 x 128, and 16 exponentials a clock
  c.experts_exposed = 0.4;
  c.loss_traffic = 0.21;
  c.backward_traffic = 3.1;
  c.kernel_gap = Time::microseconds(4.5);
  c.accumulated_elements = 4;  // counted: sums of gradients in 32 bits, read and written
  c.forward_launch = Time::microseconds(15);
  c.backward_launch = Time::microseconds(20);
  c.exchange_launch = Time::microseconds(15);
  c.exchange_skew = Time();
  c.dispatch_once = 1;
  c.runs_ahead = 1;
  c.expert_launch = Time::microseconds(91);
  c.pipelined = 0.74;
  return c;
}

// Convolutional networks: fitted on ResNet-50 on V100 (fp32 374, mixed 1154 images/s, batch 128: sandeepkumar-skb/pytorch_experiments)
// and A100 (mixed 2600: huggingface/pytorch-image-models, issue 1491).
ComputeConstants of_convolutions() {
  ComputeConstants c;
  c.backward_traffic = 1.5;
  c.kernel_traffic = 0.8;
  c.winograd = 2.25;                                              // counted
  c.forward_launch = c.backward_launch = Time::microseconds(15);  // set: large batches do not see it
  return c;
}

Software release(std::string name, std::string summary, double mixture_overhead) {
  ComputeConstants constants = of_today();
  constants.mixture_overhead = mixture_overhead;
  return {std::move(name), std::move(summary), constants};
}

}  // namespace

const std::vector<Software>& all_software() {
  static const std::vector<Software> all = [] {
    std::vector<Software> list = {
        {"megatron-2021", "Megatron-LM of 2021: attention in three kernels, gradients reduced after backward", {}},
        {"cudnn", "convolutions in PyTorch with cuDNN, channels last, norms and activations in one kernel",
         of_convolutions()},
        release("megatron-25.11", "Megatron-Bridge 25.11", 1.5),
        release("megatron-26.02", "Megatron-Bridge 26.02 and 26.02.01", 1.5),
        release("megatron-26.04", "Megatron-Bridge 26.04 and 26.04.01", 1.35),
        release("megatron-26.06", "Megatron-Bridge 26.06 to 26.08: mixtures run in fewer, larger kernels", 0.47),
        release("mlperf-5", "NeMo as in MLPerf Training 5.0 and 5.1", 1.22),
        release("maxtext", "MaxText on TPUs: one program, compiled ahead, so that no kernel waits for the host", 1.75)};
    ComputeConstants& compiled = list.back().constants;
    compiled.kernel_gap = Time::microseconds(2);
    compiled.forward_launch = compiled.backward_launch = compiled.exchange_launch = compiled.expert_launch = Time();
    return list;
  }();
  return all;
}

const Software& usual_software(std::string_view npu) {
  constexpr std::string_view kLater[] = {"h100",  "h200",   "b200",   "b300",   "gb200",
                                         "gb300", "mi300x", "mi325x", "mi350x", "mi355x"};
  if (npu.starts_with("tpu-")) return software_named("maxtext");
  const bool later = std::ranges::find(kLater, npu) != std::end(kLater);
  return later ? software_named("megatron-26.04") : all_software().front();
}

std::vector<Parameter> software_parameters(const Software& software) {
  std::vector<std::string> names;
  for (const Software& each : all_software()) names.push_back(each.name);
  std::vector<Parameter> parameters = {{.name = "software",
                                        .type = ParameterType::kChoice,
                                        .fallback = software.name,
                                        .description =
                                            "what trains; the constants below are its defaults; unset: a release "
                                            "of the NPU's time, of 2021 up to the A100",
                                        .choices = names}};
  for (Parameter& constant : compute_parameters(software.constants)) parameters.push_back(std::move(constant));
  return parameters;
}

const Software& software_named(std::string_view name, const std::string& place) {
  std::vector<std::string> names;
  for (const Software& software : all_software()) {
    if (software.name == name) return software;
    names.push_back(software.name);
  }
  throw unknown_name("software", name, names, place);
}

}  // namespace helio::placement
