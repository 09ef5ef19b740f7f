// SPDX-License-Identifier: Apache-2.0
// Meshes of MZIs as one SVG picture: where each MZI stands and how its phases are set (photonics/mesh.h).
//
//     V* of layer 1                    U of layer 1              a mesh: modes from top to bottom, columns from left to right
//     0 ──▒▒──────░░──▷                0 ──██──────▒▒──▷         a cell: one MZI on two neighbouring modes; its colour is θ, from
//     1 ──▒▒──▓▓──░░──▷                1 ──██──░░──▒▒──▷         bar (light goes on in its mode) to cross (it changes over); a dot
//     2 ──██──▓▓──▒▒──▷                …                         where φ turns the upper arm by more than a quarter turn
//
// A picture needs no script and no network, has its own paper in light and in dark, and says in words what it shows (<title>,
// <desc>). Every cell says its angles when it is pointed at.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "photonics/mesh.h"

namespace helio::report {

inline constexpr std::size_t kMostDrawnMzis = 40000;  // a mesh of 256 modes has 32,640

struct DrawnMesh {
  std::string title;
  const photonics::Mesh* mesh = nullptr;
};

// One <svg> element, same input, same bytes. Throws Error(kInput) past kMostDrawnMzis.
std::string mesh_svg(std::string_view title, std::span<const DrawnMesh> meshes);

// The colour of θ: "#rrggbb", from bar to cross and back. Perceived lightness rises with sin θ, so that it can be read without colour.
std::string colour_of(double theta);

}  // namespace helio::report
