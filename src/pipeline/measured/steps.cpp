// SPDX-License-Identifier: Apache-2.0
// Steps of training as MLPerf's logs, Megatron-Bridge and TPU recipes tell them.
#include "pipeline/measured/row_kind.h"

namespace helio::pipeline {
namespace {

MeasuredCase read(const MeasuredRow& row) { throw row.refused("steps of this kind of file are not predicted yet"); }

}  // namespace

RowKind steps_of_training() {
  const auto column = [](const char* name, const char* meaning) { return RowKind::Column{name, meaning}; };
  const auto words = [](const char* name, const char* meaning) { return RowKind::Column{name, meaning, false}; };
  return {
      .name = "training steps",
      .measures = "steps of training",
      .needed = {words("model", "its name"), column("layers", "of the model"), column("hidden", "its width"),
                 column("heads", "of attention"), column("seq", "tokens of a sample"), words("gpu", "what trains"),
                 column("gpus", "how many"), column("tp", "tensor parallelism"), column("pp", "pipeline parallelism"),
                 column("global_batch", "samples of a step"), column("micro_batch", "samples at once"),
                 words("precision", "of the large products"), column("step_s", "seconds, as measured")},
      .optional = {},
      .fitted_on = {},
      .read = read};
}

}  // namespace helio::pipeline
