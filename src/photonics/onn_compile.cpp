// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_compile.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "base/error.h"
#include "photonics/decompose.h"
#include "photonics/mesh_tree.h"

namespace helio::photonics {
namespace {

// What is below this share of the largest is rounding.
constexpr double kRankTolerance = 1e-10;
// How far a block may be from diag(d)·Q.
constexpr double kUdTolerance = 1e-6;

Eigen::MatrixXd cut(const Eigen::MatrixXd& whole, const std::vector<int>& units, const std::vector<int>& wires) {
  return whole(units, wires);
}

std::vector<int> counted(int from, int to) {
  std::vector<int> all(static_cast<std::size_t>(to - from));
  std::iota(all.begin(), all.end(), from);
  return all;
}

CompiledLayer full_svd(const Layer& layer) {
  const Eigen::MatrixXd whole = with_bias(layer);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(whole, Eigen::ComputeFullU | Eigen::ComputeFullV);
  MeshBlock block{counted(0, layer.units()),
                  counted(0, layer.entering() + 1),
                  {},
                  decompose(Eigen::MatrixXd(svd.matrixV().transpose())),
                  svd.singularValues(),
                  decompose(Eigen::MatrixXd(svd.matrixU()))};
  return {{std::move(block)}, {}, false};
}

// The weights with which the wires of one mode are gathered, of unit length: they are the same in every unit but for a factor.
Eigen::RowVectorXd gathering(const Eigen::MatrixXd& whole, const std::vector<int>& units,
                             const std::vector<int>& wires) {
  const Eigen::MatrixXd part = whole(units, wires);
  Eigen::Index strongest = 0;
  part.rowwise().norm().maxCoeff(&strongest);
  return part.row(strongest).normalized();
}

// A block that `compact` finds, before it is made.
struct BlockShape {
  std::vector<int> units, wires;
  std::vector<std::vector<int>> modes;  // wires that become one mode, where that saves MZIs; else one each
  int rank = 0;
};

// Rows and columns of unit length first: weights of one layer may differ by many orders.
int rank_of(Eigen::MatrixXd matrix) {
  matrix.rowwise().normalize();
  matrix.colwise().normalize();
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix);
  return static_cast<int>((svd.singularValues().array() > kRankTolerance * svd.singularValues()[0]).count());
}

// Wires whose columns are proportional. With rank 1 the isometry V does the same, and every wire stays a mode of it.
std::vector<std::vector<int>> modes_of(const Eigen::MatrixXd& whole, const BlockShape& shape) {
  std::vector<std::vector<int>> modes;
  for (const int wire : shape.wires) {
    const Eigen::VectorXd column = whole(shape.units, wire);
    const auto same = std::ranges::find_if(modes, [&](const std::vector<int>& mode) {
      const Eigen::VectorXd first = whole(shape.units, mode.front());
      const double factor = first.dot(column) / first.squaredNorm();
      return (column - factor * first).norm() <= kRankTolerance * column.norm();
    });
    if (shape.rank > 1 && same != modes.end())
      same->push_back(wire);
    else
      modes.push_back({wire});
  }
  return modes;
}

// Units that share a wire belong together; constant light is no wire to share. By the first of them.
std::map<int, std::vector<int>> connected_units(const Layer& layer) {
  std::vector<int> parent = counted(0, layer.units());
  const auto root = [&](int unit) {
    while (parent[static_cast<std::size_t>(unit)] != unit) unit = parent[static_cast<std::size_t>(unit)];
    return unit;
  };
  for (int wire = 0; wire < layer.entering(); ++wire) {
    int first = -1;
    for (int unit = 0; unit < layer.units(); ++unit) {
      if (layer.weights(unit, wire) == 0) continue;
      if (first >= 0) parent[static_cast<std::size_t>(root(unit))] = root(first);
      first = unit;
    }
  }
  std::map<int, std::vector<int>> together;
  for (int unit = 0; unit < layer.units(); ++unit) together[root(unit)].push_back(unit);
  return together;
}

// Waveguides are left out.
std::vector<BlockShape> compact_blocks(const Layer& layer) {
  const Eigen::MatrixXd whole = with_bias(layer);
  std::vector<BlockShape> blocks;
  for (auto& [first, units] : connected_units(layer)) {
    BlockShape shape{units, {}, {}, 0};
    for (int wire = 0; wire <= layer.entering(); ++wire)
      if (std::ranges::any_of(shape.units, [&](int unit) { return whole(unit, wire) != 0; }))
        shape.wires.push_back(wire);
    if (shape.wires.empty()) continue;  // a dark unit
    if (shape.units.size() == 1 && shape.wires.size() == 1 && shape.wires[0] < layer.entering() &&
        whole(first, shape.wires[0]) == 1)
      continue;  // a waveguide
    shape.rank = rank_of(cut(whole, shape.units, shape.wires));
    shape.modes = modes_of(whole, shape);
    blocks.push_back(std::move(shape));
  }
  return blocks;
}

MeshBlock compact_block(const Eigen::MatrixXd& whole, BlockShape shape) {
  MeshBlock block{std::move(shape.units), {}, {}, {}, {}, {}};
  Eigen::MatrixXd reduced(static_cast<Eigen::Index>(block.units.size()), static_cast<Eigen::Index>(shape.modes.size()));
  for (std::size_t k = 0; k < shape.modes.size(); ++k) {
    const std::vector<int>& wires = shape.modes[k];
    const Eigen::RowVectorXd weights =
        wires.size() == 1 ? Eigen::RowVectorXd::Ones(1) : gathering(whole, block.units, wires);
    reduced.col(static_cast<Eigen::Index>(k)) = Eigen::MatrixXd(whole(block.units, wires)) * weights.transpose();
    block.gathers.push_back({wires, wires.size() == 1 ? Mesh{} : decompose_isometry(Eigen::MatrixXd(weights))});
    block.wires.insert(block.wires.end(), wires.begin(), wires.end());
  }
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(reduced, Eigen::ComputeThinU | Eigen::ComputeThinV);
  block.in = decompose_isometry(Eigen::MatrixXd(svd.matrixV().leftCols(shape.rank).transpose()));
  block.amplitudes = svd.singularValues().head(shape.rank);
  block.out = decompose_isometry(Eigen::MatrixXd(svd.matrixU().leftCols(shape.rank)));
  return block;
}

CompiledLayer compact(const Layer& layer) {
  CompiledLayer compiled;
  for (int unit = 0; unit < layer.units(); ++unit) {
    // A waveguide may also pass through an activation: what counts is the linear part, and that nobody else takes the wire.
    int wire = 0;
    if ((layer.weights.row(unit).array() != 0).count() != 1 || layer.bias[unit] != 0) continue;
    if (layer.weights.row(unit).maxCoeff(&wire) == 1 && (layer.weights.col(wire).array() != 0).count() == 1)
      compiled.waveguides.emplace_back(unit, wire);
  }
  for (BlockShape& shape : compact_blocks(layer))
    compiled.blocks.push_back(compact_block(with_bias(layer), std::move(shape)));
  return compiled;
}

// Sums and copies of them.
CompiledLayer trees(const Layer& layer, std::size_t index) {
  CompiledLayer compiled;
  compiled.bias_outside = compiled.gain_outside = true;
  for (const auto& [first, units] : connected_units(layer)) {
    MeshBlock block{units, {}, {}, {}, {}, {}};
    for (int wire = 0; wire < layer.entering(); ++wire)
      if (std::ranges::any_of(units, [&](int unit) { return layer.weights(unit, wire) != 0; }))
        block.wires.push_back(wire);
    if (block.wires.empty()) continue;  // a dark unit
    const Eigen::MatrixXd part = Eigen::MatrixXd(layer.weights)(units, block.wires);
    const Eigen::VectorXd sum = part.row(0).normalized(), copies = part * sum;
    if ((part - copies * sum.transpose()).cwiseAbs().maxCoeff() > kRankTolerance * part.cwiseAbs().maxCoeff())
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("layer {} is not made of sums and their copies: its block from unit {} on has a rank "
                              "above 1",
                              index, first),
                  {}, "compile with svd or compact, or build with thermometers");
    block.in = sum_tree(sum);
    block.amplitudes = Vector::Constant(1, copies.norm());
    block.out = copy_tree(copies);
    compiled.blocks.push_back(std::move(block));
  }
  return compiled;
}

// One square block as diag(d)·Q, Q's missing rows made up where the layer was padded.
MeshBlock ud_block(const Layer& layer, std::size_t index, std::vector<int> units, std::vector<int> wires) {
  Eigen::MatrixXd q = Eigen::MatrixXd(layer.weights)(units, wires);
  Vector d = q.rowwise().norm();
  for (Eigen::Index i = 0; i < q.rows(); ++i)
    if (d[i] > 0) q.row(i) /= d[i];
  const double off = (q * q.transpose() - Eigen::MatrixXd::Identity(q.rows(), q.rows())).cwiseAbs().maxCoeff();
  if (!(off < kUdTolerance))
    throw Error(
        ErrorKind::kInfeasible,
        fmt::format("layer {} is not made of diag(d)·Q blocks: rows of a block are off from orthogonal by {:.2g}",
                    index, off),
        {}, "compile with svd or compact, or train with the constraint");
  // The nearest orthogonal matrix removes rounding (and files of float32 have some); rows that padding dropped follow from V.
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(q, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::MatrixXd u = Eigen::MatrixXd::Identity(q.cols(), q.cols());
  u.topLeftCorner(q.rows(), q.rows()) = svd.matrixU();
  const Eigen::MatrixXd square = u * svd.matrixV().transpose();
  Vector amplitudes = Vector::Zero(q.cols());
  amplitudes.head(d.size()) = d;
  return {std::move(units), std::move(wires), {}, decompose(square), std::move(amplitudes), {}};
}

CompiledLayer unitary_diagonal(const Layer& layer, std::size_t index) {
  CompiledLayer compiled;
  compiled.bias_outside = true;
  const int m = layer.units(), n = layer.entering(), side = std::min(m, n);
  if (m < n && n % m != 0)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("layer {} of {} units and {} wires has no whole number of square blocks", index, m, n), {},
                "compile with svd or compact");
  for (int from = 0; from < std::max(m, n); from += side) {
    const std::vector<int> part = counted(from, std::min(from + side, std::max(m, n)));
    compiled.blocks.push_back(m >= n ? ud_block(layer, index, part, counted(0, n))
                                     : ud_block(layer, index, counted(0, m), part));
  }
  return compiled;
}

// From the wires of a block to the modes of its V.
Eigen::MatrixXcd gathered(const MeshBlock& block, const Built& built) {
  const Eigen::Index wires = static_cast<Eigen::Index>(block.wires.size());
  if (block.gathers.empty()) return Eigen::MatrixXcd::Identity(wires, wires);
  Eigen::MatrixXcd gathers = Eigen::MatrixXcd::Zero(static_cast<Eigen::Index>(block.gathers.size()), wires);
  Eigen::Index row = 0, column = 0;
  for (const Gather& gather : block.gathers) {
    const Eigen::Index count = static_cast<Eigen::Index>(gather.wires.size());
    if (count == 1)
      gathers(row, column) = 1;
    else
      gathers.block(row, column, 1, count) = built(gather.mesh);
    ++row;
    column += count;
  }
  return gathers;
}

}  // namespace

Eigen::MatrixXd with_bias(const Layer& layer) {
  Eigen::MatrixXd whole(layer.units(), layer.entering() + 1);
  whole << layer.weights, layer.bias;
  return whole;
}

std::string_view name_of(Compilation compilation) {
  switch (compilation) {
    case Compilation::kSvd: return "svd";
    case Compilation::kUd: return "ud";
    case Compilation::kCompact: return "compact";
    case Compilation::kTree: return "tree";
  }
  return "";
}

Compilation compilation_named(std::string_view name, std::string_view place) {
  for (const Compilation known : {Compilation::kSvd, Compilation::kUd, Compilation::kCompact, Compilation::kTree})
    if (name_of(known) == name) return known;
  throw unknown_name("compilation", name, {"svd", "ud", "compact", "tree"}, std::string(place));
}

Compilation compilation_of(const Onn& onn) {
  for (const Layer& layer : onn.layers) {
    if (layer.structure == Structure::kUd) return Compilation::kUd;
    if (layer.structure == Structure::kTree) return Compilation::kTree;
  }
  return Compilation::kCompact;
}

CompiledOnn compile(const Onn& onn, Compilation how) {
  onn.check();
  CompiledOnn compiled{onn, how, {}};
  const bool some_blocks =
      std::ranges::any_of(onn.layers, [](const Layer& layer) { return layer.structure == Structure::kUd; });
  for (std::size_t i = 0; i < onn.layers.size(); ++i) {
    const Layer& layer = onn.layers[i];
    const bool whole =
        how == Compilation::kSvd || (how == Compilation::kUd && some_blocks && layer.structure == Structure::kSvd);
    compiled.layers.push_back(whole                       ? full_svd(layer)
                              : how == Compilation::kUd   ? unitary_diagonal(layer, i)
                              : how == Compilation::kTree ? trees(layer, i)
                                                          : compact(layer));
  }
  return compiled;
}

long mzis(const CompiledLayer& layer) {
  long count = 0;
  for (const MeshBlock& block : layer.blocks) {
    count += static_cast<long>(block.in.mzis.size() + block.out.mzis.size());
    if (!layer.gain_outside) count += static_cast<long>(block.amplitudes.size());
    for (const Gather& gather : block.gathers) count += static_cast<long>(gather.mesh.mzis.size());
  }
  return count;
}

// Rows of Q that padding added are not read.
Eigen::MatrixXcd matrix(const MeshBlock& block, const Built& built) {
  const Eigen::Index rank = block.amplitudes.size();
  Eigen::MatrixXcd product = block.amplitudes.asDiagonal() * built(block.in).topRows(rank) * gathered(block, built);
  if (block.out.modes > 0) product = built(block.out).leftCols(rank) * product;
  return product.topRows(static_cast<Eigen::Index>(block.units.size()));
}

RealisedOnn realise(const CompiledOnn& compiled, const Imperfections& imperfections, Random& random) {
  check(imperfections);
  RealisedOnn realised{compiled.onn, {}};
  const Built drawn = [&](const Mesh& mesh) { return matrix(realise(mesh, imperfections, random)); };
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const CompiledLayer& layer = compiled.layers[i];
    const Eigen::MatrixXd wanted = with_bias(compiled.onn.layers[i]);
    Eigen::MatrixXd got = Eigen::MatrixXd::Zero(wanted.rows(), wanted.cols());
    for (const auto& [unit, wire] : layer.waveguides) got(unit, wire) = 1;
    double shared = 0, power = 0;

    // Each block's own matrix.
    for (const MeshBlock& block : layer.blocks) {
      const Eigen::MatrixXd detected = matrix(block, drawn).real();
      const Eigen::MatrixXd target = wanted(block.units, block.wires);
      shared += target.cwiseProduct(detected).sum();
      power += detected.squaredNorm();
      got(block.units, block.wires) = detected;
    }

    // One gain per layer, the best in the sense of least squares; waveguides lose nothing.
    const double gain = shared > 0 && power > 0 ? shared / power : 1;
    for (const MeshBlock& block : layer.blocks) got(block.units, block.wires) *= gain;
    realised.gain_db.push_back(20 * std::log10(gain));
    Layer& out = realised.onn.layers[i];
    out.weights = got.leftCols(out.entering());
    if (!layer.bias_outside) out.bias = got.col(out.entering());
  }
  return realised;
}

}  // namespace helio::photonics
