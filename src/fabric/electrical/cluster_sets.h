// SPDX-License-Identifier: Apache-2.0
// What a `cluster` is like for the NPUs that it is made of: links, NICs and the constants of NCCL's protocols there, one set for each
// generation. A set is a list of defaults; what a user says comes before it.
//
//     npu = "h100" ─▶ rate 3.6 Tb/s, nics 8 of 400 Gb/s, launch 5.5 us, …
//
// Rates are those of data sheets. Protocol constants are fitted where nccl-tests numbers of the type were at hand; elsewhere they are those of
// one fit over four types with rates as shares of the link ("from data sheets": docs/fabric.md has the error that this makes).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.h"

namespace helio::fabric {

struct ClusterSet {
  std::string npu;
  std::string origin;  // of its numbers, in words
  std::vector<std::pair<std::string, std::string>> defaults;
};

inline constexpr std::string_view kUsualNpu = "a100-80";  // whose set the parameters' own defaults are

const std::vector<ClusterSet>& cluster_sets();

// The settings of a fabric with what `npu` brings, if it is a cluster and says so. An unknown NPU is left for the catalogue to refuse.
Settings with_defaults(std::string_view fabric, Settings settings);

}  // namespace helio::fabric
