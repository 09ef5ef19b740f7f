// SPDX-License-Identifier: Apache-2.0
#include "schedule/value.h"

#include <gtest/gtest.h>

namespace helio::schedule {
namespace {

template <class Value>
class ValueTest : public testing::Test {};
using Representations = testing::Types<Multiset, Fingerprint>;
TYPED_TEST_SUITE(ValueTest, Representations);

TYPED_TEST(ValueTest, SumsDependOnMembersAndNotOnOrder) {
  using Value = TypeParam;
  Value ab = Value::input(0, 1), ba = Value::input(3, 2);
  ab.add(Value::input(3, 2));
  ba.add(Value::input(0, 1));
  EXPECT_TRUE(ab == ba);
  EXPECT_FALSE(ab == Value::input(0, 1));
  EXPECT_FALSE(Value::input(0, 1) == Value::input(1, 0));
}

TYPED_TEST(ValueTest, WhatIsUndefinedStaysUndefined) {
  using Value = TypeParam;
  Value value = Value::input(0, 0);
  value.add(Value());
  EXPECT_EQ(value.difference(Value::input(0, 0)), "holds an undefined value");
  value.add(Value::input(0, 0));
  EXPECT_EQ(value.difference(Value::input(0, 0)), "holds an undefined value");
}

TYPED_TEST(ValueTest, DoublingForEverNeverComesBackToNothing) {
  // 2^k copies of x are nothing modulo 2^104 for k >= 104, and nothing modulo 2^32 for k >= 32: without a count that stops
  // growing, adding them to a right result would go unnoticed.
  using Value = TypeParam;
  Value doubled = Value::input(0, 0);
  for (int k = 0; k < 200; ++k) doubled.add(Value(doubled));
  Value sum = Value::input(1, 0);
  sum.add(doubled);
  EXPECT_FALSE(sum == Value::input(1, 0));
}

TEST(Value, DifferencesAreNamed) {
  Multiset twice = Multiset::input(1, 5);
  twice.add(Multiset::input(1, 5));
  EXPECT_EQ(twice.difference(Multiset::input(1, 5)), "holds x(1,5) 2 times instead of 1");
  EXPECT_EQ(Multiset::input(2, 0).difference(Multiset::input(1, 5)), "holds x(1,5) 0 times instead of 1");
  EXPECT_EQ(Multiset::nothing().difference(Multiset::input(1, 5)), "holds x(1,5) 0 times instead of 1");
  Fingerprint two = Fingerprint::input(1, 5);
  two.add(Fingerprint::input(1, 5));
  EXPECT_EQ(two.difference(Fingerprint::input(1, 5)), "holds 2 inputs instead of 1");
  EXPECT_EQ(Fingerprint::input(1, 4).difference(Fingerprint::input(1, 5)),
            "holds 1 inputs, but not those that belong there");
}

TEST(Value, RoundsAreNamedByTheirPhase) {
  Schedule schedule;
  schedule.phases = {{.name = "a", .repeat = 3}, {.name = "b", .repeat = 2}};
  EXPECT_EQ(place_of(schedule, 2), "phase 0 'a', round 2");
  EXPECT_EQ(place_of(schedule, 3), "phase 1 'b', round 0");
}

}  // namespace
}  // namespace helio::schedule
