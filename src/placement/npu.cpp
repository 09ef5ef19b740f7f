// SPDX-License-Identifier: Apache-2.0
#include "placement/npu.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::placement {
namespace {

struct PrecisionRow {
  Precision precision;
  std::string_view name;
  double bytes;
  double Npu::*peak;
};

// tf32 is a way to multiply numbers that memory holds in fp32.
constexpr std::array kPrecisions = {
    PrecisionRow{Precision::kFp32, "fp32", 4, &Npu::fp32}, PrecisionRow{Precision::kTf32, "tf32", 4, &Npu::tf32},
    PrecisionRow{Precision::kFp16, "fp16", 2, &Npu::fp16}, PrecisionRow{Precision::kBf16, "bf16", 2, &Npu::bf16},
    PrecisionRow{Precision::kFp8, "fp8", 1, &Npu::fp8},
};

const PrecisionRow& row_of(Precision precision) {
  return *std::find_if(kPrecisions.begin(), kPrecisions.end(),
                       [&](const PrecisionRow& r) { return r.precision == precision; });
}

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr Bytes kGiB{1024.0 * 1024 * 1024};  // data sheets say GB for the 2^30 bytes in which stacks of HBM come

// One line per accelerator. Peaks in TFLOP/s: fp32, tf32, fp16, bf16, fp8.
std::vector<Npu> data_sheets() {
  const auto npu = [](std::string name, std::string reference, std::array<double, 5> peaks, double bandwidth_gb,
                      double memory_gib, double watts) {
    return Npu{.name = std::move(name),
               .reference = std::move(reference),
               .fp32 = peaks[0] * kTera,
               .tf32 = peaks[1] * kTera,
               .fp16 = peaks[2] * kTera,
               .bf16 = peaks[3] * kTera,
               .fp8 = peaks[4] * kTera,
               .memory_bandwidth = bandwidth_gb * kGiga,
               .memory = kGiB * memory_gib,
               .power = Power{watts}};
  };
  return {
      npu("v100", "NVIDIA V100 data sheet, January 2020: SXM2, 32 GB", {15.7, 0, 125, 0, 0}, 900, 32, 300),
      npu("a100-40", "NVIDIA A100 data sheet, November 2020: SXM4, 40 GB", {19.5, 156, 312, 312, 0}, 1555, 40, 400),
      npu("a100-80", "NVIDIA A100 data sheet, June 2021: SXM4, 80 GB", {19.5, 156, 312, 312, 0}, 2039, 80, 400),
      npu("h100", "NVIDIA H100 data sheet, 2023: SXM5, 80 GB", {67, 494.5, 989.5, 989.5, 1979}, 3350, 80, 700),
      npu("h200", "NVIDIA H200 data sheet, 2024: SXM5, 141 GB", {67, 494.5, 989.5, 989.5, 1979}, 4800, 141, 700),
      npu("fred-npu",
          "FRED paper, section on the physical design: an H100-like die with five stacks of HBM3, 700 W, 3 TB/s each "
          "way to "
          "memory (6 TB/s together); peaks and 80 GB of the H100 data sheet, since the paper gives none",
          {67, 494.5, 989.5, 989.5, 1979}, 6000, 80, 700),
  };
}

std::vector<Parameter> override_parameters() {
  return {
      {.name = "peak",
       .type = ParameterType::kNumber,
       .minimum = "0",
       .maximum = "1e9",
       .minimum_exclusive = true,
       .description = "dense matrix peak in TFLOP/s, of every precision, in place of the data sheet's",
       .optional = true},
      {.name = "memory_bandwidth",
       .type = ParameterType::kRate,
       .minimum = "0 b/s",
       .maximum = "1000 Pb/s",
       .minimum_exclusive = true,
       .description = "of the NPU's own memory (\"2039 GB/s\"), in place of the data sheet's",
       .optional = true},
      {.name = "memory",
       .type = ParameterType::kBytes,
       .minimum = "0 B",
       .maximum = "1000 PB",
       .minimum_exclusive = true,
       .description = "size of the NPU's own memory (\"80 GiB\"), in place of the data sheet's",
       .optional = true},
      {.name = "power",
       .type = ParameterType::kPower,
       .minimum = "0 W",
       .maximum = "1000000 W",
       .description = "at full load, in place of the data sheet's",
       .optional = true},
  };
}

Npu overridden(Npu npu, const Parameters& parameters) {
  if (parameters.has("peak"))
    for (const PrecisionRow& row : kPrecisions) npu.*row.peak = parameters.number("peak") * kTera;
  if (parameters.has("memory_bandwidth")) npu.memory_bandwidth = parameters.rate("memory_bandwidth").value / 8;
  if (parameters.has("memory")) npu.memory = parameters.bytes("memory");
  if (parameters.has("power")) npu.power = parameters.power("power");
  return npu;
}

}  // namespace

std::string_view name_of(Precision precision) { return row_of(precision).name; }

Precision precision_named(std::string_view name, std::string_view place) {
  std::vector<std::string> legal;
  for (const PrecisionRow& row : kPrecisions) {
    if (row.name == name) return row.precision;
    legal.emplace_back(row.name);
  }
  throw unknown_name("precision", name, legal, std::string(place));
}

double bytes_of(Precision precision) { return row_of(precision).bytes; }

double Npu::peak(Precision precision) const { return this->*row_of(precision).peak; }

const Catalogue<NpuFactory>& npus() {
  static const Catalogue<NpuFactory> catalogue = [] {
    std::vector<Catalogue<NpuFactory>::Entry> entries;
    for (const Npu& npu : data_sheets())
      entries.push_back({{.name = npu.name,
                          .summary = npu.name == "fred-npu" ? "the NPU of a FRED wafer" : "NVIDIA accelerator",
                          .reference = npu.reference,
                          .parameters = override_parameters()},
                         [npu](const Parameters& parameters) { return overridden(npu, parameters); }});
    return Catalogue<NpuFactory>("npu", std::move(entries));
  }();
  return catalogue;
}

}  // namespace helio::placement
