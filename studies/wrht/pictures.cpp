// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/chapters.h"

#include <fmt/format.h>

#include <stdexcept>

#include "report/figures/ring_figure.h"
#include "report/figures/wavelength_figure.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {
namespace {

report::LitRing light_of(int nodes, int wavelengths) {
  const pipeline::Experiment experiment = experiment_of({.fabric = "wdm-ring",
                                                         .settings = {{"wavelengths", fmt::format("{}", wavelengths)}},
                                                         .algorithm = "wrht",
                                                         .bytes = kAlexnet.bytes,
                                                         .nodes = nodes,
                                                         .keys = {{"name", "WRHT"}}});
  const pipeline::Result result = pipeline::run(experiment, experiment.collectives.front());
  const auto light = report::light_of(experiment, experiment.collectives.front(), result);
  if (!light) throw std::logic_error("WRHT on a WDM ring has light in every step");
  return *light;
}

}  // namespace

std::vector<report::Figure> pictures() {
  std::vector<report::Figure> figures;
  for (const auto& [nodes, wavelengths] : {std::pair{15, 2}, {1024, kWavelengths}}) {
    const report::LitRing light = light_of(nodes, wavelengths);
    figures.push_back(report::ring_figure(light));
    figures.back().title =
        fmt::format("WRHT on {} nodes with {} wavelengths: the ring, step by step", nodes, wavelengths);
    figures.push_back(report::wavelength_figure(light));
    figures.back().title =
        fmt::format("WRHT on {} nodes with {} wavelengths: which light is in use", nodes, wavelengths);
    for (std::size_t i = figures.size() - 2; i < figures.size(); ++i)
      figures[i].name = fmt::format("wrht-{}-{}", nodes, figures[i].name);
  }
  return figures;
}

}  // namespace helio::studies::wrht_study
