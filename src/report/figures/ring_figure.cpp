// SPDX-License-Identifier: Apache-2.0
#include "report/figures/ring_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "pipeline/counted.h"

namespace helio::report {

using fabric::Lightpath;
using fabric::LitRing;
using fabric::LitStep;

namespace {

constexpr std::size_t kStepsInWords = 6, kNamed = 8;

}  // namespace

Figure ring_figure(const LitRing& ring, const std::string& algorithm) {
  Figure figure{.name = "ring", .kind = "ring", .title = "The ring, step by step"};
  figure.words = fmt::format("{} on a ring; {}.", pipeline::counted(ring.nodes, "node"), algorithm);
  for (std::size_t s = 0; s < std::min(ring.steps.size(), kStepsInWords); ++s) {
    const LitStep& step = ring.steps[s];
    std::uint32_t trees = 0;
    for (const Lightpath& path : step.paths) trees = std::max(trees, path.tree + 1);
    figure.words += fmt::format(" Step {}, {}: {} sub-tree{}", s + 1, step.name, trees, trees == 1 ? "" : "s");
    const std::span shown(step.representatives.data(), std::min(step.representatives.size(), kNamed));
    if (shown.size() == 1) figure.words += fmt::format(", representative {}", shown.front());
    if (shown.size() > 1)
      figure.words += fmt::format(", representatives {}{}", fmt::join(shown, ", "),
                                  step.representatives.size() > kNamed
                                      ? fmt::format(" and {} more", step.representatives.size() - kNamed)
                                      : "");
    figure.words += ".";
  }
  if (ring.steps.size() > kStepsInWords)
    figure.words += fmt::format(" And {} further steps.", ring.steps.size() - kStepsInWords);
  figure.data = to_json(ring);
  return figure;
}

nlohmann::ordered_json to_json(const LitRing& ring) {
  nlohmann::ordered_json data = {{"nodes", ring.nodes}, {"wavelengths", ring.wavelengths}, {"numbered", ring.numbered}};
  data["steps"] = nlohmann::ordered_json::array();
  for (const LitStep& step : ring.steps) {
    std::vector<std::uint32_t> flat;
    std::vector<double> bytes;
    for (const Lightpath& p : step.paths) {
      flat.insert(flat.end(), {p.source, p.destination, p.direction, p.first, p.width, p.tree});
      bytes.push_back(p.bytes);
    }
    const bool equal = std::ranges::adjacent_find(bytes, std::not_equal_to<>()) == bytes.end();
    data["steps"].push_back(
        {{"name", step.name}, {"rounds", step.rounds}, {"paths", flat}, {"hubs", step.representatives}});
    data["steps"].back()["bytes"] = equal ? nlohmann::ordered_json(bytes.front()) : nlohmann::ordered_json(bytes);
  }
  data["cut"] = ring.steps_left_out;
  return data;
}

}  // namespace helio::report
