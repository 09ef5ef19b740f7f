// SPDX-License-Identifier: Apache-2.0
// Something that one algorithm or fabric has to say about what it did and others have no word for: "levels" of a tree,
// "loss_db" of a lightpath. Results carry facts under their own names, which end in their unit.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace helio {

struct Fact {
  std::string name;  // snake_case, ends in its unit: "longest_path_hops"
  std::variant<bool, double, std::string> value;
  friend bool operator==(const Fact&, const Fact&) = default;
};

using Facts = std::vector<Fact>;

}  // namespace helio
