// SPDX-License-Identifier: Apache-2.0
// Exchanges of experts: tokens dispatched to the GPUs that hold their experts, and combined again.
#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

MeasuredCase read(const MeasuredRow& row) { throw row.refused("exchanges of this kind of file are not predicted yet"); }

}  // namespace

RowKind exchanges_of_experts() {
  return {
      .name = "exchanges of experts",
      .measures = "exchanges of experts",
      .needed = {{"gpu", "what exchanges", false},
                 {"library", "DeepEP or TensorRT-LLM", false},
                 {"mode", "normal, low-latency, nvlink-one-sided or nvlink-two-sided", false},
                 {"phase", "dispatch, combine, combine_low_precision or prepare", false},
                 {"nodes", "servers"},
                 {"gpus", "all of them"},
                 {"tokens", "of each GPU"},
                 {"hidden", "elements of a token"},
                 {"topk", "experts that a token goes to"},
                 {"time_s", "seconds, as measured"}},
      .optional = {{"experts", "over all GPUs"}, {"dtype", "of what is dispatched", false}, {"sms", "for the kernel"}},
      .fitted_on = {},
      .read = read};
}

}  // namespace helio::pipeline
