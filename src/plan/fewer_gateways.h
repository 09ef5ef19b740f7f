// SPDX-License-Identifier: Apache-2.0
// A composite need not use all its gateways: `auto` also asks what it would take with fewer.
//
//     gateways 0+1+3   ─▶  0+1, 0+3, 1+3, 0, 1, 3          all there are, of up to three
//     gateways 8 of 16 ─▶  every second, every fourth, one  of more
//
// More gateways are then never slower: of up to three, what is found without one of them is found with it; of more, what is found with half
// as many, spread alike. Levels whose nodes all are gateways have nothing to gain: there every node uses its own.
#pragma once

#include <functional>
#include <vector>

#include "pipeline/run.h"

namespace helio::plan {

// The same question on the same machine, some gateways unused; empty where there are none to leave out.
std::vector<pipeline::Experiment> with_fewer_gateways(const pipeline::Experiment& experiment);

// The fastest of `all`, which `ask` gave for the experiment, and of what it gives with fewer gateways. What is near its bound is kept.
pipeline::Result fastest_gateways(
    pipeline::Result all, const pipeline::Experiment& experiment, const pipeline::Collective& collective,
    const std::function<pipeline::Result(const pipeline::Experiment&, const pipeline::Collective&)>& ask);

}  // namespace helio::plan
