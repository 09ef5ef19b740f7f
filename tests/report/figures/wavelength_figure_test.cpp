// SPDX-License-Identifier: Apache-2.0
#include "report/figures/wavelength_figure.h"

#include <gtest/gtest.h>

#include "report/figures/ring_figure.h"

#include <algorithm>

namespace helio::report {
namespace {

using fabric::Lightpath;
using fabric::LitRing;
using fabric::LitStep;

// Clockwise 0 to 2 on λ0 and λ1; counter-clockwise 0 to 3 on λ3, around the end of a ring of four.
LitRing a_ring() {
  LitRing ring{.nodes = 4, .wavelengths = 5};
  ring.steps.push_back(
      {.name = "a, \"b\"",
       .rounds = 2,
       .paths = {{.source = 0, .destination = 2, .direction = 0, .first = 0, .width = 2, .bytes = 10, .tree = 0},
                 {.source = 0, .destination = 3, .direction = 1, .first = 3, .width = 1, .bytes = 10, .tree = 0}},
       .representatives = {0}});
  return ring;
}

// Two different wavelengths clockwise, one the other way.
TEST(WavelengthFigure, CountsDifferentWavelengths) {
  LitRing ring = a_ring();
  EXPECT_EQ(wavelengths_lit(ring.steps[0], ring), 2u);
  // The same light on another segment is no other wavelength
  ring.steps[0].paths.push_back({.source = 2, .destination = 3, .direction = 0, .first = 1, .width = 1});
  EXPECT_EQ(wavelengths_lit(ring.steps[0], ring), 2u);
}

// Without numbers the busiest segment counts: on segment 3 counter-clockwise, which 0 to 3 and 1 to 3 cross, 1 + 2.
TEST(WavelengthFigure, CountsTheBusiestSegmentWhereTheyHaveNoNumbers) {
  LitRing ring = a_ring();
  ring.numbered = false;
  EXPECT_EQ(wavelengths_lit(ring.steps[0], ring), 2u);
  ring.steps[0].paths.push_back({.source = 1, .destination = 3, .direction = 1, .width = 2});
  EXPECT_EQ(wavelengths_lit(ring.steps[0], ring), 3u);
}

TEST(WavelengthFigure, SaysWhatItShows) {
  const Figure figure = wavelength_figure(a_ring(), "wrht");
  EXPECT_EQ(figure.kind, "wavelengths");
  EXPECT_EQ(figure.words,
            "wrht on a ring of 4 nodes with 5 wavelengths each way, 1 step. Step 1, a, \"b\": 2 lightpaths on 2 of 5 "
            "wavelengths, the "
            "longest over 2 segments, 2 rounds.");
  EXPECT_EQ(figure.data, to_json(a_ring()));
}

// A line for each lightpath, names quoted.
TEST(WavelengthFigure, HasItsLightpathsAsCsv) {
  EXPECT_EQ(wavelength_figure(a_ring(), "wrht").csv,
            "step,name,rounds,source,destination,direction,first wavelength,wavelengths,bytes,sub-tree\n"
            "1,\"a, \"\"b\"\"\",2,0,2,clockwise,0,2,10,1\n"
            "1,\"a, \"\"b\"\"\",2,0,3,counter-clockwise,3,1,10,1\n");
}

TEST(WavelengthFigure, CountsWhatIsLeftOut) {
  LitRing ring = a_ring();
  ring.steps.resize(8, ring.steps.front());
  ring.steps_left_out = 3;
  const std::string words = wavelength_figure(ring, "wrht").words;
  EXPECT_NE(words.find("11 steps"), std::string::npos);
  EXPECT_NE(words.find("And 2 further steps."), std::string::npos);
  EXPECT_NE(words.find("3 steps are not shown."), std::string::npos);
}

}  // namespace
}  // namespace helio::report
