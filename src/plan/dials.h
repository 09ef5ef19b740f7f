// SPDX-License-Identifier: Apache-2.0
// Parameters of a question that can be turned like a dial, to see where its answer changes (switching.h): what all networks have alike
// (injection, latency, overhead), what light needs (retune, hop_loss), and what is asked of them (bytes, npu_speed).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/footing.h"
#include "pipeline/compared/comparison.h"
#include "pipeline/experiment.h"

namespace helio::plan {

struct Dial {
  std::string name;
  double at = 0;  // where it stands, above 0; in base units
  // Turns it, in one network's experiment and in what all have alike.
  std::function<void(pipeline::Experiment&, fabric::Footing&, double)> turn;
  std::function<std::string(double)> in_words;
};

// Those that have a meaning for this question on these networks, as they were asked: of light only where one of them has it.
// `names`: only these; empty: all.
std::vector<Dial> dials_of(const pipeline::Experiment& experiment, const fabric::Footing& footing,
                           const std::vector<const pipeline::Candidate*>& networks,
                           const std::vector<std::string>& names);
// "injection", …: all there are, whether they have a meaning or not; `batch` is a plan's (model_switching.h).
const std::vector<std::string>& dial_names();

}  // namespace helio::plan
