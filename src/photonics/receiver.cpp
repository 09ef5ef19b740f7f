// SPDX-License-Identifier: Apache-2.0
#include "photonics/receiver.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "photonics/bit_error.h"

namespace helio::photonics {
namespace {

constexpr double kReferenceBand = 12.5e9;  // Hz, 0.1 nm at 1550 nm: where OSNR is told
constexpr double kNoPower = std::numeric_limits<double>::infinity();

bool coherent(const Receiver& receiver) { return receiver.format == Format::kQpsk; }

// Errors in bits for each crossing of a threshold.
double errors_per_tail(const Receiver& receiver) { return receiver.format == Format::kPam4 ? 0.75 : 1; }

double q_needed(const Receiver& receiver) { return q_for(receiver.target_ber / errors_per_tail(receiver)); }

// d: half of the eye between the top levels, in mean powers.
double half_eye(const Receiver& receiver) {
  const Levels levels = top_levels(receiver);
  return (levels.upper - levels.lower) / 2;
}

double band_of(const Receiver& receiver) {
  return symbol_rate(receiver) * (coherent(receiver) ? 1 : receiver.bandwidth) / kReferenceBand;
}

// e: all that beats with the signal.
double beating(const Threshold& threshold, const Disturbance& disturbance) {
  return disturbance.osnr ? threshold.beating(disturbance.beating, *disturbance.osnr) : disturbance.beating;
}

}  // namespace

Format format_named(const std::string& name) {
  if (name == "nrz") return Format::kNrz;
  if (name == "pam4") return Format::kPam4;
  if (name == "qpsk") return Format::kQpsk;
  throw std::logic_error("format '" + name + "' is a choice that nobody reads");
}

int level_count(const Receiver& receiver) { return receiver.format == Format::kPam4 ? 4 : 2; }

double symbol_rate(const Receiver& receiver) {
  switch (receiver.format) {
    case Format::kNrz: break;
    case Format::kPam4: return receiver.rate.value / 2;
    case Format::kQpsk: return receiver.rate.value / 4;
  }
  return receiver.rate.value;
}

Levels top_levels(const Receiver& receiver) {
  const double r = ratio_of(receiver.extinction), upper = 2 * r / (r + 1);
  return {upper, upper - 2 * (r - 1) / ((r + 1) * (level_count(receiver) - 1))};
}

Power sensitivity(const Receiver& receiver) {
  if (receiver.given) return *receiver.given;
  assert(!coherent(receiver) && "the local oscillator decides, and it is not described");
  const double current = receiver.noise * std::sqrt(receiver.bandwidth * symbol_rate(receiver));
  return Power{q_needed(receiver) * current / receiver.responsivity / half_eye(receiver) * ratio_of(receiver.penalty)};
}

Threshold::Threshold(const Receiver& receiver)
    : coherent(photonics::coherent(receiver)),
      q(q_needed(receiver)),
      open(half_eye(receiver) / q),
      upper(top_levels(receiver).upper),
      band(band_of(receiver)) {}

double Threshold::beating(double crosstalk, Decibel osnr) const { return crosstalk + band / ratio_of(osnr); }

Decibel Threshold::penalty(double e, double eye) const {
  if (e == 0 && eye == 1) return {0};
  if (eye <= 0) return {kNoPower};
  const double beaten = e * q / eye, seen = eye * open;
  const double left = coherent ? eye * eye - e * q * q : std::pow(seen + beaten, 2) - 2 * e * upper;
  if (!(left > 0) || (!coherent && beaten > seen)) return {kNoPower};
  return in_decibels(coherent ? 1 / left : open / std::sqrt(left));
}

Decibel penalty_of(const Receiver& receiver, const Disturbance& disturbance) {
  const Threshold threshold(receiver);
  return threshold.penalty(beating(threshold, disturbance), disturbance.eye);
}

double bit_error_rate(const Receiver& receiver, Power received, const Disturbance& disturbance) {
  const Threshold threshold(receiver);
  const double eye = std::max(0.0, disturbance.eye), e = beating(threshold, disturbance), q = threshold.q;
  const double u = received / sensitivity(receiver);  // in sensitivities
  if (coherent(receiver)) return gaussian_tail(eye / std::sqrt(e + 1 / (u * q * q)));
  const double d = threshold.open * q, thermal = std::pow(threshold.open, 2);
  const auto noise = [&](double level) { return std::sqrt(thermal + 2 * e * level * u * u); };
  const Levels levels = top_levels(receiver);
  return errors_per_tail(receiver) * gaussian_tail(eye * 2 * d * u / (noise(levels.upper) + noise(levels.lower)));
}

}  // namespace helio::photonics
