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
  double Npu::*reached;
};

// tf32 is a way to multiply numbers that memory holds in fp32.
constexpr std::array kPrecisions = {
    PrecisionRow{Precision::kFp32, "fp32", 4, &Npu::fp32, &Npu::reached_16},
    PrecisionRow{Precision::kTf32, "tf32", 4, &Npu::tf32, &Npu::reached_16},
    PrecisionRow{Precision::kFp16, "fp16", 2, &Npu::fp16, &Npu::reached_16},
    PrecisionRow{Precision::kBf16, "bf16", 2, &Npu::bf16, &Npu::reached_16},
    PrecisionRow{Precision::kFp8, "fp8", 1, &Npu::fp8, &Npu::reached_8},
    // A scale of 8 bits for each 32 (OCP Microscaling Formats 1.0), and for each 16 (NVIDIA, NVFP4)
    PrecisionRow{Precision::kMxfp8, "mxfp8", 1 + 1.0 / 32, &Npu::fp8, &Npu::reached_mx8},
    PrecisionRow{Precision::kNvfp4, "nvfp4", 0.5 + 1.0 / 16, &Npu::fp4, &Npu::reached_4},
};

const PrecisionRow& row_of(Precision precision) {
  return *std::find_if(kPrecisions.begin(), kPrecisions.end(),
                       [&](const PrecisionRow& r) { return r.precision == precision; });
}

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr Bytes kGiB{1024.0 * 1024 * 1024};  // data sheets say GB for the 2^30 bytes in which stacks of HBM come

// One line per accelerator. Peaks in TFLOP/s: fp32, tf32, fp16, bf16, fp8, fp4; then what large products reach: bf16, fp8, mxfp8, nvfp4; fitted.
struct Sheet {
  const char *name, *summary, *reference;
  std::array<double, 6> peaks;
  double bandwidth_gb, memory_gib, watts;
  std::array<double, 4> reached = {0.68, 0.64, 0.7, 0.6};  // where nothing was measured: the mean of those that were
};

constexpr const char* kNvidia = "NVIDIA accelerator";
constexpr const char* kAmd = "AMD accelerator";
constexpr const char* kTpu = "Google TPU";
const Sheet kSheets[] = {
    {"v100", kNvidia, "NVIDIA V100 data sheet, January 2020: SXM2, 32 GB", {15.7, 0, 125, 0, 0, 0}, 900, 32, 300},
    {"a100-40",
     kNvidia,
     "NVIDIA A100 data sheet, November 2020: SXM4, 40 GB",
     {19.5, 156, 312, 312, 0, 0},
     1555,
     40,
     400},
    {"a100-80", kNvidia, "NVIDIA A100 data sheet, June 2021: SXM4, 80 GB", {19.5, 156, 312, 312, 0, 0}, 2039, 80, 400},
    {"h100",
     kNvidia,
     "NVIDIA H100 data sheet, 2023: SXM5, 80 GB",
     {67, 494.5, 989.5, 989.5, 1979, 0},
     3350,
     80,
     700,
     {0.68, 0.69, 0.7, 0.6}},
    {"h200",
     kNvidia,
     "NVIDIA H200 data sheet, 2024: SXM5, 141 GB",
     {67, 494.5, 989.5, 989.5, 1979, 0},
     4800,
     141,
     700,
     {0.68, 0.64, 0.7, 0.6}},
    {"b200",
     kNvidia,
     "NVIDIA DGX B200 data sheet, 2024 (recalled): an eighth of 72 PFLOP/s fp8, 144 fp4 (both sparse), 64 TB/s",
     {75, 1125, 2250, 2250, 4500, 9000},
     8000,
     180,
     1000,
     {0.525, 0.62, 0.67, 0.605}},
    {"b300",
     kNvidia,
     "NVIDIA DGX B300 data sheet, 2025 (recalled): an eighth of 72 PFLOP/s fp8 (sparse), 108 fp4 (dense), 64 TB/s",
     {75, 1125, 2250, 2250, 4500, 13500},
     8000,
     270,
     1100,
     {0.68, 0.655, 0.74, 0.6}},
    {"gb200",
     kNvidia,
     "NVIDIA GB200 NVL72 data sheet, 2024 (recalled): a 72nd of 720 PFLOP/s fp8, 1440 fp4 (both sparse), 576 TB/s",
     {80, 1250, 2500, 2500, 5000, 10000},
     8000,
     186,
     1200,
     {0.57, 0.555, 0.61, 0.505}},
    {"gb300",
     kNvidia,
     "NVIDIA GB300 NVL72 data sheet, 2025 (recalled): a 72nd of 720 PFLOP/s fp8 (sparse), 1100 fp4 (dense), 576 TB/s",
     {80, 1250, 2500, 2500, 5000, 15000},
     8000,
     279,
     1400,
     {0.69, 0.69, 0.8, 0.57}},
    {"mi300x",
     kAmd,
     "AMD Instinct MI300X data sheet, 2023 (recalled)",
     {163.4, 653.7, 1307.4, 1307.4, 2614.9, 0},
     5300,
     192,
     750},
    {"mi325x",
     kAmd,
     "AMD Instinct MI325X data sheet, 2024 (recalled)",
     {163.4, 653.7, 1307.4, 1307.4, 2614.9, 0},
     6000,
     256,
     1000},
    {"mi350x",
     kAmd,
     "AMD Instinct MI350X data sheet, 2025 (recalled)",
     {144.2, 0, 2300, 2300, 4600, 9200},
     8000,
     288,
     1000,
     {0.68, 0.49, 0.7, 0.6}},
    {"mi355x",
     kAmd,
     "AMD Instinct MI355X data sheet, 2025 (recalled)",
     {157.3, 0, 2500, 2500, 5000, 10000},
     8000,
     288,
     1400,
     {0.68, 0.62, 0.7, 0.6}},
    {"tpu-v5p",
     kTpu,
     "Google Cloud, TPU v5p (recalled): 459 TFLOP/s bf16 a chip, none in fp8; power not published: 0",
     {57, 0, 459, 459, 0, 0},
     2765,
     95,
     0},
    {"tpu-v6e",
     kTpu,
     "Google Cloud, TPU v6e (recalled): 918 TFLOP/s bf16 a chip; numbers of fp8 are multiplied at that rate; power not "
     "published: 0",
     {115, 0, 918, 918, 918, 0},
     1640,
     32,
     0,
     {0.69, 0.87, 0.7, 0.6}},
    {"tpu-7x",
     kTpu,
     "Google Cloud, Ironwood (recalled): 4614 TFLOP/s fp8, 2307 bf16 a chip of two devices; power not published: 0",
     {288, 0, 2307, 2307, 4614, 0},
     7380,
     192,
     0,
     {0.73, 0.66, 0.7, 0.6}},
    {"fred-npu",
     "the NPU of a FRED wafer",
     "FRED paper, section on the physical design: an H100-like die with five stacks of HBM3, 700 W, 3 TB/s each way to "
     "memory (6 TB/s together); peaks and 80 GB of the H100 data sheet, since the paper gives none",
     {67, 494.5, 989.5, 989.5, 1979, 0},
     6000,
     80,
     700},
};

Npu npu_of(const Sheet& sheet) {
  Npu npu{.name = sheet.name, .reference = sheet.reference};
  double Npu::*const peaks[] = {&Npu::fp32, &Npu::tf32, &Npu::fp16, &Npu::bf16, &Npu::fp8, &Npu::fp4};
  for (std::size_t i = 0; i < sheet.peaks.size(); ++i) npu.*peaks[i] = sheet.peaks[i] * kTera;
  npu.memory_bandwidth = sheet.bandwidth_gb * kGiga;
  npu.memory = kGiB * sheet.memory_gib;
  npu.power = Power{sheet.watts};
  npu.reached_16 = sheet.reached[0];
  npu.reached_8 = sheet.reached[1];
  npu.reached_mx8 = sheet.reached[2];
  npu.reached_4 = sheet.reached[3];
  return npu;
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
  for (const PrecisionRow& row : kPrecisions)
    if (row.name == name) return row.precision;
  throw unknown_name("precision", name, precision_names(), std::string(place));
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const PrecisionRow& row : kPrecisions) names.emplace_back(row.name);
  return names;
}

double bytes_of(Precision precision) { return row_of(precision).bytes; }

double stored_bytes_of(Precision precision) { return std::max(2.0, bytes_of(precision)); }

double Npu::reached(Precision precision) const { return this->*row_of(precision).reached; }

double Npu::peak(Precision precision) const { return this->*row_of(precision).peak; }

const Catalogue<NpuFactory>& npus() {
  static const Catalogue<NpuFactory> catalogue = [] {
    std::vector<Catalogue<NpuFactory>::Entry> entries;
    for (const Sheet& sheet : kSheets)
      entries.push_back({{.name = sheet.name,
                          .summary = sheet.summary,
                          .reference = sheet.reference,
                          .parameters = override_parameters()},
                         [npu = npu_of(sheet)](const Parameters& parameters) { return overridden(npu, parameters); }});
    return Catalogue<NpuFactory>("npu", std::move(entries));
  }();
  return catalogue;
}

}  // namespace helio::placement
