// SPDX-License-Identifier: Apache-2.0
#include "report/figures/mesh_figure.h"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "base/error.h"
#include "photonics/decompose.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kPi = std::numbers::pi;

photonics::Mesh a_mesh() {
  return {.modes = 3,
          .inputs = 3,
          .outputs = 3,
          .mzis = {{.mode = 0, .column = 0, .theta = kPi / 2, .phi = 3 * kPi / 2},
                   {.mode = 1, .column = 1, .theta = kPi - 0.1, .phi = kPi}},
          .output_phases = {0, 0, 0}};
}

// θ is folded to the way from bar to cross: π/2 is cross, π − 0.1 is 0.1 from bar. φ goes to (−π, π]: 3π/2 is −π/2, π stays.
TEST(MeshFigure, FoldsPhases) {
  const photonics::Mesh mesh = a_mesh();
  const ShownMesh shown[] = {{"<b>", &mesh}};
  const Figure figure = mesh_figure(shown);
  EXPECT_EQ(figure.kind, "mesh");
  const Json& one = figure.data["meshes"][0];
  EXPECT_EQ(one["title"], "<b>");
  EXPECT_EQ(one["columns"], 2);
  EXPECT_EQ(one["mode"], Json::parse("[0, 1]"));
  EXPECT_NEAR(one["values"][0][0].get<double>(), kPi / 2, 1e-4);
  EXPECT_NEAR(one["values"][0][1].get<double>(), 0.1, 1e-5);
  EXPECT_NEAR(one["values"][1][0].get<double>(), -kPi / 2, 1e-4);
  EXPECT_NEAR(one["values"][1][1].get<double>(), kPi, 1e-4);
  EXPECT_EQ(figure.data["layers"].size(), 2u);
  // One within π/8 of bar, one within π/8 of cross
  EXPECT_NE(figure.words.find("1 mesh with 2 MZIs"), std::string::npos);
  EXPECT_NE(figure.words.find("1 of them is within a quarter of the way of bar"), std::string::npos);
  EXPECT_NE(figure.words.find("1 within a quarter of cross"), std::string::npos);
}

// What was measured is a third layer, as wide as its largest value, and must be there for every MZI.
TEST(MeshFigure, ShowsWhatWasMeasured) {
  const photonics::Mesh mesh = a_mesh();
  ShownMesh shown[] = {{"m", &mesh, {-2.5, 1}}};
  const Figure figure = mesh_figure(shown, {"error", "mrad"});
  EXPECT_EQ(figure.data["layers"][2]["high"], 2.5);
  EXPECT_EQ(figure.data["layers"][2]["diverging"], true);
  EXPECT_EQ(figure.data["meshes"][0]["values"][2], Json::parse("[-2.5, 1.0]"));
  EXPECT_NE(figure.words.find("The largest error is 2.5 mrad."), std::string::npos);
  EXPECT_TRUE(figure.csv.starts_with("mesh,mode,column,theta (rad),phi (rad),error (mrad)\n"));
  shown[0].measured.pop_back();
  EXPECT_THROW(mesh_figure(shown), std::logic_error);
}

TEST(MeshFigure, RefusesWhatNoPageShows) {
  photonics::Mesh mesh = a_mesh();
  mesh.mzis.resize(kMostShownMzis + 1);
  const ShownMesh shown[] = {{"m", &mesh}};
  EXPECT_THROW(mesh_figure(shown), Error);
}

// The same chip with twice the spread has twice the errors (photonics/imperfections.h), and none without.
TEST(MeshFigure, ErrorsOfOneChip) {
  const photonics::Mesh mesh = a_mesh();
  const std::vector<double> once = phase_errors_mrad(mesh, 0.01, 3), twice = phase_errors_mrad(mesh, 0.02, 3);
  ASSERT_EQ(once.size(), 2u);
  EXPECT_NE(once[0], 0);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-9);
  EXPECT_EQ(phase_errors_mrad(mesh, 0, 3), (std::vector<double>{0, 0}));
}

// Of a network: gathering, V and U of each block; meshes without MZIs are left out, and one layer can be asked for.
TEST(MeshFigure, MeshesOfANetwork) {
  photonics::CompiledOnn compiled;
  compiled.how = photonics::Compilation::kCompact;
  compiled.layers.resize(2);
  compiled.layers[0].blocks.resize(2);
  compiled.layers[0].blocks[0].gathers.push_back({{0, 1}, a_mesh()});
  compiled.layers[0].blocks[0].in = a_mesh();
  compiled.layers[0].blocks[1].out = a_mesh();
  compiled.layers[1].blocks.resize(1);
  compiled.layers[1].blocks[0].in = a_mesh();
  std::vector<std::string> titles;
  for (const ShownMesh& shown : meshes_of(compiled)) titles.push_back(shown.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"gathering of layer 1, block 1", "V of layer 1, block 1",
                                              "U of layer 1, block 2", "V of layer 2"}));
  EXPECT_EQ(meshes_of(compiled, 2).size(), 1u);
}

}  // namespace
}  // namespace helio::report
