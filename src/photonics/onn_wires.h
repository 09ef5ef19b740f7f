// SPDX-License-Identifier: Apache-2.0
// Networks written down as sums of wires: a construction says which steps and which passed wires the next layer holds, and gets
// back expressions over the wires behind it.
//
//   wires of now ──▷ step(x, t), pass(x), … ──▷ close() ──▷ wires of then; what step() and pass() returned speaks of these
//
// A step is 0 up to the value `below` and 1 from `at` on, with slope q relative to the gap between the two:
//   z = q·(x − (below + at)/2)/(at − below) + ½
//   relu:        relu(z) − relu(z − 1), two units         saturating:  clamp(z, 0, 1), one unit
//
// Limited steps have their gain behind the limiter: z = (x − (below + at)/2)/(at − below) is compared with 0 as it is, clamp(z, ±1/2q), and
// the wire carries ∓1/2q, of which the next layer takes q-fold. Noise after the matrix then meets symbols, not amplified ones, and the
// light of a wire is the same for both of its values.
#pragma once

#include <map>
#include <vector>

#include "photonics/onn.h"

namespace helio::photonics {

// Σ weight · wire + constant.
struct WireSum {
  std::map<int, double> weights;  // by wire; no zeros
  double constant = 0;

  WireSum& operator+=(const WireSum& other);
  WireSum& operator*=(double factor);
};
WireSum operator+(WireSum a, const WireSum& b);
WireSum operator-(WireSum a, const WireSum& b);
WireSum operator*(double factor, WireSum a);

class OnnWires {
 public:
  // Requires: activation is kRelu or kSaturating; slope ≥ 1. Limited steps are saturating.
  OnnWires(int lights, ActivationKind activation, double slope, bool limited = false);

  static WireSum wire(int index, double weight = 1);

  // What is added to the layer in the making.
  WireSum step_between(const WireSum& x, double below, double at);
  WireSum step(const WireSum& x, double threshold) { return step_between(x, threshold - 1, threshold); }
  // Passed on as x/scale; the constant stays with the expression and costs no light. A single wire passes as it is.
  WireSum pass(const WireSum& x, double scale = 1);
  // A value of 0, 1, .. levels made anew from that many steps.
  WireSum thermometer(const WireSum& x, int levels);

  bool open() const { return !rows_.empty(); }
  // The layer is complete.
  void close();
  // The last layer: these sums, without activation. Nothing may be in the making.
  std::vector<Layer> finish(const std::vector<WireSum>& outputs);

 private:
  struct Row {
    WireSum sum;
    bool linear = false;
  };
  WireSum add(WireSum sum, bool linear);

  int wires_;
  ActivationKind activation_;
  double slope_;
  bool limited_;
  std::vector<Row> rows_;
  std::vector<Layer> layers_;
};

}  // namespace helio::photonics
