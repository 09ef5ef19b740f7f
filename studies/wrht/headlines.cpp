// SPDX-License-Identifier: Apache-2.0
// What the abstracts of WRHT and OpTree are known for, under the readings that meet it and under the plain one.
#include "studies/wrht/chapters.h"

namespace helio::studies::wrht_study {

std::vector<report::Headline> headlines() {
  return {
      {"v2: saved against Ring (%), fitted", "time saved against Ring (%), rate and models fitted",
       "40 GB/s per transfer, four steps and the GoogLeNet set were found by scanning"},
      {"v2: saved against H-Ring (%), fitted", "time saved against hierarchical Ring (%), the same reading",
       "the same settings meet it together with Ring"},
      {"v2: saved against BT (%), literal", "time saved against binary tree (%), at face value",
       "as described WRHT needs three steps up to 2838 nodes; with four everywhere 82.12 is met"},
      {"v2: saved against Ring (%), literal", "time saved against Ring (%), at face value",
       "over one wavelength of 40 Gb/s WRHT moves three or four times the data where Ring moves it twice"},
      {"v2: saved against E-Ring (%), fitted", "time saved against an electrical Ring (%)",
       "light of the fitted reading beside our fat-tree; the paper's is not known"},
      {"OpTree OJ-COMS, N = 1024: saved against Ring (%), formula", "OpTree: steps saved against Ring (%), 1024 nodes",
       ""},
  };
}

}  // namespace helio::studies::wrht_study
