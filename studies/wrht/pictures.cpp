// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/chapters.h"

#include <fmt/format.h>

#include <variant>

#include "report/figures/ring_figure.h"
#include "report/figures/wavelength_figure.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {
namespace {

fabric::LitRing light_of(int nodes, int wavelengths) {
  const pipeline::Experiment experiment = experiment_of({.fabric = "wdm-ring",
                                                         .settings = {{"wavelengths", fmt::format("{}", wavelengths)}},
                                                         .algorithm = "wrht",
                                                         .bytes = kAlexnet.bytes,
                                                         .nodes = nodes,
                                                         .keys = {{"name", "WRHT"}}});
  const pipeline::Result result = pipeline::run(experiment, experiment.collectives.front(), {.picture = true});
  return std::get<fabric::LitRing>(result.picture);
}

}  // namespace

std::vector<report::Figure> pictures() {
  std::vector<report::Figure> figures;
  for (const auto& [nodes, wavelengths] : {std::pair{15, 2}, {1024, kWavelengths}}) {
    const fabric::LitRing light = light_of(nodes, wavelengths);
    figures.push_back(report::ring_figure(light, "wrht"));
    figures.back().title =
        fmt::format("WRHT on {} nodes with {} wavelengths: the ring, step by step", nodes, wavelengths);
    figures.push_back(report::wavelength_figure(light, "wrht"));
    figures.back().title =
        fmt::format("WRHT on {} nodes with {} wavelengths: which light is in use", nodes, wavelengths);
    for (std::size_t i = figures.size() - 2; i < figures.size(); ++i)
      figures[i].name = fmt::format("wrht-{}-{}", nodes, figures[i].name);
  }
  return figures;
}

}  // namespace helio::studies::wrht_study
