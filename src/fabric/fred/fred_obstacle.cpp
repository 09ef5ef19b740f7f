// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_obstacle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace helio::fabric {
namespace {

constexpr std::size_t kMostInWords = 5;  // obstacles; a proof may have hundreds

// The edge element of a level that two sets of ports share.
std::optional<std::uint32_t> shared_element(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                            std::uint32_t level) {
  for (const std::uint32_t p : a)
    for (const std::uint32_t q : b)
      if (p >> (level + 1) == q >> (level + 1)) return p >> (level + 1);
  return {};
}

// "0 and 1 share input element 0; …" for every pair that does.
std::string shared_elements(const Obstacle& obstacle, std::span<const Flow> flows) {
  std::vector<std::string> pairs;
  for (const std::uint32_t a : obstacle.flows)
    for (const std::uint32_t b : obstacle.flows) {
      if (a >= b) continue;
      if (const auto in = shared_element(flows[a].inputs, flows[b].inputs, obstacle.level))
        pairs.push_back(fmt::format("{} and {} share R {}", a, b, *in));
      else if (const auto out = shared_element(flows[a].outputs, flows[b].outputs, obstacle.level))
        pairs.push_back(fmt::format("{} and {} share D {}", a, b, *out));
    }
  return fmt::format("{}", fmt::join(pairs, ", "));
}

}  // namespace

bool share_element(const Flow& a, const Flow& b, std::uint32_t level) {
  return shared_element(a.inputs, b.inputs, level) || shared_element(a.outputs, b.outputs, level);
}

std::string explain(std::span<const Obstacle> proof, std::span<const Flow> flows, std::uint32_t ports,
                    std::uint32_t middles) {
  std::string words;
  for (std::size_t i = proof.size(); i-- > 0;) {
    if (proof.size() - i > kMostInWords) {
      words += fmt::format("; and {} more below it", i + 1);
      break;
    }
    const Obstacle& obstacle = proof[i];
    const std::uint32_t inner = ((ports - 1) >> obstacle.level) + 1;
    const std::string where = obstacle.level == 0
                                  ? fmt::format("Fred_{}({})", middles, inner)
                                  : fmt::format("one Fred_{}({}) of level {}", middles, inner, obstacle.level);
    words += fmt::format("{}flows {} cannot be in {} together: ", words.empty() ? "" : "; ",
                         fmt::join(obstacle.flows, ", "), where);
    switch (obstacle.kind) {
      case ObstacleKind::kClique:
        words += fmt::format("every two of these {} share an edge element ({}), and there are only {} middle switches",
                             obstacle.flows.size(), shared_elements(obstacle, flows), middles);
        break;
      case ObstacleKind::kOddCycle:
        words += fmt::format(
            "they share edge elements around a cycle of odd length {} ({}), which two middle switches cannot keep "
            "apart",
            obstacle.flows.size(), shared_elements(obstacle, flows));
        break;
      case ObstacleKind::kExhausted:
        words += fmt::format("all assignments to {} middle switches were tried ({} choices); {}", middles,
                             obstacle.tried, shared_elements(obstacle, flows));
        if (!obstacle.uses.empty()) words += ", and what follows about the level below";
        break;
    }
  }
  return words;
}

}  // namespace helio::fabric
