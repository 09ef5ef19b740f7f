// SPDX-License-Identifier: Apache-2.0
#include "report/json/trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/a_result.h"

namespace helio::report {
namespace {

using Json = nlohmann::json;

// Two bars on two levels: two process names and two complete events, in microseconds.
TEST(Trace, BarsBecomeCompleteEvents) {
  const Json events = Json::parse(to_trace({a_result()}))["traceEvents"];
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0]["ph"], "M");
  EXPECT_EQ(events[1]["ph"], "X");
  EXPECT_EQ(events[1]["name"], "call \"a\"");
  EXPECT_DOUBLE_EQ(events[1]["dur"], 2);
  EXPECT_EQ(events[3]["args"]["rounds"], 4);
  EXPECT_NE(events[1]["pid"], events[3]["pid"]);
}

// The second collective begins when the first has ended, at 3 ms.
TEST(Trace, CollectivesFollowEachOther) {
  const Json events = Json::parse(to_trace({a_result(), a_result()}))["traceEvents"];
  EXPECT_DOUBLE_EQ(events[5]["ts"], 3000);
}

TEST(Trace, ACutIsMarked) {
  pipeline::Result result = a_result();
  result.trace_cut = true;
  EXPECT_EQ(Json::parse(to_trace({result}))["traceEvents"].back()["ph"], "i");
  EXPECT_TRUE(Json::parse(to_trace({}))["traceEvents"].empty());
}

}  // namespace
}  // namespace helio::report
