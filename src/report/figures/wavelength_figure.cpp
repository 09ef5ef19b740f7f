// SPDX-License-Identifier: Apache-2.0
#include "report/figures/wavelength_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/csv_field.h"
#include "pipeline/counted.h"
#include "report/figures/ring_figure.h"

namespace helio::report {

using fabric::Lightpath;
using fabric::LitRing;
using fabric::LitStep;

namespace {

constexpr std::size_t kStepsInWords = 6;

std::string to_csv(const LitRing& ring) {
  std::string csv = "step,name,rounds,source,destination,direction,first wavelength,wavelengths,bytes,sub-tree\n";
  for (std::size_t s = 0; s < ring.steps.size(); ++s)
    for (const Lightpath& path : ring.steps[s].paths)
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", s + 1, csv_field(ring.steps[s].name), ring.steps[s].rounds,
                         path.source, path.destination, path.direction == 0 ? "clockwise" : "counter-clockwise",
                         ring.numbered ? fmt::format("{}", path.first) : "", path.width, path.bytes, path.tree + 1);
  return csv;
}

}  // namespace

std::uint32_t wavelengths_lit(const LitStep& step, const LitRing& ring) {
  std::array<std::set<std::uint32_t>, 2> lit;
  std::array<std::vector<std::uint32_t>, 2> over;
  for (auto& segments : over) segments.resize(ring.nodes);
  for (const Lightpath& path : step.paths) {
    for (std::uint32_t l = 0; l < path.width; ++l) lit[path.direction].insert(path.first + l);
    std::uint32_t at = path.source;
    for (std::uint32_t h = hops_of(path, ring.nodes); h > 0; --h) {
      if (path.direction == 1) at = (at + ring.nodes - 1) % ring.nodes;
      over[path.direction][at] += path.width;
      if (path.direction == 0) at = (at + 1) % ring.nodes;
    }
  }
  if (ring.numbered) return static_cast<std::uint32_t>(std::max(lit[0].size(), lit[1].size()));
  return std::max(std::ranges::max(over[0]), std::ranges::max(over[1]));
}

Figure wavelength_figure(const LitRing& ring, const std::string& algorithm) {
  Figure figure{.name = "wavelengths", .kind = "wavelengths", .title = "Wavelengths in use"};
  figure.words = fmt::format("{} on a ring of {} with {} each way, {}.", algorithm,
                             pipeline::counted(ring.nodes, "node"), pipeline::counted(ring.wavelengths, "wavelength"),
                             pipeline::counted(ring.steps.size() + ring.steps_left_out, "step"));
  for (std::size_t s = 0; s < std::min(ring.steps.size(), kStepsInWords); ++s) {
    const LitStep& step = ring.steps[s];
    std::uint32_t longest = 0;
    for (const Lightpath& path : step.paths) longest = std::max(longest, hops_of(path, ring.nodes));
    figure.words +=
        fmt::format(" Step {}, {}: {} on {} of {}, the longest over {}{}.", s + 1, step.name,
                    pipeline::counted(step.paths.size(), "lightpath"), wavelengths_lit(step, ring),
                    pipeline::counted(ring.wavelengths, "wavelength"), pipeline::counted(longest, "segment"),
                    step.rounds > 1 ? fmt::format(", {} rounds", step.rounds) : "");
  }
  if (ring.steps.size() > kStepsInWords)
    figure.words += fmt::format(" And {}.", pipeline::counted(ring.steps.size() - kStepsInWords, "further step"));
  if (ring.steps_left_out > 0)
    figure.words += fmt::format(" {} not shown.", pipeline::counted(ring.steps_left_out, "step is", "steps are"));
  if (!ring.numbered)
    figure.words += " The fabric counts wavelengths and does not number them: they are stacked on each segment.";
  figure.data = to_json(ring);
  figure.csv = to_csv(ring);
  return figure;
}

}  // namespace helio::report
