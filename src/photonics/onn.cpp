// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace helio::photonics {
namespace {

constexpr std::array<std::string_view, 3> kActivations{"none", "relu", "saturating"};
constexpr std::array<std::string_view, 2> kEncodings{"amplitude", "intensity"};
constexpr std::array<std::string_view, 3> kStructures{"svd", "ud", "tree"};

template <class Enum, std::size_t n>
Enum named(const char* what, const std::array<std::string_view, n>& names, std::string_view name,
           std::string_view place) {
  for (std::size_t i = 0; i < n; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  throw unknown_name(what, name, std::vector<std::string>(names.begin(), names.end()), std::string(place));
}

Error wrong(std::string what) { return Error(ErrorKind::kInput, std::move(what)); }

// Skip the zeros of a matrix where at most this share is not zero: then it beats the dense product.
constexpr double kSparse = 0.4;

}  // namespace

std::string_view name_of(ActivationKind kind) { return kActivations[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Encoding encoding) { return kEncodings[static_cast<std::size_t>(encoding)]; }
std::string_view name_of(Structure structure) { return kStructures[static_cast<std::size_t>(structure)]; }
ActivationKind activation_named(std::string_view name, std::string_view place) {
  return named<ActivationKind>("activation", kActivations, name, place);
}
Encoding encoding_named(std::string_view name, std::string_view place) {
  return named<Encoding>("encoding", kEncodings, name, place);
}
Structure structure_named(std::string_view name, std::string_view place) {
  return named<Structure>("structure", kStructures, name, place);
}

double Activation::operator()(double x) const {
  switch (kind) {
    case ActivationKind::kNone: return x;
    case ActivationKind::kRelu: return std::max(x, 0.0);
    case ActivationKind::kSaturating: return std::clamp(x, low, high) + leak * x;
  }
  return x;
}

void Onn::check() const {
  task.check();
  if (layers.empty()) throw wrong("a network without layers");
  if (!std::isfinite(provenance.wall_seconds)) throw wrong("the time the network took to make is not finite");
  if (!std::isfinite(input_scale) || !std::isfinite(input_offset)) throw wrong("the scale of the inputs is not finite");
  Eigen::Index entering = task.lights();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    if (layer.units() == 0) throw wrong(fmt::format("layer {} has no units", i));
    if (layer.weights.cols() != entering)
      throw wrong(fmt::format("layer {} takes {} wires where {} arrive", i, layer.weights.cols(), entering));
    if (layer.bias.size() != layer.weights.rows())
      throw wrong(fmt::format("layer {} has {} units and {} biases", i, layer.units(), layer.bias.size()));
    if (!layer.linear.empty() && layer.linear.size() != static_cast<std::size_t>(layer.units()))
      throw wrong(
          fmt::format("layer {} has {} units and {} marks of linear ones", i, layer.units(), layer.linear.size()));
    if (!layer.weights.allFinite() || !layer.bias.allFinite())
      throw wrong(fmt::format("a weight of layer {} is not finite", i));
    const Activation& a = layer.activation;
    if (!std::isfinite(a.leak) || !(a.low < a.high))
      throw wrong(fmt::format("the activation of layer {} has no range", i));
    entering = layer.weights.rows();
  }
  if (entering != task.outputs())
    throw wrong(fmt::format("the last layer has {} units where {} symbols leave", entering, task.outputs()));
}

std::vector<int> Onn::widths() const {
  std::vector<int> widths{layers.empty() ? 0 : layers.front().entering()};
  for (const Layer& layer : layers) widths.push_back(layer.units());
  return widths;
}

bool passes_only(const Layer& layer, int unit) {
  if (layer.activation.kind != ActivationKind::kNone && !layer.is_linear(unit)) return false;
  if (layer.bias[unit] != 0) return false;
  return (layer.weights.row(unit).array() == 1.0).count() == 1 && (layer.weights.row(unit).array() != 0.0).count() == 1;
}

OnnForward::OnnForward(const Onn& onn) : onn_(onn), before_(onn.layers.size()), after_(onn.layers.size()) {
  for (const Layer& layer : onn.layers) {
    Sparse sparse;
    const double set = static_cast<double>((layer.weights.array() != 0.0).count());
    sparse.use = set <= kSparse * static_cast<double>(layer.weights.size()) || layer.weights.size() <= 256;
    for (int i = 0; i < layer.units() && sparse.use; ++i) {
      sparse.first.push_back(static_cast<int>(sparse.column.size()));
      for (int j = 0; j < layer.entering(); ++j)
        if (layer.weights(i, j) != 0) {
          sparse.column.push_back(j);
          sparse.weight.push_back(layer.weights(i, j));
        }
    }
    sparse.first.push_back(static_cast<int>(sparse.column.size()));
    sparse_.push_back(std::move(sparse));
  }
}

void OnnForward::enter(const Matrix& sums) {
  assert(sums.rows() == onn_.task.lights() && "one row per light");
  entering_ = (sums.array() * onn_.input_scale + onn_.input_offset).matrix();
  // Powers enter as fields; what is below zero is dark.
  if (onn_.encoding == Encoding::kIntensity) entering_ = entering_.array().max(0.0).sqrt().matrix();
}

void OnnForward::linear_stage(std::size_t index, const Matrix& in, Matrix& out) const {
  const Layer& layer = onn_.layers[index];
  out.resize(layer.units(), in.cols());
  const Sparse& sparse = sparse_[index];
  if (!sparse.use) {
    out.noalias() = layer.weights * in;
    out.colwise() += layer.bias;
    return;
  }
  const Eigen::Index points = in.cols();
  for (int i = 0; i < layer.units(); ++i) {
    double* __restrict row = out.row(i).data();
    std::fill_n(row, points, layer.bias[i]);
    for (int e = sparse.first[static_cast<std::size_t>(i)]; e < sparse.first[static_cast<std::size_t>(i) + 1]; ++e) {
      const double weight = sparse.weight[static_cast<std::size_t>(e)];
      const double* __restrict from = in.row(sparse.column[static_cast<std::size_t>(e)]).data();
      for (Eigen::Index p = 0; p < points; ++p) row[p] += weight * from[p];
    }
  }
}

void OnnForward::activate(std::size_t index, const Matrix& in, Matrix& out) const {
  const Layer& layer = onn_.layers[index];
  const Activation& a = layer.activation;
  out.resize(in.rows(), in.cols());
  for (int i = 0; i < layer.units(); ++i) {
    const auto from = in.row(i).array();
    if (a.kind == ActivationKind::kNone || layer.is_linear(i))
      out.row(i) = in.row(i);
    else if (a.kind == ActivationKind::kRelu)
      out.row(i) = from.max(0.0).matrix();
    else if (a.leak == 0)
      out.row(i) = from.max(a.low).min(a.high).matrix();
    else
      out.row(i) = (from.max(a.low).min(a.high) + a.leak * from).matrix();
  }
}

const Matrix& OnnForward::run(const Matrix& sums) {
  enter(sums);
  for (std::size_t i = 0; i < onn_.layers.size(); ++i) {
    linear_stage(i, i == 0 ? entering_ : after_[i - 1], before_[i]);
    activate(i, before_[i], after_[i]);
  }
  return after_.back();
}

const Matrix& OnnForward::run(const Matrix& sums, const StageNoise& noise, Random& random) {
  if (noise.input_sigma > 0) {
    Matrix arriving = sums;
    for (double& sum : arriving.reshaped()) sum += noise.input_sigma * random.normal();
    enter(arriving);
  } else {
    enter(sums);
  }
  for (std::size_t i = 0; i < onn_.layers.size(); ++i) {
    linear_stage(i, i == 0 ? entering_ : after_[i - 1], before_[i]);
    for (int unit = 0; unit < onn_.layers[i].units(); ++unit) {
      if (!noise.on_passed_wires && passes_only(onn_.layers[i], unit)) continue;
      double* row = before_[i].row(unit).data();
      for (Eigen::Index p = 0; p < before_[i].cols(); ++p) row[p] += noise.sigma * random.normal();
    }
    activate(i, before_[i], after_[i]);
  }
  return after_.back();
}

void decode(const Onn& onn, const Matrix& fields, std::span<std::int64_t> averages) {
  assert(averages.size() == static_cast<std::size_t>(fields.cols()) && "one average per point");
  const double top = onn.task.radix() - 1;
  std::ranges::fill(averages, 0);
  for (Eigen::Index k = 0; k < fields.rows(); ++k) {
    const double* row = fields.row(k).data();
    const std::int64_t worth = std::int64_t{1} << (onn.task.symbol_bits * static_cast<int>(k));
    for (std::size_t p = 0; p < averages.size(); ++p) {
      const double symbol = std::min(std::max(in_symbols(onn, row[p]) + 0.5, 0.0), top + 0.5);
      averages[p] += worth * static_cast<std::int64_t>(symbol);
    }
  }
}

}  // namespace helio::photonics
