// SPDX-License-Identifier: Apache-2.0
// From the layers of a network to meshes of MZIs, and from meshes with imperfections back to the matrices they really multiply by.
//
//   svd      [W | b] = U Σ Vᵀ with full meshes: V of n + 1 modes (the last one is the constant light), amplitudes, U of m modes
//   ud       W in square blocks diag(d)·Q, one mesh each (papers/optinc.md 2.3); the bias is added outside the meshes. In a network
//            where some layers are marked as blocks and others are not, those others are compiled by svd
//   compact  what the matrix needs and no more. Units and wires that do not touch fall apart into blocks; a unit that only passes a
//            wire is a waveguide; a block m × n of rank r is two isometries, V of r rows and U of r columns:
//
//     s_2 ────────────────────────────────────────▷ s_2      a waveguide
//     u_1 ─┐            ┌─▷ step
//     u_2 ─┤ V ─r─ σ ─r─ U ├─▷ step                          r(2n−r−1)/2 + r + r(2m−r−1)/2 = r(m + n − r): as many as
//     s_1 ─┤            ├─▷ step                             a matrix of rank r has free numbers
//       1 ─┘            └─▷ w_1                              a block that needs constant light has a mode of its own for it
//            Wires that a block takes in proportion to each other all over are gathered into one first, g − 1 MZIs for g wires.
//   tree     for networks whose blocks have rank 1 (onn_thermometer.h): a tree of MZIs adds the wires, one copies the sum
//            (mesh_tree.h), n − 1 + m − 1 MZIs. Gains and biases are electrical, behind the detectors of each unit
//
// Imperfect meshes (imperfections.h) give a complex matrix per layer; coherent detection takes its real part. What all paths lose in
// common is made up by one gain per layer; what differs from path to path stays.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "photonics/imperfections.h"
#include "photonics/mesh.h"
#include "photonics/onn.h"

namespace helio::photonics {

enum class Compilation { kSvd, kUd, kCompact, kTree };
std::string_view name_of(Compilation compilation);  // "svd", "ud", "compact", "tree"
Compilation compilation_named(std::string_view name, std::string_view place = {});

// Wires of a block that become one mode of its V. One wire alone needs no mesh.
struct Gather {
  std::vector<int> wires;
  Mesh mesh;
};

// U · diag(amplitudes) · V on some units and wires of a layer. With ud there is no U.
struct MeshBlock {
  std::vector<int> units, wires;  // wire Layer::entering() is the constant light
  std::vector<Gather> gathers;    // one per mode of V; empty: every wire is a mode
  Mesh in;                        // V, or Q
  Vector amplitudes;
  Mesh out;  // U; no modes: none
};

struct CompiledLayer {
  std::vector<MeshBlock> blocks;
  std::vector<std::pair<int, int>> waveguides;  // unit, wire
  bool bias_outside = false;                    // ud, tree
  bool gain_outside = false;                    // tree: amplitudes are no MZIs
};

struct CompiledOnn {
  Onn onn;
  Compilation how = Compilation::kSvd;
  std::vector<CompiledLayer> layers;
};

// How a network is compiled unless somebody says otherwise: ud or tree where a layer is made so, else compact.
Compilation compilation_of(const Onn& onn);

// Throws Error(kInfeasible) with ud for a layer that is not made of diag(d)·Q blocks, with tree for one with a block of higher rank, Error(kInput) for a network that does not check().
CompiledOnn compile(const Onn& onn, Compilation how);

// MZIs of one compiled layer: those of the meshes and one per amplitude.
long mzis(const CompiledLayer& layer);

// What a block multiplies by, units × wires, when each of its meshes is what `built` makes of it.
using Built = std::function<Eigen::MatrixXcd(const Mesh& mesh)>;
Eigen::MatrixXcd matrix(const MeshBlock& block, const Built& built);
// [W | b] of a layer.
Eigen::MatrixXd with_bias(const Layer& layer);

struct RealisedOnn {
  Onn onn;                      // with the matrices and biases of the imperfect meshes
  std::vector<double> gain_db;  // per layer, to make up for common loss
};
// One chip: all meshes with errors drawn from `random`. Noise of detectors is not in the matrices: StageNoise has it.
RealisedOnn realise(const CompiledOnn& compiled, const Imperfections& imperfections, Random& random);

}  // namespace helio::photonics
