// SPDX-License-Identifier: Apache-2.0
// What the rows rest on. Nobody published them: each stands beside a lower bound.
#pragma once

#include <fmt/format.h>

#include "studies/assumption.h"
#include "studies/joined_wafers/runs.h"

namespace helio::studies::one_system_study {

inline report::Row bounded_row(std::string quantity, double bound, double ours, const Assumptions& assumptions,
                               std::string from) {
  static const RowMaker make{
      .study = "one-system",
      .published = false,
      .always = {
          of_our_own(
              "64 wafers x 20 NPUs of 1 PFLOPS at 100 %, nothing but operations and bytes takes time; a batch of "
              "1280 sequences of 2048 tokens"),
          of_our_own("weights stream in twice from a memory outside each wafer over 18 channels of 128 GB/s, gradients "
                     "are all-reduced layer by layer and each wafer writes them out: no wafer holds the model"),
          of_our_own("every NPU of a wafer reaches the network between, and all share the wafer's injection"),
          of_our_own("gradients and parameters of 16 bits, everything recomputed in backward, two waves over the "
                     "levels")}};
  report::Row row = make(std::move(quantity), bound, ours, assumptions, std::move(from));
  row.bounded = true;
  return row;
}

inline Assumption strategy_of(const Model& model) {
  return of_our_own(fmt::format("{}: MP{}-DP{} on each wafer, {} replicas in all", model.title, model.tp, model.dp,
                                model.dp * kWafers));
}

inline Assumptions network_of(const System& system) {
  switch (system.between) {
    case Between::kFatTree:
      return {of_our_own("electrical fat-tree without oversubscription, sprayed over equal ways, 500 ns a link")};
    case Between::kWrht:
      return {of_our_own(
          "WRHT at the group, stripe and shortcut that suit a layer best; 64 wavelengths each way, 25 us a retune")};
    case Between::kWrhtPublished:
      return {of_our_own("WRHT as published: the largest group, one wavelength per transfer")};
    case Between::kPlanned:
      return {of_our_own("what wdm-planned chooses for a layer; 64 wavelengths each way, 25 us a retune")};
    case Between::kOddl:
      return {
          of_our_own("ODDL with one transceiver of the whole injection for each wafer, its light read generously; its "
                     "slice is set")};
    case Between::kOptinc: break;
  }
  return {
      of_our_own("OptINC: averages of 8-bit codes, exact but for rounding (docs/optinc.md); it carries dp alone, "
                 "and tensor parallelism stays on its wafer")};
}

}  // namespace helio::studies::one_system_study
