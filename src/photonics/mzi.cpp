// SPDX-License-Identifier: Apache-2.0
#include "photonics/mzi.h"

#include <cmath>
#include <numbers>

namespace helio::photonics {

Complex phasor(double phase) {
  if (phase == 0) return 1;
  if (std::abs(phase) == std::numbers::pi) return -1;
  return {std::cos(phase), std::sin(phase)};
}

double heated(double phase) {
  const double rest = std::fmod(phase, 2 * std::numbers::pi);
  return rest < 0 ? rest + 2 * std::numbers::pi : rest;
}

Transfer transfer(double theta, double phi) {
  const double c = std::cos(theta), s = std::sin(theta);
  const Complex external = phasor(phi);
  return {c * external, -s, s * external, c};
}

Transfer transfer(double theta, double phi, const MziFlaw& flaw) {
  if (flaw == MziFlaw{}) return transfer(theta, phi);
  const double a = std::numbers::pi / 4 + flaw.first_splitter, b = std::numbers::pi / 4 + flaw.second_splitter;
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  const double left = std::pow(10.0, -flaw.loss_db / 20);  // of the field
  const Complex upper = phasor(theta), lower = std::conj(upper), i(0, 1);
  const Complex external = left * phasor(phi);
  return {(cb * ca * upper + sb * sa * lower) * external, left * i * (cb * sa * upper - sb * ca * lower),
          i * (cb * sa * lower - sb * ca * upper) * external, left * (sb * sa * upper + cb * ca * lower)};
}

double turn_round(Complex external, Complex& x, Complex y) {
  const double turned = std::arg(-x * std::conj(y));
  x = -std::conj(external) * y;
  return turned;
}

}  // namespace helio::photonics
