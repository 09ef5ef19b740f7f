// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/chapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "photonics/onn_compile.h"
#include "photonics/onn_file.h"
#include "report/figures/mesh_figure.h"
#include "studies/optinc/networks.h"
#include "studies/optinc/trained_files.h"

namespace helio::studies::optinc_study {
namespace {

constexpr double kPhaseSigma = 0.01;  // radians; what docs/meshes.md takes for its table

report::Figure shown(const photonics::CompiledOnn& compiled, std::optional<int> layer, std::string name,
                     std::string title) {
  std::vector<report::ShownMesh> meshes = report::meshes_of(compiled, layer);
  std::uint64_t seed = 1;
  for (report::ShownMesh& mesh : meshes) mesh.measured = report::phase_errors_mrad(*mesh.mesh, kPhaseSigma, seed++);
  report::Figure figure = report::mesh_figure(meshes, {"phase error of one drawn chip (10 mrad)", "mrad"});
  figure.name = std::move(name);
  figure.title = std::move(title);
  return figure;
}

}  // namespace

std::vector<report::Figure> pictures() {
  std::vector<report::Figure> figures;
  const photonics::Candidate& cheapest = searched().front();
  figures.push_back(shown(
      photonics::compile(cheapest.onn, photonics::Compilation::kCompact), {}, "optinc-cheapest-meshes",
      fmt::format(
          "The cheapest exact network found, {} MZIs: its meshes, without the MZIs that set amplitudes between them",
          cheapest.cost.mzis)));
  const auto trained = std::ranges::find(trained_files(), std::string_view("n4b8_ud"), &TrainedFile::name);
  if (trained != trained_files().end())
    figures.push_back(
        shown(photonics::compile(photonics::onn_from_text(trained->text, "n4b8_ud.json"), photonics::Compilation::kUd),
              2, "optinc-trained-meshes", "A trained network whose layers are blocks diag(d)·Q: its second layer"));
  return figures;
}

}  // namespace helio::studies::optinc_study
