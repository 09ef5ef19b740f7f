// SPDX-License-Identifier: Apache-2.0
// The published measure: 100 (1 - T_WRHT / T_baseline), the plain mean over nodes and models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/wrht/assumption.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

enum class Baseline { kRing, kHRing, kTree, kElectricalRing, kElectricalDoubling };

// One way to read the papers: everything that their abstracts leave open.
struct Reading {
  std::string name;
  std::vector<std::uint64_t> nodes;
  std::vector<Model> models;
  Question wrht;  // rate, retune rule, shortcut, group; nodes and bytes are filled in. Rate and rule hold for all light
  Assumptions assumptions;
};

// "literal" and its relatives: the sweep of 1024 … 4096 nodes.
Reading literal_reading();                 // 40 Gb/s, the shortcut, BEiT-L among the models
Reading with_googlenet(Reading reading);   // GoogLeNet instead of BEiT-L
Reading with_four_steps(Reading reading);  // no shortcut
Reading at_rate(Reading reading, double rate, Assumption why);
Reading over_nodes(Reading reading, std::vector<std::uint64_t> nodes, Assumption why);
Reading fitted_reading();                     // all three, 40 GB/s
Reading under_changed_rule(Reading reading);  // retuned only when lightpaths change
Reading named(Reading reading, std::string name);

double seconds(Runs& runs, const Reading& reading, Baseline baseline, std::uint64_t nodes, double bytes);
double reduction(Runs& runs, const Reading& reading, Baseline baseline);

}  // namespace helio::studies::wrht_study
