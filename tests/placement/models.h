// SPDX-License-Identifier: Apache-2.0
// Small workloads whose numbers can be followed by hand.
#pragma once

#include <string>

#include "placement/strategy.h"
#include "workload/workload.h"

namespace helio::placement {

// A layer of one matrix product per sample with `parameters` parameters (rows x 1, inner parameters).
inline workload::Layer plain_layer(std::string name, std::uint64_t repeat, std::uint64_t parameters, double rows = 1) {
  workload::Layer layer;
  layer.name = std::move(name);
  layer.repeat = repeat;
  layer.parameters = parameters;
  layer.output_elements = 10;
  layer.kept_elements = 40;
  layer.kept_whole_elements = 20;
  workload::Kernel kernel;
  kernel.name = "product";
  kernel.rows = rows;
  kernel.columns = 1;
  kernel.inner = static_cast<double>(parameters);
  layer.kernels.push_back(kernel);
  return layer;
}

// first (7) · block (100, of which 20 whole) x blocks · last (9), one all-reduce of 10 elements per block.
inline workload::Workload small_transformer(std::uint64_t blocks) {
  workload::Workload workload;
  workload.name = workload.title = "small";
  workload.attention_heads = 8;
  workload::Layer block = plain_layer("block", blocks, 100);
  block.whole_parameters = 20;
  block.kernels.front().share = workload::Share::kInner;
  block.kernels.front().exchange = workload::Exchange::kReduce;
  block.kernels.front().exchange_elements = 10;
  workload.layers = {plain_layer("first", 1, 7), block, plain_layer("last", 1, 9)};
  return workload;
}

inline Strategy strategy(int tp, int pp, int dp) {
  Strategy s;
  s.tp = tp;
  s.pp = pp;
  s.dp = dp;
  s.rank_order = {0, 1, 2};
  return s;
}

}  // namespace helio::placement
