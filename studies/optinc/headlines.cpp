// SPDX-License-Identifier: Apache-2.0
// What is reported of OptINC, by its abstract and secondary sources, and whether networks average exactly.
#include "studies/optinc/chapters.h"

namespace helio::studies::optinc_study {

std::vector<report::Headline> headlines() {
  return {
      {"normalised traffic, OptINC of 4", "bytes that a server sends, over its gradient", ""},
      {"normalised traffic, ring of 4", "the same for a ring of 4 servers", ""},
      {"area with layers 0,2,3,5 as blocks, nearest of all 64 choices (% of SVD)",
       "MZIs with some layers as blocks (% of full meshes; reported: about 50)",
       "which layers are blocks is not known; this is the nearest of all 64 choices"},
      {"training step saved, 4 servers, share solved for 17 % (%)", "training time saved (%), lower end",
       "one number, the share of communication, was solved for it"},
      {"training step saved, 16 servers, compute of the 17 % at 4 (%)",
       "training time saved (%), upper end, from the lower",
       "with the compute that gives 17 % at 4 servers; that the reported range is one over servers is our guess"},
      {"wrong of all 28561 points, N = 4, B = 8, trained n4b8_ud: blocks diag·Q in all layers",
       "averages that a trained network gets wrong, of all 28,561", "the aim is none"},
  };
}

}  // namespace helio::studies::optinc_study
