// SPDX-License-Identifier: Apache-2.0
// Traces of flows, and tables of their sizes.
#include "reading.h"
#include "workload/flow_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  constexpr std::uint32_t kNodes = 64;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    const workload::FlowTrace trace = workload::parse_flow_trace(text, "fuzz.csv", kNodes);
    Time last;
    for (const workload::TracedFlow& flow : trace.flows) {
      if (flow.source >= kNodes || flow.destination >= kNodes || flow.source == flow.destination || !(flow.bytes > 0) ||
          flow.at < last)
        fuzz::finding("a flow that is none");
      last = flow.at;
    }
  });
  fuzz::reads([&] {
    const workload::FlowSizes sizes = workload::parse_flow_sizes(text, "fuzz.csv");
    if (!(sizes.mean() > 0)) fuzz::finding("flows of nothing");
    for (const double share : {0.0, 0.25, 0.5, 0.999})
      if (!(sizes.at(share) >= sizes.rows.front().first && sizes.at(share) <= sizes.rows.back().first))
        fuzz::finding("a size that is none of them");
  });
  return 0;
}
