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
// A product whose inner dimension is short spends more of its time on filling and draining its tiles: they cost what
// `tile_fill` more inner elements would at 16 bits, so 1 + tile_fill · (peak / 16-bit peak) / inner times the first term. Where
// products take fewer than 16 bits, their inputs are quantised before: quantised_bytes for each element. What stays in 16 bits
// (the head, the router, attention) runs at that peak.
//
// Attention is three kernels, or from `fused_attention_from` tokens on one that never writes its scores (FlashAttention, Dao et
// al. 2022), skips what the mask hides, reaches attention_efficiency of the 16-bit peak, and takes 2.5 times as many operations
// backward: five products for two, the scores computed again.
//
// With `runs_ahead` the host issues kernels ahead of the device, a queue: within a pass a layer starts when the one before has
// ended on the device and has been issued, and a pass ends when both have (cell.h). Without, the two meet after every layer.
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
  double samples = 1;  // of one micro-batch; of a sequence that context parallelism divides, a part
  int tp = 1;
  int ep = 1;
  bool sequence_parallel = false;
  int etp = 0;  // ranks that share one expert; 0: as many as tp
  int cp = 1;   // ranks that share a sequence
  int expert_groups =
      0;  // of ranks to which a token goes once each, however many of its experts are there; 0: once for each
  bool ring_attention = true;  // keys and values go round while attention runs; otherwise they are gathered before

  int of_expert() const { return etp > 0 ? etp : tp; }
};

enum class Recompute { kNone, kSelective, kFull };  // kSelective: the attention core only

// What is computed again: of kFull, so much of a layer's operations.
struct Recomputed {
  Recompute what = Recompute::kNone;
  double share = 1;
};

// The constants of the model, and where each comes from. "fitted": minimises the error on 220 measured iterations of Megatron-LM
// on clusters of A100; "set": chosen by us where those measurements say little; "counted": from what the software does.
// docs/compute-model.md has ranges and errors.
struct ComputeConstants {
  // Device
  double matrix_efficiency =
      0.79;              // of the peak, for a product so large that its bytes do not matter; fitted. 0: what the
                         // NPU's line in the catalogue says (npu.h)
  double tile_fill = 0;  // inner elements, at 16 bits, that a tile's start and end cost; fitted
  double winograd = 1;   // fewer multiplications of a 3 x 3 convolution in fp32; 2.25: tiles of 2 x 2 results; counted
  double quantised_bytes = 0;          // moved per element of an input in fewer than 16 bits; fitted
  double grouped_efficiency = 1;       // of what one product reaches, for many of different experts at once; fitted
  double mixture_overhead = 1;         // bytes and grouped products of a mixture, relative to those counted; fitted
  double attention_efficiency = 0.45;  // of the 16-bit peak, for fused attention; fitted
  double score_share = 0;              // of its time with heads of 128, what goes with scores: exponentials; counted
  double fused_attention_from = 8192;  // tokens of a sequence; set: such sequences were not trained without it
  double memory_efficiency = 0.88;  // of the memory bandwidth; set: fits lie between 0.79 and 0.95, all about as good
  Time kernel_gap =
      Time::microseconds(1.5);      // between two kernels on the device; set: fits give 0 to 9 us, all about as good
  double loss_traffic = 1;          // bytes of a loss over many words, relative to those counted; fitted
  double kernel_traffic = 1;        // bytes of a memory kernel, relative to those counted; fitted
  double backward_traffic = 3.2;    // bytes of a memory kernel in backward, relative to forward; fitted
  double accumulated_elements = 3;  // per weight, to add its gradient up: two read, one written; counted

  // Host. One kernel of a layer table stands for the several launches that a framework makes of it.
  Time forward_launch = Time::microseconds(133);   // to issue one kernel, forward; fitted
  Time backward_launch = Time::microseconds(113);  // and backward; fitted
  Time exchange_launch = Time::microseconds(130);  // to issue one exchange, forward; fitted
  Time exchange_skew = Time::microseconds(24);  // per exchange and further rank that must arrive, either way; fitted on
                                                // 2, 4 and 8 ranks: beyond 8 it grows with log2 of the ranks
  double dispatch_once =
      0;  // 1: a token goes once to each server that has experts of its own, or rank of a server; 0: once for
          // each expert; counted: as DeepEP does
  double experts_exposed = 1;  // of an exchange of experts in one server, the bytes that nothing hides; fitted
  double runs_ahead = 0;       // 1: within a pass the host issues ahead of the device; 0: not beyond a layer; fitted
  Time expert_launch;          // to issue what one expert of a grouped product takes; fitted

  // Exchanges beside products
  double pipelined = 0;   // of a product, done piece by piece while the pieces before are exchanged; fitted
  double contention = 0;  // by which products slow down beside an exchange, which takes cores and memory; set

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

// Every constant, with `defaults`; which software has which: software.h.
std::vector<Parameter> compute_parameters(const ComputeConstants& defaults);
const std::vector<Parameter>& compute_parameters();  // with the defaults above
// Requires: `parameters` were resolved against one of them.
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
  Time host;  // to issue the kernels and exchanges
  Time skew;  // waiting for ranks that arrive late at exchanges, beyond that
  std::vector<Piece> pieces;
  double flops = 0;  // really done by one rank, recomputation included
};

// Of one micro-batch, on one rank, for one of the layer's repeats. Requires of all: npu.peak(precision) > 0.
Work forward(const workload::Layer& layer, const Division& division, const Npu& npu, Precision precision,
             const ComputeConstants& constants);
// With kFull the forward pieces come first, with their exchanges; with kSelective the attention core's kernels.
Work backward(const workload::Layer& layer, const Division& division, const Npu& npu, Precision precision,
              const ComputeConstants& constants, Recomputed recomputed);

// Whether attention over so many tokens is one kernel, so that its scores are never kept.
inline bool fuses_attention(double tokens, const ComputeConstants& constants) {
  return tokens >= constants.fused_attention_from;
}

// Mixed-precision Adam with the norm and the clipping of the gradients, as traffic of the memory.
Time optimiser_time(double parameters_on_rank, const Npu& npu, const ComputeConstants& constants);

}  // namespace helio::placement
