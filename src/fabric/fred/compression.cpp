// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/compression.h"

#include <algorithm>

namespace helio::fabric {

using schedule::WireFormat;

namespace {

constexpr double kElementBytes = 2, kIndexBytes = 4;

}  // namespace

double Compression::factor(std::uint32_t contributions) const {
  switch (format) {
    case WireFormat::kPlain: return 1;
    case WireFormat::kFp8: return 1 / kElementBytes;
    case WireFormat::kTopK:
      return std::min(1.0, std::min(1.0, contributions * keep) * (kElementBytes + kIndexBytes) / kElementBytes);
  }
  return 1;
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
  Parameter keep;
  keep.name = "keep";
  keep.type = ParameterType::kNumber;
  keep.fallback = "0.01";
  keep.minimum = "0";
  keep.minimum_exclusive = true;
  keep.maximum = "1";
  keep.description = "top-k: the share of elements that is kept; sums keep what any contribution kept";
  keep.matters = {example + " fabric.compression=top-k", "0.02", ""};
  Parameter delay;
  delay.name = "codec_delay";
  delay.type = ParameterType::kTime;
  delay.fallback = "100 ns";
  delay.minimum = "0 s";
  delay.maximum = "1 s";
  delay.description = "to compress, and again to restore, at the ports of a move; without compression nothing";
  delay.matters = {example + " fabric.compression=fp8", "1 us", ""};
  return {compression, keep, delay};
}

Compression compression_from(const Parameters& parameters) {
  Compression compression;
  const std::string& name = parameters.text("compression");
  compression.format = name == "fp8" ? WireFormat::kFp8 : name == "top-k" ? WireFormat::kTopK : WireFormat::kPlain;
  compression.keep = parameters.number("keep");
  compression.codec_delay = parameters.time("codec_delay");
  return compression;
}

}  // namespace helio::fabric
