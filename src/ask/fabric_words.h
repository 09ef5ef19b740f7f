// SPDX-License-Identifier: Apache-2.0
// A fabric in one word, for questions that name several:
//
//     oddl    oddl:policy=fifo,trx=2    oddl:policy=*           one for each choice of the parameter
//     composite:fred:variant=D/wdm-ring:nodes=64                the levels of a composite, the lowest first
#pragma once

#include <string>
#include <vector>

#include "ask/experiment.h"

namespace helio::ask {

struct NamedFabric {
  std::string name;
  std::vector<Assignment> settings = {};  // "policy", "fifo"
};

// Throws Error(kInput) at `place` for a setting without a value, and for a `*` that stands for nothing.
std::vector<NamedFabric> fabrics_in(const std::string& text, const std::string& place);

// In tables: "oddl policy=fifo".
std::string title_of(const NamedFabric& fabric);

}  // namespace helio::ask
