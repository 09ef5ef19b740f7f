// SPDX-License-Identifier: Apache-2.0
// Constructed networks on meshes whose phases are off or coarse (papers/optinc.md 5.2). The spec has such numbers for trained networks
// only: they stand beside ours to compare, and ours are not meant to meet them.
#include <fmt/format.h>

#include <utility>

#include "studies/optinc/assumption.h"
#include "studies/optinc/chapters.h"
#include "studies/optinc/networks.h"

namespace helio::studies::optinc_study {
namespace {

using namespace photonics;

constexpr int kChips = 4;

struct Setting {
  Imperfections imperfections;
  std::string name;
  double trained_ud;  // share of wrong points, papers/optinc.md 5.2
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& [milliradians, wrong] : {std::pair{0.3, 0.0}, {1.0, 0.0}, {3.0, 0.0}, {10.0, 0.0093}})
    all.push_back({{.phase_sigma = 1e-3 * milliradians}, fmt::format("phases off by {:g} mrad", milliradians), wrong});
  for (const auto& [bits, wrong] : {std::pair{8, 0.0019}, {10, 0.0}, {12, 0.0}})
    all.push_back({{.phase_bits = bits}, fmt::format("phases of {} bits", bits), wrong});
  return all;
}

}  // namespace

Rows phases() {
  struct Network {
    const char* name;
    Onn onn;
    Compilation how;
  };
  const Network networks[] = {
      {"lsb ReLU pairs, full meshes", constructed(kLsb, kRelu, 1), Compilation::kSvd},
      {"lsb ReLU pairs, compact", constructed(kLsb, kRelu, 1), Compilation::kCompact},
      {"lsb saturating slope 4, full meshes", constructed(kLsb, kSaturating, 4), Compilation::kSvd},
      {"lsb saturating slope 4, compact", constructed(kLsb, kSaturating, 4), Compilation::kCompact},
      {"msb ReLU pairs, compact", constructed(kMsb, kRelu, 1), Compilation::kCompact}};
  Rows rows;
  for (const Network& network : networks) {
    const CompiledOnn compiled = compile(network.onn, network.how);
    for (const Setting& setting : settings()) {
      // Rounded phases are the same on every chip
      const int chips = setting.imperfections.phase_bits > 0 ? 1 : kChips;
      double wrong = 0;
      for (int chip = 1; chip <= chips; ++chip) {
        Random random(static_cast<std::uint64_t>(chip));
        wrong += evaluate(realise(compiled, setting.imperfections, random).onn).wrong_fraction / chips;
      }
      rows.push_back(derived_row(
          fmt::format("{}, {}: wrong (%)", setting.name, network.name), 100 * setting.trained_ud, 100 * wrong,
          ours(fmt::format("both phases of every MZI and the output phases, amplitudes and activations ideal, real "
                           "part detected; all 28,561 "
                           "points, mean of {}",
                           chips == 1 ? "one chip" : fmt::format("{} chips", chips))),
          "papers/optinc.md 5.2: the prototype's trained diag·Q network of 41,664 MZIs, another network"));
    }
  }
  return rows;
}

}  // namespace helio::studies::optinc_study
