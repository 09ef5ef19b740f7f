// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/compression.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace helio::fabric {

using schedule::WireFormat;

namespace {

constexpr double kElementBytes = 2, kIndexBytes = 4;

}  // namespace

double Compression::factor(std::uint32_t contributions) const {
  switch (format) {
    case WireFormat::kPlain: return 1;
    case WireFormat::kFp8: return 1 / kElementBytes;
    case WireFormat::kTopK: {
      const double kept = std::min(1.0, contributions * keep);
      return std::min(1.0,
                      bitmap ? kept + 1 / (8 * kElementBytes) : kept * (kElementBytes + kIndexBytes) / kElementBytes);
    }
  }
  return 1;
}

// Of what lies within ±t of a normal deviate the mean square is erf(t/√2) - 2t φ(t), which grows with t.
double keep_for(double error) {
  const auto left = [](double t) {
    const double density = std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
    return std::erf(t / std::numbers::sqrt2) - 2 * t * density;
  };
  double low = 0, high = 40;
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = (low + high) / 2;
    (left(middle) < error * error ? low : high) = middle;
  }
  return std::erfc(low / std::numbers::sqrt2);
}

std::vector<Parameter> compression_parameters(const std::string& example) {
  Parameter compression;
  compression.name = "compression";
  compression.type = ParameterType::kChoice;
  compression.fallback = "none";
  compression.choices = {"none", "fp8", "top-k"};
  compression.description =
      "of 16-bit elements at the ports: none, fp8 (half the bytes), top-k (the largest elements with their indices); "
      "ours";
  compression.matters = {example, "fp8", ""};
  Parameter error;
  error.name = "error";
  error.type = ParameterType::kNumber;
  error.fallback = "0.1";
  error.minimum = "0";
  error.minimum_exclusive = true;
  error.maximum = "0.99";
  error.description =
      "top-k: the error that is allowed, root mean square over that of the values, as long messages of normal deviates "
      "have it; it decides how many are kept. A tenth is ours: nobody has to correct for it, as one has for small "
      "shares (arXiv 1712.01887)";
  error.matters = {example + " fabric.compression=top-k", "0.5", ""};
  Parameter keep;
  keep.name = "keep";
  keep.type = ParameterType::kNumber;
  keep.optional = true;
  keep.minimum = "0";
  keep.minimum_exclusive = true;
  keep.maximum = "1";
  keep.description =
      "top-k: the share of elements that is kept, with their indices, instead of a bound on the error; sums keep what "
      "any contribution kept";
  keep.matters = {example + " fabric.compression=top-k", "0.02", "0.01"};
  Parameter delay;
  delay.name = "codec_delay";
  delay.type = ParameterType::kTime;
  delay.fallback = "100 ns";
  delay.minimum = "0 s";
  delay.maximum = "1 s";
  delay.description = "to compress, and again to restore, at the ports of a move; without compression nothing";
  delay.matters = {example + " fabric.compression=fp8", "1 us", ""};
  return {compression, error, keep, delay};
}

Compression compression_from(const Parameters& parameters) {
  Compression compression;
  const std::string& name = parameters.text("compression");
  compression.format = name == "fp8" ? WireFormat::kFp8 : name == "top-k" ? WireFormat::kTopK : WireFormat::kPlain;
  if (parameters.has("keep") && parameters.place("error") != "default")
    throw Error(ErrorKind::kInput, "both keep and error say how many elements top-k keeps", parameters.place("keep"),
                "Leave one of them out.");
  compression.bitmap = !parameters.has("keep");
  compression.keep = compression.bitmap ? keep_for(parameters.number("error")) : parameters.number("keep");
  compression.codec_delay = parameters.time("codec_delay");
  return compression;
}

}  // namespace helio::fabric
