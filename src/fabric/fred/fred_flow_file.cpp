// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_flow_file.h"

#include <limits>
#include <utility>

#include "base/json_node.h"

namespace helio::fabric {

std::vector<Flow> parse_flows(std::string_view text, const std::string& source) {
  const JsonOrigin origin{source, "Write [{\"inputs\": [0, 1], \"outputs\": [2]}, …]."};
  const Json document = parse_json(text, source, origin.advice);
  const JsonNode root(document, origin);
  std::vector<Flow> flows(root.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const JsonNode item = root.at(i);
    for (auto [key, side] : {std::pair{"inputs", &flows[i].inputs}, {"outputs", &flows[i].outputs}}) {
      const JsonNode ports = item.at(key);
      for (std::size_t p = 0; p < ports.size(); ++p)
        side->push_back(static_cast<std::uint32_t>(ports.at(p).integer(0, std::numeric_limits<std::uint32_t>::max())));
    }
    item.keys({"inputs", "outputs"});
  }
  return flows;
}

}  // namespace helio::fabric
