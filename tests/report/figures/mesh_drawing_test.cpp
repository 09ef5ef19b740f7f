// SPDX-License-Identifier: Apache-2.0
#include "report/figures/mesh_drawing.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"
#include "report/xml_parts.h"

namespace helio::report {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

photonics::Mesh three() {
  photonics::Mesh mesh;
  mesh.modes = mesh.inputs = mesh.outputs = 3;
  mesh.mzis = {{0, 0, 0.0, 0.0}, {1, 1, std::numbers::pi / 2, std::numbers::pi}, {0, 2, 0.5, 0.0}};
  mesh.output_phases = {0, 0, 0};
  return mesh;
}

TEST(MeshDrawing, OneCellPerMzi) {
  const photonics::Mesh mesh = three();
  const std::vector<DrawnMesh> drawn{{"V* of layer 1", &mesh}, {"U of layer 1", &mesh}};
  const std::string svg = mesh_svg("a network", drawn);
  EXPECT_EQ(count(svg, "class=\"mzi\""), 6u);
  EXPECT_EQ(count(svg, "class=\"mesh\""), 2u);
  EXPECT_EQ(count(svg, "<title>modes 1 and 2, column 1: theta 1.5708, phi 3.1416</title>"), 2u);
  // φ = π turns by half: one dot in each mesh, and that of the legend
  EXPECT_EQ(count(svg, "<circle"), 3u);
  EXPECT_EQ(mesh_svg("a network", drawn), svg);
}

// Titles are anybody's: control characters may not stand in XML, and U+202E would turn the order of what is read.
TEST(MeshDrawing, AnyTitleIsWellFormed) {
  const photonics::Mesh mesh = three();
  const std::string title = "a\x1b\x01\u202e<\"'&>\xff";
  const std::vector<DrawnMesh> drawn{{title, &mesh}};
  const std::string svg = mesh_svg(title, drawn);
  std::size_t shown = 0;
  for (const Part& part : XmlReader(svg).parts) shown += count(part.text, "a\\x1b\\x01\\u202e<\"'&>\\xff");
  EXPECT_GE(shown, 2u) << svg;
}

// The ends of the scale: dark for bar, light for cross.
TEST(MeshDrawing, ColoursRunFromBarToCross) {
  EXPECT_EQ(colour_of(0), "#440154");
  EXPECT_EQ(colour_of(std::numbers::pi / 2), "#fde725");
  EXPECT_EQ(colour_of(-0.3), colour_of(0.3));
}

TEST(MeshDrawing, NamesAreText) {
  const photonics::Mesh mesh = three();
  const std::vector<DrawnMesh> drawn{{"<script>", &mesh}};
  const std::string svg = mesh_svg("<script>alert(1)</script>", drawn);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
}

TEST(MeshDrawing, TooManyAreRefused) {
  photonics::Mesh mesh = three();
  mesh.mzis.resize(kMostDrawnMzis + 1);
  const std::vector<DrawnMesh> drawn{{"large", &mesh}};
  EXPECT_THROW(mesh_svg("large", drawn), Error);
}

}  // namespace
}  // namespace helio::report
