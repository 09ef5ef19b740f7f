// SPDX-License-Identifier: Apache-2.0
// Convolutional networks as tables: a row per convolution, pooling, dense layer or block of branches, and one builder that walks
// the rows with the size of the image in hand.
//
//     image ─▶ row ─▶ row ─▶ ┬─ row ─ row ─┬─▶ row ─▶ …         branches end in a sum (residual block) or
//                            └─────────────┘                    side by side (inception)
//
// A convolution is one matrix product per group: a row of it is an output pixel, a column an output channel, and the inner
// extent input channels x window. Each row of the table becomes one Layer, a block of branches too: between layers nothing but
// the image passes, so that a pipeline may be cut anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace helio::workload {

struct Image {
  std::uint64_t channels = 0, height = 0;  // square
  std::uint64_t elements() const { return channels * height * height; }
};

enum class StepKind : std::uint8_t {
  kConvolution,
  kMaxPool,
  kAveragePool,
  kDense,   // of the flattened image
  kSum,     // branches that are added, and a ReLU; an empty branch is the image itself
  kConcat,  // branches side by side
};

struct Step {
  StepKind kind = StepKind::kConvolution;
  std::string name;
  std::uint64_t channels = 0;  // out of a convolution or a dense layer
  std::uint64_t window = 1, stride = 1, padding = 0;
  std::uint64_t groups = 1;
  bool round_up = false;  // pooling: a window may reach over the edge
  bool bias = true;
  bool norm = false;                        // batch norm after it
  bool activation = true;                   // ReLU after it, in place
  bool dropout = false;                     // before a dense layer
  std::vector<std::vector<Step>> branches;  // kSum, kConcat
};

// The rows of the table, by what they are.
Step convolution(std::string name, std::uint64_t channels, std::uint64_t window, std::uint64_t stride,
                 std::uint64_t padding);
// Without a bias, with a batch norm.
Step normed_convolution(std::string name, std::uint64_t channels, std::uint64_t window, std::uint64_t stride,
                        std::uint64_t padding);
Step max_pool(std::string name, std::uint64_t window, std::uint64_t stride, std::uint64_t padding, bool round_up);
Step average_pool(std::string name, std::uint64_t window);
Step dense(std::string name, std::uint64_t channels);
Step branches(StepKind kind, std::string name, std::vector<std::vector<Step>> branches);

// A layer per step, and the loss at the end of the last. Requires: windows fit into the image, branches end in images that can
// be joined (std::logic_error otherwise: tables are ours).
std::vector<Layer> convolutional_layers(const std::vector<Step>& steps, Image image);

}  // namespace helio::workload
