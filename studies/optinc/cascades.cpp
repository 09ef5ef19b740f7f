// SPDX-License-Identifier: Apache-2.0
// Averages of averages (papers/optinc.md 2.6): how often two levels are wrong, by exact arithmetic and on float buffers.
#include "photonics/cascade.h"

#include <fmt/format.h>

#include "emulate/optical_exchange.h"
#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {
namespace {

constexpr int kSymbolBits = 2;

struct Line {
  int servers, fraction_bits;  // of each level; kept by level 1
  double wrong, bias;          // papers/optinc.md 2.6: percent, codes
};
constexpr Line kTable[] = {{4, 0, 22.1, 0.22}, {4, 1, 15.7, 0.16}, {4, 2, 0, 0},
                           {8, 0, 12.7, 0.12}, {8, 2, 7.1, 0.07},  {8, 3, 0, 0}};

std::string name_of(const Line& line) {
  return fmt::format("cascade {0}x{0}, {1} fraction bits", line.servers, line.fraction_bits);
}

// Fractions are whole symbols: only symbols of one bit can keep any number of bits.
AveragingCascade cascade_of(const Line& line, int symbol_bits) {
  const std::vector<std::uint32_t> ports(2, static_cast<std::uint32_t>(line.servers));
  return helio::cascade_of({.bits = kBits, .symbol_bits = symbol_bits}, ports, line.fraction_bits / symbol_bits);
}

// Gradients that are whole numbers of -128 .. 127, all as likely, with a scale of 1: their codes are uniform.
double emulated(const Line& line, std::size_t elements) {
  const auto servers = static_cast<std::size_t>(line.servers * line.servers);
  Random random(1);
  std::vector<std::vector<float>> gradients(servers, std::vector<float>(elements));
  for (std::vector<float>& gradient : gradients)
    for (float& g : gradient) g = static_cast<float>(static_cast<int>(random.below(1 << kBits)) - (1 << (kBits - 1)));
  // A level's grid is larger than what is looked up: no tables
  emulate::CodeAverager averager(cascade_of(line, kSymbolBits), 0);
  emulate::OpticalExchange exchange(std::move(averager), {.scale = 1.0f, .measure = true});
  std::vector<float> sum(elements);
  const std::vector<std::span<const float>> views(gradients.begin(), gradients.end());
  const emulate::ExchangeReport report = exchange.all_reduce(views, sum);
  return static_cast<double>(report.wrong) / static_cast<double>(report.elements);
}

}  // namespace

Rows cascades() {
  const char* source = "papers/optinc.md 2.6, measured by the spec's prototype in 400,000 draws";
  constexpr std::size_t kElements = 50000;
  Rows rows;
  for (const Line& line : kTable) {
    const photonics::CascadeError error = photonics::exact_error(cascade_of(line, 1));
    const Assumptions exact =
        ours(fmt::format("uniform 8-bit codes, half-up at both levels; exact, nothing is drawn; errors {} to {}",
                         error.least, error.most));
    rows.push_back(derived_row(name_of(line) + ": wrong (%)", line.wrong, 100 * error.wrong, exact, source));
    rows.push_back(derived_row(name_of(line) + ": bias (codes)", line.bias, error.bias, exact, source));
    if (line.fraction_bits % kSymbolBits != 0) continue;  // switches hand on whole symbols
    rows.push_back(
        derived_row(name_of(line) + ", on float buffers: wrong (%)", line.wrong, 100 * emulated(line, kElements),
                    ours(fmt::format("all-reduce of {} float32 gradients of {} servers through the emulated switches",
                                     kElements, line.servers * line.servers)),
                    source));
  }
  return rows;
}

}  // namespace helio::studies::optinc_study
