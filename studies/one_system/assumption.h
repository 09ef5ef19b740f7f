// SPDX-License-Identifier: Apache-2.0
// What the rows rest on. Nobody published them: each stands beside a lower bound.
#pragma once

#include <fmt/format.h>

#include "studies/assumption.h"
#include "studies/one_system/runs.h"

namespace helio::studies::one_system_study {

inline const RowMaker bounded_row{
    .study = "one-system",
    .versus = "bound",
    .always = {
        {"64 wafers x 20 NPUs of 1 PFLOPS at 100 %, nothing but operations and bytes takes time; a batch of "
         "1280 sequences of 2048 tokens",
         Strength::kOurs},
        {"weights stream in twice from a memory outside each wafer over 18 channels of 128 GB/s, gradients are "
         "all-reduced layer by layer and each wafer writes them out: no wafer holds the model",
         Strength::kOurs},
        {"every NPU of a wafer reaches the network between, and all share the wafer's injection", Strength::kOurs},
        {"gradients and parameters of 16 bits, everything recomputed in backward, two waves over the levels",
         Strength::kOurs}}};

inline Assumption strategy_of(const Model& model) {
  return {fmt::format("{}: MP{}-DP{} on each wafer, {} replicas in all", model.title, model.tp, model.dp,
                      model.dp * kWafers),
          Strength::kOurs};
}

inline Assumptions network_of(const System& system) {
  switch (system.between) {
    case Between::kFatTree:
      return {
          {"electrical fat-tree without oversubscription, sprayed over equal ways, 500 ns a link", Strength::kOurs}};
    case Between::kWrht:
      return {{"WRHT at the group, stripe and shortcut that suit a layer best; 64 wavelengths each way, 25 us a retune",
               Strength::kOurs}};
    case Between::kWrhtPublished:
      return {{"WRHT as published: the largest group, one wavelength per transfer", Strength::kOurs}};
    case Between::kPlanned:
      return {{"what wdm-planned chooses for a layer; 64 wavelengths each way, 25 us a retune", Strength::kOurs}};
    case Between::kOddl:
      return {{"ODDL with one transceiver of the whole injection for each wafer; its slice is set", Strength::kOurs}};
    case Between::kOptinc: break;
  }
  return {
      {"OptINC: averages of 8-bit codes, exact but for rounding (docs/optinc.md); it carries dp alone, and tp and pp "
       "stay on their wafer",
       Strength::kOurs}};
}

}  // namespace helio::studies::one_system_study
