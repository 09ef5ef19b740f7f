// SPDX-License-Identifier: Apache-2.0
// What the abstract of ODDL is known for. Its body is unknown to us, so no row is literal.
#include "studies/oddl/chapters.h"

namespace helio::studies::oddl_study {

std::vector<report::Headline> headlines() {
  return {
      {"H6: ODDL over fat-tree", "times as fast as a fat-tree, 1024 nodes, VGG19",
       "compute, 2:1 uplinks and dark time were chosen together; 42 of 11,520 sets of assumptions fit as well"},
      {"H6: ODDL over SiP-Ring", "times as fast as SiP-Ring", "by the same set of assumptions"},
      {"H5: ODDL over fat-tree", "times as fast as a fat-tree that loses rate by ECMP",
       "hashing with shuffled racks costs the tree more than 1.6x needs"},
      {"sensitivity: ODDL over a fat-tree with a topology-aware ring", "times as fast as a fat-tree that is used well",
       "a full-rate tree with a ring in host order leaves ODDL little to gain"},
      {"four nodes: ODDL over ideal switch, tuning 1 ms, simulated",
       "four nodes: training time over an ideal switch (published: comparable)",
       "beside the formula of the spec; circuits that stay lit save a tuning"},
      {"all-reduce of VGG19, halving/doubling (ms)", "all-reduce of VGG19's gradient on 1024 nodes (ms)", ""},
  };
}

}  // namespace helio::studies::oddl_study
