// SPDX-License-Identifier: Apache-2.0
// One Mach-Zehnder interferometer (MZI): two waveguides, an external phase shifter, and two 50:50 couplers around an
// internal one. The atom of every mesh (papers/optinc.md, 7.1).
//
//      upper ──[ φ ]──╲    ╱──[ +θ ]──╲    ╱── upper        C(a) = [ cos a    i sin a ]   coupler of angle a;
//                      ╲  ╱            ╲  ╱                        [ i sin a  cos a   ]   a = π/4 splits 50:50
//                      C(a)           C(-b)
//                      ╱  ╲            ╱  ╲                 T = C(-b) · diag(e^iθ, e^-iθ) · C(a) · diag(e^iφ, 1)
//      lower ─────────╱    ╲──[ -θ ]──╱    ╲── lower        light walks from left to right, factors from right to left
//
//      a = b = π/4:   T = [ e^iφ cos θ   -sin θ ]      θ = 0: bar (each wave stays);  θ = π/2: cross (they change over)
//                         [ e^iφ sin θ    cos θ ]      φ = 0 or π: real; a rotation, or one with its first column negated
//
// The internal shifter is driven push-pull, so that no common phase arises; its physical setting is the difference of
// the two arms, ψ = 2θ. A one-armed shifter of 2θ adds the phase θ to both outputs, which later shifters take back. The
// second coupler carries the fixed bias that turns C(b) into C(-b); both are the same kind of device.
//
// With coupler errors a = π/4 + α, b = π/4 + β the bar amplitude |T₀₀| spans only |sin(α + β)| … cos(α - β):
// α = β = δ never gets below about 2|δ|, so that a perfect cross is out of reach (Hamerly et al.).
#pragma once

#include <complex>

namespace helio::photonics {

using Complex = std::complex<double>;

// What a pair of waves becomes: (upper, lower) ↦ (t00 upper + t01 lower, t10 upper + t11 lower).
struct Transfer {
  Complex t00 = 1, t01 = 0, t10 = 0, t11 = 1;

  bool operator==(const Transfer&) const = default;
};

// How a built MZI differs from the drawn one.
struct MziFlaw {
  double first_splitter = 0;   // α, radians: the power that crosses is sin²(π/4 + α), ½ + α for small α
  double second_splitter = 0;  // β, radians
  double loss_db = 0;          // of power, equal for all four ways through

  bool operator==(const MziFlaw&) const = default;
};

// e^{i phase}; exactly ±1 for 0 and ±π, so that real meshes stay real.
Complex phasor(double phase);

// What a heater is driven to for this phase: modulo 2π, in [0, 2π). Negative phases cannot be heated.
double heated(double phase);

// The ideal MZI.
Transfer transfer(double theta, double phi);
// The built one. A flaw of all zeros gives the ideal one, bit for bit.
Transfer transfer(double theta, double phi, const MziFlaw& flaw);

// An adjoint MZI turned round, so that phases of its inputs stand behind it:
//   T(θ, φ)* diag(x, y) = diag(x', y) T(θ, φ')    with    x' = -e^-iφ y,   e^iφ' = -x / y
// Takes e^iφ, returns φ' and makes x into x'. Requires: |x| = |y| = 1.
double turn_round(Complex external, Complex& x, Complex y);

}  // namespace helio::photonics
