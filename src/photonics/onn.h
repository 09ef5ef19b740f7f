// SPDX-License-Identifier: Apache-2.0
// An optical neural network that averages: real amplitudes through layers of meshes and activations (papers/optinc.md 2.1).
//
//   sums s_k ─▷ x = scale·s + offset ─▷ [W₁ | b₁] ─▷ activation ─▷ … ─▷ [W_n | b_n] ─▷ y ─▷ round, clip ─▷ symbols o_k
//                      1 ───────────────────┘ bias: one more mode with constant light
//
// Encoding. `amplitude`: servers are phase-locked, sums are sums of fields, and y is read as a field. `intensity`: PAM symbols
// are powers, combined without coherence; a mesh is linear in the field, so the field that enters is √x and the symbol that
// leaves is y².
//
// Matrices are stored unit by unit (row-major), batches as units × points, so that one unit of all points is contiguous.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/averaging.h"
#include "base/random.h"

namespace helio::photonics {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

enum class ActivationKind { kNone, kRelu, kSaturating };
enum class Encoding { kAmplitude, kIntensity };
// U Σ V*; square blocks diag(d)·Q (2.3); blocks of rank 1, a sum and copies of it (onn_compile.h).
enum class Structure { kSvd, kUd, kTree };

std::string_view name_of(ActivationKind kind);  // "none", "relu", "saturating"
std::string_view name_of(Encoding encoding);    // "amplitude", "intensity"
std::string_view name_of(Structure structure);  // "svd", "ud", "tree"
ActivationKind activation_named(std::string_view name, std::string_view place = {});
Encoding encoding_named(std::string_view name, std::string_view place = {});
Structure structure_named(std::string_view name, std::string_view place = {});

// relu: max(x, 0). saturating: clamp(x, low, high) + leak·x; constructed networks use clamp(x, 0, 1).
struct Activation {
  ActivationKind kind = ActivationKind::kNone;
  double low = 0, high = 1, leak = 0;  // of kSaturating

  double operator()(double x) const;
  bool operator==(const Activation&) const = default;
};

struct Layer {
  Matrix weights;  // units × what enters
  Vector bias;     // one per unit: amplitude from the constant light
  Activation activation;
  // Units that are only passed on, without a non-linear element: one flag per unit, or empty for none.
  std::vector<bool> linear;
  Structure structure = Structure::kSvd;

  int units() const { return static_cast<int>(weights.rows()); }
  int entering() const { return static_cast<int>(weights.cols()); }
  bool is_linear(int unit) const { return !linear.empty() && linear[static_cast<std::size_t>(unit)]; }
};

// How a network came to be, for its file and for results.
struct Provenance {
  std::string method;   // "constructed lsb, saturating, slope 4"
  std::string command;  // as run; empty: a library call
  std::uint64_t seed = 0;
  double wall_seconds = 0;
};

struct Onn {
  AveragingTask task;
  Encoding encoding = Encoding::kAmplitude;
  double input_scale = 1, input_offset = 0;  // x = scale·s + offset, of every sum and of the dither light
  std::vector<Layer> layers;
  Provenance provenance;

  // Throws Error(kInput): no layers, shapes that do not fit one another or the task, numbers that are not finite.
  void check() const;
  std::vector<int> widths() const;  // 4-9-9-9-9-4 as {4, 9, 9, 9, 9, 4}
};

// White noise after every linear stage, in units of a wire's amplitude (one symbol = 1). The combiners are a linear stage of their
// own. A wire that is only passed on bypasses the mesh; whether it is noisy all the same is a choice.
struct StageNoise {
  double sigma = 0;        // after every layer's matrix
  double input_sigma = 0;  // on the sums that arrive
  bool on_passed_wires = true;
};
// A unit that takes one wire with weight 1, no bias and no non-linear element.
bool passes_only(const Layer& layer, int unit);

// The forward pass over batches, with its buffers. Keeps a reference to the network.
class OnnForward {
 public:
  explicit OnnForward(const Onn& onn);

  // Sums (lights × points, the dither light last) to output fields (outputs × points). With noise, `random` draws it.
  const Matrix& run(const Matrix& sums);
  const Matrix& run(const Matrix& sums, const StageNoise& noise, Random& random);
  // What the last run left in front of the activation of a layer, and behind it.
  const Matrix& before_activation(std::size_t layer) const { return before_[layer]; }
  const Matrix& after_activation(std::size_t layer) const { return after_[layer]; }
  // What entered the first layer.
  const Matrix& entered() const { return entering_; }

  // One layer alone.
  void linear_stage(std::size_t layer, const Matrix& in, Matrix& out) const;
  void activate(std::size_t layer, const Matrix& in, Matrix& out) const;

 private:
  struct Sparse {  // the non-zero weights of a layer where they are few
    bool use = false;
    std::vector<int> first, column;
    std::vector<double> weight;
  };
  void enter(const Matrix& sums);

  const Onn& onn_;
  std::vector<Sparse> sparse_;
  Matrix entering_;
  std::vector<Matrix> before_, after_;
};

// What a detector decides: fields to symbols (outputs × points), and symbols to G.
void decode(const Onn& onn, const Matrix& fields, std::span<std::int64_t> averages);
// The field or power of one output in symbol units, before rounding.
inline double in_symbols(const Onn& onn, double field) {
  return onn.encoding == Encoding::kIntensity ? field * field : field;
}

}  // namespace helio::photonics
