// SPDX-License-Identifier: Apache-2.0
#include "workload/dlrm.h"

#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "workload/kernel.h"

namespace helio::workload {
namespace {

constexpr std::uint64_t kWidth = 128;

// Distinct values of each categorical feature of Criteo 1TB, indices taken modulo 40,000,000 (MLPerf; the same list stands in
// mlcommons/inference, recommendation/dlrm).
constexpr std::array<std::uint64_t, 26> kRows = {
    39'884'406, 39'043,     17'289,     7'420,      20'263,  3,      7'120, 1'543, 63,
    38'532'951, 2'953'546,  403'346,    10,         2'208,   11'938, 155,   4,     976,
    14,         39'979'771, 25'641'295, 39'664'984, 585'935, 12'972, 108,   36};

// A dense layer with bias and activation, which reads and writes its output once.
void add_dense(std::vector<Layer>& layers, std::string name, std::uint64_t inputs, std::uint64_t outputs) {
  const double in = static_cast<double>(inputs), out = static_cast<double>(outputs);
  Layer layer{.name = std::move(name), .output_elements = out};
  layer.parameters = layer.whole_parameters = (inputs + 1) * outputs;
  layer.kernels = {product("dense", Share::kWhole, 1, out, in), memory("activation", Share::kWhole, 2 * out)};
  layer.kept_whole_elements = in + out;
  layers.push_back(std::move(layer));
}

void add_perceptron(std::vector<Layer>& layers, const std::string& name, const std::vector<std::uint64_t>& widths) {
  for (std::size_t i = 1; i < widths.size(); ++i) add_dense(layers, name + std::to_string(i), widths[i - 1], widths[i]);
}

Layer tables() {
  const double vectors = static_cast<double>(kRows.size() * kWidth);
  Layer layer{.name = "tables", .output_elements = vectors};
  layer.expert_parameters = layer.parameters = kWidth * std::accumulate(kRows.begin(), kRows.end(), std::uint64_t{0});
  layer.experts = kRows.size() * kWidth;
  layer.kernels = {then(memory("look-up", Share::kWhole, 2 * vectors), Exchange::kDispatch, vectors)};
  return layer;
}

// Every pair of the 27 vectors once, beside the dense one: the product of all with all, of which the lower triangle is kept.
Layer interaction() {
  constexpr std::uint64_t kVectors = kRows.size() + 1;
  constexpr std::uint64_t kOutputs = kVectors * (kVectors - 1) / 2 + kWidth;
  const double n = static_cast<double>(kVectors), d = static_cast<double>(kWidth), out = static_cast<double>(kOutputs);
  Layer layer{.name = "interaction", .output_elements = out};
  layer.kernels = {batched_product("pairs", Share::kWhole, 1, n, n, d), memory("triangle", Share::kWhole, n * n + out)};
  layer.kept_whole_elements = n * d;
  return layer;
}

}  // namespace

Workload dlrm() {
  Workload workload{.family = "recommendation", .sample = "click with 13 numbers and 26 words"};
  workload.layers.push_back(tables());
  add_perceptron(workload.layers, "bottom", {13, 512, 256, kWidth});
  workload.layers.push_back(interaction());
  const auto joined = static_cast<std::uint64_t>(workload.layers.back().output_elements);
  add_perceptron(workload.layers, "top", {joined, 1024, 1024, 512, 256, 1});
  return workload;
}

}  // namespace helio::workload
