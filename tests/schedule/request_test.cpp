// SPDX-License-Identifier: Apache-2.0
#include "schedule/request.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::schedule {
namespace {

std::string refusal(const CollectiveRequest& request) {
  try {
    check(request);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message();
  }
  return "";
}

TEST(Request, KindsAreFoundByTheirNames) {
  for (const Kind kind : kAllKinds) EXPECT_EQ(kind_named(name_of(kind)), kind);
}

TEST(Request, AnUnknownKindIsAnInputErrorAtItsPlaceWithTheNearestName) {
  try {
    kind_named("all-redcue", "KIND");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.place(), "KIND");
    EXPECT_NE(error.advice().find("all-reduce"), std::string::npos) << error.advice();
  }
}

TEST(Request, OneGroupOfAllNodesInOrder) {
  const CollectiveRequest request = request_on_all(Kind::kReduce, Bytes{10}, 3, 2);
  EXPECT_EQ(request.ranks(), 3);
  EXPECT_EQ(request.root, 2);
  EXPECT_EQ(request.groups[0][2], NodeId{2});
  EXPECT_EQ(refusal(request), "");
}

TEST(Request, RefusesWhatIsNoPartition) {
  const NodeId a{0}, b{1}, c{2}, d{3};
  EXPECT_EQ(refusal({.groups = {{a, b}, {d, c}}}), "");
  EXPECT_NE(refusal({.groups = {}}), "");
  EXPECT_NE(refusal({.groups = {{}}}), "");
  EXPECT_NE(refusal({.groups = {{a, b}, {c}}}).find("group 1 has 1 nodes"), std::string::npos);
  EXPECT_NE(refusal({.groups = {{a, b}, {c, a}}}).find("node 0 is named twice"), std::string::npos);
  // A chain of broadcasts: b receives from a and sends to c. Receiving twice, or being root twice, is no chain.
  EXPECT_EQ(refusal({.kind = Kind::kBroadcast, .groups = {{a, b}, {b, c}}}), "");
  EXPECT_NE(refusal({.kind = Kind::kBroadcast, .groups = {{a, b}, {c, b}}}).find("node 1 is named twice"),
            std::string::npos);
  EXPECT_NE(refusal({.kind = Kind::kBroadcast, .groups = {{a, b}, {a, c}}}).find("node 0 is named twice"),
            std::string::npos);
  EXPECT_NE(refusal({.kind = Kind::kBroadcast, .groups = {{a, a}}}).find("node 0 is named twice"), std::string::npos);
  EXPECT_NE(refusal({.groups = {{a, NodeId{}}}}), "");
}

TEST(Request, RefusesARootThatIsNoMember) {
  EXPECT_NE(refusal(request_on_all(Kind::kBroadcast, Bytes{1}, 4, 4)).find("root 4"), std::string::npos);
  EXPECT_NE(refusal(request_on_all(Kind::kBroadcast, Bytes{1}, 4, -1)), "");
}

}  // namespace
}  // namespace helio::schedule
