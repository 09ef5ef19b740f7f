// SPDX-License-Identifier: Apache-2.0
// What OptINC tells about a collective.
#pragma once

#include <vector>

#include "fabric/fact_kinds.h"
#include "schedule/fact_kinds.h"

namespace helio::fabric::optinc_facts {

inline constexpr FactKind kBits = {"bits", "", "optinc: of a code"};
inline constexpr FactKind kSymbols = {"symbols", "", "optinc: of a code"};
inline constexpr FactKind kFractionSymbols = {"fraction_symbols", "", "optinc: below the point, between levels"};
inline constexpr FactKind kPorts = {"ports", "", "optinc: of a switch, level by level"};
inline constexpr FactKind kOnnInstances = {"onn_instances", "", "optinc: networks of a switch side by side"};
inline constexpr FactKind kOnnMzis = {"onn_mzis", "", "optinc: of one network of the first level"};
inline constexpr FactKind kOnnDepth = {"onn_depth", "", "optinc: MZIs in a row of that network"};
inline constexpr FactKind kOnnLoss = {"onn_loss_db", "dB", "optinc: of that network"};
inline constexpr FactKind kOnnLatency = {"onn_latency_s", "s", "optinc: through that network"};
inline constexpr FactKind kMzis = {"mzis", "", "optinc: of all networks of all switches"};
inline constexpr FactKind kNormalisedTraffic = {
    "normalised_traffic", "1", "optinc: what a server sends, in codes of its gradient (a ring: 2 (N-1)/N)"};

inline constexpr FactKind kOnnChip = {
    "onn_chip", "",
    "optinc: the chip that networks stand on, whose flaws are in value_error; none: optics without a flaw"};

inline std::vector<FactKind> kinds() {
  return {kBits,    kSymbols,  kFractionSymbols, schedule::kLevelsFact, kPorts, kOnnInstances,
          kOnnMzis, kOnnDepth, kOnnLoss,         kOnnLatency,           kMzis,  kNormalisedTraffic,
          kOnnChip, kModelFact};
}

}  // namespace helio::fabric::optinc_facts
