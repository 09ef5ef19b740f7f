// SPDX-License-Identifier: Apache-2.0
// Fabrics as they are named where several are compared:
//
//     oddl        oddl:policy=fifo,trx=2        oddl:policy=*   one for each choice of the parameter
//     oddl:trx=2|4|8                                            one for each of these
//     composite:fred:variant=D/wdm-ring:nodes=64                the levels of a composite, the lowest first
#pragma once

#include <string>
#include <vector>

#include "ask/experiment.h"

namespace helio::ask {

struct NamedFabric {
  std::string name;
  std::vector<Assignment> settings = {};  // "policy", "fifo"

  std::string title() const;  // in tables: "oddl policy=fifo"
};

// Throws Error(kInput) at `place` for words that set nothing; the name itself is not looked at.
NamedFabric fabric_named(const std::string& words, const std::string& place);
// All that the words stand for. Throws Error at `place`: kUsage where there is none, kInput for `*` of what has no choices.
std::vector<NamedFabric> fabrics_named(const std::vector<std::string>& words, const std::string& place);

}  // namespace helio::ask
