// SPDX-License-Identifier: Apache-2.0
#include "fabric/part.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::fabric {
namespace {

TEST(Part, IsNeverUnknown) {
  for (const auto& [name, part] : parts_with()) {
    const std::string& reference = parts().at(name).description.reference;
    EXPECT_FALSE(reference.empty()) << name;
    EXPECT_GT(part.year, 2000) << name;
    bool tells = false, spans = false;
    for (const Range range :
         {part.watts, part.joules_per_bit, part.idle, part.watts_per_light, part.price, part.price_per_gbps}) {
      EXPECT_LE(range.low, range.high) << name;
      EXPECT_GE(range.low, 0) << name;
      tells = tells || range.high > 0;
      spans = spans || range.low < range.high;
    }
    EXPECT_TRUE(tells) << name;
    EXPECT_LE(part.idle.high, 1) << name;
    // What is from memory says so, and spans a range
    EXPECT_EQ(part.recalled, reference.find("recalled") != std::string::npos) << name;
    EXPECT_TRUE(spans || !part.recalled) << name;
  }
}

TEST(Part, IsWhatSomebodyKnowsBetter) {
  const Parts known = parts_with({{"wss.watts", {"20", "here"}}, {"laser.efficiency", {"0.1", "here"}}});
  EXPECT_EQ(known.at("wss").watts, (Range{20, 20}));
  EXPECT_EQ(known.at("wss").price, parts_with().at("wss").price);
  EXPECT_DOUBLE_EQ(known.at("laser").watts_per_light.low, 10);
  EXPECT_DOUBLE_EQ(known.at("laser").watts_per_light.high, 10);
}

TEST(Part, RefusesWhatIsOfNoPart) {
  const auto place = [](const Settings& settings) -> std::string {
    try {
      parts_with(settings);
    } catch (const Error& error) {
      return error.place();
    }
    return "";
  };
  EXPECT_EQ(place({{"wsss.watts", {"20", "here"}}}), "here");
  EXPECT_EQ(place({{"wss.volts", {"20", "there"}}}), "there");
  EXPECT_EQ(place({{"wss.watts", {"-1", "below"}}}), "below");
  EXPECT_EQ(place({{"laser.efficiency", {"0", "dark"}}}), "dark");
  EXPECT_EQ(place({{"wss", {"20", "bare"}}}), "bare");
}

}  // namespace
}  // namespace helio::fabric
