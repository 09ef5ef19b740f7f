// SPDX-License-Identifier: Apache-2.0
// The parameters of `optinc`, and what they mean together.
#pragma once

#include <vector>

#include "base/catalogue.h"
#include "fabric/optinc/optinc_network.h"
#include "fabric/tree_levels.h"

namespace helio::fabric {

struct OptincOptions {
  std::uint32_t nodes = 0;
  TreeLevels levels;       // of switches; may have more ports than there are nodes
  AveragingCascade tasks;  // what a switch of each level computes
  BitRate rate, onn_rate;  // of one port; what the instances of a switch take from one server
  std::uint32_t instances = 0;
  Time latency, step_overhead, scale_exchange;
  std::vector<OptincNetwork> networks;  // by level, of one instance
  std::string chip;                     // that they stand on; empty: optics without a flaw
  double joules_per_bit = 0;            // at one end of a server's link
  double heater_watts = 0;              // of one phase shifter

  int bits() const { return tasks.front().bits; }
  int symbols() const { return tasks.front().symbols(); }
  // Of all switches.
  double mzis() const {
    double all = 0;
    for (std::uint32_t l = 1; l <= levels.levels(); ++l)
      all += static_cast<double>(networks[l - 1].mzis) * levels.switches(l) * instances;
    return all;
  }
};

std::vector<Parameter> optinc_parameters();
OptincOptions optinc_options(const Parameters& parameters);

}  // namespace helio::fabric
