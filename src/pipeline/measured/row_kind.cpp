// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/row_kind.h"

#include <algorithm>
#include <cctype>

namespace helio::pipeline {

const std::vector<RowKind>& row_kinds() {
  static const std::vector<RowKind> kinds = {iterations_of_vtrain(), steps_of_training(), exchanges_of_experts(),
                                             collectives_of_servers(), all_reduces_of_a100()};
  return kinds;
}

std::string npu_named(std::string_view gpu) {
  std::string name(gpu);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == ' ' ? '-' : std::tolower(c); });
  return name == "a100" ? "a100-80" : name;
}

}  // namespace helio::pipeline
