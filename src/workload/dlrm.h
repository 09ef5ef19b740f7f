// SPDX-License-Identifier: Apache-2.0
// DLRM (Naumov et al. 2019) as MLPerf Training v0.7 to v2.1 ran it on Criteo 1TB (dlrm_s_pytorch.py, --max-ind-range=40000000):
//
//     13 numbers ─▶ 512 ─▶ 256 ─▶ 128 ──┐
//                                       ├─▶ dot products of 27 vectors ─▶ 479 ─▶ 1024 ─▶ 1024 ─▶ 512 ─▶ 256 ─▶ 1
//     26 words ─▶ table each, 128 wide ─┘
//
// Tables are model-parallel, everything else is data-parallel: after the look-up all ranks exchange the vectors of their
// samples (all-to-all). In the words of a Workload the tables are experts: `expert_parameters` are theirs, and `experts` their
// 26 · 128 columns, any of which may live on another rank (column-wise sharding, as in TorchRec).
#pragma once

#include "workload/workload.h"

namespace helio::workload {

Workload dlrm();

}  // namespace helio::workload
