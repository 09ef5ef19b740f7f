// SPDX-License-Identifier: Apache-2.0
#include "workload/workload.h"

namespace helio::workload {

double Layer::forward_flops() const {
  double flops = 0;
  for (const Kernel& kernel : kernels) flops += kernel.flops();
  return flops;
}

std::uint64_t Workload::parameters() const {
  std::uint64_t total = 0;
  for (const Layer& layer : layers) total += layer.repeat * layer.parameters;
  return total - tied_parameters;
}

double Workload::forward_flops() const {
  double flops = 0;
  for (const Layer& layer : layers) flops += static_cast<double>(layer.repeat) * layer.forward_flops();
  return flops;
}

std::uint64_t Workload::depth() const {
  std::uint64_t depth = 0;
  for (const Layer& layer : layers) depth += layer.repeat;
  return depth;
}

}  // namespace helio::workload
