// SPDX-License-Identifier: Apache-2.0
#include "placement/place.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "placement/iteration.h"
#include "placement/memory.h"

namespace helio::placement {
namespace {

constexpr double kMostPasses = 2e7;  // forward and backward, over stages, replicas and micro-batches: about 10 GB

void check_division(const workload::Workload& workload, const Strategy& strategy, const std::string& where) {
  const auto no = [&](std::string what, std::string advice) {
    return Error(ErrorKind::kInfeasible, std::move(what), where, std::move(advice));
  };
  const auto tp = static_cast<std::uint64_t>(strategy.tp);
  if (tp > 1 && workload.attention_heads == 0)
    throw no(fmt::format("the layers of {} cannot be divided by tensor parallelism, so tp {} has no meaning",
                         workload.title, tp),
             "Use dp and pp.");
  if (tp > 1 && workload.attention_heads % tp != 0 && !strategy.uneven)
    throw no(
        fmt::format("tp {} does not divide the {} attention heads of {}", tp, workload.attention_heads, workload.title),
        "Choose a divisor, or set uneven = true: work is then counted as if it divided.");
  const std::uint64_t parts = static_cast<std::uint64_t>(strategy.pp) * static_cast<std::uint64_t>(strategy.chunks);
  const double passes = 2.0 * static_cast<double>(strategy.micro_batches) * static_cast<double>(parts) *
                        strategy.replicas() / strategy.block();
  if (passes > kMostPasses)
    throw no(fmt::format("an iteration of {:.3g} passes is more than the {:.3g} that can be written down", passes,
                         kMostPasses),
             "Choose fewer micro-batches; the time of one more is the same as that of the last.");
  if (parts > workload.depth())
    throw no(fmt::format("{} has {} layers, not enough for {} pipeline parts", workload.title, workload.depth(), parts),
             "Choose fewer stages or chunks.");
  std::uint64_t experts = 0;
  for (const workload::Layer& layer : workload.layers) experts = std::max(experts, layer.experts);
  if (strategy.ep > 1 && (experts == 0 || experts % static_cast<std::uint64_t>(strategy.ep) != 0))
    throw no(experts == 0
                 ? fmt::format("{} has no experts to divide by ep {}", workload.title, strategy.ep)
                 : fmt::format("ep {} does not divide the {} experts of {}", strategy.ep, experts, workload.title),
             "Choose a divisor, or leave ep out.");
}

}  // namespace

Program place(const workload::Workload& workload, const Strategy& asked, const Machine& machine,
              const std::string& where) {
  // Streamed, stages hold consecutive layers: as many turns as there are layers for each of them
  Strategy strategy = asked;
  if (strategy.streaming && strategy.pp > 1)
    strategy.chunks =
        static_cast<int>(std::max<std::uint64_t>(1, workload.depth() / static_cast<std::uint64_t>(strategy.pp)));
  check_division(workload, strategy, where);

  // Which layers where
  const std::vector<Part> flat =
      cut(workload, static_cast<std::uint32_t>(strategy.pp * strategy.chunks), strategy.ends);
  std::vector<std::vector<Part>> parts(static_cast<std::size_t>(strategy.pp));
  for (std::size_t i = 0; i < flat.size(); ++i) parts[i % parts.size()].push_back(flat[i]);

  // Does it fit
  Program program;
  program.name = workload.name;
  program.memory =
      memory_of(parts, workload, strategy, fuses_attention(static_cast<double>(workload.tokens), machine.constants));
  if (const Memory& m = program.memory; m.total > machine.npu.memory)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{} does not fit: stage {} needs {} on each NPU (parameters {}, gradients {}, optimiser "
                            "{}, activations {}), and {} has {}",
                            workload.title, m.stage, format(m.total), format(m.parameters), format(m.gradients),
                            format(m.optimiser), format(m.activations), machine.npu.name, format(machine.npu.memory)),
                where,
                "Raise tp or pp, use zero, recompute = \"full\", a smaller micro_batch, or an NPU with more memory.");

  // The iteration
  program.npus = strategy.npus();
  program.io_rate = strategy.io_rate;
  program.samples = strategy.micro_batch * static_cast<double>(strategy.micro_batches) * strategy.dp;
  program.model_flops = 3 * workload.forward_flops() * program.samples;
  Iteration(workload, strategy, machine, parts, program).write();
  return program;
}

}  // namespace helio::placement
