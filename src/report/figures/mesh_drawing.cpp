// SPDX-License-Identifier: Apache-2.0
#include "report/figures/mesh_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "pipeline/counted.h"
#include "report/pages/html_parts.h"

namespace helio::report {
namespace {

// Pixels. Cells shrink where there are many modes.
constexpr double kMargin = 20, kTop = 64, kTitle = 24, kGap = 36, kLabel = 30, kWidest = 1500, kLegend = 64;

// Five colours whose lightness rises evenly (after the scale "viridis" of van der Walt and Smith, 2015).
constexpr std::array<std::array<double, 3>, 5> kScale = {
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

struct Place {
  double x = 0, y = 0, width = 0, height = 0;
};

double pitch_of(int modes) { return std::clamp(640.0 / std::max(modes, 1), 3.0, 20.0); }

// Meshes side by side, a new row where they would be too wide.
std::vector<Place> arrange(std::span<const DrawnMesh> meshes) {
  std::vector<Place> places;
  double x = kMargin, y = kTop, tallest = 0;
  for (const DrawnMesh& drawn : meshes) {
    const double pitch = pitch_of(drawn.mesh->modes);
    const double width = kLabel + (std::max(photonics::depth(*drawn.mesh), 1) + 1) * pitch;
    const double least = 7.0 * static_cast<double>(drawn.title.size());
    const double height = kTitle + drawn.mesh->modes * pitch;
    if (x > kMargin && x + std::max(width, least) > kWidest) {
      x = kMargin;
      y += tallest + kGap;
      tallest = 0;
    }
    places.push_back({x, y, width, height});
    x += std::max(width, least) + kGap;
    tallest = std::max(tallest, height);
  }
  return places;
}

std::string drawing_of(const DrawnMesh& drawn, const Place& place) {
  const photonics::Mesh& mesh = *drawn.mesh;
  const double pitch = pitch_of(mesh.modes), left = place.x + kLabel, top = place.y + kTitle;
  const double right = left + (std::max(photonics::depth(mesh), 1) + 0.5) * pitch;
  std::string svg = fmt::format("<g class=\"mesh\">\n<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"name\">{}</text>\n",
                                place.x, place.y + 10, escaped(drawn.title));
  std::string wires;
  for (int m = 0; m < mesh.modes; ++m)
    wires += fmt::format("M{:.1f} {:.1f}H{:.1f}", left - 0.5 * pitch, top + (m + 0.5) * pitch, right);
  svg += fmt::format("<path class=\"wire\" d=\"{}\"/>\n", wires);
  const int every = std::max(1, static_cast<int>(std::ceil(14 / pitch)));
  for (int m = 0; m < mesh.modes; m += every)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 0.5 * pitch - 4,
                       top + (m + 0.5) * pitch + 4, m);
  for (const photonics::Mzi& mzi : mesh.mzis) {
    const double x = left + mzi.column * pitch, y = top + (mzi.mode + 0.5) * pitch;
    svg += fmt::format(
        "<g class=\"mzi\"><title>modes {} and {}, column {}: theta {:.4f}, phi {:.4f}</title>"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
        mzi.mode, mzi.lower(), mzi.column, mzi.theta, mzi.phi, x, y, 0.8 * pitch, mzi.span * pitch,
        colour_of(mzi.theta));
    if (std::cos(mzi.phi) < 0)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x + 0.4 * pitch, y + 0.25 * pitch,
                         std::max(0.8, 0.12 * pitch));
    svg += "</g>\n";
  }
  return svg + "</g>\n";
}

std::string legend(double x, double y) {
  std::string svg = fmt::format("<g class=\"legend\" transform=\"translate({:.1f} {:.1f})\">\n", x, y);
  for (int i = 0; i < 40; ++i)
    svg += fmt::format("<rect x=\"{}\" y=\"0\" width=\"6\" height=\"12\" fill=\"{}\"/>", 6 * i,
                       colour_of(std::numbers::pi / 2 * i / 39));
  return svg +
         "\n<text x=\"0\" y=\"28\">bar: light stays in its mode</text>\n<text x=\"240\" y=\"28\" "
         "text-anchor=\"end\">cross</text>\n"
         "<circle cx=\"272\" cy=\"6\" r=\"3\"/><text x=\"282\" y=\"10\">the upper arm is turned by more than a "
         "quarter</text>\n</g>\n";
}

}  // namespace

std::string colour_of(double theta) {
  const double at = std::abs(std::sin(theta)) * (kScale.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kScale.size() - 2);
  const double part = at - static_cast<double>(low);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(kScale[low][c] + part * (kScale[low + 1][c] - kScale[low][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string mesh_svg(std::string_view title, std::span<const DrawnMesh> meshes) {
  std::size_t mzis = 0;
  for (const DrawnMesh& drawn : meshes) mzis += drawn.mesh->mzis.size();
  if (mzis > kMostDrawnMzis)
    throw Error(ErrorKind::kInput, fmt::format("{} MZIs are too many to draw", mzis), "",
                fmt::format("draw one layer, or a smaller network: at most {}", kMostDrawnMzis));
  const std::vector<Place> places = arrange(meshes);
  double width = 620, height = kTop;
  for (const Place& place : places) {
    width = std::max(width, place.x + place.width + kMargin);
    height = std::max(height, place.y + place.height);
  }
  height += kLegend;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" "
      "aria-labelledby=\"mesh-title mesh-words\">\n<title id=\"mesh-title\">{2}</title>\n"
      "<desc id=\"mesh-words\">{3} with {4} in all. Modes run from left to right; each cell is one MZI, "
      "coloured by its "
      "internal phase from bar to cross.</desc>\n",
      width, height, escaped(title), pipeline::counted(meshes.size(), "mesh", "meshes"),
      pipeline::counted(mzis, "MZI"));
  svg +=
      "<style>\n"
      "text { font: 12px sans-serif; fill: #222 } .title { font-size: 16px } .name { font-weight: bold }\n"
      ".paper { fill: #fff } .wire { stroke: #999; stroke-width: 1; fill: none } circle { fill: #d00 }\n"
      "@media (prefers-color-scheme: dark) { text { fill: #eee } .paper { fill: #16181c } .wire { stroke: #777 } "
      "circle { fill: #ff7b72 } }\n"
      "</style>\n";
  svg += fmt::format("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  svg += fmt::format("<text x=\"{:.0f}\" y=\"34\" class=\"title\">{}</text>\n", kMargin, escaped(title));
  for (std::size_t i = 0; i < meshes.size(); ++i) svg += drawing_of(meshes[i], places[i]);
  return svg + legend(kMargin, height - kLegend + 20) + "</svg>\n";
}

}  // namespace helio::report
