// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_switch.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::fabric {
namespace {

// The table of papers/fred.md, 2.1. By hand for Fred_3(8): R = 4 + 3·(2 + 3·0) = 10, RD = 3·3·1 = 9, stages 2 + 2 + 1 = 5.
TEST(FredSwitch, CensusIsThatOfTheTable) {
  EXPECT_EQ(fred_census(2, 3), (FredCensus{0, 0, 1, 0, 1}));
  EXPECT_EQ(fred_census(3, 3), (FredCensus{1, 1, 3, 2, 3}));
  EXPECT_EQ(fred_census(8, 3), (FredCensus{10, 10, 9, 0, 5}));
  EXPECT_EQ(fred_census(10, 3), (FredCensus{20, 20, 27, 24, 7}));
  EXPECT_EQ(fred_census(11, 3), (FredCensus{23, 23, 27, 20, 7}));
  EXPECT_EQ(fred_census(12, 3), (FredCensus{24, 24, 27, 18, 7}));
}

// Counting what was built and counting by the recursion are two programs.
TEST(FredSwitch, WhatIsBuiltIsWhatIsCounted) {
  for (std::uint32_t m = 2; m <= 5; ++m)
    for (std::uint32_t ports = 2; ports <= 40; ++ports)
      EXPECT_EQ(FredSwitch(ports, m).census(), fred_census(ports, m)) << "Fred_" << m << "(" << ports << ")";
}

// P = 2^k needs k−1 levels: m^(k−1) RDs, and R = Σ_l m^l · P/2^(l+1), which is 32 + 48 + 72 + 108 + 162 = 422 for Fred_3(64).
TEST(FredSwitch, PowersOfTwoHaveNoLonePorts) {
  EXPECT_EQ(fred_census(64, 3), (FredCensus{422, 422, 243, 0, 11}));
  EXPECT_EQ(fred_census(1024, 2),
            (FredCensus{9 * 512, 9 * 512, 512, 0, 19}));  // Beneš: P/2 elements in each of 2k−1 columns
}

// Every wire has one end that drives it and one that it drives; elements are in the order of the data; shapes as drawn.
TEST(FredSwitch, WiresJoinElementsInOrder) {
  for (const std::uint32_t m : {2u, 3u, 4u})
    for (const std::uint32_t ports : {2u, 3u, 4u, 5u, 6u, 7u, 11u, 12u, 13u, 20u}) {
      const FredSwitch fred(ports, m);
      std::vector<int> driven(fred.wires(), 0), read(fred.wires(), 0);
      for (std::uint32_t p = 0; p < ports; ++p) ++driven[fred.input_wire(p)], ++read[fred.output_wire(p)];
      for (const MicroSwitch& element : fred.micro_switches()) {
        const bool edge = element.kind != MicroKind::kReduceDistribute;
        const bool lone = element.kind == MicroKind::kDemux || element.kind == MicroKind::kMux;
        const bool entry = element.kind == MicroKind::kReduce || element.kind == MicroKind::kDemux;
        const std::size_t outside = lone ? 1 : 2, inside = edge ? m : 2;
        EXPECT_EQ(element.inputs.size(), entry ? outside : inside);
        EXPECT_EQ(element.outputs.size(), entry ? inside : outside);
        EXPECT_LT(element.column, fred.census().stages);
        for (const Wire wire : element.inputs) {
          EXPECT_EQ(driven[wire], 1) << "an element comes after those that feed it";
          ++read[wire];
        }
        for (const Wire wire : element.outputs) ++driven[wire];
      }
      for (Wire wire = 0; wire < fred.wires(); ++wire)
        EXPECT_TRUE(driven[wire] == 1 && read[wire] == 1) << "wire " << wire;
    }
}

TEST(FredSwitch, SizesThatCannotBeAreErrors) {
  EXPECT_THROW(FredSwitch(1, 3), Error);
  EXPECT_THROW(FredSwitch(0, 3), Error);
  EXPECT_THROW(FredSwitch(8, 1), Error);
  EXPECT_THROW(FredSwitch(1u << 20, 4), Error);      // more than can be built: 4^19 RDs
  EXPECT_THROW(fred_census(1u << 31, 1000), Error);  // more than can be counted: 1000^30 RDs
  EXPECT_EQ(fred_census(1u << 20, 4).reduce_distribute, 1ull << 38);
}

}  // namespace
}  // namespace helio::fabric
