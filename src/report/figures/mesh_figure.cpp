// SPDX-License-Identifier: Apache-2.0
#include "report/figures/mesh_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/csv_field.h"
#include "base/error.h"
#include "base/random.h"
#include "photonics/imperfections.h"
#include "pipeline/counted.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;

// Four digits are more than a colour shows.
double kept(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

double to_cross(double theta) { return std::asin(std::min(1.0, std::abs(std::sin(theta)))); }

double folded(double phase) {
  const double turn = std::remainder(phase, 2 * std::numbers::pi);
  return turn <= -std::numbers::pi ? turn + 2 * std::numbers::pi : turn;
}

}  // namespace

std::vector<ShownMesh> meshes_of(const photonics::CompiledOnn& compiled, std::optional<int> layer) {
  std::vector<ShownMesh> shown;
  for (std::size_t l = 0; l < compiled.layers.size(); ++l) {
    if (layer && *layer != static_cast<int>(l) + 1) continue;
    const auto& blocks = compiled.layers[l].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::string of =
          blocks.size() == 1 ? fmt::format("layer {}", l + 1) : fmt::format("layer {}, block {}", l + 1, b + 1);
      const auto add = [&](const std::string& name, const photonics::Mesh& mesh) {
        if (!mesh.mzis.empty()) shown.push_back({fmt::format("{} of {}", name, of), &mesh});
      };
      for (const photonics::Gather& gather : blocks[b].gathers) add("gathering", gather.mesh);
      add(compiled.how == photonics::Compilation::kUd ? "Q" : "V", blocks[b].in);
      add("U", blocks[b].out);
    }
  }
  return shown;
}

Figure mesh_figure(std::span<const ShownMesh> meshes, const Measure& measure) {
  std::size_t mzis = 0, near_bar = 0, near_cross = 0;
  double largest = 0;
  const bool measured = std::ranges::any_of(meshes, [](const ShownMesh& shown) { return !shown.measured.empty(); });
  for (const ShownMesh& shown : meshes) {
    if (measured && shown.measured.size() != shown.mesh->mzis.size())
      throw std::logic_error("a mesh of a figure has not one measured value for each MZI");
    mzis += shown.mesh->mzis.size();
    for (const double value : shown.measured) largest = std::max(largest, std::abs(value));
  }
  if (mzis > kMostShownMzis)
    throw Error(ErrorKind::kInput, fmt::format("{} MZIs are too many for a page", mzis), "",
                fmt::format("show one layer, or a smaller network: at most {}", kMostShownMzis));

  Figure figure{.name = "mesh", .kind = "mesh", .title = "Phases of the MZIs"};
  figure.csv = "mesh,mode,column,theta (rad),phi (rad)" +
               (measured ? "," + csv_field(fmt::format("{} ({})", measure.name, measure.unit)) : "") + "\n";
  const double pi = std::numbers::pi;
  figure.data["layers"] = {
      {{"name", "θ, from bar to cross"}, {"unit", "rad"}, {"low", 0}, {"high", pi / 2}, {"diverging", false}},
      {{"name", "φ"}, {"unit", "rad"}, {"low", -pi}, {"high", pi}, {"diverging", true}}};
  if (measured)
    figure.data["layers"].push_back(
        {{"name", measure.name}, {"unit", measure.unit}, {"low", -largest}, {"high", largest}, {"diverging", true}});
  figure.data["meshes"] = Json::array();
  for (const ShownMesh& shown : meshes) {
    const photonics::Mesh& mesh = *shown.mesh;
    std::vector<int> mode, column;
    std::vector<std::vector<double>> values(measured ? 3 : 2);
    for (std::size_t i = 0; i < mesh.mzis.size(); ++i) {
      const photonics::Mzi& mzi = mesh.mzis[i];
      mode.push_back(mzi.mode);
      column.push_back(mzi.column);
      values[0].push_back(kept(to_cross(mzi.theta)));
      values[1].push_back(kept(folded(mzi.phi)));
      if (measured) values[2].push_back(kept(shown.measured[i]));
      near_bar += to_cross(mzi.theta) < pi / 8;
      near_cross += to_cross(mzi.theta) > 3 * pi / 8;
      figure.csv +=
          fmt::format("{},{},{},{:.9g},{:.9g}", csv_field(shown.title), mzi.mode, mzi.column, mzi.theta, mzi.phi) +
          (measured ? fmt::format(",{:.9g}", shown.measured[i]) : "") + "\n";
    }
    figure.data["meshes"].push_back({{"title", shown.title},
                                     {"modes", mesh.modes},
                                     {"columns", photonics::depth(mesh)},
                                     {"inputs", mesh.inputs},
                                     {"outputs", mesh.outputs},
                                     {"mode", mode},
                                     {"column", column},
                                     {"values", values}});
  }
  figure.words = fmt::format(
      "{} with {}. Light runs from left to right; a cell is one MZI on two neighbouring modes. {} of them {} "
      "within a quarter of the "
      "way of bar (light stays in its mode), {} within a quarter of cross (it changes over).",
      pipeline::counted(meshes.size(), "mesh", "meshes"), pipeline::counted(mzis, "MZI"), near_bar,
      near_bar == 1 ? "is" : "are", near_cross);
  if (measured) figure.words += fmt::format(" The largest {} is {:.3g} {}.", measure.name, largest, measure.unit);
  return figure;
}

std::vector<double> phase_errors_mrad(const photonics::Mesh& mesh, double sigma, std::uint64_t seed) {
  photonics::Imperfections imperfections;
  imperfections.phase_sigma = sigma;
  Random random(seed);
  std::vector<double> errors;
  for (const photonics::Shifter& shifter : photonics::fabricate(mesh, imperfections, random).internal)
    errors.push_back(1e3 * shifter.offset);
  return errors;
}

}  // namespace helio::report
