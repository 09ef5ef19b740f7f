// SPDX-License-Identifier: Apache-2.0
// What FRED is known for: the microbenchmarks, the speed-ups over the mesh and the area.
#include "studies/fred/chapters.h"

namespace helio::studies::fred_study {

std::vector<report::Headline> headlines() {
  return {
      {"all-reduce 20, Fred-D (ms), closed form", "all-reduce of 1 GB on the wafer, Fred-D (ms)", ""},
      {"ResNet-152: Fred-D over mesh, calibrated from Fred-C", "ResNet-152: times as fast as the mesh, Fred-D",
       "predicted from one number, Fred-C's 1.41"},
      {"Transformer-17B: Fred-D over mesh, calibrated from Fred-C",
       "Transformer-17B: times as fast as the mesh, Fred-D", "predicted from one number, Fred-C's 1.75"},
      {"ResNet-152: Fred-D over mesh, first principles", "ResNet-152: the same from first principles",
       "at 1 PFLOPS an NPU computes most of the time; compute would have to be ten times as fast"},
      {"17B over strategies, exposed communication, mesh over Fred-D, one link per group and NPU",
       "Transformer-17B, all strategies: exposed communication, mesh over Fred-D",
       "how the paper maps groups onto the mesh is not known; four rules give 4.2 to 7.6"},
      {"area of all switches (mm2): 15·685 + 10·678 + 10·814", "area of all switches (mm2)",
       "counts of chiplets were reconstructed from it"},
  };
}

}  // namespace helio::studies::fred_study
