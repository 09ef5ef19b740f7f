// SPDX-License-Identifier: Apache-2.0
// One number solved from one published number (papers/fred.md 5.2). On the mesh, communication takes r times as long as compute;
// a wafer that communicates x times as fast then is (1 + r) / (1 + r/x) times as fast.
//
//     published speed-up t of Fred-C, x_C  ─▶  r = (t-1) / (1 - t/x_C)  ─▶  Fred-D: (1+r) / (1 + r/x_D), nothing left to choose
#pragma once

namespace helio::studies::fred_study {

// Requires: t < gain.
constexpr double ratio_from(double speed_up, double gain) { return (speed_up - 1) / (1 - speed_up / gain); }
constexpr double speed_up_from(double ratio, double gain) { return (1 + ratio) / (1 + ratio / gain); }

}  // namespace helio::studies::fred_study
