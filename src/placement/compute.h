// SPDX-License-Identifier: Apache-2.0
// The compute model: how long an NPU takes for the kernels of a layer (docs/compute-model.md has the fit, its errors and the plot
// of predicted against measured).
//
// A layer is a chain of pieces with an exchange after each; beside it the host issues the kernels, and the layer ends when
// both have ended:
//
//     host     ├──────────────── issues every kernel ────────────────┤
//     device   ├─ piece ─┤ exchange ├──── piece ────┤ exchange ├─ … ─┤
//                        ├─ beside ─┤
//
// Device time of a kernel. A product of [m x k] and [k x n], `batch` times, in elements of e bytes:
//
//     2 batch m n k / (peak · matrix_efficiency)  +  batch (mk + kn + mn) e / (bandwidth · memory_efficiency)  +  kernel_gap
//
// The sum, not the larger of both: the less a product does per byte, the farther it stays below its peak, and that is the whole
// dependence on shape. Its two products in backward join the same three matrices, so each takes as long. A memory kernel is the
// middle term with its elements and the gap, times backward_traffic in backward.
//
// Backward runs the kernels in reverse. What leaves partial sums there is the gradient of the input of a kColumns product (each
// rank has the part of its columns): kReduce follows it, and the product for the weights, which needs nothing from that exchange,
// runs beside it. Dispatch and combine are exchanged again, each in the other's place.
#pragma once

#include <vector>

#include "base/catalogue.h"
#include "base/time.h"
#include "placement/npu.h"
#include "workload/workload.h"

namespace helio::placement {

// How a layer is divided and how many samples it sees at once.
struct Division {
  double samples = 1;  // of one micro-batch
  int tp = 1;
  int ep = 1;
  bool sequence_parallel = false;
};

enum class Recompute { kNone, kSelective, kFull };  // kSelective: the attention core only

// The constants of the model, and where each comes from. "fitted": minimises the error on 220 measured iterations of Megatron-LM
// on clusters of A100; "set": chosen by us where those measurements say little; "counted": from what the software does.
// docs/compute-model.md has ranges and errors.
struct ComputeConstants {
  // Device
  double matrix_efficiency = 0.79;  // of the peak, for a product so large that its bytes do not matter; fitted
  double memory_efficiency = 0.88;  // of the memory bandwidth; set: fits lie between 0.79 and 0.95, all about as good
  Time kernel_gap =
      Time::microseconds(1.5);      // between two kernels on the device; set: fits give 0 to 9 us, all about as good
  double backward_traffic = 3.2;    // bytes of a memory kernel in backward, relative to forward; fitted
  double accumulated_elements = 3;  // per weight, to add its gradient up: two read, one written; counted

  // Host. One kernel of a layer table stands for the several launches that a framework makes of it.
  Time forward_launch = Time::microseconds(133);   // to issue one kernel, forward; fitted
  Time backward_launch = Time::microseconds(113);  // and backward; fitted
  Time exchange_launch = Time::microseconds(130);  // to issue one exchange, forward; fitted
  Time exchange_skew = Time::microseconds(24);     // per exchange and further rank that must arrive, either way; fitted

  // Megatron-LM has one kernel for scale, mask and softmax, and takes it when heads x samples on a rank are a multiple of 4
  // (fused_softmax.py: "np * b must be divisor of 4"); otherwise the steps run one by one.
  double fused_batch = 4;      // 0: always fused; counted
  double unfused_kernels = 4;  // more kernels when not fused; fitted, and rounded to a whole number
  double unfused_traffic = 2;  // and so many times the bytes; set: the measurements hardly see it

  // Per iteration and per transfer: added by place(), not by forward() and backward().
  double optimiser_traffic = 46;  // bytes per parameter on the rank, for all passes of the optimiser; fitted
  Time transfer_launch =
      Time::microseconds(10);  // before activations go from stage to stage; fitted, loosely: 0 to 100 us do
};

const std::vector<Parameter>& compute_parameters();
// Requires: `parameters` were resolved against compute_parameters().
ComputeConstants constants_from(const Parameters& parameters);

struct Piece {
  Time device;
  workload::Exchange exchange =
      workload::Exchange::kNone;  // after the piece, among ranks that exist: kNone in a group of one
  double elements = 0;            // exchanged, for all samples of the micro-batch
  Time
      beside;  // device time that runs while the exchange does; the next piece waits for both. Zero where exchange is kNone
};

struct Work {
  Time host;
  std::vector<Piece> pieces;
  double flops = 0;  // really done by one rank, recomputation included
};

// Of one micro-batch, on one rank, for one of the layer's repeats. Requires of all: npu.peak(precision) > 0.
Work forward(const workload::Layer& layer, const Division& division, const Npu& npu, Precision precision,
             const ComputeConstants& constants);
// With kFull the forward pieces come first, with their exchanges; with kSelective the attention core's kernels.
Work backward(const workload::Layer& layer, const Division& division, const Npu& npu, Precision precision,
              const ComputeConstants& constants, Recompute recompute);

// Mixed-precision Adam with the norm and the clipping of the gradients, as traffic of the memory.
Time optimiser_time(double parameters_on_rank, const Npu& npu, const ComputeConstants& constants);

}  // namespace helio::placement
