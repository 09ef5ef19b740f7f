// SPDX-License-Identifier: Apache-2.0
// A Workload is a model as a cluster sees it: a table of layers, and in each the kernels that an NPU runs one after the
// other for one sample, with the places where tensor or expert parallelism must exchange data.
//
// Nothing here knows how the model is split or how fast an NPU is. Counts are per sample (one image, one sequence) and
// before any division; what divides a kernel when a layer is split over T tensor-parallel ranks is its `share`:
//
//                    [rows x inner] · [inner x columns], `batch` times
//     kColumns       columns / T     the first matrix of a Megatron pair: its output stays divided
//     kInner         inner / T       the second one: leaves partial sums, so kReduce follows
//     kBatch         batch / T       attention: whole heads go to ranks; experts of a mixture likewise
//     kSequence      memory kernels of norms and residuals: divided only under sequence parallelism
//     kWhole         not divided
//
// Invariant: parameters() is the exact published count where the reference has one (tests hold every model of the zoo to
// it), and a layer's forward_flops is what its matrix kernels add up to (2 per multiply-add).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace helio::workload {

enum class KernelKind : std::uint8_t {
  kMatrix,  // matrix products; convolutions as implicit ones
  kMemory,  // norms, activations, softmax, dropout, look-ups: as fast as memory is
};

enum class Share : std::uint8_t { kWhole, kSequence, kColumns, kInner, kBatch };

// What must be exchanged after a kernel of a divided layer. Its size is `exchange_elements` per sample.
enum class Exchange : std::uint8_t {
  kNone,
  kReduce,    // partial sums over the tensor-parallel ranks: all-reduce, or reduce-scatter with sequence parallelism
  kDispatch,  // tokens to the ranks of their experts: all-to-all
  kCombine,   // and back
  kContext,   // keys and values of the rest of the sequence, where ranks share one (context parallelism)
};

struct Kernel {
  std::string name;
  KernelKind kind = KernelKind::kMatrix;
  Share share = Share::kWhole;
  // kMatrix: `batch` products per sample. rows grow with the number of samples when `rows_grow` (tokens times weights);
  // otherwise batch does (attention: one product per head and sample).
  double batch = 1, rows = 0, columns = 0, inner = 0;
  bool rows_grow = true;
  bool weighted = true;  // one factor is a parameter: backward has a product for the weights besides that for the data
  bool wide = false;     // a product that stays in 16 bits where others take fewer: the head, a router
  bool winograd =
      false;  // a convolution of 3 x 3 without stride, which takes fewer multiplications in fp32 (Lavin and Gray 2016)
  bool loss = false;    // a loss over many words, several passes of which software of today makes one
  double visible = 1;   // of attention's products, what its mask leaves; only a fused kernel skips the rest
  double elements = 0;  // kMemory: elements read and written, per sample
  Exchange exchange = Exchange::kNone;
  double exchange_elements = 0;

  double flops() const { return kind == KernelKind::kMatrix ? 2 * batch * rows * columns * inner : 0; }
};

struct Layer {
  std::string name;
  std::uint64_t repeat = 1;             // so many equal ones in a row
  std::uint64_t parameters = 0;         // of one of them
  std::uint64_t whole_parameters = 0;   // of these, not divided by tensor parallelism (norms, biases after a reduction)
  std::uint64_t expert_parameters = 0;  // of these, divided among expert-parallel ranks
  double output_elements = 0;           // per sample: what the next layer gets
  // Per sample, what backward needs again when nothing is recomputed (the input of the layer included): elements of the
  // activation precision, divided by tensor parallelism, and not divided (unless by sequence parallelism).
  double kept_elements = 0, kept_whole_elements = 0;
  double kept_core_elements = 0;  // of kept_elements: scores and softmax, which selective recomputation makes again
  std::uint64_t experts = 0;      // 0: no mixture
  std::vector<Kernel> kernels;

  double forward_flops() const;  // per sample, of one of them
};

struct Workload {
  std::string name;                       // "gpt3-175b"
  std::string title;                      // "GPT-3 175B"
  std::string family;                     // "transformer", "convolutional", "recommendation", "own"
  std::string reference;                  // the paper, and where the parameter count comes from
  std::string sample;                     // what one sample is: "sequence of 2048 tokens", "image 3 x 224 x 224"
  std::string shape;                      // of a transformer, in a line for people
  std::vector<std::string> not_modelled;  // what a file says of it that changes nothing here: "rope_scaling = …"
  std::uint64_t tokens = 1;               // per sample
  std::uint64_t tied_parameters = 0;      // of the last layer, shared with the first: counted once
  std::uint64_t attention_heads = 0;      // 0: no attention; a tensor-parallel degree must divide it
  std::vector<Layer> layers;              // in forward order

  std::uint64_t parameters() const;
  double forward_flops() const;  // per sample
  std::uint64_t depth() const;   // layers, repeats counted
};

}  // namespace helio::workload
