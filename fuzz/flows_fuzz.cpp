// SPDX-License-Identifier: Apache-2.0
// Files of flows through a FRED switch.
#include "fabric/fred/fred_flow_file.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const std::vector<fabric::Flow> flows = fabric::parse_flows(fuzz::as_text(data, size), "fuzz.json");
    std::size_t ports = 0;
    for (const fabric::Flow& flow : flows) ports += flow.inputs.size() + flow.outputs.size();
    if (ports > size) fuzz::finding("more ports than letters");
  });
  return 0;
}
