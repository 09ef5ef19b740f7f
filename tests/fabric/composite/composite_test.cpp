// SPDX-License-Identifier: Apache-2.0
// How a composite is written and what it says it can; what collectives take on it is in tests/pipeline/composite_test.cpp.
#include "fabric/composite/composite.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/composite/levels.h"

namespace helio::fabric {
namespace {

std::unique_ptr<Fabric> made(const std::string& levels, const std::string& nodes = "") {
  Settings settings{{"levels", {levels, "here"}}};
  if (!nodes.empty()) settings["nodes"] = {nodes, "nodes"};
  return make("composite", settings, "here");
}

TEST(Composite, LevelsAreWrittenOneAfterTheOther) {
  const auto levels = levels_in(
      "fred:variant=D/wdm-ring:name=between,nodes=64,rate=40 Gb/s,gateways=0+5/switch:rate=1 Tb/s/ring", "here");
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(levels[0].name, "fred");
  EXPECT_EQ(levels[0].settings.at("variant").text, "D");
  EXPECT_EQ(levels[1].name, "between");
  EXPECT_EQ(levels[1].fabric, "wdm-ring");
  EXPECT_EQ(levels[1].settings.at("rate").text, "40 Gb/s");  // whose '/' begins no level
  EXPECT_EQ(levels[1].joint.at("gateways").text, "0+5");
  EXPECT_EQ(levels[2].settings.at("rate").text, "1 Tb/s");
  EXPECT_EQ(levels[3].fabric, "ring");
}

TEST(Composite, CountsThroughAllLevels) {
  const auto fabric = made("switch:nodes=4/ring:nodes=3/switch:nodes=2");
  const schedule::Capabilities& can = fabric->capabilities();
  EXPECT_EQ(can.fabric, "composite");
  EXPECT_EQ(can.nodes, 24u);
  ASSERT_EQ(can.parts.size(), 3u);
  EXPECT_EQ(can.parts[0].name, "switch 0");  // two are switches
  EXPECT_EQ(can.parts[1].name, "ring");
  EXPECT_EQ(can.parts[0].instances.size(), 6u);
  EXPECT_EQ(can.parts[1].unit, 4u);
  EXPECT_EQ(can.parts[1].instances[1].front(), 12u);
  EXPECT_EQ(can.parts[2].unit, 12u);
  EXPECT_EQ(made("switch:nodes=4/ring", "20")->capabilities().parts[1].capabilities.nodes, 5u);
}

TEST(Composite, OneLevelIsTheFabricItself) { EXPECT_EQ(made("ring:nodes=5")->capabilities().fabric, "ring"); }

// Two gateways of 100 Gb/s hand over at most 200, whatever the ring could take (2 links of 400 Gb/s).
TEST(Composite, GatewaysLimitWhatAUnitSends) {
  const auto fabric = made("switch:nodes=4/ring:nodes=3,rate=400 Gb/s,gateways=2,gateway_rate=100 Gb/s");
  EXPECT_DOUBLE_EQ(fabric->capabilities().parts[1].capabilities.injection.value, 200e9);
  EXPECT_EQ(fabric->capabilities().parts[1].gateways, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(made("switch:nodes=4/ring:nodes=3,gateways=3+")->capabilities().parts[1].gateways,
            (std::vector<std::uint32_t>{3}));
  // A link out and one in for each of two gateways of three switches
  EXPECT_EQ(fabric->resources().size(), 2u * 2u * 3u);
  EXPECT_DOUBLE_EQ(
      made("switch:nodes=4/ring:nodes=3,rate=400 Gb/s")->capabilities().parts[1].capabilities.injection.value, 800e9);
}

TEST(Composite, LevelsAreWrittenBack) {
  const std::string text =
      "switch:name=low,nodes=4,rate=40 Gb/s/ring:name=ring,nodes=3,gateway_rate=1 Tb/s,gateways=0+2";
  EXPECT_EQ(in_words(levels_in(text, "here")), text);
}

TEST(Composite, WhatIsWrongIsToldWithItsLevel) {
  struct Case {
    const char *levels, *says;
  };
  for (const auto& [levels, says] :
       {Case{"switch:nodes=4/ring:nodes=3,gateways=5", "level 'ring': 5 gateways"},
        Case{"switch:nodes=4/ring:nodes=3,gateways=0+7", "level 'ring': node 7"},
        Case{"switch:nodes=4/ring:nodes=3,gateways=1+1", "twice"},
        Case{"switch:nodes=4/ring:nodes=3,gateways=many", "level 'ring'"},
        Case{"switch:nodes=4/ring:nodes=3,gateway_rate=0 Gb/s", "level 'ring': gateways of 0"},
        Case{"switch:nodes=4/ring:nodes=3,gateway_choice=closest", "level 'ring'"},
        Case{"switch:nodes=4/ring:nodes=0", "level 'ring'"},
        Case{"switch:nodes=4/ring", "level 'ring'"},
        Case{"switch:nodes=4/rong:nodes=3", "rong"},
        Case{"switch:nodes=4/ring:nodes=3,rat=1", "level 'ring'"},
        Case{"switch:nodes=4/ring:nodes", "no parameter"},
        Case{"switch:nodes=4,nodes=5/ring:nodes=3", "twice"},
        Case{"switch:nodes=4,name=a/ring:nodes=3,name=a", "two levels are called 'a'"},
        Case{"switch:nodes=4,gateways=2/ring:nodes=3", "joins nothing"},
        Case{"composite/ring:nodes=3", "composite itself"},
        Case{"switch:nodes=4,slow=3@0.5/ring:nodes=3", "no instance 3"},
        Case{"switch:nodes=4/ring:nodes=3,slow=1@0.5", "no instance 1"},
        Case{"switch:nodes=4/ring:nodes=3,slow=0@2", "no slower instance"},
        Case{"switch:nodes=1000000/ring:nodes=1000", "more than"},
        Case{"", ""}}) {
    try {
      made(levels);
      FAIL() << levels;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput) << levels;
      EXPECT_NE(error.message().find(says), std::string::npos) << levels << ": " << error.message();
      EXPECT_FALSE(error.advice().empty()) << levels;
    }
  }
  EXPECT_THROW(made("switch:nodes=4/ring:nodes=3", "13"), Error);
  EXPECT_THROW(made("switch:nodes=4/ring", "13"), Error);
}

}  // namespace
}  // namespace helio::fabric
