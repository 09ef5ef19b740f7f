// SPDX-License-Identifier: Apache-2.0
#include "flow/least_time.h"

#include <gtest/gtest.h>

namespace helio::flow {
namespace {

// Two links of 1 byte a second and one of 4, ways of 1 second over one of them each.
struct Links {
  Program program;
  RouteId slow, fast, both;
  Links() {
    const ResourceId narrow = program.resources.add_links(2, BitRate{8}, nullptr);
    const ResourceId wide = program.resources.add_links(1, BitRate{32}, nullptr);
    slow = add({{narrow}});
    fast = add({{wide}});
    both = add({{narrow}, {wide}});
  }
  RouteId add(std::vector<LinkUse> links) { return program.routes.add(links, {}, Time::seconds(1)); }
  static Operation transfer(RouteId route, double bytes, double overhead = 0) {
    Operation op;
    op.kind = OperationKind::kTransfer;
    op.route = route;
    op.bytes = bytes;
    op.duration = Time::seconds(overhead);
    return op;
  }
  double least(Template body) {
    program.entry = program.add(std::move(body));
    check(program);
    return least_time(program);
  }
};

// 2 s of overhead, 1 of latency, 12 bytes at 4 a second; over both links at 1 a second.
TEST(LeastTime, ATransferAlone) {
  EXPECT_DOUBLE_EQ(Links().least({"t", {Links::transfer(Links().fast, 12, 2)}, {}}), 2 + 1 + 3);
  EXPECT_DOUBLE_EQ(Links().least({"t", {Links::transfer(Links().both, 12, 2)}, {}}), 2 + 1 + 12);
}

// The narrow link has 5 + 3 bytes to carry, not before the earlier of them is there: after 1 s.
TEST(LeastTime, TransfersShareALink) {
  Links l;
  EXPECT_DOUBLE_EQ(l.least({"t", {l.transfer(l.slow, 5), l.transfer(l.both, 3, 4)}, {}}), 1 + 8);
}

// A chain takes the sum of its calls: three rounds of 1 + 2 s, then 1 + 1; beside it one of 1 + 4.
TEST(LeastTime, CallsFollowEachOther) {
  Links l;
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = l.program.add({"round", {l.transfer(l.slow, 2)}, {}});
  call.rounds = 3;
  EXPECT_DOUBLE_EQ(l.least({"t", {call, l.transfer(l.fast, 4), l.transfer(l.fast, 16)}, {{0, 1}}}), 3 * 3 + 2);
}

// Two calls beside each other take 3 s each if alone; what both put on the narrow link is 10 bytes.
TEST(LeastTime, WhatTheWholeProgramPutsOnALink) {
  Links l;
  Operation call;
  call.kind = OperationKind::kCall;
  call.callee = l.program.add({"round", {l.transfer(l.slow, 5)}, {}});
  EXPECT_DOUBLE_EQ(l.least({"t", {call, call}, {}}), 10);
}

// Which of two ways is taken is decided later: only its overhead is sure.
TEST(LeastTime, WaysThatAreChosenLaterCountNothing) {
  Links l;
  Operation op = l.transfer(l.slow, 100, 2);
  op.alternatives = 2;
  op.controlled = true;
  l.program.entry = l.program.add({"t", {op}, {}});
  EXPECT_DOUBLE_EQ(least_time(l.program), 2);
}

}  // namespace
}  // namespace helio::flow
